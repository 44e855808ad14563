"""The visible checks of ps7: pytest functions over `student`, which answers for your code."""

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import StudentError

LOOPS = '''
import copy
import tracemalloc

import numpy as np

TABLE = {  # condition, body, body_vjp
    "square": (  # carry h; captured w, limit
        lambda c, w: c[0] < w[1],
        lambda c, w: [w[0] * c[0] * c[0]],
        lambda c, w, g: ([2 * w[0] * c[0] * g[0]], [c[0] * c[0] * g[0], None]),
    ),
    "lander": (  # carry height, speed; captured thrust, drag
        lambda c, w: c[0] > 0,
        lambda c, w: [c[0] + 0.1 * c[1], c[1] + 0.1 * (w[0] + w[1] * c[1] * c[1] - 1.6)],
        lambda c, w, g: ([g[0], 0.1 * g[0] + (1 + 0.2 * w[1] * c[1]) * g[1]],
                         [0.1 * g[1], 0.1 * c[1] * c[1] * g[1]]),
    ),
    "swap": (  # carry count, a, b, c; captured k, m, limit: b, k a, m
        lambda c, w: c[0] < w[2],
        lambda c, w: [c[0] + 1, c[2], w[0] * c[1], w[1]],
        lambda c, w, g: ([None, w[0] * g[2], g[1], None], [(c[1] * g[2]).sum(), g[3], None]),
    ),
    "ratio": (  # carry count, x; captured k, limit
        lambda c, w: c[0] < w[1],
        lambda c, w: [c[0] + 1, w[0] / (1 + c[1])],
        lambda c, w, g: ([None, -w[0] * g[1] / ((1 + c[1]) * (1 + c[1]))],
                         [(g[1] / (1 + c[1])).sum(), None]),
    ),
    "index": (  # carry count, x; captured factors: the count is an index
        lambda c, w: c[0] < 3,
        lambda c, w: [c[0] + 1, w[0][c[0]] * c[1]],
        None,
    ),
    "shared": (  # carry count, x; captured k, m, limit: x / 2 + k + m; one array as both bars
        lambda c, w: c[0] < w[2],
        lambda c, w: [c[0] + 1, 0.5 * c[1] + w[0] + w[1]],
        lambda c, w, g: ([None, 0.5 * g[1]], [g[1], g[1], None]),
    ),
}


class Loop:
    """The functions of a loop, whose calls are counted; for the backward pass alone, only one."""

    def __init__(self, name, backward=False):
        self.calls = {"condition": 0, "body": 0, "body_vjp": 0}
        self.condition, self.body, self.body_vjp = (
            None if backward and key != "body_vjp" else self.counted(key, function)
            for key, function in zip(self.calls, TABLE[name]))

    def counted(self, key, function):
        def call(*given):
            self.calls[key] += 1
            return function(*given)
        return call


def same(a, b):
    if type(a) in (list, tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return a is b or np.array_equal(a, b)


def watch(f, first, *arguments):
    """[what f returns, whether its arguments are as they were]"""
    before = copy.deepcopy(arguments)
    came = f(first, *arguments)
    return [came, same(before, arguments)]
'''
HERE = {}
exec(LOOPS, HERE)  # the same loops on this side, where the expected numbers are computed
STAYS = "whether the arguments stay as they are"
CHANGED = "nothing is changed in place (rule 3)"


def arrays(*values):
    """Arrays of the values: of integers where they are integers."""
    return [np.array(one) for one in values]


def all_carries(name, start, captured, n=None):
    """The carries of a loop, or of its first n iterations."""
    condition, body, _ = HERE["TABLE"][name]
    found = [start]
    while condition(found[-1], captured) if n is None else len(found) <= n:
        found.append([np.array(x) for x in body(found[-1], captured)])
    return found


