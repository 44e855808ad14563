"""The Drawing: how it shows itself, what it saves, that it never raises in a notebook."""

import re
import sys

import pytest
from draw.toy import Add, Value, apply, chain, leaf, worked

from minigrad.core.errors import ArgumentError
from minigrad.draw import draw, drawing
from minigrad.draw.layout.engine import NoLayout


def raises(self, *_):
    raise RuntimeError("hostile")


class Hostile:
    """Every property raises, and so do comparison and printing."""

    op = Add
    inputs = ()
    data = name = shape = dtype = order = role = params = grad = scope = property(raises)
    requires_grad = line = label = value = property(raises)
    __eq__ = __repr__ = __str__ = __bool__ = __len__ = __iter__ = raises
    __hash__ = None


class Strange(Hostile):
    """No property raises, and none is what it should be."""

    data = [[], {}]
    name, shape, dtype, order, role, params = 5, 7, [None], "third", {}, [1]
    grad, scope, line, requires_grad = "steep", 3, object, "yes"


class Worse(Hostile):
    """Not even op and inputs can be read."""

    op = inputs = property(raises)


@pytest.mark.parametrize("kind", [Hostile, Strange, Worse])
@pytest.mark.parametrize("mode", ["forward", "mirror", "tangent", "loop"])
def test_hostile_objects_are_drawn(kind, mode):
    everything = ("op", "name", "params", "shape", "dtype", "value", "grad", "bytes", "line")
    below = Value(kind(), Add, (kind(),), name="below")
    shown = draw(below, mode=mode, show=everything, names={"below": below})
    assert "below" in repr(shown)
    assert "<img" in shown._repr_html_()


@pytest.mark.parametrize("kind", [Hostile, Strange, Worse])
def test_where_nothing_is_differentiated_no_adjoint_is_drawn(kind):
    shown = draw(Value(kind(), Add, (kind(),)), mode="backward")
    assert "Nothing here requires a gradient" in repr(shown)
    assert "Nothing here requires a gradient" in shown._repr_html_()


def test_a_repr_never_raises(monkeypatch):
    shown = draw(leaf(1.0))
    monkeypatch.setattr(drawing, "svg", raises)
    assert "RuntimeError" in shown._repr_html_()
    monkeypatch.setattr(drawing, "listing", raises)
    assert "RuntimeError" in repr(shown)
    assert "RuntimeError" in shown._repr_html_()


def test_a_drawing_keeps_what_it_saw():
    x = leaf(1.0, "x")
    drawing = draw(x)
    x.data = 2.0
    assert ">1</text>" in drawing.svg


def test_nothing_but_html_and_text_is_offered_to_a_notebook():
    offered = {name for name in dir(draw(leaf(1.0))) if name.startswith("_repr_")}
    assert offered == {"_repr_html_"}


def test_html_holds_no_address_of_the_web_and_needs_no_script():
    drawing = draw(worked()[-1], mode="mirror")
    page = (drawing.html + drawing.svg).replace("http://www.w3.org/2000/svg", "").lower()
    for word in ("http", "onload=", "<foreignobject", "@import", r"\burl\("):
        assert not re.search(word, page)
    assert "<script" not in (drawing.plain + drawing.svg).lower()
    assert drawing.html.count("<script") == 1 and drawing.plain in drawing.html


def test_no_graph_is_too_large_to_be_drawn():
    drawing = draw(apply(Add, *(leaf(1.0) for _ in range(100))))
    assert len(drawing.scene.nodes) == 60 and "<img" in drawing._repr_html_()
    assert drawing.scene.nodes[0].call == "42 earlier values"
    assert drawing.scene.notes[0] == "101 nodes; drawing 60 (42 earlier values)."


def test_of_no_values_there_is_no_picture_and_that_is_said(tmp_path):
    with pytest.raises(ArgumentError, match="no picture: there is no node"):
        draw([]).save(tmp_path / "empty.svg")


def test_what_graphviz_cannot_place_in_time_is_told_with_a_call(monkeypatch, tmp_path):
    def fail(*_):
        raise NoLayout("too slow")

    monkeypatch.setattr(drawing, "layout", fail)
    shown = draw(chain(100))
    assert "too slow" in shown._repr_html_()
    with pytest.raises(ArgumentError, match="no picture: too slow") as caught:
        shown.save(tmp_path / "too-slow.svg")
    assert "draw(y, " in caught.value.hint


@pytest.mark.parametrize(
    "suffix, start",
    [
        (".svg", b"<svg xmlns"),
        (".dot", b"digraph minigrad"),
        (".html", b"<!doctype html>"),
        (".SVG", b"<svg xmlns"),
    ],
)
def test_save(tmp_path, suffix, start):
    path = draw(worked()[-1]).save(tmp_path / f"graph{suffix}")
    assert path.read_bytes().startswith(start)


def test_save_png(tmp_path):
    pytest.importorskip("resvg_py", reason="resvg-py is not installed")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    path = draw(worked()[-1]).save(str(tmp_path / "graph.png"))
    assert path.read_bytes().startswith(b"\x89PNG")


def test_png_without_its_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ArgumentError) as caught:
        draw(worked()[-1]).save(tmp_path / "graph.png")
    assert "resvg-py" in caught.value.message
    assert "pip install resvg-py" in caught.value.hint
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["graph.gif", "graph"])
def test_save_refuses_what_it_cannot_write(tmp_path, name):
    with pytest.raises(ArgumentError) as caught:
        draw(leaf(1.0)).save(tmp_path / name)
    assert ".svg, .png, .pdf, .html, .dot" in caught.value.hint


def test_title_names_the_saved_page(tmp_path):
    path = draw(Value(1.0), title="A & B").save(tmp_path / "graph.html")
    assert "<title>A &amp; B</title>" in path.read_text()
