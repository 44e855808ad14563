"""Functions, compiled programs and sessions are drawn as what they compute."""

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg
from minigrad.core.errors import ArgumentError
from minigrad.draw import draw


def line(x, w):
    """x w + 1."""
    return x * w + 1.0


def test_a_function_and_examples():
    scene = draw(line, 2.0, 3.0).scene
    assert [(node.role, node.texts()[-1]) for node in scene.nodes] == [
        ("input", "x = 2"),
        ("input", "w = 3"),
        ("op", "6"),
        ("op", "7"),
    ]


def test_the_mirror_of_a_function():
    scene = draw(line, 2.0, 3.0, mode="mirror").scene
    assert [node.of for node in scene.nodes if node.of] == ["n0", "n1", "n2", "n4"]


def test_arrays_and_tensors_are_examples_too():
    scene = draw(line, np.ones((2, 3)), mg.tensor(np.ones(3))).scene
    assert {node.name for node in scene.nodes if node.role == "input"} == {"x", "w"}
    assert scene.nodes[-1].spec == "float64[2,3]"


def test_all_results_of_a_function():
    scene = draw(lambda x: {"a": x * 2.0, "b": [x + 1.0, "text"]}, 3.0).scene
    assert [node.texts()[0] for node in scene.nodes if node.result] == ["×2", "+1"]


def test_a_module_is_a_function():
    scene = draw(mg.nn.Linear(3, 2), np.ones((4, 3))).scene
    assert "@" in [node.texts()[0] for node in scene.nodes]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: draw(line), "line is a function: its graph appears when it is called"),
        (lambda: draw(lambda x: 3, 2.0), "does not return a value of a graph"),
        (lambda: draw(mg.function(line)), "line has not been called yet"),
    ],
)
def test_functions_that_give_no_graph(call, message):
    with raises_saying(ArgumentError, message):
        call()


def test_a_traced_function_shows_its_trace():
    f = mg.function(line)
    f(np.ones(3), np.ones(3))
    scene = draw(f).scene
    assert [node.texts()[0] for node in scene.nodes] == ["x", "w", "×", "+1"]
    assert draw(f, np.ones(5), np.ones(5)).scene.nodes[0].spec == "float64[5]"
    assert draw(f, np.ones(3), np.ones(3)).scene.nodes[0].spec == "float64[3]"
    assert len(f.traces) == 2


def test_the_plan_of_a_traced_function():
    f = mg.function(lambda x: mg.sum(mg.exp(x) * 2.0))
    scene = draw(f, np.ones(100), mode="plan").scene
    assert [node.more for node in scene.nodes if node.fill] == [
        "B0 · 800 B",
        "B0 · 800 B, in place",
    ]


def test_a_compiled_program():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(2,))
        y, _ = x * 1.0 + 2.0, x - 3.0
        exe = mg.Session(graph).compile(y, [x])
    assert [node.texts()[0] for node in draw(exe).scene.nodes] == ["x", "+2"]


def test_a_session_and_fetches():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(2,))
        y = x * 1.0 + 2.0
        session = mg.Session(graph)
    assert [n.texts()[0] for n in draw(session, y).scene.nodes] == ["x", "+2"]
    assert session.compiled == 0


def test_a_session_with_a_length_that_only_a_feed_tells():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None,))
        y = mg.sum(x * 2.0)
    scene = draw(mg.Session(graph), y, feed={x: np.ones(7)}, mode="plan").scene
    assert scene.nodes[0].spec == "float64[7]"
