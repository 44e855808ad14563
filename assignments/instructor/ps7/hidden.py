"""The checks that grade ps7: what the visible ones ask, of other loops, shapes and numbers."""

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import StudentError

LOOPS = '''
from itertools import combinations

import numpy as np

TABLE = {
    "square": (  # carry count, h; captured limit
        lambda c, w: c[0] < w[0],
        lambda c, w: [c[0] + 1, c[1] * c[1]],
        lambda c, w, g: ([None, 2 * c[1] * g[1]], [None]),
    ),
    "lander": (  # carry height, speed; captured thrust, drag
        lambda c, w: c[0] > 0,
        lambda c, w: [c[0] + 0.2 * c[1], c[1] + 0.2 * (w[0] + w[1] * c[1] * c[1] - 1.6)],
        lambda c, w, g: ([g[0], 0.2 * g[0] + (1 + 0.4 * w[1] * c[1]) * g[1]],
                         [0.2 * g[1], 0.2 * c[1] * c[1] * g[1]]),
    ),
    "newton": (  # carry x; captured a, near: the condition alone reads near
        lambda c, w: np.max(abs(c[0] * c[0] - w[0])) > w[1],
        lambda c, w: [(c[0] + w[0] / c[0]) / 2],
        lambda c, w, g: ([(1 - w[0] / (c[0] * c[0])) * g[0] / 2], [g[0] / c[0] / 2, None]),
    ),
    "layer": (  # carry count, h [n,m]; captured matrix [n,n], bias [n,1], limit
        lambda c, w: c[0] < w[2],
        lambda c, w: [c[0] + 1, w[0] @ c[1] + w[1]],
        lambda c, w, g: ([None, w[0].T @ g[1]],
                         [g[1] @ c[1].T, g[1].sum(axis=1, keepdims=True), None]),
    ),
    "juggle": (  # carry a, count, kept, replaced, b; captured k, limit
        lambda c, w: c[1] < w[1],
        lambda c, w: [c[4] * w[0], c[1] + 1, c[2], w[0] * w[0] + c[4], c[0]],
        lambda c, w, g: ([g[4], None, g[2], None, g[0] * w[0] + g[3]],
                         [(g[0] * c[4] + 2 * w[0] * g[3]).sum(), None]),
    ),
    "pair": (  # carry x, y [2,3], count; captured k [2,3], scale, limit; whole zeros for None
        lambda c, w: c[2] < w[2],
        lambda c, w: [c[0] * c[1] + w[0], w[1] * c[1] - 0.1 * c[0] * c[0], c[2] + 1],
        lambda c, w, g: ([c[1] * g[0] - 0.2 * c[0] * g[1], c[0] * g[0] + w[1] * g[1], 0 * c[2]],
                         [g[0], (c[1] * g[1]).sum(), 0 * w[2]]),
    ),
    "ratio": (  # carry x, count; captured limit, k, shift
        lambda c, w: c[1] < w[0],
        lambda c, w: [w[1] / (1 + c[0] * c[0]) - w[2], c[1] + 1],
        lambda c, w, g: ([-2 * c[0] * w[1] * g[0] / ((1 + c[0] * c[0]) * (1 + c[0] * c[0])), None],
                         [None, (g[0] / (1 + c[0] * c[0])).sum(), -g[0].sum()]),
    ),
    "late": (  # carry x, count; captured k, m, limit: k in even turns, m in odd ones
        lambda c, w: c[1] < w[2],
        lambda c, w: [c[0] * (w[c[1] % 2]), c[1] + 1],
        lambda c, w, g: ([w[c[1] % 2] * g[0], None],
                         [None if c[1] % 2 == at else (c[0] * g[0]).sum() for at in (1, 0)]
                         + [None]),
    ),
    "down": (  # carry left, x; captured k, whole as left: the condition's answer is a number
        lambda c, w: c[0],
        lambda c, w: [c[0] - 1, 0.2 * c[0] * w[0] * c[1] * c[1]],
        lambda c, w, g: ([g[0] + (0.2 * w[0] * c[1] * c[1] * g[1]).sum(),
                          0.4 * c[0] * w[0] * c[1] * g[1]],
                         [(0.2 * c[0] * c[1] * c[1] * g[1]).sum()]),
    ),
    "both": (  # carry x, y, count; captured k, limit: only x + y is read, one array for both bars
        lambda c, w: c[2] < w[1],
        lambda c, w: [0.3 * w[0] * (c[0] + c[1]) * (c[0] + c[1]), 0.2 * (c[0] + c[1]), c[2] + 1],
        lambda c, w, g: ([0.6 * w[0] * (c[0] + c[1]) * g[0] + 0.2 * g[1]] * 2 + [None],
                         [(0.3 * (c[0] + c[1]) * (c[0] + c[1]) * g[0]).sum(), None]),
    ),
    "listed": (  # carry count, x, y; captured go, k: go is looked up; what replaces y stands still
        lambda c, w: w[0][c[0]] > 0.5,
        lambda c, w: [c[0] + 1, w[1] * c[1] * c[2], np.full((2, 3), 0.9)],
        lambda c, w, g: ([None, w[1] * c[2] * g[1], w[1] * c[1] * g[1]],
                         [None, (c[1] * c[2] * g[1]).sum()]),
    ),
    "scale": (  # carry x, count; captured k, as large as x, and limit
        lambda c, w: c[1] < w[1],
        lambda c, w: [c[0] * w[0], c[1] + 1],
        lambda c, w, g: ([w[0] * g[0], None], [c[0] * g[0], None]),
    ),
}


class Loop:
    """A loop of the table that counts its calls. A "wild" one works in what it was given, a
    "saving" one fills the same arrays in every call and returns them, or views of them; of one
    that is not `plain` the bars may be Duals."""

    def __init__(self, name, habit="", plain=True):
        self.rules, self.habit, self.plain = TABLE[name], habit, plain
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
            floats = not self.plain or np.asarray(bar).dtype.kind == "f"
            assert floats, "back was given whole cotangents"
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
                    made[at] = held[at] if at % 2 else held[at][...]
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


def merged(tree, known, numbers):
    """The tree, with arrays that are alike made one: nobody may tell values by their arrays; and
    with NumPy's numbers for arrays of one."""
    if type(tree) in (list, tuple):
        return [merged(x, known, numbers) for x in tree]
    if type(tree) is not np.ndarray:
        return tree
    one = tree[()] if numbers and tree.ndim == 0 else tree
    return known.setdefault((tree.dtype, tree.shape, tree.tobytes()), one)


EARLIER = []  # what the last two calls returned


def look(f, first, *arguments):
    """(what came, whether the arguments stayed, whether what came is shared with nobody)"""
    arguments = merged(arguments, {}, not getattr(first, "habit", ""))
    before = copy_tree(arguments)
    came = f(first, *arguments)
    arrays = [x for x in leaves(came) if type(x) is np.ndarray]
    others = leaves([arguments, getattr(first, "held", {}), EARLIER])
    others = [x for x in others if type(x) is np.ndarray]
    EARLIER[:] = [*EARLIER[-1:], arrays]
    pairs = [*((x, y) for x in arrays for y in others), *combinations(arrays, 2)]
    shared = any(np.shares_memory(x, y) for x, y in pairs)
    return [came, same(before, arguments), not shared]
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
    values, found, smooth = [*start, *captured], [], "fi" if name == "down" else "f"
    if n == 0:
        found = [np.zeros(x.shape) if s is None else 1.0 * s
                 for s, x in zip(seeds, start, strict=True)]
        return found, [np.zeros(x.shape) for x in captured]
    for number, value in enumerate(values):
        found.append(np.zeros(value.shape))
        for place in np.ndindex(value.shape if value.dtype.kind in smooth else (0,)):
            moved = [np.array(x, complex if x.dtype.kind in smooth else None) for x in values]
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


def walked(name, carries, captured, seeds):
    """The cotangents of start and captured by the rules, of imaginary values, too."""
    now = [np.zeros(x.shape) if s is None else s for s, x in zip(seeds, carries[0], strict=True)]
    totals = [np.zeros(x.shape) for x in captured]
    for carry in carries[-2::-1]:
        now, parts = HERE["TABLE"][name][2](carry, captured, now)
        now = [np.zeros(x.shape) if b is None else b for b, x in zip(now, carry, strict=True)]
        totals = [a if b is None else a + b for a, b in zip(totals, parts, strict=True)]
    return now, totals


def moved_slopes(name, start, captured, n, seeds, dots):
    """How the slopes move along the dots, by one step into the imaginary direction."""
    moved = [x if dot is None else x + 1e-30j * dot
             for x, dot in zip([*start, *captured], dots, strict=True)]
    start, captured = moved[: len(start)], moved[len(start) :]
    found = walked(name, make_steps(name, start, captured, n), captured, seeds)
    return tuple([np.imag(bar) / 1e-30 for bar in bars] for bars in found)


def draw(rng, shape=(), low=0.6, high=1.4, sign=False):
    """An array of numbers that are neither near 0 nor large."""
    numbers = [rng.uniform(low, high) * (rng.choice((-1, 1)) if sign else 1)
               for _ in range(int(np.prod(shape)))]
    return np.array(numbers).reshape(shape)


def case(name, rng, n):
    """(start, captured, seeds) of a loop that makes n iterations, when it counts them."""
    count, limit, zero = np.array(2), np.array(2 + n), np.array(0.0)
    x, y = draw(rng, (2, 3)), draw(rng, (2, 3), sign=True)
    if name == "square":
        return [count, draw(rng, (3,), 0.8, 1.1)], [limit], [zero, draw(rng, (3,), sign=True)]
    if name == "layer":
        h, w, b = draw(rng, (2, 4), sign=True), draw(rng, (2, 2), sign=True), draw(rng, (2, 1))
        return [count, h], [w, b, limit], [np.array(0.0), draw(rng, (2, 4), sign=True)]
    if name == "juggle":
        start = [x, count, draw(rng), np.zeros((2, 3)), y]
        seeds = [draw(rng, np.shape(v), sign=True) for v in start]
        return start, [draw(rng), limit], seeds
    if name == "pair":
        captured = [draw(rng, (2, 3)), draw(rng), limit]
        return [x, 0.3 * y, count], captured, [draw(rng, (2, 3)), draw(rng, (2, 3)), np.array(0.5)]
    if name == "down":
        k = np.array(rng.choice((-2, 2, 3)))
        return [np.array(n), y], [k], [draw(rng), draw(rng, (2, 3), sign=True)]
    if name == "both":
        captured, seeds = [draw(rng), limit], [draw(rng, (2, 3)), draw(rng, (2, 3)), zero]
        return [x, 0.3 * y, count], captured, seeds
    if name == "listed":
        seeds = [zero, draw(rng, (2, 3), sign=True), draw(rng, (2, 3))]
        return [np.array(0), x, y], [np.array([1.0] * n + [0.0]), draw(rng)], seeds
    if name == "late":
        start, captured = [y, np.array(0)], [draw(rng), draw(rng, sign=True), np.array(n)]
        return start, captured, [draw(rng, (2, 3)), np.array(1.0)]
    start, captured = [y, count], [limit, draw(rng), draw(rng, low=0.1, high=0.3)]
    return start, captured, [draw(rng, (2, 3), sign=True), np.array(2.0)]


def landing(rng):
    """(start, captured, seeds, n) of the lander: n as the numbers say."""
    start = [draw(rng, low=3, high=6), -draw(rng, low=1, high=2)]
    captured = [draw(rng), draw(rng, low=0.02, high=0.05)]
    carry, n = start, 0
    while HERE["TABLE"]["lander"][0](carry, captured):
        carry, n = HERE["TABLE"]["lander"][1](carry, captured), n + 1
    return start, captured, [draw(rng), draw(rng, sign=True)], n


def root(rng):
    """(start, captured, seeds, n) of Newton's loop: n as the numbers say."""
    captured = [draw(rng, (3,), 2, 9), np.array(1e-6)]
    start = [captured[0] + 1]
    carry, n = start, 0
    while HERE["TABLE"]["newton"][0](carry, captured):
        carry, n = HERE["TABLE"]["newton"][1](carry, captured), n + 1
    return start, captured, [draw(rng, (3,), sign=True)], n


COUNTED = ("square", "layer", "juggle", "pair", "late", "ratio")


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1, hint="The start, then each carry; the data say how many.")
def test_every_carry(student, rng):
    """loops that count, up and down; loops that the data stop"""
    ours = student.define(LOOPS)
    named = [*enumerate(COUNTED), (3, "down"), (2, "both"), (2, "listed")]
    cases = [(name, *case(name, rng, n)[:2], n) for n, name in named]
    start, captured, _, n = landing(rng)
    cases.append(("lander", start, captured, n))
    start, captured, _, n = root(rng)
    cases.append(("newton", start, captured, n))
    for name, start, captured, n in cases:
        loop = ours.Loop(name)
        came = student.run_loop(loop, start, captured)
        expect(came, make_steps(name, start, captured, n), of=f"{name}, {n} iterations")
        expect(loop.calls, {"condition": n + 1, "body": n, "back": 0}, of=f"calls, {name}")
        kinds = [[np.asarray(x).dtype.kind for x in carry] for carry in came]
        wanted = [[x.dtype.kind for x in carry] for carry in make_steps(name, start, captured, n)]
        expect(kinds, wanted, "a count stays a whole number", of=f"the kinds of numbers, {name}")


@pytest.mark.question("q1", points=1, hint="Copies, also where there is no iteration.")
def test_what_comes_belongs_to_nobody(student, rng):
    """no iteration; a captured value as the result; the same array twice"""
    ours = student.define(LOOPS + STRANGE)
    start, captured, _ = case("pair", rng, 0)
    came, *kept = ours.look(student.run_loop, ours.Loop("pair"), start, captured)
    expect(came, [start], of="no iteration")
    expect(kept, [True, True], of=KEPT)
    for n in (1, 3):
        x, y, k = draw(rng, (2,)), draw(rng, (2,)), draw(rng, (2,))
        came, *kept = ours.look(student.run_loop, ours.Taking(n), [x, y], [k])
        wanted = [[x, y], [k, x], [k, k], [k, k]][: n + 1]
        expect(came, wanted, of=f"a body that returns [captured, the first], {n} iterations")
        expect(kept, [True, True], of=KEPT)
    x = draw(rng, (2,))
    for came in ours.twins(student.run_loop, x):
        expect(came, [[x, x], [2 * x, x + 1], [4 * x, x + 2]],
               of="[x, x], one array twice; a body doubles the first and adds 1 to the second")


@pytest.mark.question("q1", points=1, hint="Copy what the body gets, and copy what it returns.")
def test_bodies_in_place(student, rng):
    """bodies that change what they get, or return what they keep; twice, of other numbers"""
    ours = student.define(LOOPS)
    for habit in ("wild", "saving"):
        for name in COUNTED:
            start, captured, _ = case(name, rng, 4)
            loop = ours.Loop(name, habit)
            for captured in (captured, captured, case(name, rng, 4)[1]):
                came, *kept = ours.look(student.run_loop, loop, start, captured)
                of = f"{name}, 4 iterations by a {habit} body"
                expect(came, make_steps(name, start, captured, 4), of=of)
                expect(kept, [True, True], of=KEPT)


@pytest.mark.question("q1", points=1, hint="`most`, not one more, whatever the carries; else 1000.")
def test_endless_loops(student, rng):
    """as many as allowed, one more; a carry that stands still; NaN; 1000 unless said"""
    ours, n = student.define(LOOPS), rng.randrange(3, 9)
    start, captured, _ = case("ratio", rng, n)
    steps = make_steps("ratio", start, captured, n)
    for most in (n, n + 1):
        expect(student.run_loop(ours.Loop("ratio"), start, captured, most), steps,
               of=f"{n} iterations with most={most}")
    for allowed, total in ((n - 1, n), (0, 1), (1000, 1001), (1000, 10**12)):
        start, captured, _ = case("ratio", rng, total)
        loop = ours.Loop("ratio")
        options = {} if allowed == 1000 else {"most": allowed}
        with pytest.raises(StudentError) as error:
            student.run_loop(loop, start, captured, **options)
        of = f"the error of {total} iterations with most={allowed}"
        expect(error.value.kind, "RuntimeError", of=of)
        expect(loop.calls["body"] <= allowed, True, of=f"whether body runs {allowed} times at most")
    x = np.array(float(rng.randrange(2, 9)))  # its square's root: all carries are equal
    with pytest.raises(StudentError) as error:
        student.run_loop(ours.Loop("newton"), [x], [x * x, np.array(-1.0)], most=n)
    expect(error.value.kind, "RuntimeError", "the condition still holds",
           of=f"the error of a loop that stands still, with most={n}")
    start, captured, _ = case("ratio", rng, 1000)
    came = student.run_loop(ours.Loop("ratio"), start, captured)
    expect(came, make_steps("ratio", start, captured, 1000), of="1000 iterations, most not said")
    start, captured, _ = case("ratio", rng, 0)
    came = student.run_loop(ours.Loop("ratio"), start, captured, most=0)
    expect(came, [start], of="no iteration, most=0")
    lost = [np.array(np.nan), np.array(-1.0)]
    came = student.run_loop(ours.Loop("lander"), lost, arrays(0.5, 0.1))
    expect(came, [lost], "nothing is above NaN", of="a height of NaN")


STRANGE = """
class Taking:
    held = {}

    def __init__(self, n):
        self.left = n

    def condition(self, carry, captured):
        self.left -= 1
        return self.left >= 0

    def body(self, carry, captured):
        return [captured[0], carry[0]]


class Doubling:
    def __init__(self, wild):
        self.left, self.wild = 2, wild

    def condition(self, carry, captured):
        self.left -= 1
        return self.left >= 0

    def body(self, carry, captured):
        if self.wild:
            carry[0] *= 2
            carry[1] += 1
            return carry
        return [2 * carry[0], carry[1] + 1]


def twins(f, x):
    return [f(Doubling(wild), [x, x], []) for wild in (False, True)]
"""


# q2 ----------------------------------------------------------------------------------------------


def walks_back(student, ours, name, start, captured, seeds, n, habit="", of=""):
    """Fail unless the way back of n iterations is right, and changes nothing."""
    carries = make_steps(name, start, captured, n)
    loop = ours.Loop(name, habit)
    came, *kept = ours.look(student.walk_back, loop, carries, captured, seeds)
    of = of or f"{name}, {n} iterations" + f" by a {habit} rule" * bool(habit)
    expect_floats(came, all_slopes(name, carries, captured, seeds), of=of)
    expect(kept, [True, True], of=KEPT)
    expect(loop.calls, {"condition": 0, "body": 0, "back": n}, of=f"calls, {name}")


@pytest.mark.question("q2", points=1, hint="The seeds, then the rule of what came in.")
def test_back_without_iterations(student, rng):
    """no iteration, and one, of every loop"""
    ours = student.define(LOOPS)
    for name in COUNTED:
        for n in (0, 1):
            walks_back(student, ours, name, *case(name, rng, n), n)
    start, captured, _, _ = landing(rng)
    walks_back(student, ours, "lander", start, captured, [np.array(3), np.array(-2)], 0)
    walks_back(student, ours, "lander", start, captured, [np.array(3), np.array(-2)], 1)


@pytest.mark.question("q2", points=2, hint="Last iteration first; bars in the carries' order.")
def test_the_way_back(student, rng):
    """several iterations; as many as the data say"""
    ours = student.define(LOOPS)
    for name in ("down", "layer", "pair", "ratio", "late", "both"):
        n = rng.randrange(2, 6)
        walks_back(student, ours, name, *case(name, rng, n), n)
    start, captured, seeds, n = landing(rng)
    walks_back(student, ours, "lander", start, captured, seeds, n)
    start, captured, seeds, n = root(rng)
    walks_back(student, ours, "newton", start, captured, seeds, n)


@pytest.mark.question("q2", points=1, hint="None is zeros, in every iteration.")
def test_kept_replaced_swapped(student, rng):
    """values that are swapped, kept, replaced; one seed at a time"""
    ours = student.define(LOOPS)
    for n in (2, 5):
        start, captured, seeds = case("juggle", rng, n)
        walks_back(student, ours, "juggle", start, captured, seeds, n)
        for only in (0, 2, 3, 4):
            one = [seed if at == only else np.zeros(seed.shape) for at, seed in enumerate(seeds)]
            of = f"juggling {n} times, a seed for number {only + 1} alone"
            walks_back(student, ours, "juggle", start, captured, one, n, of=of)


@pytest.mark.question("q2", points=1, hint="None and counts: floats, of the value's shape.")
def test_missing_seeds(student, rng):
    """None as a seed, or as all of them; whole numbers as seeds; zeros; NaN"""
    ours = student.define(LOOPS)
    for name, n in (("juggle", 0), ("juggle", 3), ("pair", 2), ("layer", 0), ("layer", 2)):
        start, captured, seeds = case(name, rng, n)
        for at in range(len(seeds)):
            fewer = [None if number == at else seed for number, seed in enumerate(seeds)]
            walks_back(student, ours, name, start, captured, fewer, n)
        walks_back(student, ours, name, start, captured, [None] * len(seeds), n)
        whole = [np.full(seed.shape, 3) for seed in seeds]
        walks_back(student, ours, name, start, captured, whole, n)
    start, captured, _ = case("square", rng, 2)
    carries = make_steps("square", start, captured, 2)
    came = student.walk_back(ours.Loop("square"), carries, captured, [None, np.full(3, np.nan)])
    nan, zero = np.full(3, np.nan), np.array(0.0)
    expect_floats(came, [[zero, nan]] * 3, of="NaN as a seed")
    carries[-1] = [np.full(np.shape(value), np.inf) for value in carries[-1]]
    came = student.walk_back(ours.Loop("square"), carries, captured, [None, None])
    expect_floats(came, [[zero, 0 * seed] for seed in [np.ones(3)] * 3],
                  of="no seeds, the last carry being inf")


@pytest.mark.question("q2", points=1, hint="Copies for `back`; nothing kept; no recursion.")
def test_nothing_is_changed(student, rng):
    """rules that work in place; the same array twice; 1,200 iterations"""
    ours = student.define(LOOPS)
    for habit in ("wild", "saving"):
        for name in COUNTED:
            for n in (1, 3):
                walks_back(student, ours, name, *case(name, rng, n), n, habit)
    start, captured, _ = case("pair", rng, 2)
    seed = draw(rng, (2, 3))
    for habit in ("", "wild"):
        came = ours.same_twice(student.walk_back, ours.Loop("pair", habit),
                               make_steps("pair", start, captured, 2), captured, seed)
        wanted = all_slopes("pair", make_steps("pair", start, captured, 2), captured,
                            [seed, seed, np.array(0.0)])
        expect_floats(came, wanted, of="one array as two seeds")
    k = 1 + round(rng.uniform(1e-4, 1e-3), 6)
    count, first, near = ours.far(student.walk_back, k, 1200)
    expect(count, 1201, of="how many lists come, 1,200 iterations")
    expect_floats([first, near], [arrays(k**1200, 0.0), arrays(k**10, 0.0)],
                  of=f"x times {k}, 1,200 times: the start, ten iterations before the end")


LOOPS += '''