def gradient(name, start, captured, n, seeds):
    """The cotangents of start and of captured after n iterations. They are computed without a
    backward pass: by tiny steps in the imaginary direction, which rounding cannot reach."""
    values, found = [*start, *captured], []
    for number, value in enumerate(values):
        found.append(np.zeros(value.shape))
        for place in np.ndindex(value.shape if value.dtype.kind == "f" else (0,)):
            moved = [np.array(x, complex if x.dtype.kind == "f" else None) for x in values]
            moved[number][place] += 1e-30j
            end = all_carries(name, moved[: len(start)], moved[len(start) :], n)[-1]
            along = (np.sum(s * x) for s, x in zip(seeds, end) if s is not None)
            found[-1][place] = np.imag(sum(along)) / 1e-30
    return found[: len(start)], found[len(start) :]


def all_bars(name, carries, captured, seeds):
    """The cotangents of each of the carries."""
    left = range(len(carries) - 1, -1, -1)
    return [gradient(name, carry, captured, n, seeds)[0] for carry, n in zip(carries, left)]


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1.5, core=True)
def test_every_carry(student):
    """h becomes w h² while h < 50; the lander"""
    ours = student.define(LOOPS)
    came = student.run_loop(ours.Loop("square"), arrays(1.0), arrays(2.0, 50.0))
    expect(came, [arrays(1.0), arrays(2.0), arrays(8.0), arrays(128.0)],
           "n iterations give n + 1 carries, and the start is the first", of="h = 1, w = 2")
    came = student.run_loop(ours.Loop("square"), arrays(60.0), arrays(2.0, 50.0))
    expect(came, [arrays(60.0)], "the condition is asked before the body runs",
           of="h = 60, so no iteration")
    start, captured = arrays(2.0, -3.0), arrays(0.9, 0.05)
    came = student.run_loop(ours.Loop("lander"), start, captured)
    expect(came, all_carries("lander", start, captured),
           "each iteration begins with the carry of the one before", of="the lander from 2, -3")


@pytest.mark.question("q1", points=0.5)
def test_limit(student):
    """three iterations, where three and where two are allowed"""
    ours, given = student.define(LOOPS), (arrays(1.0), arrays(2.0, 50.0))
    loop = ours.Loop("square")
    expect(len(student.run_loop(loop, *given, 3)), 4, "`most` iterations are allowed",
           of="the number of carries with most=3")
    expect(loop.calls, {"condition": 4, "body": 3, "body_vjp": 0},
           "each function is called as often as in a plain loop", of="calls with most=3")
    loop, kind = ours.Loop("square"), "none"
    try:
        student.run_loop(loop, *given, 2)
    except StudentError as error:
        kind = error.kind
    expect(kind, "RuntimeError", "the condition still holds after two iterations",
           of="the error of three iterations with most=2")
    expect(loop.calls, {"condition": 3, "body": 2, "body_vjp": 0},
           "the error comes as soon as the condition holds once too often", of="calls with most=2")


@pytest.mark.question("q1", points=0.5, corner=True)
def test_long_loops_and_counts(student):
    """1,000 iterations; a count that is used as an index"""
    ours = student.define(LOOPS)
    start, captured = arrays(0, 1.0), arrays(0.25, 0.5, 1000)
    came = student.run_loop(ours.Loop("shared"), start, captured)
    expect(len(came), 1001, "a thousand iterations are allowed", of="the number of carries")
    came = student.run_loop(ours.Loop("index"), arrays(0, 1.0), arrays([2.0, 3.0, 5.0]))
    expect(came[-1], arrays(3, 30.0), "a count stays an integer (rule 1)",
           of="1, multiplied by each of 2, 3 and 5")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=0.5)
def test_one_carried_value(student):
    """h becomes w h² while h < 50, as in lesson 10"""
    loop = student.define(LOOPS).Loop("square", True)
    carries = [arrays(1.0), arrays(2.0), arrays(8.0), arrays(128.0)]
    came = student.carry_bars(loop, carries, arrays(2.0, 50.0), arrays(1.0))
    expect(came, [arrays(1024.0), arrays(256.0), arrays(32.0), arrays(1.0)],
           "the rule reads the carry that came into the iteration", of="h = 1, w = 2")


