"""Variables written over where they lie: who may, what stays, and that nobody sees a difference."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.compiler.updates import LARGE

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
            arrays.append(session.variable_values[w.order])
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
    class Picky(mg.core.op.Elementwise):
        """z = x."""

        compute = np.positive
        partials = (1,)

    session, (w,), step = machine(
        [np.zeros(N)], lambda w: mg.assign(w, mg.core.op.bind(Picky, w + 1))
    )
    assert in_place(session, step) == 0


@pytest.mark.parametrize(
    "make",
    [lambda ws: mg.optim.SGD(ws, 0.1, momentum=0.9), lambda ws: mg.optim.Adam(ws, 0.1)],
    ids=["SGD", "Adam"],
)
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


@pytest.mark.parametrize(
    "build",
    [
        lambda w, v: [mg.assign(w, mg.tanh(w) - 2.0 * mg.transpose(w) + v)],
        lambda w, v: [mg.assign(w, w * 0.5 + v), mg.assign(v, mg.exp(-v) * v)],
        lambda w, v: [mg.assign(v, 0.9 * v + w), mg.assign(w, w - 0.1 * v)],
        lambda w, v: [mg.assign(w, w @ v)],
        lambda w, v: [mg.assign(w, mg.transpose(w) + 0.0), mg.assign(v, v * 2.0)],
    ],
    ids=["with its transpose", "two in one kernel", "momentum", "product", "turned"],
)
@pytest.mark.parametrize("length", [96, 400], ids=["calls", "kernels"])
def test_updates_of_many_forms_are_those_of_a_plain_run(build, length):
    rng = np.random.default_rng(0)
    session, variables, steps = machine(
        [rng.normal(size=(length, length)) / length for _ in range(2)],
        lambda *variables: mg.group(*build(*variables)),
    )
    plain = mg.Session(session.graph, optimize=False, backend="numpy")
    for _ in range(3):
        session.run(steps)
        plain.run(steps)
    for variable in variables:
        np.testing.assert_array_equal(session.run(variable), plain.run(variable))


# a derivative means the variables as they were where its value was built -------------------------


def cubed_and_changed():
    """L = w³ at w = 3, and the assignment w ← w - 1 that was built after it."""
    w = mg.Variable(3.0, name="w")
    return w, w * w * w, mg.assign(w, w - 1.0)


DERIVATIVES = {
    "reverse": lambda w, L: (mg.gradients(L, [w])[0], 27),
    "forward": lambda w, L: (mg.forward_gradients(L, [w], [1.0])[0], 27),
    "reverse over reverse": lambda w, L: (mg.gradients(mg.gradients(L, [w])[0], [w])[0], 18),
    "forward over reverse": lambda w, L: (
        mg.forward_gradients(mg.gradients(L, [w])[0], [w], [1.0])[0],
        18,
    ),
    "reverse over forward": lambda w, L: (
        mg.gradients(mg.forward_gradients(L, [w], [1.0])[0], [w])[0],
        18,
    ),
    "checkpoints": lambda w, L: (mg.gradients(L, [w], checkpoints="sqrt")[0], 27),
    "a checkpoint": lambda w, L: (
        mg.gradients(mg.sin(L) * 1.0, [w], checkpoints=[L])[0],
        27 * np.cos(27),
    ),
    "a seed that is the variable": lambda w, L: (mg.gradients(L, [w], [w])[0], 27 * 2),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", DERIVATIVES)
def test_a_derivative_reads_variables_as_of_its_value(kind, backend):
    with mg.Graph() as graph:
        w, L, step = cubed_and_changed()
        derivative, expected = DERIVATIVES[kind](w, L)
        later = w * 1.0
    for optimize in (True, False):
        session = mg.Session(graph, optimize, backend=backend)
        found = session.run([L, derivative, step, later])
        np.testing.assert_allclose(found, [27, expected, 2, 2], rtol=1e-14)


def test_between_two_assignments_the_first_counts():
    with mg.Graph() as graph:
        w = mg.Variable(3.0)
        first = mg.assign(w, w + 1.0)
        L = w * w
        second = mg.assign(w, w * 10.0)
        M = L * w
        slopes = mg.gradients(L, [w]) + mg.gradients(M, [w])
    found = mg.Session(graph).run([*slopes, L, M, first, second])
    assert found == [8, 8 * 40 + 16, 16, 640, 4, 40]


@pytest.mark.parametrize("loop", ["scan", "while", "cond"])
def test_loops_and_choices_read_variables_as_of_their_value(loop):
    def build(w):
        if loop == "scan":
            return mg.scan(lambda c, x: (c * w + x, None), w * 0.0, np.arange(1.0, 4.0))[0]
        if loop == "while":
            return mg.while_loop(lambda c, i: i < 3, lambda c, i: (c * w, i + 1), (w * 1.0, 0))[0]
        return mg.cond(w > 2.0, lambda x: x * w, lambda x: x + w, w * 1.0)

    with mg.Graph() as graph:
        w = mg.Variable(3.0)
        L, step = build(w), mg.assign(w, w - 2.0)
        after = mg.gradients(L, [w])[0]
        again = mg.gradients(after, [w])[0]
    with mg.Graph() as before:
        v = mg.Variable(3.0)
        L_alone = build(v)
        slope = mg.gradients(L_alone, [v])[0]
        second = mg.gradients(slope, [v])[0]
    expected = mg.Session(before).run([L_alone, slope, second])
    assert mg.Session(graph).run([L, after, again, step]) == [*expected, 1]


def test_a_derivative_inside_a_body_looks_back_too():
    with mg.Graph() as graph:
        w = mg.Variable(3.0)
        L, step = w * w, mg.assign(w, w - 2.0)
        z = mg.cond(
            mg.constant(True), lambda x: x * mg.gradients(L, [w])[0], lambda x: x, mg.constant(1.0)
        )
    assert mg.Session(graph).run([z, step]) == [6, 1]


@pytest.mark.parametrize(
    "make",
    [
        lambda vs: mg.optim.SGD(vs, 0.1),
        lambda vs: mg.optim.SGD(vs, 0.1, momentum=0.9),
        lambda vs: mg.optim.Adam(vs, 0.1),
    ],
    ids=["SGD", "momentum", "Adam"],
)
def test_two_optimisers_on_one_loss_see_the_same_point(make):
    with mg.Graph() as graph:
        w, u = mg.Variable(2.0, name="w"), mg.Variable(3.0, name="u")
        L = (w * u - 1.0) ** 2
        steps = [make([v]).minimize(L) for v in (w, u)]
    session = mg.Session(graph)
    ws = [mg.tensor(2.0, requires_grad=True), mg.tensor(3.0, requires_grad=True)]
    optimisers = [make([v]) for v in ws]
    for _ in range(3):
        session.run(steps)
        for v in ws:
            v.zero_grad()
        ((ws[0] * ws[1] - 1.0) ** 2).backward()
        for optimiser in optimisers:
            optimiser.step()
        assert session.run([w, u]) == [v.item() for v in ws]
