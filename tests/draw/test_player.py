"""The player without a browser: its steps, picture and fallback, and that nothing is markup."""

import base64
import importlib
import json
import re
import zipfile
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
from draw.toy import worked

import minigrad as mg
from minigrad.core.errors import ArgumentError
from minigrad.draw import player as element
from minigrad.draw.layout.engine import NoLayout
from minigrad.draw.look import DARK, LIGHT, ROLES
from minigrad.draw.paint.element import (
    FOLDER,
    LONG_NAMES,
    SHORT_NAMES,
    base_sheets,
    squeeze_script,
)
from minigrad.draw.player import spec

EVIL = '</script><img src=x onerror="hit()">\n\'"&amp;]]>`${1}'


class Parsed(HTMLParser):
    """The tags of a page, its texts, and what its own parser makes of the attribute `spec`."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts, self.specs, self.images, self.names = [], [], [], [], set()
        self.albums = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        found = dict(attributes)
        self.names |= set(found)
        if "spec" in found:
            self.specs.append(json.loads(found["spec"]))
            self.albums.append(json.loads(found.get("album", "{}")))
        if tag == "img":
            self.images.append(found)

    def handle_data(self, data):
        self.texts.append(data)


def two_paths():
    """The player of y = (x + w)(w + 1) at x = 2, w = 1."""

    def function(x, w):
        a = x + w
        b = w + 1
        return a * b

    return mg.player(function, {"x": 2.0, "w": 1.0}, title="two paths")


def told(player):
    """The specification that its script reads."""
    return Parsed(player.html).specs[0]


def svg_of(player):
    """The picture in the fallback, as text."""
    source = Parsed(player.html).images[0]["src"]
    start = "data:image/svg+xml;base64,"
    assert source.startswith(start)
    return base64.b64decode(source.removeprefix(start)).decode()


# steps -------------------------------------------------------------------------------------------


def test_the_steps_say_what_the_trace_says():
    player = two_paths()
    steps = told(player)["steps"]
    assert [(s["say"], s["result"]) for s in steps] == [
        (e.sentence, e.result) for e in player.trace.events
    ]
    words = (
        "w is used twice, so its adjoint is the sum of two contributions: 3 from b and 2 from a."
    )
    assert (steps[-1]["say"], steps[-1]["name"], steps[-1]["result"]) == (words, "w̄", "5")
    assert steps[-1]["memory"] == "live memory: 40 B; peak: 48 B"


def test_nothing_is_zero_before_it_is_computed():
    player = two_paths()
    assert len(told(player)["changing"]) == 10
    nodes = player.drawing(1).scene.nodes
    assert [node.number for node in nodes if node.number != "·"] == ["2"]


def test_labels_change_step_by_step():
    data = told(two_paths())
    adjoint = [text for s in data["steps"] for id, text in s["texts"] if id == "n1_bar"]
    assert adjoint == ["3", "5"]
    assert "n1_bar" in data["changing"]
    assert [place(data, s["at"], s) for s in data["steps"][-3:]] == ["n1_bar", "n0_bar", "n1_bar"]
    edges = [place[:2] for place in data["steps"][-1]["formula"] if isinstance(place, list)]
    assert edges == [["n4_bar", "n1_bar"], ["n2_bar", "n1_bar"]], "both terms of the sum"
    assert "n3" not in data["changing"]  # the constant 1 is part of a sign


def place(data, id, step):
    """The node in which a step's value, or its derivative, is drawn."""
    return data["drawn"].get(id, id) + (data["ending"] if "derivative" in step else "")


def test_every_node_and_edge_of_a_step_is_in_the_picture():
    for player in (two_paths(), baydin("reverse", None), baydin("forward", "x1")):
        picture, data = svg_of(player), told(player)
        assert len(data["steps"]) > 8
        for step in data["steps"]:
            assert f'id="{place(data, step["at"], step)}"' in picture
            edges = [one[:2] for one in step["formula"] if isinstance(one, list)]
            drawn = [e for e in edges if e[0] in data["nodes"] or "_" in e[0]]  # no constants
            for ends in drawn if step["phase"] != "tangent" else ():
                assert 'data-from="{}" data-to="{}"'.format(*ends) in picture


