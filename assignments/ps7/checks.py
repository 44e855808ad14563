"""The visible checks of ps7: pytest functions over `student`, which answers for your code."""

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import StudentError

LOOPS = '''
import numpy as np

TABLE = {
    "square": (  # carry count, h; captured limit
        lambda c, w: c[0] < w[0],
        lambda c, w: [c[0] + 1, c[1] * c[1]],
        lambda c, w, g: ([None, 2 * c[1] * g[1]], [None]),
    ),
    "lander": (  # carry height, speed; captured thrust, drag
        lambda c, w: c[0] > 0,
        lambda c, w: [c[0] + 0.1 * c[1], c[1] + 0.1 * (w[0] + w[1] * c[1] * c[1] - 1.6)],
        lambda c, w, g: ([g[0], 0.1 * g[0] + (1 + 0.2 * w[1] * c[1]) * g[1]],
                         [0.1 * g[1], 0.1 * c[1] * c[1] * g[1]]),
    ),
    "layer": (  # carry count, h [3,2]; captured matrix [3,3], bias [3,1], limit
        lambda c, w: c[0] < w[2],
        lambda c, w: [c[0] + 1, w[0] @ c[1] + w[1]],
        lambda c, w, g: ([None, w[0].T @ g[1]],
                         [g[1] @ c[1].T, g[1].sum(axis=1, keepdims=True), None]),
    ),
    "juggle": (  # carry count, a, b, kept, replaced; captured k, limit
        lambda c, w: c[0] < w[1],
        lambda c, w: [c[0] + 1, c[2], c[1] * w[0], c[3], w[0] - c[1]],
        lambda c, w, g: ([None, g[2] * w[0] - g[4], g[1], g[3], None],
                         [(g[2] * c[1] + g[4]).sum(), None]),
    ),
    "ratio": (  # carry count, x [2]; captured k, limit
        lambda c, w: c[0] < w[1],
        lambda c, w: [c[0] + 1, w[0] / (1 + c[1])],
        lambda c, w, g: ([None, -w[0] * g[1] / ((1 + c[1]) * (1 + c[1]))],
                         [(g[1] / (1 + c[1])).sum(), None]),
    ),
}


class Loop:
    """A loop of the table that counts its calls. A "wild" one works in what it was given, a
    "saving" one returns the same arrays in every call."""

    def __init__(self, name, habit=""):
        self.rules, self.habit = TABLE[name], habit
        self.calls, self.held = {"condition": 0, "body": 0, "back": 0}, {}

    def condition(self, carry, captured):
        self.calls["condition"] += 1
        return self.rules[0](carry, captured)

    def body(self, carry, captured):
        self.calls["body"] += 1
        return self.leave("body", carry, self.rules[1](carry, captured))

    def back(self, carry, captured, bars):
        self.calls["back"] += 1
        for bar in bars:
            assert bar is not None, "back was given None for a cotangent"
        into, parts = self.rules[2](carry, captured, bars)
        if self.habit:
            into, parts = (list(map(copied, found)) for found in (into, parts))
        if self.habit == "wild":
            for x in carry:
                spoil(x)
        return self.leave("into", bars, into), self.leave("parts", None, parts)

    def leave(self, name, given, made):
        made = list(made)
        if self.habit == "saving" or (self.habit == "wild" and given is None):
            held = self.held.setdefault(name, [copied(x) for x in made])
            for at, x in enumerate(made):
                if x is not None and held[at] is not None:
                    held[at][...] = x
                    made[at] = held[at]
        elif self.habit == "wild":
            for at, x in enumerate([copied(x) for x in made]):
                if type(given[at]) is np.ndarray and x is not None:
                    given[at][...] = x
                    x = given[at]
                made[at] = x
            given[:] = made
        return made


def copied(x):
    return None if x is None else np.array(x)


def spoil(x):
    if type(x) is np.ndarray:
        x[...] = 77


def leaves(tree):
    if type(tree) is dict:
        tree = list(tree.values())
    if type(tree) in (list, tuple):
        return [leaf for part in tree for leaf in leaves(part)]
    return [tree]


def same(a, b):
    a, b = leaves(a), leaves(b)
    pairs = list(zip(a, b))
    return len(a) == len(b) and all(
        x is y or (np.array_equal(x, y) and np.asarray(x).dtype == np.asarray(y).dtype)
        for x, y in pairs)


def copy_tree(tree):
    return [copy_tree(x) for x in tree] if type(tree) in (list, tuple) else copied(tree)


def look(f, first, *arguments):
    """(what came, whether the arguments stayed, whether what came is shared with nobody)"""
    before = copy_tree(arguments)
    came = f(first, *arguments)
    arrays = [x for x in leaves(came) if type(x) is np.ndarray]
    others = leaves([arguments, getattr(first, "held", {})])
    others = [x for x in others if type(x) is np.ndarray]
    shared = any(np.shares_memory(x, y) for x in arrays for y in others)
    ids = [id(x) for x in arrays]
    return [came, same(before, list(arguments)), not shared and len(ids) == len(set(ids))]
'''
HERE = {}
exec(LOOPS, HERE)  # the same loops here: what is expected is found by other means than a way back
KEPT = "whether (what was given stayed as it was, what came is shared with nobody)"


