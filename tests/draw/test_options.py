"""draw and player read the examples of a function, and their options, in one way."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.errors import ArgumentError, FeedError, GradientError


def product(x, w):
    """x w."""
    return x * w


def net():
    """(the value of a layer, the layer)."""
    layer = mg.nn.Linear(2, 1)
    return layer(mg.tensor([[1.0, 2.0]], requires_grad=True, name="x")), layer


@pytest.mark.parametrize("example", [3, np.int64(3), np.arange(2), 2.0, [1.0, 2.0], np.ones(2)])
def test_an_example_is_the_same_value_in_a_drawing_and_in_a_player(example):
    taken = []

    def f(x, w):
        taken.append(x)
        return mg.sum(x * w)

    mg.draw(f, example, 2.0)
    mg.player(f, {"x": example, "w": 2.0}, wrt="w")
    drawn, played = taken
    assert drawn.numpy().tolist() == played.numpy().tolist()
    assert (drawn.dtype, drawn.requires_grad) == (played.dtype, played.requires_grad)


def test_a_whole_number_alone_has_no_derivative_and_the_cure_is_a_fraction():
    with pytest.raises(GradientError, match=r"only floats have derivatives[\s\S]*3\.0 for 3"):
        mg.player(lambda x: x * x, {"x": 3})


def test_flags_and_words_reach_the_function_as_they_are():
    def f(x, twice, kind):
        return x * 2 if twice is True and kind == "double" else x

    assert mg.draw(f, 1.0, True, "double").scene.total == 3
    assert mg.player(f, {"x": 1.0, "twice": True, "kind": "double"}, wrt="x").trace.events


def test_an_argument_is_named_in_a_drawing_as_in_a_player():
    scene = mg.draw(product, 2.0, 3.0, wrt="x", mode="split").scene
    assert [node.of for node in scene.nodes if node.of] == ["n0", "n2"]


EITHER = {
    "draw": lambda y, **options: mg.draw(y, **options),
    "player": lambda y, **options: mg.player(y, **options),
}


@pytest.mark.parametrize("caller", EITHER)
@pytest.mark.parametrize(
    "options, words",
    [
        ({"names": [1]}, "names is a list, not a dict"),
        ({"expand": "zz"}, r"there is no 'zz' to open or close[\s\S]*use one of layer"),
        ({"collapse": ["layer", "zz"]}, "there is no 'zz' to open or close"),
        ({"expand": 3}, "expand has 3, which is not a name"),
    ],
)
def test_what_an_option_cannot_mean_is_refused_by_its_caller(caller, options, words):
    y, layer = net()
    with pytest.raises(ArgumentError, match=f"^{caller}: {words}"):
        EITHER[caller](y, **{"names": {"layer": layer}, **options})


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: mg.draw(product, 2.0, 3.0, wrt="z"), "draw: wrt names 'z'.*"),
        (lambda: mg.player(product, {"x": 2.0, "w": 3.0}, wrt="z"), "player: wrt names 'z'.*"),
        (lambda: mg.draw(net()[0], wrt="x"), r"draw: wrt names 'x'[\s\S]*the value itself: wrt=x"),
        (lambda: mg.draw(net()[0], wrt=3), "draw: int is not a graph value"),
        (lambda: mg.draw(product, 2.0, 3.0, 4.0), r"draw: product\(x, w\) cannot .* 3 arguments"),
        (
            lambda: mg.player(product, {"x": 2.0, "w": 3.0, "z": 1.0}),
            r"player: product\(x, w\) cannot be called with x, w, z[\s\S]*arguments are x, w",
        ),
        (lambda: mg.player(lambda: 3.0), "player: the function does not return a value"),
        (lambda: mg.player(7), "player: int is not a graph value"),
        (lambda: mg.player(net()[0], session=3), "player: session=3 is not a Session"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(call, words):
    with pytest.raises(ArgumentError, match=f"^{words}"):
        call()


def test_a_placeholder_without_a_value_is_added_to_the_call_of_the_player():
    with mg.Graph():
        x = mg.placeholder("x", shape=())
        y = x * x
    with pytest.raises(FeedError, match=r"x, float64\[\], is not fed") as caught:
        mg.player(y)
    assert caught.value.hint == "add it: mg.player(y, {x: value})"


@pytest.mark.parametrize("worker", ["a", -1, 1.5, None])
def test_a_worker_is_a_whole_number(worker):
    with mg.Graph():
        y = mg.exp(mg.placeholder("x", shape=()))
    for more in ({}, {"around": y}):
        with pytest.raises(ArgumentError, match="draw: placed has .*, which is not the number of"):
            mg.draw(y, mode="workers", placed={y: worker}, **more)
    assert mg.draw(y, mode="workers", placed={y: np.int64(1)}, around=y).scene.legend


def test_the_names_that_open_a_large_graph_are_known_wherever_they_stand():
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.while_loop(lambda v: v < 9, lambda v: v * x + 1, mg.constant(1.0))
    assert mg.draw(y, expand=["n2", "n2_3"]).scene.frames
    with pytest.raises(ArgumentError, match="there is no 'loop1' to open or close"):
        mg.draw(y, expand="loop1")