@pytest.mark.question("q2", points=3, core=True)
def test_all_carried_values(student):
    """the lander; values that are swapped, scaled and replaced; no iteration"""
    ours, captured = student.define(LOOPS), arrays(0.9, 0.05)
    carries = all_carries("lander", arrays(2.0, -3.0), captured)
    came = student.carry_bars(ours.Loop("lander", True), carries, captured, arrays(0.5, 1.0))
    expect(came, all_bars("lander", carries, captured, arrays(0.5, 1.0)),
           "the cotangents of a carry come from those of the next", of="the lander from 2, -3")
    came = student.carry_bars(ours.Loop("lander", True), carries[-1:], captured, arrays(0.5, 1.0))
    expect(came, [arrays(0.5, 1.0)], "without an iteration there are only the seeds",
           of="the lander on the ground")
    start, captured = arrays(0, [1.0, 2.0], [3.0, 5.0], [0.0, 0.0]), arrays(2.0, [7.0, 8.0], 3)
    seeds = [None, *arrays([1.0, 10.0], [0.5, -1.0], [2.0, 3.0])]
    carries = all_carries("swap", start, captured)
    came = student.carry_bars(ours.Loop("swap", True), carries, captured, seeds)
    expect(came, all_bars("swap", carries, captured, seeds),
           "None from the rule stands for zeros, in the shape of the value (rule 2)",
           of="a, b, c become b, k a, m, three times")


@pytest.mark.question("q2", points=0.5)
def test_missing_seeds(student):
    """None as a seed"""
    loop, captured = student.define(LOOPS).Loop("swap", True), arrays(2.0, [7.0, 8.0], 1)
    zero = [0.0, 0.0]
    carries = all_carries("swap", arrays(0, [1.0, 2.0], [3.0, 5.0], zero), captured)
    came = student.carry_bars(loop, carries, captured, [None, None, np.array([0.5, 1.0]), None])
    wanted = [arrays(0.0, [1.0, 2.0], zero, zero), arrays(0.0, zero, [0.5, 1.0], zero)]
    expect(came, wanted, "a seed of None stands for zeros (rule 2)", of="a seed for b alone")
    came = student.carry_bars(loop, carries, captured, [None] * 4)
    expect(came, [arrays(0.0, zero, zero, zero)] * 2, "zeros have the shape of their value",
           of="no seed at all")


@pytest.mark.question("q2", points=0.5, corner=True)
def test_long_loops_and_arguments(student):
    """1,200 iterations; what was given is not changed"""
    ours, captured = student.define(LOOPS), arrays(0.25, 0.5, 1200)
    carries = all_carries("shared", arrays(0, 1.0), captured)
    given = ours.Loop("shared", True), carries, captured, [np.array(0.0), np.array(3.0)]
    came, unchanged = ours.watch(student.carry_bars, *given)
    expect(came[-11], arrays(0.0, 3 / 1024), "each iteration halves the cotangent",
           of="ten iterations before the end")
    expect(unchanged, True, CHANGED, of=STAYS)


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=0.5)
def test_one_captured_value(student):
    """h becomes w h² while h < 50, as in lesson 10"""
    loop = student.define(LOOPS).Loop("square", True)
    carries = [arrays(1.0), arrays(2.0), arrays(8.0), arrays(128.0)]
    bars = [arrays(1024.0), arrays(256.0), arrays(32.0), arrays(1.0)]
    came = student.captured_bars(loop, carries, arrays(2.0, 50.0), bars)
    expect(came, arrays(448.0, 0.0), "64 · 1 + 4 · 32 + 1 · 256 is 448, and limit has no path",
           of="h = 1, w = 2")


@pytest.mark.question("q3", points=2.5, core=True)
def test_all_captured_values(student):
    """the lander's thrust and drag; a number and an array; no iteration"""
    ours = student.define(LOOPS)
    swap = arrays(0, [1.0, 2.0], [3.0, 5.0], [0.0, 0.0]), arrays(2.0, [7.0, 8.0], 3)
    cases = [("lander", arrays(2.0, -3.0), arrays(0.9, 0.05), arrays(0.5, 1.0)),
             ("swap", *swap, arrays(0.0, [1.0, 10.0], [0.5, -1.0], [2.0, 3.0])),
             ("lander", arrays(0.0, -3.0), arrays(0.9, 0.05), arrays(0.5, 1.0))]
    for name, start, captured, seeds in cases:
        carries = all_carries(name, start, captured)
        bars, n = all_bars(name, carries, captured, seeds), len(carries) - 1
        came = student.captured_bars(ours.Loop(name, True), carries, captured, bars)
        expect(came, gradient(name, start, captured, n, seeds)[1],
               "each iteration contributes, with the cotangents of the carry that left it",
               of=f"the loop {name}, {n} iterations")