def baydin(mode, wrt):
    """The player of y = ln x1 + x1 x2 - sin x2 at (2, 5)."""
    return mg.player(
        lambda x1, x2: mg.log(x1) + x1 * x2 - mg.sin(x2), {"x1": 2.0, "x2": 5.0}, wrt=wrt, mode=mode
    )


def test_tangents_run_with_the_values():
    data = told(baydin("forward", "x1"))
    last = [s["name"] + " = " + s["result"] for s in data["steps"][-2:]]
    assert last == ["v̇4 = 5.5", "v̇6 = 5.5"]
    assert place(data, data["steps"][-1]["at"], data["steps"][-1]) == "n6_dot"


def test_the_source_has_the_current_line():
    data = told(two_paths())
    (source,) = data["source"]
    assert source["name"] == "test_player.py"
    texts = {
        s["name"]: source["lines"][s["line"][1]][1].strip() for s in data["steps"] if s["line"]
    }
    assert texts["a"] == "a = x + w" and texts["v5"] == "return a * b"
    assert texts["w̄"] == "a = x + w", "of the last contribution"


def test_the_inspector_knows_each_node():
    nodes = told(two_paths())["nodes"]
    assert nodes["n5"]["op"] == "Mul: v5 = a · b" and nodes["n5"]["form"] == "float64, scalar"
    assert "n3" not in nodes and nodes["n5"]["line"].endswith("return a * b")


def test_no_large_array_is_embedded():
    x = mg.tensor(np.linspace(-1, 1, 65), requires_grad=True, name="x")
    small = mg.tensor(np.linspace(-1, 1, 64).reshape(8, 8), requires_grad=True, name="s")
    player = mg.player(mg.sum(x) + mg.sum(small))
    values = {s["name"]: s["value"] for s in told(player)["steps"] if "value" in s}
    assert values["x"]["numbers"] == "-1 … 1"
    assert values["x"]["range"] == "from -1, to 1, mean 0"
    assert len(values["s"]["numbers"].split("\n")) == 8
    assert len(re.findall(r"-?[\d.]+", values["s"]["numbers"])) == 64


def test_a_static_run_tells_its_buffers():
    with mg.Graph():
        x = mg.placeholder("x", shape=(10,))
        y = mg.sum(mg.exp(x) * (x * 2) + 1)
    data = told(mg.player(y, {x: np.ones(10)}))
    said = [s["memory"] for s in data["steps"]]
    assert said[1] == "live memory: 80 B; peak: 160 B; this one lies in B0"
    assert (
        sum("is not read again, so" in text and text.endswith("in buffer B0") for text in said) == 2
    )
    assert data["mode"] == "run" and {s["phase"] for s in data["steps"]} == {"run"}


def test_a_closed_loop_shows_its_iteration():
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.while_loop(lambda v: v < 100, lambda v: v * x, mg.constant(1.0))
    texts = [
        one
        for s in told(mg.player(y, {x: 3.0}, wrt=x, collapse="n2"))["steps"]
        if s["say"].startswith(("Iteration", "Before"))
        for one in s["texts"]
    ]
    said = dict.fromkeys(text for id, text in texts if id == "n2" and "iteration" in text)
    assert list(said)[:2] == ["iteration 1", "iteration 2"]