def arrays(*values):
    """Arrays of the values: of whole numbers where they are whole."""
    return [np.array(one) for one in values]


def make_steps(name, carry, captured, n):
    """The carry, and what n iterations make of it."""
    listed = [[np.array(x) for x in carry]]
    for _ in range(n):
        listed.append([np.array(x) for x in HERE["TABLE"][name][1](listed[-1], captured)])
    return listed


def slopes(name, start, captured, n, seeds):
    """The cotangents of start and of captured after n iterations, by steps into the imaginary
    direction, which no rounding disturbs."""
    values, found = [*start, *captured], []
    if n == 0:
        found = [np.zeros(x.shape) if s is None else 1.0 * s
                 for s, x in zip(seeds, start, strict=True)]
        return found, [np.zeros(x.shape) for x in captured]
    for number, value in enumerate(values):
        found.append(np.zeros(value.shape))
        for place in np.ndindex(value.shape if value.dtype.kind == "f" else (0,)):
            moved = [np.array(x, complex if x.dtype.kind == "f" else None) for x in values]
            moved[number][place] += 1e-30j
            ends = make_steps(name, moved[: len(start)], moved[len(start) :], n)[-1]
            along = (np.sum(s * end) for s, end in zip(seeds, ends) if s is not None)
            found[-1][place] = np.imag(sum(along)) / 1e-30
    return found[: len(start)], found[len(start) :]


def all_slopes(name, carries, captured, seeds):
    """The cotangents of each of the carries."""
    left = range(len(carries) - 1, -1, -1)
    pairs = zip(carries, left, strict=True)
    return [slopes(name, carry, captured, n, seeds)[0] for carry, n in pairs]


def expect_floats(came, wanted, because="", of="", tolerance=1e-9):
    """As `expect`, of arrays in lists, which must be of floats, too."""
    expect(came, wanted, because, of, tolerance)
    waiting = [came]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (list, tuple)):
            waiting.extend(one)
        elif type(one) is not float and getattr(one, "dtype", None) != np.float64:
            text = f"{one!r:.60} of {getattr(one, 'dtype', type(one).__name__)}"
            raise AssertionError(f"of        {of}\nexpected  arrays of floats\ncame      {text}")


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1)
def test_every_carry(student):
    """h becomes h h, twice, from 3"""
    loop = student.define(LOOPS).Loop("square")
    came = student.run_loop(loop, arrays(0, 3.0), arrays(2))
    expect(came, [arrays(0, 3.0), arrays(1, 9.0), arrays(2, 81.0)],
           "n iterations make n + 1 carries: the start is one of them", of="3, squared twice")
    expect(loop.calls, {"condition": 3, "body": 2, "back": 0}, of="how often each was called")


@pytest.mark.question("q1", points=1)
def test_no_iteration(student):
    """a condition that is false at once"""
    loop = student.define(LOOPS).Loop("square")
    came = student.run_loop(loop, arrays(5, 3.0), arrays(2))
    expect(came, [arrays(5, 3.0)], of="no iteration: the start alone")