@pytest.mark.question("q3", points=0.5)
def test_values_that_some_iterations_read(student):
    """None from the second iteration only"""
    ours = student.define(LOOPS + SOMETIMES)
    carries, bars = [arrays(0), arrays(1), arrays(2)], [arrays(1.0), arrays(2.0), arrays(4.0)]
    came = student.captured_bars(ours.Sometimes(), carries, arrays([5.0, 6.0]), bars)
    expect(came, arrays([2.0, 20.0]), "None contributes nothing, in this iteration only",
           of="contributions of [2, 20] and None")


SOMETIMES = """
class Sometimes:
    def body_vjp(self, carry, captured, bars):
        return [bars[0]], [None if carry[0] == 1 else bars[0] * np.array([1.0, 10.0])]
"""


@pytest.mark.question("q3", points=0.5, corner=True)
def test_long_loops_and_shared_arrays(student):
    """one array for two contributions; 1,200 iterations; what was given is not changed"""
    ours = student.define(LOOPS)
    for n in (2, 1200):
        captured = arrays([0.25, 1.0], [0.5, 2.0], n)
        carries = all_carries("shared", arrays(0, [1.0, 1.0]), captured)
        bars = [arrays(0.0, [1.0, 3.0])] * len(carries)
        came, unchanged = ours.watch(student.captured_bars, ours.Loop("shared", True), carries,
                                     captured, bars)
        expect(came, arrays([1.0 * n, 3.0 * n], [1.0 * n, 3.0 * n], 0.0),
               "one array may stand for two contributions (rule 3)", of=f"{n} iterations")
        expect(unchanged, True, CHANGED, of=STAYS)


# q4 ----------------------------------------------------------------------------------------------

VJP = """
class LoopVjp:
    def __init__(self, *answer):
        self.answer, self.calls = answer, []

    def __call__(self, start, captured, bars):
        self.calls.append([list(start), list(captured), list(bars)])
        return self.answer


def one_array(f, value, bar):
    return f(LoopVjp([bar], [bar, bar]), [value, value], [0], [0, 1], [bar]), bar
"""


@pytest.mark.question("q4", points=2.5, core=True)
def test_several_places(student):
    """a value that starts the loop and is captured; one that is captured twice"""
    ours = student.define(LOOPS + VJP)
    loop_vjp = ours.LoopVjp(arrays(0.25, 3.0), arrays(0.5))
    came = student.value_bars(loop_vjp, arrays(9.0, 2.0), [0, 1], [0], arrays(1.0, 0.0))
    expect(came, arrays(0.75, 3.0), "a cotangent is the sum over the places", of="9 stands twice")
    expect(loop_vjp.calls[0], [arrays(9.0, 2.0), arrays(9.0), arrays(1.0, 0.0)],
           "the values are taken from the lists of indices", of="what loop_vjp gets")
    loop_vjp = ours.LoopVjp(arrays(1.0, 10.0), arrays([1.0, 2.0], [3.0, 4.0]))
    values = arrays([5.0, 6.0], 7.0)
    came = student.value_bars(loop_vjp, values, [1, 1], [0, 0], arrays(1.0, 1.0))
    expect(came, arrays([4.0, 6.0], 11.0), "a cotangent is the sum over the places",
           of="start_at=[1, 1], captured_at=[0, 0]")


@pytest.mark.question("q4", points=0.5)
def test_no_place(student):
    """a value that stands nowhere; None for a count"""
    loop_vjp = student.define(LOOPS + VJP).LoopVjp([None], arrays([1.0, 2.0]))
    values = arrays([3.0, 4.0], [[5.0, 6.0]], 3)
    came = student.value_bars(loop_vjp, values, [2], [0], arrays(1.0))
    expect(came, arrays([1.0, 2.0], [[0.0, 0.0]], 0.0), "zeros have the shape of their value",
           of="the second value stands nowhere, the third has None")


