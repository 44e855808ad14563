"""Instructions of a small program: written by the engine's own rules, or not at all."""

import json

import numpy as np
import pytest

import minigrad as mg
from minigrad.draw.player.spec import known_ops
from minigrad.draw.trace import make_trace
from minigrad.draw.trace.replay import replay_trace


def replayed(function, feed, wrt=None, mode="reverse"):
    """The Instructions of a function's trace."""
    return replay_trace(make_trace(function, feed, wrt, mode), known_ops())


def test_values_and_adjoints_become_instructions():
    found = replayed(lambda x, w: x * w + 1, {"x": 2.0, "w": 3.0})
    assert found.leaves == [("n0", "x", "2.0"), ("n1", "w", "3.0")] and found.constants == ["1.0"]
    assert found.code == [("Mul", 0, 1), ("Add", 3, 2), ("Mul", 2, 1), ("Mul", 2, 0)]
    assert found.steps == [0, 1, 3, 4, 2, 2, 5, 6] and found.signs == {"Mul": "×", "Add": "+"}
    assert json.loads(json.dumps(found)) == json.loads(json.dumps(list(found)))


def test_a_rule_that_is_changed_changes_the_instructions(monkeypatch):
    from minigrad.core.ops.elementwise import Sin

    monkeypatch.setattr(Sin, "partials", (lambda x, z: mg.exp(x),))
    found = replayed(lambda x: mg.sin(x), {"x": 1.0})
    assert [op for op, *_ in found.code] == ["Sin", "Exp", "Mul"]


def test_an_operand_that_comes_twice_has_two_shares():
    found = replayed(lambda x: x * x, {"x": 3.0})
    assert [op for op, *_ in found.code] == ["Mul", "Mul", "Mul", "Add"]
    assert len(found.steps) == 5


def test_numbers_that_json_lacks_are_texts():
    found = replayed(lambda x: mg.sqrt(x), {"x": 4.0})
    assert "inf" in found.constants
    json.loads(json.dumps(found), parse_constant=pytest.fail)


@pytest.mark.parametrize(
    "function, feed",
    [
        (lambda x: mg.sum(x * x), {"x": [1.0, 2.0]}),
        (lambda x: mg.sum(mg.broadcast_to(x, (3,))), {"x": 2.0}),
        (lambda x: x * x, {"x": np.float32(2.0)}),
    ],
)
def test_more_than_single_numbers_is_left_alone(function, feed):
    assert replayed(function, feed) is None


def test_an_op_that_the_page_does_not_know_is_left_alone():
    trace = make_trace(lambda x: mg.sin(x), {"x": 1.0})
    assert replay_trace(trace, known_ops() - {"Cos"}) is None
    assert replay_trace(trace, known_ops()) is not None


def test_what_a_session_runs_becomes_instructions():
    """Of the program that its passes left, with its variables among the inputs."""
    with mg.Graph():
        x, w = mg.placeholder("x"), mg.Variable(3.0, name="w")
        loss = mg.square(x * w * 1.0)
        trace = make_trace([mg.print_(loss, "loss"), mg.assign(w, w - 0.5 * loss)], {x: 2.0})
    found = replay_trace(trace, known_ops())
    assert {name: number for _, name, number in found.leaves} == {"x": "2.0", "w": "3.0"}
    assert "1.0" not in found.constants, "a product with 1 is no step of what runs"
    assert len(found.steps) == len(trace.events)
    assert str(trace.events[-1].formula[0]) == "w" and found.steps[-1] in found.steps[:-1]


def test_a_training_step_becomes_instructions():
    """What an update keeps is an input too, and is read by its name after it was assigned."""
    with mg.Graph() as graph:
        x, w = mg.placeholder("x"), mg.Variable(3.0, name="w")
        m = mg.Variable(0.5, name="m", trainable=False)
        (slope,) = mg.gradients(mg.square(x * w), [w])
        mg.assign(m, 0.9 * m + slope)
        mg.assign(w, w - 0.1 * m)
        trace = make_trace(graph, {x: 2.0})
    found = replay_trace(trace, known_ops())
    assert trace.lanes and [name for _, name, _ in found.leaves] == ["x", "w", "m"]
    assert [event.result for event in trace.events if event.renews] == ["24.45", "0.555"]
    assert str(trace.events[-1].formula[-1]) == "m" and len(found.steps) == len(trace.events)


def test_a_whole_number_stays_as_it_was_fed():
    with mg.Graph():
        x, n = mg.placeholder("x"), mg.placeholder("n", dtype=int)
        found = replay_trace(make_trace(x * n, {x: 2.0, n: 3}), known_ops())
    assert [name for _, name, _ in found.leaves] == ["x"] and "3.0" in found.constants


def test_a_choice_is_left_alone():
    """Its branches are told step by step, and another number may take the other one."""
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.cond(x > 1.0, lambda: x * 2.0, lambda: x)
        assert replay_trace(make_trace(y * x, {x: 3.0}), known_ops()) is None


def test_a_loop_is_left_alone():
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.while_loop(lambda v: v < 100, lambda v: v * x, mg.constant(1.0))
        assert replay_trace(make_trace(y, {x: 3.0}, x), known_ops()) is None