@pytest.mark.question("q1", points=1)
def test_bodies_in_place(student):
    """a body that changes what it gets; what came, changed"""
    ours = student.define(LOOPS)
    for habit in ("wild", "saving"):
        came, *kept = ours.look(student.run_loop, ours.Loop("square", habit), arrays(0, 3.0),
                                arrays(2))
        of = f"3, squared twice, by a {habit} body"
        expect(came, [arrays(0, 3.0), arrays(1, 9.0), arrays(2, 81.0)],
               "each carry that is kept needs a copy of its own", of=of)
        expect(kept, [True, True], of=KEPT)


@pytest.mark.question("q1", points=1)
def test_endless_loops(student):
    """two iterations, where two and where one are allowed"""
    ours = student.define(LOOPS)
    came = student.run_loop(ours.Loop("square"), arrays(0, 3.0), arrays(2), 2)
    expect(len(came), 3, "`most` iterations are allowed", of="how many carries with most=2")
    with pytest.raises(StudentError) as error:
        student.run_loop(ours.Loop("square"), arrays(0, 3.0), arrays(2), 1)
    expect(error.value.kind, "RuntimeError", of="the error of two iterations with most=1")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=2)
def test_the_way_back(student):
    """3, squared twice; the lander's last steps"""
    loop = student.define(LOOPS).Loop("square")
    carries = [arrays(0, 3.0), arrays(1, 9.0), arrays(2, 81.0)]
    came = student.walk_back(loop, carries, arrays(2), arrays(0.0, 1.0))
    expect_floats(came, [arrays(0.0, 108.0), arrays(0.0, 18.0), arrays(0.0, 1.0)],
                  "the rule of h h reads what came into the iteration", of="3, squared twice")
    captured = arrays(0.9, 0.05)
    carries = make_steps("lander", arrays(2.0, -3.0), captured, 4)
    came = student.walk_back(student.define(LOOPS).Loop("lander"), carries, captured,
                             arrays(0.5, 1.0))
    wanted = all_slopes("lander", carries, captured, arrays(0.5, 1.0))
    expect_floats(came, wanted, of="four steps of the lander")


@pytest.mark.question("q2", points=1)
def test_no_iteration_and_one(student):
    """no iteration, and one"""
    loop = student.define(LOOPS).Loop("square")
    came = student.walk_back(loop, [arrays(7, 3.0)], arrays(2), arrays(0.0, 5.0))
    expect_floats(came, [arrays(0.0, 5.0)], "the seeds, and nothing else", of="no iteration")
    came = student.walk_back(loop, [arrays(1, 3.0), arrays(2, 9.0)], arrays(2), arrays(0.0, 1.0))
    expect_floats(came, [arrays(0.0, 6.0), arrays(0.0, 1.0)], of="one iteration: h h from 3")


@pytest.mark.question("q2", points=1)
def test_kept_replaced_swapped(student):
    """values that are swapped, kept, replaced"""
    start, captured = arrays(0, [1.0, 2.0], [3.0, 5.0], 7.0, [0.0, 0.0]), arrays(2.0, 3)
    carries = make_steps("juggle", start, captured, 3)
    seeds = arrays(0.0, [1.0, 10.0], [0.5, -1.0], 4.0, [2.0, 3.0])
    came = student.walk_back(student.define(LOOPS).Loop("juggle"), carries, captured, seeds)
    wanted = all_slopes("juggle", carries, captured, seeds)
    expect_floats(came, wanted, "where `back` says None, there is no path", of="juggling")


@pytest.mark.question("q2", points=1)
def test_missing_seeds(student):
    """None as a seed; a count"""
    carries = [arrays(0, [3.0, 4.0]), arrays(1, [9.0, 16.0])]
    ours = student.define(LOOPS)
    came = student.walk_back(ours.Loop("square"), carries, arrays(1), [None, np.array([0.5, 2.0])])
    wanted = [arrays(0.0, [3.0, 16.0]), arrays(0.0, [0.5, 2.0])]
    expect_floats(came, wanted, of="a seed for h alone")
    came = student.walk_back(ours.Loop("square"), carries, arrays(1), [None, None])
    expect_floats(came, [arrays(0.0, [0.0, 0.0])] * 2, "zeros of the value's shape", of="no seeds")