def test_a_loop_that_is_played_is_open_at_first():
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.while_loop(lambda v: v < 100, lambda v: v * x, mg.constant(1.0))
    opened, closed = mg.player(y, {x: 3.0}, wrt=x), mg.player(y, {x: 3.0}, collapse="n2")
    assert opened.expand == ("n2",) and closed.expand == ()
    (strip,) = told(opened)["strips"]
    assert strip["names"] == [["v", False], ["v", True]] and told(closed)["strips"] == []
    values = [[title, cells[0][1], cells[1][1]] for title, _, *cells in strip["columns"]]
    assert values == [
        ["start", "1", "243"], ["1", "3", "81"], ["2", "9", "27"], ["3", "27", "9"],
        ["4", "81", "3"], ["5", "243", "1"],
    ]  # fmt: skip
    firsts = [first for _, first, *_ in strip["columns"]][1:]
    said = [told(opened)["steps"][first["backward"]]["say"] for first in firsts]
    assert [words.partition(":")[0] for words in said] == [
        f"Iteration {n} of 5" for n in range(1, 6)
    ]


def test_what_cannot_be_opened_is_refused_with_what_can():
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.while_loop(lambda v: v < 100, lambda v: v * x, mg.constant(1.0))
    for side in ("expand", "collapse"):
        with pytest.raises(ArgumentError, match="no 'loop1' to open or close\n.*\n.*use one of n2"):
            mg.player(y, {x: 3.0}, wrt=x, **{side: "loop1"})
    with pytest.raises(ArgumentError, match="nothing opens or closes here"):
        mg.player(formula, {"x": 2.0, "w": 1.0}, expand="layer0")


def test_too_many_steps_are_cut_in_words():
    v = mg.tensor(1.0, requires_grad=True, name="w")
    for _ in range(300):
        v = mg.sin(v)
    player = mg.player(v)
    data = told(player)
    assert len(data["steps"]) == 400 and len(player.trace.events) == 602
    assert data["note"].startswith("602 steps; 202 of them, from step 201 on, are left out here.")
    assert data["note"] in "".join(Parsed(player.html).texts)
    assert data["steps"][0]["say"] == "w is a leaf. Its value is 1."
    assert data["steps"][-1]["name"] == "w̄"
    late = dict(data["steps"][200]["texts"])
    assert late["n300"] == "0.09904", "what the steps left out have computed is there"


def test_a_learners_own_engine_plays():
    values = worked()
    values[-1].grad, values[1].grad = 1.0, 5.0
    data = told(mg.player(values[-1]))
    assert [s["name"] for s in data["steps"]][-2:] == ["ȳ", "w̄"]
    assert data["steps"][-1]["say"] == "Your engine says that the gradient of w is 5."
    assert place(data, "n1", data["steps"][-1]) == "n1_bar"


# what surrounds it -------------------------------------------------------------------------------


def test_the_fallback_is_a_picture_and_a_table():
    player = two_paths()
    page = Parsed(player.html)
    tag = element.player_script().tag
    assert page.tags[:6] == [tag, "picture", "source", "img", "details", "summary"]
    assert page.tags[-1] == "script"
    assert page.images[0]["alt"].startswith("two paths: ")
    assert page.tags.count("tr") == 12
    root = ElementTree.fromstring(svg_of(player))
    (half,) = [part for part in root.iter() if part.get("id") == "n1_bar"]
    assert [part.text for part in half if part.tag.endswith("text")] == ["w", "5"]


def test_text_is_stable_and_starts_with_the_title():
    player = two_paths()
    assert repr(player) == str(player) == repr(two_paths())
    assert repr(player).startswith("two paths\nstep  phase") and " at 0x" not in repr(player)
    assert player.html == two_paths().html


def test_what_a_user_writes_is_text(tmp_path):
    x = mg.tensor(2.0, requires_grad=True, name=EVIL)
    w = mg.tensor(3.0, requires_grad=True, name="w" + EVIL)
    player = mg.player(x * w, title=EVIL, names={EVIL + "y": None})
    for page in (player.html, player.save(tmp_path / "page.html").read_text(encoding="utf-8")):
        parsed = Parsed(page)
        assert (parsed.tags.count("script"), parsed.tags.count("img")) == (2, 1)
        known = {"spec", "src", "alt", "style", "lang", "charset", "name", "content"}
        assert parsed.names <= known
    assert Parsed(player.html).specs[0]["title"].startswith("</script><img src=x")
    drawn = ElementTree.fromstring(svg_of(player))
    assert not [part for part in drawn.iter() if part.tag.endswith(("img", "script"))]


