"""A neighbourhood of a large graph, and what `show` adds to labels."""

import numpy as np
import pytest
from draw.toy import Add, apply, chain, edges, labels, leaf

import minigrad as mg
from minigrad.core.errors import ArgumentError
from minigrad.draw import draw


@pytest.fixture
def middle():
    """(the end of a chain of 1,000, its 500th value)."""
    end = chain(1000)
    value = end
    for _ in range(500):
        value = value.inputs[0]
    return end, value


def test_around_a_value(middle):
    end, value = middle
    scene = draw(end, around=value).scene
    assert [node.id for node in scene.nodes] == [
        "n0",
        "n498",
        "n499",
        "n500",
        "n501",
        "n502",
        "n0_after",
        "n498_before",
        "n502_after",
    ]
    assert scene.notes[0] == "1,001 nodes; drawing 6 around what was asked for."


def test_where_it_is_cut_stands_a_mark(middle):
    scene = draw(middle[0], around=middle[1]).scene
    assert scene.node("n498").call == "Add(…, n0)"
    assert scene.node("n498_before").texts() == ["… 1"]
    assert scene.node("n0_after").texts() == ["… 995"]
    assert {("n498_before", "n498"), ("n0", "n0_after")} <= set(edges(scene))


def test_around_an_id_and_with_a_depth(middle):
    shown = [node.id for node in draw(middle[0], around="n500", depth=1).scene.nodes]
    assert shown[:4] == ["n0", "n499", "n500", "n501"]
    assert draw(middle[0], around="n500").scene == draw(middle[0], around=middle[1]).scene


def test_the_operands_of_what_comes_after_are_shown():
    x, w, k = leaf(1.0, "x"), leaf(2.0, "w"), leaf(3.0, "k")
    y = apply(Add, apply(Add, x, w), k)
    names = [node.name for node in draw(y, around=x, depth=2).scene.nodes]
    assert {"x", "w", "k"} <= set(names)


def test_a_neighbourhood_keeps_the_budget(middle):
    scene = draw(middle[0], around="n500", depth=100, budget=20).scene
    assert len([node for node in scene.nodes if "_" not in node.id]) == 20


@pytest.mark.parametrize("around", ["n2000", "nowhere", leaf(1.0), []])
def test_around_what_is_not_there(around, middle):
    with pytest.raises(ArgumentError, match="is not a value of this graph"):
        draw(middle[0], around=around)


@pytest.mark.parametrize("mode", ["mirror", "backward", "tangent"])
def test_derivatives_around_a_value(middle, mode):
    drawing = draw(middle[0], around="n500", mode=mode)
    assert "n500_" in drawing.text
    assert drawing.svg.startswith("<svg")


def test_show_gradients():
    x = mg.tensor(3.0, requires_grad=True, name="x")
    y = x * x
    assert labels(y, show=["name", "grad"]) == {"n0": ["x", "grad = ·"], "n1": ["grad = ·"]}
    y.backward(retain_graph=True)
    assert labels(y, show=["name", "grads"])["n0"] == ["x", "grad = 6"]
    assert labels(y, show="grad", adjoints={y: 1.0})["n1"] == ["grad = 1"]


def test_a_value_that_needs_no_gradient_shows_none():
    x = mg.tensor(3.0, name="x")
    assert labels(x * mg.tensor(2.0, requires_grad=True), show="grad")["n0"] == ["input"]


def test_show_bytes_and_lines():
    with mg.Graph():
        x = mg.placeholder("x", shape=(128, 1024))
    assert labels(x, show="bytes")["n0"][-1] == "1 MiB"
    assert labels(x, show=["lines"])["n0"][-1].startswith("test_around.py:")
    with mg.Graph():
        assert labels(mg.placeholder("y", shape=(None,)), show="bytes")["n0"] == ["input"]


def test_plurals_and_singulars_say_the_same():
    x = mg.tensor(np.ones((2, 9)), name="x")
    for word in ("value", "shape", "dtype", "grad", "line", "name", "op"):
        assert labels(x, show=word) == labels(x, show=f"{word}s")


def test_values_freed_by_backward_are_told():
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward()
    assert "draw before it" in draw(y * 2.0).scene.notes[0]