@pytest.mark.question("q2", points=1)
def test_nothing_is_run_again(student):
    """calls; a rule that works in place"""
    ours = student.define(LOOPS)
    carries = [arrays(0, 3.0), arrays(1, 9.0), arrays(2, 81.0)]
    for habit in ("", "wild", "saving"):
        loop = ours.Loop("square", habit)
        came, *kept = ours.look(student.walk_back, loop, carries, arrays(9), arrays(0.0, 1.0))
        of = f"3, squared twice, by a {habit or 'plain'} rule"
        expect_floats(came, [arrays(0.0, 108.0), arrays(0.0, 18.0), arrays(0.0, 1.0)], of=of)
        expect(kept, [True, True], of=KEPT)
        expect(loop.calls, {"condition": 0, "body": 0, "back": 2}, of="how often each was called")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=2)
def test_a_sum_over_iterations(student):
    """the lander's thrust and drag; a layer's matrix and bias"""
    ours = student.define(LOOPS)
    h = [[1.0, 2.0], [0.5, -1.0], [3.0, 0.0]]
    w = [[0.1, 0.2, -0.3], [0.4, 0.0, 0.2], [-0.5, 0.3, 0.1]]
    cases = [("lander", arrays(2.0, -3.0), arrays(0.9, 0.05), arrays(0.5, 1.0)),
             ("layer", arrays(0, h), arrays(w, [[1.0], [0.0], [2.0]], 3), arrays(0.0, h))]
    for name, start, captured, seeds in cases:
        carries = make_steps(name, start, captured, 3)
        bars = all_slopes(name, carries, captured, seeds)
        came = student.captured_bars(ours.Loop(name), carries, captured, bars)
        wanted = slopes(name, start, captured, 3, seeds)[1]
        expect_floats(came, wanted, "each iteration adds its share", of=f"{name}, three iterations")


@pytest.mark.question("q3", points=1)
def test_nothing_captured_nothing_run(student):
    """no iteration; one"""
    ours, captured = student.define(LOOPS), arrays(0.9, 0.05)
    came = student.captured_bars(ours.Loop("lander"), [arrays(0.0, 1.0)], captured,
                                 [arrays(1.0, 1.0)])
    expect_floats(came, arrays(0.0, 0.0), "nothing was read", of="no iteration")
    carries = [arrays(2.0, -3.0), arrays(1.7, -3.0)]
    came = student.captured_bars(ours.Loop("lander"), carries, captured,
                                 [arrays(7.0, 7.0), arrays(0.0, 1.0)])
    expect_floats(came, arrays(0.1, 0.9), "the bars of what left the iteration", of="one iteration")


@pytest.mark.question("q3", points=1)
def test_rules_in_place(student):
    """a rule that works in place, one that returns the same arrays every time"""
    ours, captured = student.define(LOOPS), arrays(0.9, 0.05)
    carries = make_steps("lander", arrays(2.0, -3.0), captured, 3)
    bars = all_slopes("lander", carries, captured, arrays(0.5, 1.0))
    wanted = slopes("lander", carries[0], captured, 3, arrays(0.5, 1.0))[1]
    for habit in ("wild", "saving"):
        loop = ours.Loop("lander", habit)
        came, *kept = ours.look(student.captured_bars, loop, carries, captured, bars)
        expect_floats(came, wanted, of=f"the lander, three steps, by a {habit} rule")
        expect(kept, [True, True], of=KEPT)
        expect(loop.calls, {"condition": 0, "body": 0, "back": 3}, of="how often each was called")


# q4 ----------------------------------------------------------------------------------------------

REVERSE = """
class Reverse:
    def __init__(self, *answer):
        self.answer, self.held, self.asked = answer, answer, []

    def __call__(self, start, captured, bars):
        self.asked.append([list(start), list(captured), list(bars)])
        return self.answer
"""


