"""Variables written over where they lie: who may, what stays, and that nobody sees a difference."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.updates import LARGE

N = LARGE // 8  # the fewest float64 that are written over
BACKENDS = ["codegen", "numpy"]


def machine(start, build):
    """(Session, the Variables, what `build` makes of them) of a new graph."""
    with mg.Graph() as graph:
        variables = [mg.Variable(s) for s in start]
        made = build(*variables)
    return mg.Session(graph), variables, made


def in_place(session, fetches, feeds=()):
    """How many variables the program for these fetches writes over."""
    return len(session.compile(fetches, feeds).in_place)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_large_variable_keeps_its_array_and_a_small_one_changes_between_two(backend):
    for size, kept in ((N, 1), (N - 1, 0)):
        with mg.Graph() as graph:
            w = mg.Variable(np.arange(float(size)))
            step = mg.assign(w, w - 0.5 * w)
        session = mg.Session(graph, backend=backend)
        assert in_place(session, step) == kept
        arrays = []
        for _ in range(4):
            session.run(step)
            arrays.append(session.stored[w.order])
        assert len({id(a) for a in arrays}) == 2 - kept
        assert (session.run(w) == np.arange(size) / 16).all()
        assert (w.initial == np.arange(size)).all()


def test_sessions_of_one_graph_share_no_array():
    session, (w,), step = machine([np.zeros(N)], lambda w: mg.assign(w, w + 1))
    other = mg.Session(session.graph)
    session.run(step)
    other.run(step)
    session.run(step)
    assert [session.run(w)[0], other.run(w)[0], w.initial[0]] == [2, 1, 0]


def test_what_was_fetched_or_set_is_not_written_over():
    session, (w,), step = machine([np.zeros(N)], lambda w: mg.assign(w, w + 1))
    given = np.ones(N)
    session.set(w, given)
    before = session.run(w)
    session.run(step)
    assert (given == 1).all() and (before == 1).all() and (session.run(w) == 2).all()


def test_a_present_value_that_is_still_needed_stays():
    def swap(u, v):
        new_u, new_v = v + 0.0, u + 0.0
        return [mg.assign(u, new_u), mg.assign(v, new_v)]
    session, (u, v), steps = machine([np.zeros(N), np.ones(N)], swap)
    assert in_place(session, mg.group(*steps)) < 2
    session.run(mg.group(*steps))
    assert session.run(u)[0] == 1 and session.run(v)[0] == 0

    def fetched(w):
        total = mg.sum(mg.reshape(w, (2, -1)) * mg.reshape(mg.exp(w), (2, -1)))
        return mg.assign(w, w + 1), total
    session, (w,), (step, total) = machine([np.zeros(N)], fetched)
    assert session.run([step, total])[1] == 0.0
    assert np.isclose(session.run(total), np.e * N)


def test_a_fetched_present_value_is_the_one_before():
    with mg.Graph() as graph:
        w = mg.Variable(np.zeros(N))
        old = w * 1.0
        step = mg.assign(w, w + 1)
    session = mg.Session(graph)
    assert session.run([old, step])[0][0] == 0 and session.run([old, step])[0][0] == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_run_that_fails_afterwards_changes_nothing(backend):
    with mg.Graph() as graph:
        w, places = mg.Variable(np.zeros(N)), mg.placeholder("places", (2,), int)
        step = mg.assign(w, w + 1)
        entries = mg.Variable(np.ones(3))[places]
    session = mg.Session(graph, backend=backend)
    assert session.run([step, entries], {places: [0, 2]})[1].tolist() == [1, 1]
    with pytest.raises(mg.MinigradError, match="9"):
        session.run([step, entries], {places: [0, 9]})
    assert (session.run(w) == 1).all()


def test_while_numpy_raises_errors_a_copy_is_written():
    session, (w,), step = machine([np.full(N, 1e200)], lambda w: mg.assign(w, w * w))
    assert in_place(session, step) == 1
    with np.errstate(over="raise"), pytest.raises(mg.ArgumentError, match="overflow"):
        session.run(step)
    assert (session.run(w) == 1e200).all()


def test_code_of_others_is_not_trusted_to_succeed():
    class Picky(mg.op.Elementwise):
        """z = x."""

        compute = np.positive
        partials = (1,)
    session, (w,), step = machine(
        [np.zeros(N)], lambda w: mg.assign(w, mg.op.bind(Picky, w + 1)))
    assert in_place(session, step) == 0


@pytest.mark.parametrize("make", [lambda ws: mg.optim.SGD(ws, 0.1, momentum=0.9),
                                  lambda ws: mg.optim.Adam(ws, 0.1)], ids=["SGD", "Adam"])
def test_training_is_the_same_to_the_bit(make):
    start = np.random.default_rng(0).normal(size=(N // 64, 64))
    with mg.Graph() as graph:
        w = mg.Variable(start)
        loss = mg.sum(mg.tanh(w) * w)
        train = make([w]).minimize(loss)
    session, plain = mg.Session(graph), mg.Session(graph, optimize=False, backend="numpy")
    assert in_place(session, [loss, train]) >= 2
    for _ in range(5):
        assert session.run([loss, train])[0] == plain.run([loss, train])[0]
    assert (session.run(w) == plain.run(w)).all()


@pytest.mark.parametrize("build", [
    lambda w, v: [mg.assign(w, mg.tanh(w) - 2.0 * mg.transpose(w) + v)],
    lambda w, v: [mg.assign(w, w * 0.5 + v), mg.assign(v, mg.exp(-v) * v)],
    lambda w, v: [mg.assign(v, 0.9 * v + w), mg.assign(w, w - 0.1 * v)],
    lambda w, v: [mg.assign(w, w @ v)],
    lambda w, v: [mg.assign(w, mg.transpose(w) + 0.0), mg.assign(v, v * 2.0)],
], ids=["with its transpose", "two in one kernel", "momentum", "product", "turned"])
@pytest.mark.parametrize("length", [96, 400], ids=["calls", "kernels"])
def test_updates_of_many_forms_are_those_of_a_plain_run(build, length):
    rng = np.random.default_rng(0)
    session, variables, steps = machine(
        [rng.normal(size=(length, length)) / length for _ in range(2)],
        lambda *variables: mg.group(*build(*variables)))
    plain = mg.Session(session.graph, optimize=False, backend="numpy")
    for _ in range(3):
        session.run(steps)
        plain.run(steps)
    for variable in variables:
        np.testing.assert_array_equal(session.run(variable), plain.run(variable))