def same_twice(f, loop, carries, captured, seed):
    return f(loop, carries, captured, [seed, seed, np.array(0.0)])


def far(f, k, n):
    carries = [[np.array(1.0), np.array(2 * at)] for at in range(n + 1)]
    captured = [np.array(k), np.array(5.0), np.array(9)]  # all counts are even: k alone is read
    came = f(Loop("late"), carries, captured, [np.array(1.0), None])
    return [len(came), came[0], came[-11]]
'''


# q3 ----------------------------------------------------------------------------------------------


def captures(student, ours, name, start, captured, seeds, n, habit="", of=""):
    """Fail unless the captured values' cotangents of n iterations are right."""
    carries = make_steps(name, start, captured, n)
    bars = all_slopes(name, carries, captured, seeds)
    loop = ours.Loop(name, habit)
    came, *kept = ours.look(student.captured_bars, loop, carries, captured, bars)
    of = f"{name}, {n} iterations" + f" by a {habit} rule" * bool(habit) + of
    expect_floats(came, slopes(name, start, captured, n, seeds)[1], of=of)
    expect(kept, [True, True], of=KEPT)
    expect(loop.calls, {"condition": 0, "body": 0, "back": n}, of=f"calls, {name}")


@pytest.mark.question("q3", points=1, hint="One share for each iteration, of the value's shape.")
def test_a_sum_over_iterations(student, rng):
    """arrays and numbers that every iteration reads"""
    ours = student.define(LOOPS)
    for name in ("layer", "juggle", "pair", "ratio", "down"):
        n = rng.randrange(2, 6)
        captures(student, ours, name, *case(name, rng, n), n)
    start, captured, seeds, n = landing(rng)
    captures(student, ours, "lander", start, captured, seeds, n)


@pytest.mark.question("q3", points=1, hint="None adds nothing, and may come now and then.")
def test_none_and_conditions(student, rng):
    """values that some iterations read; those of the condition; one array captured twice"""
    ours = student.define(LOOPS)
    for n in (1, 2, 5):
        captures(student, ours, "late", *case("late", rng, n), n)
    start, captured, seeds, n = root(rng)
    captures(student, ours, "newton", start, captured, seeds, n)
    for name in ("late", "ratio"):
        start, captured, seeds = case(name, rng, 4)
        captured[1] = captured[{"late": 0, "ratio": 2}[name]]
        captures(student, ours, name, start, captured, seeds, 4, of=", one array captured twice")


@pytest.mark.question("q3", points=1, hint="No iteration: zeros. One: the bars of what left it.")
def test_shares_of_no_iteration(student, rng):
    """no iteration, and one; nothing captured; 1,200 iterations"""
    ours = student.define(LOOPS + NOTHING)
    for name in COUNTED:
        for n in (0, 1):
            captures(student, ours, name, *case(name, rng, n), n)
    seen = ours.Nothing()
    x, g = draw(rng), draw(rng)
    came = student.captured_bars(seen, [[x], [x + 1], [x + 2]], [], [[g], [2 * g], [3 * g]])
    expect(came, [], of="nothing captured")
    pairs = sorted((float(a), float(b)) for a, b in seen.seen)
    expect(pairs, [(float(x), float(2 * g)), (float(x + 1), float(3 * g))],
           "what came in goes with the bars of what left", of="what `back` was given: carry, bars")
    came = ours.often(student.captured_bars, draw(rng), 1200)
    expect_floats(came, arrays(600.0, 0.0, 0.0), of="1,200 iterations, whose shares are ½")


@pytest.mark.question("q3", points=1, hint="A rule may return the same array every time.")
def test_rules_in_place(student, rng):
    """rules that work in place, or return what they keep"""
    ours = student.define(LOOPS)
    for habit in ("wild", "saving"):
        for name in ("layer", "juggle", "pair", "late", "ratio"):
            captures(student, ours, name, *case(name, rng, 4), 4, habit)
        captures(student, ours, "pair", *case("pair", rng, 1), 1, habit)


NOTHING = """
class Nothing:
    def __init__(self):
        self.seen = []

    def back(self, carry, captured, bars):
        self.seen.append((carry[0], bars[0]))
        return [np.array(1.0)], []


def often(f, k, n):
    carries, bars = [[np.array(1.0), np.array(2)]] * (n + 1), [[np.array(0.5), np.array(0.0)]]
    return f(Loop("late"), carries, [np.array(k), np.array(5.0), np.array(9)], bars * (n + 1))
"""


# q4 ----------------------------------------------------------------------------------------------

REVERSE = """
class Reverse:  # it keeps what it answers; NumPy's numbers stand for arrays of one
    def __init__(self, *answer):
        self.answer, self.asked = merged(answer, {}, True), []
        self.held = self.answer

    def __call__(self, start, captured, bars):
        self.asked.append([list(start), list(captured), list(bars)])
        return self.answer


def one_array(f, values, bar, start_at, captured_at, bars):
    reverse = Reverse([bar] * len(start_at), [bar] * len(captured_at))
    came = f(reverse, values, start_at, captured_at, bars)
    return came, bar


def look_again(f, reverse, values, start_at, captured_at, bars):
    first = look(f, reverse, values, start_at, captured_at, bars)
    second = look(f, reverse, values, start_at, captured_at, bars)
    return [first[0], second[0], first[1] and second[1], first[2] and second[2]]


def twins(f, x, bars):
    reverse = Reverse([bars[0]], [bars[1], bars[2]])
    return f(reverse, [x, x, np.array(x)], [2], [0, 1], [np.ones(2)])
"""


@pytest.mark.question("q4", points=1, hint="Each place adds its share, in the start and inside.")
def test_several_places(student, rng):
    """values in several places; what `reverse` is asked"""
    ours = student.define(LOOPS + REVERSE)
    values = [draw(rng, (2,)), draw(rng, (2,)), draw(rng)]
    for start_at, captured_at in (([0], [0]), ([0, 1], [1, 1]), ([2, 2, 0], [2]), ([1], [])):
        inside = [draw(rng, values[i].shape, sign=True) for i in captured_at]
        outside = [draw(rng, values[i].shape, sign=True) for i in start_at]
        seeds = [draw(rng, values[i].shape) for i in start_at]
        reverse = ours.Reverse(outside, inside)
        came = student.value_bars(reverse, values, start_at, captured_at, seeds)
        wanted = [np.zeros(x.shape) for x in values]
        for i, share in zip(start_at + captured_at, outside + inside, strict=True):
            wanted[i] = wanted[i] + share
        expect_floats(came, wanted, of=f"start_at={start_at}, captured_at={captured_at}")
        asked = [[values[i] for i in start_at], [values[i] for i in captured_at], seeds]
        expect(reverse.asked, [asked], of="what `reverse` was asked, each time")


@pytest.mark.question("q4", points=1, hint="No place, None, a whole number: zeros of floats.")
def test_no_place(student, rng):
    """values without a place, alike, too; None in one of two places; counts"""
    ours, k = student.define(LOOPS + REVERSE), draw(rng)
    values = [draw(rng, (1, 2)), np.array(4), draw(rng), draw(rng, (3,))]
    reverse = ours.Reverse([None, k], [None, 2 * k, None])
    seeds = [np.array(1.0), k]
    came = student.value_bars(reverse, values, [1, 2], [2, 2, 3], seeds)
    wanted = [np.zeros((1, 2)), np.array(0.0), 3 * k, np.zeros(3)]
    expect_floats(came, wanted, of="None here and there")
    zeros, twice = [np.zeros(x.shape) for x in values], values + values
    came, *kept = ours.look(student.value_bars, ours.Reverse([], []), twice, [], [], [])
    expect_floats(came, zeros + zeros, of="no value has a place")
    expect(kept, [True, True], of=KEPT)
    reverse = ours.Reverse([np.array(2.5), k], [])
    came = student.value_bars(reverse, values, [1, 1], [], [None, None])
    expect_floats(came, [zeros[0], 2.5 + k, zeros[2], zeros[3]], of="a count that has a slope")
    expect(reverse.asked, [[arrays(4, 4), [], [None, None]]], of="what `reverse` was asked")


@pytest.mark.question("q4", points=1, hint="By place, not by number; change nothing; twice.")
def test_equal_values(student, rng):
    """equal values; one array for all cotangents; asked twice"""
    ours = student.define(LOOPS + REVERSE)
    x, bars = draw(rng, (2,)), [draw(rng, (2,)) for _ in range(3)]
    came = ours.twins(student.value_bars, x, bars)
    expect_floats(came, [bars[1], bars[2], bars[0]], "equal, and still three", of="x, x, x")
    values, bar = [draw(rng, (2,)), draw(rng, (2,))], draw(rng, (2,))
    came, left = ours.one_array(student.value_bars, values, bar, [0, 1], [1, 1], [bar, bar])
    expect_floats(came, [bar, 3 * bar], of="one array for all cotangents")
    expect(left, bar, "an array of `reverse` was changed", of="the array for all cotangents")
    reverse = ours.Reverse([bars[0]], [bars[1], bars[2]])
    *came, kept, alone = ours.look_again(student.value_bars, reverse, values, [0], [0, 1], [x])
    wanted = [bars[0] + bars[1], bars[2]]
    expect_floats(came, [wanted, wanted], of="asked twice")
    expect([kept, alone], [True, True], of=KEPT)
    for bar in (bar, np.array([rng.randrange(2, 9), -3])):
        came, *kept = ours.look(student.value_bars, ours.Reverse([bar], []), values, [1], [], [x])
        expect_floats(came, [np.zeros(2), bar], of="a single place")
        expect(kept, [True, True], of=KEPT)


# q5 ----------------------------------------------------------------------------------------------


def moves(student, ours, name, start, captured, n, seeds, dots, of=""):
    """Fail unless the slopes of n iterations move as they should."""
    loop, first = ours.Loop(name, plain=False), len(start)
    came, *kept = ours.look(student.slopes_moved, loop, start, captured, seeds,
                            dots[:first], dots[first:])
    wanted = moved_slopes(name, start, captured, n, seeds, dots)
    expect_floats(came, wanted, of=f"{name}, {n} iterations{of}")
    expect(loop.calls, {"condition": n + 1, "body": n, "back": n}, of=f"calls, {name}")
    expect(kept, [True, True], of=KEPT)


def directions(rng, start, captured):
    """Directions for all values but counts, which stand still."""
    return [draw(rng, x.shape, sign=True) if x.dtype.kind == "f" else np.array(0.0)
            for x in [*start, *captured]]


SMOOTH = ("square", "juggle", "pair", "ratio", "down", "both", "listed")


@pytest.mark.question("q5", points=2, hint="Carry and captured both move, there and back.")
def test_all_move(student, rng):
    """several iterations, all values moving, also fast; one array at two places"""
    ours = student.define(LOOPS)
    for name in SMOOTH:
        n = rng.randrange(2, 5)
        start, captured, seeds = case(name, rng, n)
        dots = directions(rng, start, captured)
        moves(student, ours, name, start, captured, n, seeds, dots)
        fast = [1e6 * dot for dot in dots]
        moves(student, ours, name, start, captured, n, seeds, fast, ", a million times as fast")
    start, captured, seeds = case("both", rng, 3)
    dots = directions(rng, start, captured)
    moves(student, ours, "both", [start[0], start[0], start[2]], captured, 3, seeds, dots,
          ", one array at two places, which move apart")
    loop, (start, captured, seeds) = ours.Loop("ratio", plain=False), case("ratio", rng, 3)
    for captured in (captured, case("ratio", rng, 3)[1]):
        dots = directions(rng, start, captured)
        came = student.slopes_moved(loop, start, captured, seeds, dots[:2], dots[2:])
        expect_floats(came, moved_slopes("ratio", start, captured, 3, seeds, dots),
                      of="the same loop and start again, other captured values")


@pytest.mark.question("q5", points=1, hint="One value moves, and all slopes may change.")
def test_one_moves(student, rng):
    """one value at a time; None stands still"""
    ours = student.define(LOOPS)
    for name in ("pair", "ratio"):
        start, captured, seeds = case(name, rng, 3)
        for at, dot in enumerate(directions(rng, start, captured)):
            dots = [None] * (len(start) + len(captured))
            dots[at] = dot
            moves(student, ours, name, start, captured, 3, seeds, dots, f", number {at + 1} moves")
        none = [None] * (len(start) + len(captured))
        moves(student, ours, name, start, captured, 3, seeds, none, ", nothing moves")


@pytest.mark.question("q5", points=1, hint="The condition gets plain values.")
def test_the_data_stop_it(student, rng):
    """the lander and Newton's root"""
    ours = student.define(LOOPS + PLAIN)
    for name, (start, captured, seeds, n) in (("lander", landing(rng)), ("newton", root(rng))):
        moves(student, ours, name, start, captured, n, seeds, directions(rng, start, captured))
        loop = ours.Plain(name, plain=False)
        dots = directions(rng, start, captured)
        came = student.slopes_moved(loop, start, captured, seeds, dots[: len(start)],
                                    dots[len(start) :])
        expect_floats(came, moved_slopes(name, start, captured, n, seeds, dots), of=name)
        expect(loop.asked, True, of="whether the condition was asked about plain arrays")


@pytest.mark.question("q5", points=1, hint="No iteration: the seeds stand still.")
def test_still_without_iterations(student, rng):
    """no iteration, and one; a thousand and more"""
    ours = student.define(LOOPS)
    start, captured, seeds = case("ratio", rng, 1100)
    dots = directions(rng, start, captured)
    moves(student, ours, "ratio", start, captured, 1100, seeds, dots)
    for name in SMOOTH:
        for n in (0, 1):
            start, captured, seeds = case(name, rng, n)
            dots = directions(rng, start, captured)
            moves(student, ours, name, start, captured, n, seeds, dots)
            whole = [np.full(np.shape(dot), 2 if np.any(dot) else 0) for dot in dots]
            moves(student, ours, name, start, captured, n, seeds, whole, ", whole numbers as dots")


@pytest.mark.question("q5", points=1, hint="None as a seed is zeros.")
def test_seeds_stand_still(student, rng):
    """None as a seed, or as all of them; twice as large"""
    ours = student.define(LOOPS)
    for name in ("juggle", "pair"):
        start, captured, seeds = case(name, rng, 3)
        dots = directions(rng, start, captured)
        for at in range(len(seeds)):
            fewer = [None if number == at else seed for number, seed in enumerate(seeds)]
            moves(student, ours, name, start, captured, 3, fewer, dots, f", no seed {at + 1}")
        moves(student, ours, name, start, captured, 3, [None] * len(seeds), dots, ", no seeds")
        large = [1e6 * seed for seed in seeds]
        moves(student, ours, name, start, captured, 3, large, dots, ", large seeds")


PLAIN = """
class Plain(Loop):
    asked = True

    def condition(self, carry, captured):
        values = list(carry) + list(captured)
        self.asked = self.asked and all(isinstance(x, (np.ndarray, np.generic)) for x in values)
        self.asked = self.asked and all(np.asarray(x).dtype.kind in "fi" for x in values)
        return super().condition(carry, captured)
"""


# q6 ----------------------------------------------------------------------------------------------

PIECES = """
class Pieces(Loop):
    def __init__(self, name):
        super().__init__(name)
        self.ran = []

    def body(self, carry, captured):
        self.ran.append(int(carry[1]))
        return super().body(carry, captured)
"""

PEAK = """
import tracemalloc

def peak(f, size, seed, every, n=70):
    start = [np.linspace(0.5, 1.0, size), np.array(0)]
    bars = [np.full(size, seed), None]
    loop, captured = Loop("scale"), [np.linspace(0.99, 1.01, size), np.array(n)]
    tracemalloc.start()
    came = f(loop, start, captured, bars, every)
    most = tracemalloc.get_traced_memory()[1] / (8 * size)
    tracemalloc.stop()
    return [came[0][0][:3], came[1][0][:3], most, loop.calls["body"]]


def short(f, seed, every, n=1100):
    start = [np.linspace(0.5, 1.0, 3), np.array(0)]
    captured = [np.linspace(0.99, 1.01, 3), np.array(n)]
    came = f(Loop("scale"), start, captured, [np.full(3, seed), None], every)
    return [came[0][0], came[1][0]]
"""


@pytest.mark.question("q6", points=1, hint="Pieces of 1, pieces that fit, a rest that is left.")
def test_pieces(student, rng):
    """many lengths of loops and pieces"""
    ours = student.define(LOOPS + PIECES)
    cases = [(name, *case(name, rng, n), n, every) for name, n, every in (
        ("ratio", 7, 3), ("ratio", 6, 3), ("ratio", 5, 1), ("ratio", 4, 4), ("layer", 3, 2),
        ("juggle", 5, 2), ("pair", 4, 3), ("late", 5, 2), ("square", 3, 100),
        ("both", 4, 3), ("down", 3, 2), ("listed", 4, 3))]
    start, captured, seeds, n = landing(rng)
    cases.append(("lander", start, captured, seeds, n, 4))
    for name, start, captured, seeds, n, every in cases:
        loop, of = ours.Loop(name), f"{name}, {n} iterations in pieces of {every}"
        came, *kept = ours.look(student.slopes_in_pieces, loop, start, captured, seeds, every)
        expect_floats(came, slopes(name, start, captured, n, seeds), of=of)
        expect(kept, [True, True], of=KEPT)
        calls = loop.calls
        asked = calls["condition"], calls["back"]
        expect(asked, (n + 1, n), of=f"calls of condition, back: {of}")
        expect(calls["body"] <= 2 * n, True,
               of=f"whether {calls['body']} calls of body are {2 * n} at most: {of}")
    for every in (rng.randrange(70, 130), rng.randrange(15, 40)):
        for_long_pieces(student, ours, rng, every, 2 * every + rng.randrange(2, every))


def for_long_pieces(student, ours, rng, every, n):
    """Fail unless pieces begin where they should; the same loop and start twice."""
    loop, (start, captured, seeds) = ours.Pieces("ratio"), case("ratio", rng, n)
    for of, captured in (("", captured), (", again from there", case("ratio", rng, n)[1])):
        before = len(loop.ran)
        came = student.slopes_in_pieces(loop, start, captured, seeds, every)
        carries = make_steps("ratio", start, captured, n)
        of = f"ratio, {n} iterations in pieces of {every}{of}"
        expect_floats(came, walked("ratio", carries, captured, seeds), of=of)
        ran = [at - 2 for at in loop.ran[before:]]  # a carry's number: counts begin with 2
        begun = {b for a, b in zip(ran[n - 1 :], ran[n:]) if b != a + 1}
        expect(sorted(at for at in begun if at % every), [], "kept are 0, every, 2 every, ...",
               of=f"carries not to be kept, from which body ran again: {of}")


@pytest.mark.question("q6", points=1, hint="No iteration, one; None as a seed; floats.")
def test_no_piece(student, rng):
    """no iteration, and one; missing seeds; whole numbers as seeds"""
    ours = student.define(LOOPS)
    for name in ("juggle", "pair", "ratio"):
        for n, every in ((0, 1), (0, 4), (1, 1), (1, 4), (5, 2)):
            start, captured, seeds = case(name, rng, n)
            for chosen in (seeds, [seeds[0], *[None] * (len(seeds) - 1)], [None] * len(seeds),
                           [np.full(seed.shape, -2) for seed in seeds]):
                of = f"{name}, {n} iterations in pieces of {every}"
                came, *kept = ours.look(student.slopes_in_pieces, ours.Loop(name), start, captured,
                                        chosen, every)
                expect_floats(came, slopes(name, start, captured, n, chosen), of=of)
                expect(kept, [True, True], of=KEPT)


@pytest.mark.question("q6", points=1, hint="Forget a piece when it is through.")
def test_memory(student, rng):
    """memory and calls of 70 iterations, where captured is as large as a carry; 1,100 of them"""
    ours, size = student.define(LOOPS + PEAK), 8_000
    seed = round(rng.uniform(1, 2), 3)
    x, k = (np.linspace(*ends, size)[:3] for ends in ((0.5, 1.0), (0.99, 1.01)))
    for every in (8, 2, 35):
        near, inside, most, calls = ours.peak(student.slopes_in_pieces, size, seed, every)
        of = f"70 iterations in pieces of {every}"
        expect_floats([near, inside], [seed * k**70, 70 * seed * x * k**69], of=of)
        bound = 70 / every + every + 8
        if type(most) is not float or not most <= bound:
            raise AssertionError(f"of        carries in memory, {of}\nexpected  at most {bound}\n"
                                 f"came      {most!s:.6}")
        expect(type(calls) is int and calls <= 140, True, of=f"body ran at most 140 times: {of}")
    x, k = np.linspace(0.5, 1.0, 3), np.linspace(0.99, 1.01, 3)
    for every in (1, 1100):
        near, inside = ours.short(student.slopes_in_pieces, seed, every)
        expect_floats([near, inside], [seed * k**1100, 1100 * seed * x * k**1099],
                      of=f"1,100 iterations in pieces of {every}")
