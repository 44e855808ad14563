"""What is written to files: SVG, PNG, PDF, pages, slides; how large; what can go wrong."""

import re
import sys
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from draw.toy import Value, leaf, worked

import minigrad as mg
from minigrad.core.errors import ArgumentError
from minigrad.draw import draw
from minigrad.draw.look import style_sheet
from minigrad.draw.paint import pdf
from minigrad.draw.paint.bare import spell_out

matplotlib.use("agg")


def drawings():
    """A drawing of each kind: every shape, line, mark and frame is in one of them."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(512, 512))
        with mg.name_scope("layer"):
            y = mg.tanh(x * 2.0 + 1.0) * 1.0
        last = mg.while_loop(lambda s: s < 9.0, lambda s: s * 2.0, mg.sum(y))
        executable = mg.Session(graph).compile(mg.max(y), [x])
    yield draw(worked()[-1], mode="mirror", title="A title")
    yield draw(worked()[-1], mode="tangent")
    yield draw(last, mode="loop", budget=9)
    yield draw(executable, mode="plan")
    yield from draw.passes(executable).drawings
    yield draw.passes(executable)


def tag_of(element):
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def test_every_element_of_a_drawing_is_known_and_has_a_colour():
    known = {*pdf.OUTLINES, "svg", "g", "style", "title", "text", "tspan"}
    for drawing in drawings():
        root = ElementTree.fromstring(spell_out(drawing.svg))
        for element in root.iter():
            assert tag_of(element) in known
            if tag_of(element) in pdf.OUTLINES:
                assert {"fill", "stroke"} & {*element.keys()}
            if tag_of(element) == "text":
                style = root.attrib | element.attrib
                assert float(style["font-size"]) and style["fill"].startswith("#")


@pytest.mark.parametrize("number", range(4))
def test_pdf_is_made_of_lines_and_letters(number, tmp_path):
    drawing = list(drawings())[number]
    with matplotlib.rc_context({"pdf.compression": 0}):
        text = drawing.save(tmp_path / "graph.pdf").read_bytes()
        assert text == drawing.save(tmp_path / "again.pdf").read_bytes()
    assert text.startswith(b"%PDF") and b"/Subtype /Image" not in text
    width, height = (float(re.search(rf'{name}="(\d+)"', drawing.svg)[1]) for name in SIZES)
    assert f"[ 0 0 {width * 0.75:g} {height * 0.75:g} ]".encode() in text
    assert text.count(b" Tj") + text.count(b" TJ") >= 3
    assert b"/FontFile2" in text  # the letters can be found, and are there on every machine
    assert text.count(b" c\n") > 2 * len(drawing.scene.nodes)


SIZES = ("width", "height")


def test_rules_for_more_classes_come_last_and_others_are_left_out():
    sheet = f"<style>#n1 {{ fill: red }}\n{style_sheet()}</style>"
    marks = '<path class="edge adjoint"/><rect class="adjoint"/>'
    edge, card = list(ElementTree.fromstring(spell_out(f"<svg>{sheet}{marks}</svg>")))[1:]
    style = [edge.get(name) for name in ("fill", "stroke", "stroke-width")]
    assert style == ["none", "#B0430A", "1.6"]
    assert card.get("fill") == "#FDEDE1"


@pytest.mark.parametrize(
    "attributes, points",
    [
        ({"d": "M1 2 L3 4 Z"}, [("MOVETO", (1, 2)), ("LINETO", (3, 4)), ("CLOSEPOLY", (3, 4))]),
        ({"d": "M1 2 H7 V9"}, [("MOVETO", (1, 2)), ("LINETO", (7, 2)), ("LINETO", (7, 9))]),
        ({"d": "M0 0 Q1 2 3 4"}, [("MOVETO", (0, 0)), ("CURVE3", (1, 2)), ("CURVE3", (3, 4))]),
    ],
)
def test_paths(attributes, points):
    assert pdf.outline_path(attributes) == points


def test_a_circle_reaches_equally_far_to_all_sides():
    whole = np.array([point for _, point in pdf.outline_circle({"cx": 1, "cy": 2, "r": "3"})])
    assert whole.min(axis=0).tolist() == [-2, -1] and whole.max(axis=0).tolist() == [4, 5]


def test_a_rectangle_keeps_its_corners():
    points = [p for _, p in pdf.outline_rect({"x": 0, "y": 0, "width": 10, "height": 4, "rx": 9})]
    assert (0.0, 2.0) in points and (10.0, 2.0) in points  # a radius is at most half of a side
    square = [p for _, p in pdf.outline_rect({"x": 1, "y": 1, "width": 2, "height": 2})]
    assert set(square) == {(1, 1), (3, 1), (3, 3), (1, 3)}


def test_without_matplotlib_pdf_names_the_cure(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ArgumentError, match="needs the package matplotlib") as caught:
        draw(leaf(1.0)).save(tmp_path / "graph.pdf")
    assert "save as .svg" in caught.value.hint and not list(tmp_path.iterdir())


# how large ---------------------------------------------------------------------------------------


def test_a_scaled_picture_has_the_same_content(tmp_path):
    drawing = draw(worked()[-1])
    once, twice = (drawing.save(tmp_path / f"{s}.svg", scale=s).read_text("utf-8") for s in (1, 2))
    old, new = (
        list(map(float, re.findall(r' (?:width|height)="([\d.]+)"', t)[:2])) for t in (once, twice)
    )
    assert new == [2 * length for length in old]
    assert once.partition("viewBox")[2] == twice.partition("viewBox")[2]
    page = drawing.save(tmp_path / "large.pdf", scale=3).read_bytes()
    assert f"[ 0 0 {old[0] * 2.25:g} {old[1] * 2.25:g} ]".encode() in page


def test_a_scaled_png_has_more_pixels(tmp_path):
    pytest.importorskip("resvg_py", reason="resvg-py is not installed")
    drawing = draw(leaf(1.0))
    one, two = (drawing.save(tmp_path / f"{s}.png", scale=s).read_bytes() for s in (1, 1.5))
    width = [int.from_bytes(data[16:20], "big") for data in (one, two)]
    assert width[1] == pytest.approx(1.5 * width[0], abs=1)


@pytest.mark.parametrize("scale", [0, -1, "2", float("nan"), True, 1e9])
def test_what_is_no_factor_is_refused(scale, tmp_path):
    with pytest.raises(ArgumentError, match="scale"):
        draw(leaf(1.0)).save(tmp_path / "graph.svg", scale=scale)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["graph.html", "graph.dot"])
def test_what_has_no_size_is_not_scaled(name, tmp_path):
    with pytest.raises(ArgumentError, match="has no size"):
        draw(leaf(1.0)).save(tmp_path / name, scale=2)


# folders -----------------------------------------------------------------------------------------


def two_steps():
    """A player of few steps."""
    x = mg.tensor(2.0, name="x", requires_grad=True)
    return mg.player(x * 3.0)


def test_slides_are_a_picture_for_each_step(tmp_path):
    player = two_steps()
    paths = player.slides(tmp_path / "talk")
    assert [path.name for path in paths] == [f"0{n}.svg" for n in range(1, len(paths) + 1)]
    assert len(paths) == len(player.trace.events)
    texts = [path.read_text("utf-8") for path in paths]
    last = player.save(tmp_path / "last.svg").read_text("utf-8")
    assert texts[-1] == last and len(set(texts)) == len(texts)
    assert len({re.search(r"<svg [^>]*>", text)[0].partition(" role")[0] for text in texts}) == 1


def test_slides_of_a_slider_in_any_form(tmp_path):
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        slider = draw.passes(mg.Session(graph).compile(mg.exp(x * 1.0), [x]))
    paths = slider.slides(tmp_path, suffix=".pdf", scale=2)
    assert [path.read_bytes()[:4] for path in paths] == [b"%PDF"] * len(slider)
    with pytest.raises(ArgumentError, match="slides: cannot write '.gif'"):
        slider.slides(tmp_path, suffix=".gif")


@pytest.mark.parametrize("thing", [lambda: draw(leaf(1.0)), two_steps], ids=["draw", "player"])
@pytest.mark.parametrize("suffix", [".svg", ".html"])
def test_a_folder_that_is_not_there_is_one_clear_message(thing, suffix, tmp_path):
    folder = tmp_path / "missing"
    with pytest.raises(
        mg.FileError, match="cannot be written: there is no folder .*missing"
    ) as caught:
        thing().save(folder / f"graph{suffix}")
    assert caught.value.hint == f"make it first: os.makedirs({str(folder)!r}, exist_ok=True)"


@pytest.mark.parametrize("thing", [lambda: draw(leaf(1.0)), two_steps], ids=["draw", "player"])
@pytest.mark.parametrize("suffix", [".svg", ".html"])
def test_a_picture_goes_to_the_home_folder(thing, suffix, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))  # where Windows looks
    assert thing().save(f"~/graph{suffix}") == tmp_path / f"graph{suffix}"
    assert two_steps().slides("~/talk")[0] == tmp_path / "talk" / "01.svg"
    assert (tmp_path / f"graph{suffix}").is_file()


def test_slides_cannot_go_into_a_file(tmp_path):
    (tmp_path / "talk").write_text("mine")
    with pytest.raises(ArgumentError, match="cannot make the folder"):
        two_steps().slides(tmp_path / "talk")
    assert (tmp_path / "talk").read_text() == "mine"


# graphviz ----------------------------------------------------------------------------------------


def test_a_graphviz_source_is_what_people_know():
    graphviz = pytest.importorskip("graphviz", reason="graphviz is not installed")
    drawing = draw(worked()[-1], mode="mirror")
    source = drawing.graphviz()
    assert isinstance(source, graphviz.Source) and source.source == drawing.dot
    source.engine, source.format = "neato", "png"
    assert (source.engine, source.format) == ("neato", "png") and callable(source.render)


def test_without_graphviz_the_cure_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    with pytest.raises(ArgumentError, match="graphviz is not installed") as caught:
        draw(Value(1.0)).graphviz()
    assert "drawing.dot" in caught.value.hint