@pytest.mark.question("q4", points=1)
def test_two_places(student):
    """a value that starts the loop and is captured"""
    reverse = student.define(REVERSE).Reverse(arrays(0.25, 3.0), arrays(0.5))
    came = student.value_bars(reverse, arrays(9.0, 2.0), [0, 1], [0], arrays(1.0, 0.0))
    expect_floats(came, arrays(0.75, 3.0), "the sum over its places", of="a starts and is captured")
    expect(reverse.asked, [[arrays(9.0, 2.0), arrays(9.0), arrays(1.0, 0.0)]],
           of="what `reverse` was asked, each time")


@pytest.mark.question("q4", points=1)
def test_no_place(student):
    """a value that is not used; None"""
    reverse = student.define(REVERSE).Reverse([None], arrays([1.0, 2.0]))
    values = arrays([3.0, 4.0], [[5.0, 6.0]], 3)
    came = student.value_bars(reverse, values, [2], [0], arrays(1.0))
    expect_floats(came, arrays([1.0, 2.0], [[0.0, 0.0]], 0.0), "zeros of the value's shape",
                  of="the second is not used, the third has None")


@pytest.mark.question("q4", points=1)
def test_equal_values(student):
    """two values that are equal; what was given stays"""
    ours = student.define(LOOPS + REVERSE)
    reverse = ours.Reverse(arrays([1.0, 2.0]), arrays([10.0, 20.0], [100.0, 200.0]))
    values = arrays([7.0, 7.0], [7.0, 7.0])
    came, *kept = ours.look(student.value_bars, reverse, values, [1], [0, 1], arrays([1.0, 1.0]))
    expect_floats(came, arrays([10.0, 20.0], [101.0, 202.0]), "equal, and still two", of="7 and 7")
    expect(kept, [True, True], of=KEPT)


# q5 ----------------------------------------------------------------------------------------------


def moved_slopes(name, start, captured, n, seeds, dots, step=1e-5):
    """How the slopes move along the dots, by trying: right to six digits."""
    found = []
    for change in (step, -step):
        moved = [x if dot is None else x + change * dot
                 for x, dot in zip([*start, *captured], dots, strict=True)]
        found.append(slopes(name, moved[: len(start)], moved[len(start) :], n, seeds))
    return [[(up - down) / (2 * step) for up, down in zip(*pair)] for pair in zip(*found)]


@pytest.mark.question("q5", points=2)
def test_h_to_the_fourth(student):
    """3, squared twice: 12 h h is 108"""
    loop = student.define(LOOPS).Loop("square")
    came = student.slopes_moved(loop, arrays(0, 3.0), arrays(2), arrays(0.0, 1.0),
                                arrays(0.0, 1.0), arrays(0.0))
    expect_floats(came, (arrays(0.0, 108.0), arrays(0.0)), "4 h³ moves by 12 h²",
                  of="3, squared twice, when h moves by 1")


@pytest.mark.question("q5", points=2)
def test_both_move(student):
    """k / (1 + x), x and k moving"""
    start, captured, seeds = arrays(0, [1.0, 3.0]), arrays(2.0, 3), arrays(0.0, [1.0, -2.0])
    for of, dots in (("x moves", [None, np.array([1.0, 0.5]), None, None]),
                     ("k moves", [None, None, np.array(1.0), None]),
                     ("both move", [None, np.array([2.0, -1.0]), np.array(0.5), None])):
        loop = student.define(LOOPS).Loop("ratio")
        came = student.slopes_moved(loop, start, captured, seeds, dots[:2], dots[2:])
        wanted = moved_slopes("ratio", start, captured, 3, seeds, dots)
        expect_floats(came, tuple(wanted), of=f"k / (1 + x), three times: {of}", tolerance=1e-6)