@pytest.mark.question("q4", points=0.5)
def test_one_call(student):
    """how often loop_vjp is called"""
    loop_vjp = student.define(LOOPS + VJP).LoopVjp(arrays(1.0), arrays(2.0, 3.0))
    came = student.value_bars(loop_vjp, arrays(5.0, 6.0, 7.0), [0], [1, 2], arrays(1.0))
    expect(came, arrays(1.0, 2.0, 3.0), "each value stands in one place", of="three values")
    expect(len(loop_vjp.calls), 1, "each call is a whole backward pass", of="the number of calls")


@pytest.mark.question("q4", points=0.5, corner=True)
def test_equal_values(student):
    """two values that are one array; one array for all cotangents"""
    ours = student.define(LOOPS + VJP)
    came, left = ours.one_array(student.value_bars, np.array([7.0, 7.0]), np.array([1.0, 2.0]))
    expect(came, arrays([2.0, 4.0], [1.0, 2.0]), "equal values are still two",
           of="values=[x, x], start_at=[0], captured_at=[0, 1]")
    expect(left, np.array([1.0, 2.0]), CHANGED, of="the array that loop_vjp returned")


# q5 ----------------------------------------------------------------------------------------------


def moved_gradient(name, start, captured, n, seeds, dots, step=1e-5):
    """The tangents of the cotangents, by a difference quotient: right to six digits."""
    found = []
    for change in (step, -step):
        moved = [x if dot is None else x + change * dot
                 for x, dot in zip([*start, *captured], dots, strict=True)]
        found.append(gradient(name, moved[: len(start)], moved[len(start) :], n, seeds))
    return tuple([(up - down) / (2 * step) for up, down in zip(*pair)] for pair in zip(*found))


def second(student, name, start, captured, seeds, dots, because, of):
    """Fail unless the Hessian-vector product agrees with a difference of two gradients."""
    loop, first = student.define(LOOPS).Loop(name), len(start)
    came = student.loop_hvp(loop, start, captured, seeds, dots[:first], dots[first:])
    n = len(all_carries(name, start, captured)) - 1
    expect(came, moved_gradient(name, start, captured, n, seeds, dots), because, of, tolerance=1e-6)


@pytest.mark.question("q5", points=5, core=True)
def test_all_values_move(student):
    """h becomes w h² while h < 50; the lander; k / (1 + x)"""
    loop = student.define(LOOPS).Loop("square")
    came = student.loop_hvp(loop, arrays(3.0), arrays(1.0, 50.0), arrays(1.0), arrays(1.0),
                            [np.array(0.0), None])
    expect(came, (arrays(108.0), arrays(324.0, 0.0)), "4 w³ h³ has the tangent 12 w³ h²",
           of="h = 3 and w = 1, when h moves by 1")
    dots = [*arrays(0.3, -1.0), *arrays(1.0, 0.5)]
    second(student, "lander", arrays(2.0, -3.0), arrays(0.9, 0.05), arrays(0.5, 1.0), dots,
           "the carry and the captured values move in both passes", of="the lander from 2, -3")
    dots = [None, np.array([2.0, -1.0]), np.array(0.5), None]
    for n in (0, 1, 3):
        second(student, "ratio", arrays(0, [1.0, 3.0]), arrays(2.0, n),
               [None, np.array([1.0, -2.0])], dots, "the cotangents move in the backward pass, too",
               of=f"x becomes k / (1 + x), {n} iterations")


@pytest.mark.question("q5", points=1)
def test_one_value_moves(student):
    """x or k of k / (1 + x) moves, or nothing"""
    given = "ratio", arrays(0, [1.0, 3.0]), arrays(2.0, 3), [None, np.array([1.0, -2.0])]
    for of, dots in (("only x moves", [None, np.array([1.0, 0.5]), None, None]),
                     ("only k moves", [None, None, np.array(1.0), None]),
                     ("nothing moves", [None] * 4)):
        second(student, *given, dots, "a tangent of None stands for zeros",
               of=f"x becomes k / (1 + x), three iterations: {of}")