def test_a_spec_is_json_even_of_numbers_that_json_lacks():
    x = mg.tensor([np.nan, np.inf, -np.inf, 0.0], requires_grad=True, name="x")
    player = mg.player(mg.sum(x * 2))
    json.loads(json.dumps(told(player)), parse_constant=lambda name: pytest.fail(name))
    assert told(player)["steps"][0]["value"]["numbers"] == "[nan, inf, -inf, 0]"


def test_versions_have_names_of_their_own(monkeypatch):
    tag, code = element.player_script()
    monkeypatch.setattr(element, "style_sheets", lambda: {"base": "", "light": "", "dark": ""})
    other = element.player_script.__wrapped__()[0]
    assert other != tag and re.fullmatch(r"minigrad-player-[0-9a-f]{10}", tag)
    assert f'definePlayer("{tag}"' in code and "</" not in code


def keys_of(data):
    """All keys in some JSON."""
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return {*(data if isinstance(data, dict) else ())}.union(*map(keys_of, parts))


def test_names_that_scripts_shorten_are_of_no_data():
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.while_loop(lambda v: v < 100, lambda v: v * x, mg.constant(1.0))
    for player in (two_paths(), mg.player(y, {x: 3.0}, wrt=x), mg.player(y, {x: 3.0})):
        page = Parsed(player.html)
        used = keys_of(page.specs[0]) | keys_of(page.albums[0])
        assert used.isdisjoint(LONG_NAMES) and {"steps", "pages", "parts"} <= used
    assert len(set(SHORT_NAMES.values())) == len(LONG_NAMES) + 1 == len({*LONG_NAMES}) + 1


def test_scripts_are_squeezed_outside_texts(tmp_path):
    path = tmp_path / "code.js"
    path.write_text(
        'const player = { "a = b": picture[0] + 1 }; // player\n'
        "const said = `player ${player.picture}`, [a, b] = [1, 2];\n"
    )
    picture, player = (SHORT_NAMES[name] for name in ("picture", "player"))
    assert squeeze_script([path]) == (
        f'let {player}={{"a = b":{picture}[0]+1}};'
        f"let said=`player ${{{player}.{picture}}}`,[a,b]=[1,2];"
    )


def test_colours_come_from_the_palette():
    code = "".join(
        path.read_text() for folder in (FOLDER, element.FOLDER) for path in folder.glob("*.[cj]s*")
    )
    assert not re.search(r"#[0-9a-fA-F]{3,6}\b", code)
    made = {name: base_sheets()[name] + own for name, own in element.style_sheets().items()}
    assert LIGHT["card"] in made["light"] and DARK["card"] in made["dark"]
    assert ROLES["adjoint"].stroke in made["light"] and ROLES["adjoint"].dark_stroke in made["dark"]
    used = set(re.findall(r"var\(--(\w+)\)", code))
    assert all(f"--{name}:" in made["base"] + made["light"] + code for name in used)


def formula(x, w):
    return (x + w) * (w + 1)


def test_it_opens_at_a_step_or_ready_to_be_dragged():
    given = {"x": 2.0, "w": 1.0}
    assert told(mg.player(formula, given))["at"] == 0
    assert told(mg.player(formula, given, at=6))["at"] == 5
    data = told(mg.player(formula, given, at="what if"))
    assert data["whatIf"] and data["at"] == len(data["steps"]) - 1
    for no_step in (0, 12, "last"):
        with pytest.raises(ArgumentError, match=f"no step {no_step}\n.*\n.*from 1 to 11"):
            mg.player(formula, given, at=no_step)
    with pytest.raises(ArgumentError, match="has no What if"):
        mg.player(lambda x: mg.sum(formula(x, 1.0)), {"x": [2.0, 3.0]}, at="what if")


