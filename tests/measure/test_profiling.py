"""A profile: every node of a run, where it stands in the learner's code, and no trace left."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.errors import ArgumentError, FeedError
from minigrad.measure.profiling import clocked_function

X = np.random.default_rng(0).normal(size=(30, 20))


def training_step():
    """(Executable, x, w) of a step with a loop, a print and an update."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", (30, 20))
        w = mg.Variable(np.ones((20, 5)), name="w")
        h = mg.tanh(x @ w)
        h = mg.while_loop(lambda i, a: i < 4, lambda i, a: (i + 1, mg.sin(a)), (0, h))[1]
        loss = mg.print_(mg.mean(h * h), "loss")
        (w_bar,) = mg.gradients(loss, [w])
        update = mg.assign(w, w - w_bar)
    session = mg.Session(graph)
    return session.compile([loss, update], [x]), x, w


def test_each_node_has_a_row_with_its_line_its_turns_and_its_bytes(capsys):
    exe, x, w = training_step()
    before = exe.session.run(w)
    found = exe.profile({x: X})
    assert capsys.readouterr().out == ""
    np.testing.assert_array_equal(exe.session.run(w), before)
    assert exe.session.runs == 2  # those of this test
    rows = {(row.node, row.line.split("  ")[-1].strip()) for row in found.rows}
    assert ("Matmul", "h = mg.tanh(x @ w)") in rows
    (sine,) = [row for row in found.rows if row.node == "Sin"]
    assert sine.calls == 4 and "while_loop" in sine.line
    product = next(row for row in found.rows if row.node == "Matmul")
    assert product.bytes == 30 * 5 * 8
    begun = [row.begun for row in found.rows]
    assert begun == sorted(begun) and begun[0] >= 0
    assert found.seconds > 0 and all(row.seconds >= 0 for row in found.rows)
    assert sum(found.by_line().values()) == pytest.approx(found.together)


def test_what_computes_most_takes_most():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (300, 300))
        y = mg.sum(x @ x @ x @ x) + mg.sum(x)
    found = mg.Session(graph).compile(y, [x]).profile({x: np.ones((300, 300))})
    products = sum(row.seconds for row in found.rows if row.node == "Matmul")
    assert products > 0.5 * found.together
    text = str(found)
    assert "Matmul" in text and "a run without clocks" in text
    fig, ax = mg.plot.profile(found, "three products")
    assert "Matmul" in [label.get_text() for label in ax.get_yticklabels()]


def test_no_moment_is_lost_between_the_lines(monkeypatch):
    now = iter(range(10**9))
    monkeypatch.setattr("minigrad.measure.profiling.perf_counter", lambda: next(now))
    with mg.Graph() as graph:
        x = mg.placeholder("x", (4,))
        exe = mg.Session(graph).compile(mg.sum(mg.exp(x) * x), [x])
    places, clock, clocked = clocked_function(exe.runner, {})
    clock.begin()
    clocked([np.ones(4)], [], [], 0)
    assert clock.seconds[:-1] == [1] * len(places) == clock.calls[:-1]


@pytest.mark.parametrize("options", [{"optimize": False, "backend": "numpy"}])
def test_a_program_that_is_no_source_is_refused(options):
    with mg.Graph() as graph:
        x = mg.placeholder("x", (4,))
        exe = mg.Session(graph, **options).compile(mg.exp(x), [x])
    with pytest.raises(ArgumentError, match="no lines of Python"):
        exe.profile({x: np.ones(4)})


def test_feeds_are_those_that_were_compiled_for():
    exe, x, w = training_step()
    with pytest.raises(ArgumentError, match="feed x"):
        exe.profile()
    with pytest.raises(FeedError):
        exe.profile({x: np.ones(3)})
    with pytest.raises(ArgumentError) as caught:
        exe.profile({x: X}, rounds=0)
    assert caught.value.message == "profile: rounds=0"
    assert exe.session.runs == 0


def test_a_run_that_fails_leaves_the_program_as_it_was():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (3,))
        y = mg.exp(x)
        n = mg.placeholder("n", (), np.int64)
        exe = mg.Session(graph).compile(y[n], [x, n])
    function = exe.runner.function
    with pytest.raises(Exception, match="index|range|bounds"):
        exe.profile({x: np.ones(3), n: 7})
    assert exe.runner.function is function
    assert exe.profile({x: np.ones(3), n: 1}).rows