@pytest.mark.question("q5", points=1)
def test_nothing_moves_without_iterations(student):
    """no iteration; one"""
    ours, captured = student.define(LOOPS), arrays(2.0, 0)
    came = student.slopes_moved(ours.Loop("ratio"), arrays(0, [1.0, 3.0]), captured,
                                [None, np.array([4.0, 5.0])], arrays(0.0, [1.0, 1.0]),
                                arrays(1.0, 0.0))
    expect_floats(came, (arrays(0.0, [0.0, 0.0]), arrays(0.0, 0.0)), "the seeds stand still",
                  of="no iteration")
    came = student.slopes_moved(ours.Loop("square"), arrays(0, 3.0), arrays(1), arrays(0.0, 1.0),
                                arrays(0.0, 1.0), arrays(0.0))
    expect_floats(came, (arrays(0.0, 2.0), arrays(0.0)), "2 h moves by 2", of="h h")


@pytest.mark.question("q5", points=1)
def test_one_walk(student):
    """how often each function was called; what was given stays"""
    ours = student.define(LOOPS)
    loop = ours.Loop("ratio")
    _, *kept = ours.look(student.slopes_moved, loop, arrays(0, [1.0, 3.0]), arrays(2.0, 4),
                         arrays(0.0, [1.0, -2.0]), [None, np.array([1.0, 0.5])], arrays(1.0, 0.0))
    expect(loop.calls, {"condition": 5, "body": 4, "back": 4}, of="calls, four iterations")
    expect(kept, [True, True], of=KEPT)


# q6 ----------------------------------------------------------------------------------------------

PEAK = """
import tracemalloc

def peak(f, name, size, captured, every):
    start = [np.array(0), np.linspace(0.5, 1.0, size)]
    bars = [None, np.ones(size)]
    tracemalloc.start()
    came = f(Loop(name), start, captured, bars, every)
    most = tracemalloc.get_traced_memory()[1] / (8 * size)
    tracemalloc.stop()
    return [came[0][1][:2], came[1][0], most]
"""


@pytest.mark.question("q6", points=1)
def test_pieces(student):
    """seven iterations in pieces of three"""
    ours, seeds = student.define(LOOPS), arrays(0.0, [1.0, -2.0])
    start, captured = arrays(0, [1.0, 3.0]), arrays(2.0, 7)
    wanted = slopes("ratio", start, captured, 7, seeds)
    for every in (3, 7, 100):
        loop = ours.Loop("ratio")
        came, *kept = ours.look(student.slopes_in_pieces, loop, start, captured, seeds, every)
        expect_floats(came, wanted, of=f"k / (1 + x), seven times, in pieces of {every}")
        expect(kept, [True, True], of=KEPT)
        calls = loop.calls
        expect((calls["condition"], calls["back"]), (8, 7), of="calls of condition and back")
        expect(calls["body"] <= 14, True, of=f"whether body ran {calls['body']} times: 14 at most")


@pytest.mark.question("q6", points=1)
def test_no_piece(student):
    """no iteration; one"""
    loop, captured = student.define(LOOPS).Loop("ratio"), arrays(2.0, 1)
    came = student.slopes_in_pieces(loop, arrays(1, [1.0, 3.0]), captured,
                                    [None, np.array([4.0, 5.0])], 2)
    expect_floats(came, (arrays(0.0, [4.0, 5.0]), arrays(0.0, 0.0)), of="no iteration")
    came = student.slopes_in_pieces(loop, arrays(0, [1.0, 3.0]), captured, [None, None], 2)
    expect_floats(came, (arrays(0.0, [0.0, 0.0]), arrays(0.0, 0.0)), of="one iteration, no seeds")


@pytest.mark.question("q6", points=1)
def test_memory(student):
    """60 iterations in pieces of 8, weighed"""
    ours = student.define(LOOPS + PEAK)
    *_, most = ours.peak(student.slopes_in_pieces, "ratio", 10_000, arrays(1.5, 60), 8)
    if type(most) is not float or not most <= 60 / 8 + 8 + 8:
        raise AssertionError("of        carries in memory, 60 iterations in pieces of 8\n"
                             f"expected  at most {60 / 8 + 8 + 8}\ncame      {most!s:.6}\n"
                             "perhaps   a piece that is through is still kept")