def test_of_many_steps_it_opens_at_the_one_that_is_shown_next():
    def deep(x):
        for _ in range(300):
            x = mg.sin(x)
        return x

    player = mg.player(deep, {"x": 1.0}, at=250)  # left out: 201 to 402 of 602
    data = told(player)
    assert len(player.trace.events) == 602 and data["at"] == 200
    assert "v249" not in data["steps"][200]["say"]


def test_without_memory_nothing_tells_of_bytes():
    shown = mg.player(formula, {"x": 2.0, "w": 1.0}, memory=False)
    data = told(shown)
    assert data["peak"] == 0 and {step["memory"] for step in data["steps"]} == {""}
    assert "live" not in shown.text and not re.search(r"\d B\b", shown.text)
    assert "<th>live" not in shown.html
    assert "live" in mg.player(formula, {"x": 2.0, "w": 1.0}).text


def test_without_memory_a_program_tells_of_no_buffers():
    with mg.Graph():
        x = mg.placeholder("x", shape=10)
        y = mg.sum(mg.exp(x) * 2 + 1)
    given = {x: np.ones(10)}
    lanes = json.dumps(told(mg.player(y, given)))
    assert "B0" in lanes
    shown = json.dumps(told(mg.player(y, given, memory=False)))
    assert "B0" not in shown and "in place" not in shown


def test_saving(tmp_path):
    player = two_paths()
    last, first = player.save(tmp_path / "last.svg"), player.save(tmp_path / "first.svg", step=1)
    size = re.compile(r'viewBox="[^"]*"')
    assert size.search(last.read_text())[0] == size.search(first.read_text())[0]
    numbers = re.compile(r'class="value[^>]*>([^<]*)<')
    assert "5" in numbers.findall(last.read_text())
    assert set(numbers.findall(first.read_text())) == {"2", "·"}
    with pytest.raises(ArgumentError, match="there is no step 12\n.*\n.*from 1 to 11"):
        player.save(tmp_path / "no.svg", step=12)
    with pytest.raises(ArgumentError, match="cannot write .bmp"):
        player.save(tmp_path / "no.bmp")


def test_a_step_is_saved_as_pixels(tmp_path):
    pytest.importorskip("resvg_py", reason="resvg-py is not installed")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    assert two_paths().save(tmp_path / "step.png", step=6).read_bytes()[:4] == b"\x89PNG"


def test_without_a_layout_engine_the_steps_are_still_there(monkeypatch):
    def none(*_):
        raise NoLayout("no layout engine")

    player = two_paths()
    monkeypatch.setattr(importlib.import_module("minigrad.draw.drawing"), "layout", none)
    page = Parsed(player._repr_html_())
    assert not page.images and page.tags.count("tr") == 12
    assert page.specs[0]["steps"][-1]["result"] == "5" and page.specs[0]["changing"] == []


def test_a_repr_never_raises(monkeypatch):
    player = two_paths()
    monkeypatch.setattr(spec, "steps_data", None)
    assert "TypeError in the player" in player._repr_html_()
    monkeypatch.setattr(type(player.trace), "rows", None)
    assert repr(player) == "Player (TypeError while listing it)"


def test_script_and_style_are_in_the_wheel(tmp_path):
    hatchling = pytest.importorskip("hatchling.build")
    monkey = pytest.MonkeyPatch()
    monkey.chdir(FOLDER.parents[2])
    with monkey.context():
        wheel = hatchling.build_wheel(str(tmp_path))
    monkey.undo()
    names = zipfile.ZipFile(tmp_path / wheel).namelist()
    parts = [path for room in (FOLDER, element.FOLDER) for path in room.glob("*.[cj]s*")]
    assert len(parts) > 10
    assert {f"minigrad/draw/{path.parent.name}/{path.name}" for path in parts} <= set(names)