@pytest.mark.question("q5", points=1)
def test_missing_seeds_move_nothing(student):
    """None as a seed of the lander"""
    dots = [*arrays(0.3, -1.0), *arrays(1.0, 0.5)]
    for seeds in ([None, np.array(1.0)], [np.array(1.0), None], [None, None]):
        second(student, "lander", arrays(2.0, -3.0), arrays(0.9, 0.05), seeds, dots,
               "a seed of None stands for zeros, and no seed moves", of=f"seeds {seeds}")


@pytest.mark.question("q5", points=1, corner=True)
def test_counts_and_long_loops(student):
    """1,100 iterations"""
    loop, zero = student.define(LOOPS).Loop("shared"), np.array(0.0)
    came = student.loop_hvp(loop, arrays(0, 1.0), arrays(0.25, 0.5, 1100), [None, np.array(1.0)],
                            [None, np.array(1.0)], [*arrays(1.0, 1.0), None])
    expect(came, ([zero, zero], [zero, zero, zero]), "this loop is linear", of="x / 2 + k + m")


# q6 ----------------------------------------------------------------------------------------------

PEAK = """
def peak(f, name, size, captured, every):
    start, bars = [np.array(0), np.linspace(0.5, 1.0, size)], [None, np.ones(size)]
    tracemalloc.start()
    f(Loop(name), start, captured, bars, every)
    most = tracemalloc.get_traced_memory()[1] / (8 * size)
    tracemalloc.stop()
    return most
"""


@pytest.mark.question("q6", points=2, core=True)
def test_segments(student):
    """the lander and k / (1 + x) in segments; how many carries are in memory"""
    ours, seeds = student.define(LOOPS + PEAK), [None, np.array([1.0, -2.0])]
    cases = [("ratio", arrays(0, [1.0, 3.0]), arrays(2.0, n), seeds) for n in (0, 1, 6, 7)]
    cases += [("lander", arrays(2.0, -3.0), arrays(0.9, 0.05), arrays(0.5, 1.0))]
    for name, start, captured, seeds in cases:
        n = len(all_carries(name, start, captured)) - 1
        for every in (1, 3, 100):
            loop, of = ours.Loop(name), f"the loop {name}, {n} iterations, every={every}"
            came = student.checkpointed_bars(loop, start, captured, seeds, every)
            expect(came, gradient(name, start, captured, n, seeds),
                   "a segment begins at its checkpoint, and the last one comes first", of=of)
            expect(loop.calls["body"] <= 2 * n, True, "the body runs at most 2 n times", of=of)
    most = ours.peak(student.checkpointed_bars, "ratio", 10_000, arrays(1.5, 60), 8)
    expect(type(most) is float and most <= 60 / 8 + 8 + 8, True,
           f"{most:.3g} carries were in memory, where {60 / 8 + 8 + 8} are allowed",
           of="60 iterations, every=8")


@pytest.mark.question("q6", points=0.5)
def test_calls(student):
    """how often the condition and the rule are called"""
    loop = student.define(LOOPS).Loop("ratio")
    student.checkpointed_bars(loop, arrays(0, 1.0), arrays(2.0, 7), [None, np.array(1.0)], 3)
    expect(loop.calls["condition"], 8, "only the forward pass asks the condition",
           of="calls of the condition, 7 iterations")
    expect(loop.calls["body_vjp"], 7, "the rule is called once for each iteration",
           of="calls of body_vjp, 7 iterations")


@pytest.mark.question("q6", points=0.5, corner=True)
def test_long_segments_and_shared_arrays(student):
    """1,100 iterations in one segment; one array for two contributions"""
    ours = student.define(LOOPS)
    for n, every in ((2, 1), (1100, 1100)):
        came = student.checkpointed_bars(ours.Loop("shared"), arrays(0, 1.0),
                                         arrays(0.25, 0.5, n), [None, np.array(1.0)], every)
        k_bar = 2 - 0.5 ** (n - 1)
        expect(came, (arrays(0.0, 0.5**n), arrays(k_bar, k_bar, 0.0)),
               "one array may stand for two contributions (rule 3)", of=f"{n} iterations")
