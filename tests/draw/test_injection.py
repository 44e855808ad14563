"""Names are text: in every mode, in SVG, HTML and DOT, wherever a learner can put a name."""

import html.parser
import json
import re
import xml.etree.ElementTree as xml
from functools import cache

import numpy as np
import pytest
from draw.toy import Mul, Value, apply, leaf

import minigrad as mg
from minigrad.draw import draw
from minigrad.draw.layout import engine
from minigrad.draw.look import EDGES
from minigrad.draw.paint.element import view_script

HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a\nb\r\nc \\N\\n\\",
    "]]><b>&lt;&#60;",
    "\x00\x01\x1b[31m\u202eleft\u200f",
    '", shape=none, label="--><!--{a|b}',
]
TAGS = {
    "svg",
    "style",
    "rect",
    "text",
    "g",
    "title",
    "path",
    "circle",
}


def values(name):
    """A graph of a learner's engine with the name at every place that takes one."""
    x = leaf(2.0, name, requires_grad=True, scope=name)
    y = Value(
        3.0,
        name,
        (x, apply(Mul, x, x, scope=f"{name}/{name}")),
        name=name,
        requires_grad=True,
        params={name: name, "axis": name},
        scope=name,
        line=name,
    )
    return Value(6.0, Mul, (y, x), name=name, requires_grad=True, data_type=name, dtype=name)


def looped(name):
    """A loop whose carry has the name, inside a scope of that name."""
    with mg.Graph(), mg.name_scope(name):
        x = mg.placeholder(name, shape=(3,))
        return mg.while_loop(
            lambda c: mg.max(c[name]) < 9.0, lambda c: {name: c[name] * 2.0}, {name: x}
        )[name]


def ordered(name):
    """A value of that name that runs after an assignment."""
    with mg.Graph():
        w = mg.Variable(np.ones(3), name=name)
        step = mg.assign_add(w, 1.0)
        with mg.control_dependencies([step]):
            return mg.placeholder(name, shape=(3,)) * 2.0


def compiled(name):
    """A program with a kernel, a stored variable and passes that find something."""
    with mg.Graph() as graph:
        w = mg.Variable(np.ones((512, 512)), name=name)
        x = mg.placeholder(name, shape=(512, 512))
        y = mg.tanh(x * w * 1.0) + x
        twice = mg.max(mg.sin(x)) + mg.max(mg.sin(x))
        ends = [mg.max(y), mg.assign_sub(w, 0.1 * y), mg.max(mg.exp(mg.exp(x @ w))), twice]
        return mg.Session(graph).compile(ends, [x])


@cache
def drawings(name):
    """A drawing of every mode."""
    return list(every_drawing(name))


def every_drawing(name):
    show = ("op", "name", "params", "shape", "dtype", "value", "grad", "bytes", "line")
    for mode in ("forward", "split", "mirror", "backward", "tangent"):
        yield draw(values(name), mode=mode, show=show, title=name, saved=mode == "mirror")
    yield draw(values(name), around="n0", title=name)
    yield draw(values(name), budget=2, title=name)
    yield draw(looped(name), mode="loop", title=name)
    yield draw(ordered(name), title=name)
    yield draw(compiled(name), mode="plan", title=name)
    yield draw(compiled(name), mode="plan", title=name, depth=1_000)
    yield from draw.passes(compiled(name), title=name).drawings


class Tags(html.parser.HTMLParser):
    """The tags and attributes that a browser would find."""

    def __init__(self, text):
        super().__init__()
        self.found, self.text, self.albums = [], "", []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, *sorted(name for name, _ in attributes)))
        self.albums += [value for name, value in attributes if name == "album"]

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("name", HOSTILE)
def test_svg(name):
    for drawing in drawings(name):
        if not drawing.scene.nodes:
            continue
        root = xml.fromstring(drawing.svg.encode())
        assert {element.tag.split("}")[1] for element in root.iter()} <= TAGS
        assert not [key for e in root.iter() for key in e.attrib if key.startswith("on")]
        nodes = [e.get("id") for e in root.iter() if e.get("class") == "node"]
        table = drawing.scene.timetable
        assert nodes == [one.id for one in (table.columns if table else drawing.scene.nodes)]


@pytest.mark.parametrize("name", HOSTILE)
def test_html(name):
    allowed = {("img", "alt", "src", "style"), ("details",), ("summary",), ("pre",), ("p",)}
    allowed |= {(view_script().tag,), (view_script().tag, "album"), ("script",)}
    allowed |= {("picture",), ("source", "media", "srcset")}
    for drawing in drawings(name):
        found = Tags(drawing._repr_html_()).found
        assert set(found) <= allowed and found.count(("script",)) <= 1


@pytest.mark.parametrize("name", HOSTILE)
def test_album(name):
    shown = (*drawings(name), draw(looped(name), title=name))
    found = [json.loads(album) for drawing in shown for album in Tags(drawing.body).albums]
    assert found
    for album in found:
        for part in album["parts"]:
            root = xml.fromstring(f"<g>{part}</g>".replace("`", '"'))
            assert {element.tag for element in root.iter()} <= TAGS
        for page in album["pages"][1:]:
            xml.fromstring(f'<a b="{page["alt"]}"/>')


@pytest.mark.skipif(not engine.is_available("dot"), reason="Graphviz is not installed")
@pytest.mark.parametrize("name", HOSTILE)
def test_dot(name):
    for drawing in drawings(name):
        told = json.loads(engine.run_process(["dot", "-Tjson"], drawing.dot, 60))
        nodes = [thing for thing in told.get("objects", ()) if "nodes" not in thing]
        assert {thing["name"] for thing in nodes if "shape" in thing} == {
            node.id for node in drawing.scene.nodes
        }
        turns = [frame for frame in drawing.scene.frames if frame.carry_count]
        edges = told.get("edges", ())
        assert len(edges) == len(drawing.scene.edges) + len(turns)
        labels = {thing["name"]: thing["label"] for thing in nodes if "shape" in thing}
        for node in drawing.scene.nodes:
            drawn = re.sub(r"\\(.)", lambda found: found[1].replace("n", "\n"), labels[node.id])
            assert drawn.replace("&amp;", "&") == "\n".join(node.texts())


def test_all_kinds_of_edges_are_in_some_of_these_drawings():
    kinds = {edge.kind for drawing in drawings("x") for edge in drawing.scene.edges}
    kinds |= {
        "next" for drawing in drawings("x") for frame in drawing.scene.frames if frame.carry_count
    }
    assert kinds == set(EDGES) - {
        "parameter",
        "update",
    }  # which are kinds of values in a training step
