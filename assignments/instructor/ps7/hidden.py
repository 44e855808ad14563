"""The checks that grade ps7: the visible ones with other loops, shapes and numbers."""

import re
from contextlib import contextmanager

import numpy as np
import pytest

from minigrad.course.grading import comparing, expect
from minigrad.course.grading.student import StudentError, during

LOOPS = '''
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
        lambda c, w: [c[0] + 0.2 * c[1], c[1] + 0.2 * (w[0] + w[1] * c[1] * c[1] - 1.6)],
        lambda c, w, g: ([g[0], 0.2 * g[0] + (1 + 0.4 * w[1] * c[1]) * g[1]],
                         [0.2 * g[1], 0.2 * c[1] * c[1] * g[1]]),
    ),
    "newton": (  # carry x; captured a, near: only the condition reads near
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
    "index": (  # carry x, count; captured k, m, limit: k in even iterations, m in odd ones
        lambda c, w: c[1] < w[2],
        lambda c, w: [c[0] * w[c[1] % 2], c[1] + 1],
        lambda c, w, g: ([w[c[1] % 2] * g[0], None],
                         [None if c[1] % 2 == at else (c[0] * g[0]).sum() for at in (1, 0)]
                         + [None]),
    ),
    "list": (  # carry count, x; captured go, k: the count is an index of go
        lambda c, w: w[0][c[0]] > 0.5,
        lambda c, w: [c[0] + 1, w[1] * c[1] * c[1]],
        lambda c, w, g: ([None, 2 * w[1] * c[1] * g[1]], [None, (c[1] * c[1] * g[1]).sum()]),
    ),
    "shared": (  # carry x, count; captured k, m, limit: x / 2 + k + m; one array as both bars
        lambda c, w: c[1] < w[2],
        lambda c, w: [0.5 * c[0] + w[0] + w[1], c[1] + 1],
        lambda c, w, g: ([0.5 * g[0], None], [g[0], g[0], None]),
    ),
    "scale": (  # carry x, count; captured k, as large as x, and limit
        lambda c, w: c[1] < w[1],
        lambda c, w: [c[0] * w[0], c[1] + 1],
        lambda c, w, g: ([w[0] * g[0], None], [c[0] * g[0], None]),
    ),
}


def functions(name, plan=()):
    """The three functions of a loop: of the table, or of a plan. plan[i] is (kind, j, k) and says
    how the carried value i is computed, from c[j] and from w[k] or c[k]; w is limit, a number, an
    array as large as the carried values, and an array that nothing reads."""
    if not plan:
        return TABLE[name]
    at = [kind for kind, *_ in plan].index("count")
    values = {
        "count": lambda c, w, j, k: c[j] + 1,
        "keep": lambda c, w, j, k: c[j],
        "replace": lambda c, w, j, k: w[2],
        "times": lambda c, w, j, k: w[k] * c[j],
        "product": lambda c, w, j, k: c[j] * c[k],
        "quotient": lambda c, w, j, k: w[k] / (1 + c[j] * c[j]),
    }

    def of_captured(bar, k):
        return [(1, k, bar.sum() if k == 1 else bar)]

    def of_quotient(c, w, j, k, g):
        below = 1 + c[j] * c[j]
        return [(0, j, -2 * c[j] * w[k] * g / (below * below)), *of_captured(g / below, k)]

    rules = {
        "count": lambda c, w, j, k, g: [],
        "keep": lambda c, w, j, k, g: [(0, j, g)],
        "replace": lambda c, w, j, k, g: [(1, 2, g)],
        "times": lambda c, w, j, k, g: [(0, j, w[k] * g), *of_captured(c[j] * g, k)],
        "product": lambda c, w, j, k, g: [(0, j, c[k] * g), (0, k, c[j] * g)],
        "quotient": of_quotient,
    }

    def body(c, w):
        return [values[kind](c, w, j, k) for kind, j, k in plan]

    def body_vjp(c, w, bars):
        found = [None] * len(c), [None] * len(w)
        for (kind, j, k), bar in zip(plan, bars):
            for side, number, part in rules[kind](c, w, j, k, bar):
                before = found[side][number]
                found[side][number] = part if before is None else before + part
        return found

    return lambda c, w: c[at] < w[0], body, body_vjp


class Loop:
    """The functions of a loop, whose calls are counted; for the backward pass alone, only one."""

    def __init__(self, name, plan=(), backward=False):
        self.calls = {"condition": 0, "body": 0, "body_vjp": 0}
        found = dict(zip(self.calls, functions(name, plan)))
        self.condition, self.body, self.body_vjp = (
            None if backward and key != "body_vjp" else self.counted(key, found[key])
            for key in self.calls)

    def counted(self, key, function):
        def call(*given):
            self.calls[key] += 1
            return function(*given)
        return call


def flat(x):
    """The numbers of nested lists in one array, where NaN stands for None."""
    if type(x) in (list, tuple):
        return np.concatenate([np.zeros(0), *map(flat, x)])
    return np.ravel(np.nan if x is None else x)


def watch(f, first, *arguments):
    """[what f returns, the numbers of its arguments afterwards]"""
    return [f(first, *arguments), flat(arguments)]
'''
HERE = {}
exec(LOOPS, HERE)  # the same loops on this side, where the expected numbers are computed

ASKS = "It asks the condition or runs the body again, but the carries say how often the loop ran."
DUAL = "The condition is asked about Duals. It needs plain values."
NESTED = "It calls itself for each iteration, although a loop may run for thousands (rule 4)."
NONE = "It leaves None where the cotangent is zero (rule 2)."
NONE_USED = "It computes with None, or passes it to the rule, where zeros belong (rule 2)."
OBJECTS = "The lists hold something other than arrays and numbers, for example Duals."
PAIR = "The pair has the wrong order. The list for the start comes first."
PLAIN = "It reads the value or the tangent of a plain array. value_of and tangent_of accept both."
LENGTH = "The lists do not have one cotangent for each value."
SHAPE = "A cotangent does not have the shape of its value (rule 2)."
EARLY = "It raises although the loop ends after `most` iterations (1000 by default)."
ENDLESS = "It goes on although the condition is false for the newest carry."
FLOAT = "A count does not stay an integer, so it cannot be an index any more (rule 1)."
IN_PLACE = "It adds into an array that the rule returned, and another sum uses it, too (rule 3)."
CHANGED = "It changes its arguments, or an array that the rule returned (rule 3)."
WRITTEN = "It writes into one of the lists that it was given, but they stay as they are (rule 3)."
RAISED = [  # the cause, by the words of the exception
    ("RecursionError", NESTED),
    ("'NoneType' object is not callable", ASKS),
    ("NoneType", NONE_USED),
    (r"instances of .*'Dual'|abs\(\): 'Dual'", DUAL),
    ("has no attribute '(value|tangent)'", PLAIN),
    ("integer scalar arrays|IndexError|must be integers", FLOAT),
    ("RuntimeError", ENDLESS),
]


@contextmanager
def explained(of, raised=()):
    """Name the case and, where its words tell it, the cause of an exception in the block: by those
    of the case, or by those of all cases."""
    try:
        yield
    except StudentError as error:
        causes = [cause for words, cause in [*raised, *RAISED] if re.search(words, str(error))]
        with during(of, because=causes[0] if causes else ""):
            raise


def leaves(tree):
    """The entries of nested lists."""
    if type(tree) in (list, tuple):
        return [leaf for part in tree for leaf in leaves(part)]
    return [tree]


def agree(came, wanted, of, because, mistakes=list):
    """As `expect`, of lists of cotangents: None, lengths and shapes have causes of their own.
    `mistakes` is called where they are needed."""
    if comparing.same(came, wanted):
        return
    mistakes = mistakes()
    ours, theirs = leaves(wanted), leaves(came)
    shapes = [[x.shape if type(x) is np.ndarray else () for x in some] for some in (ours, theirs)]
    if any(x is None for x in theirs):
        because, mistakes = NONE, ()
    elif not all(isinstance(x, (int, float, np.ndarray, np.generic)) for x in theirs):
        because, mistakes = OBJECTS, ()
    elif len(ours) != len(theirs):
        because = LENGTH
    elif shapes[0] != shapes[1]:
        because, mistakes = SHAPE, ()
    expect(came, wanted, because, of, mistakes=mistakes)


def number_of(n):
    return f"{n} iteration" + "s" * (n != 1)


def arrays(*values):
    """Arrays of the values: of integers where they are integers."""
    return [np.array(one) for one in values]


def filled(bars, values):
    """Zeros of the value's shape in each place that holds None."""
    pairs = zip(bars, values, strict=True)
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in pairs]


class Case:
    """A loop with its start, captured values and seeds, and the carries of its run."""

    def __init__(self, words, start, captured, seeds, name="", plan=()):
        self.key, self.start, self.captured, self.seeds = (name, plan), start, captured, seeds
        self.condition, self.body, self.body_vjp = HERE["functions"](name, plan)
        self.carries = [start]
        while self.condition(self.carries[-1], captured):
            self.carries.append(arrays(*self.body(self.carries[-1], captured)))
        self.n = len(self.carries) - 1
        self.of = f"{words}, {number_of(self.n)}"

    def loop(self, ours, backward=False):
        """The loop in the student's process."""
        return ours.Loop(*self.key, backward)

    def go_back(self, seeds, left=False, none=False, added=False, carries=None, captured=None,
                still=None):
        """(the cotangents of every carry, the contributions of every iteration). The options make
        known mistakes: the rule reads what left, None keeps the later cotangent, it is added, what
        stands `still` loses its tangent."""
        carries = carries or self.carries
        captured = self.captured if captured is None else captured
        every, contributions = [filled(seeds, carries[-1])], []
        for k in reversed(range(len(carries) - 1)):
            read = carries[k + 1] if left else carries[k]
            bars, parts = self.body_vjp(read, captured, every[0])
            if none or added:
                bars = [old if bar is None else bar + old * added
                        for bar, old in zip(bars, every[0])]
            bars = filled(bars, carries[k])
            every.insert(0, still(bars) if still else bars)
            contributions.insert(0, filled(parts, captured))
        return every, contributions

    def totals(self, contributions):
        """The sums of the contributions."""
        zeros = [np.zeros(np.shape(x)) for x in self.captured]
        return [sum(parts, zero) for zero, *parts in zip(zeros, *contributions, strict=True)]

    def gradient(self, seeds, **options):
        """The cotangents of start and of captured."""
        every, contributions = self.go_back(seeds, **options)
        return every[0], self.totals(contributions)

    def moved(self, dots):
        """(carries, captured) that move along the dots: by imaginary parts, which no rounding
        reaches."""
        values = [x if dot is None else x + TINY * dot
                  for x, dot in zip([*self.start, *self.captured], dots, strict=True)]
        carries, captured = [values[: len(self.start)]], values[len(self.start) :]
        for _ in range(self.n):
            carries.append(self.body(carries[-1], captured))
        return carries, captured

    def hvp(self, dots, seeds):
        """The tangents of the cotangents of start and captured."""
        carries, captured = self.moved(dots)
        return tuple(map(imaginary, self.gradient(seeds, carries=carries, captured=captured)))

    def wrong_hvp(self, dots, seeds):
        """What known mistakes give, and their causes."""
        carries, captured = self.moved(dots)
        still_too, _ = self.moved([*dots[: len(self.start)], *[None] * len(captured)])
        by_seed = [None if seed is None else dot for seed, dot in zip(seeds, dots)]
        some, _ = self.moved([*by_seed, *dots[len(self.start) :]])
        start_dots = zip(filled(seeds, self.start), dots)
        pushed = [seed if dot is None else seed + TINY * dot for seed, dot in start_dots]

        def tangents(seeds, **options):
            return tuple(map(imaginary, self.gradient(seeds, **options)))

        moving = {"carries": carries, "captured": captured}
        wanted = tangents(seeds, **moving)
        every, parts = self.go_back(seeds, **moving, still=lambda bars: list(map(np.real, bars)))
        if self.n:
            bars, _ = self.body_vjp(carries[0], captured, every[1])
            every[0] = filled(bars, carries[0])
        plain_between = imaginary(every[0]), imaginary(self.totals(parts))
        _, contributions = self.go_back(seeds, **moving)
        first = (wanted[0], imaginary(contributions[0] if contributions else self.captured))
        return [
            (tangents(seeds, carries=carries, captured=list(map(np.real, captured))),
             "The backward pass reads captured values without their tangents."),
            (tangents(seeds, carries=still_too, captured=list(map(np.real, captured))),
             "The captured values do not move."),
            (tangents(seeds, carries=[list(map(np.real, c)) for c in carries], captured=captured),
             "The backward pass reads carries without their tangents."),
            (tangents(seeds, **moving, still=lambda bars: list(map(np.real, bars))),
             "In the backward pass, the cotangents lose their tangents after each iteration."),
            (plain_between, "The rule gets cotangents without their tangents."),
            (tangents(pushed, **moving), "The seeds move, but they are constants."),
            (tangents(seeds, carries=some, captured=captured),
             "A value whose seed is None does not move, but its cotangent may."),
            (first, "Only one iteration contributes to the tangents of the captured values."),
            (self.gradient(seeds), "It returns the cotangents, and not their tangents."),
            (wanted[::-1], PAIR),
            (tuple(filled([None] * len(x), x) for x in (self.start, self.captured)),
             "All tangents are lost. A Dual becomes an array, or only its value is used."),
        ]


TINY = 1e-30j


def imaginary(bars):
    """The tangents in imaginary parts."""
    return [np.imag(bar) / 1e-30 for bar in bars]


def draw(rng, shape=(), low=0.8, high=1.2, sign=False):
    """An array of numbers that are neither near 0 nor large."""
    numbers = [rng.uniform(low, high) * (rng.choice((-1, 1)) if sign else 1)
               for _ in range(int(np.prod(shape)))]
    return np.array(numbers).reshape(shape)


KINDS = {"count": "count + 1", "keep": "{j}", "replace": "m", "times": "{k} * {j}",
         "product": "{j} * {k}", "quotient": "{k} / (1 + {j} * {j})"}


def program(rng, n):
    """A random loop that counts to n: values are kept, swapped, replaced and combined."""
    kinds = rng.sample(list(KINDS)[1:], 4)
    kinds.insert(rng.randrange(5), "count")
    at = kinds.index("count")
    places = [i for i in range(5) if i != at]
    names = dict(zip(places, "abcd")) | {at: "count"}
    plan = [("count", at, 0) if i == at else
            (kind, rng.choice(places), rng.choice(places if kind == "product" else (1, 2)))
            for i, kind in enumerate(kinds)]
    after = [KINDS[kind].format(j=names[j], k=names[k] if kind == "product" else " km"[k])
             for kind, j, k in plan]
    shape = rng.choice([(), (3,), (2, 3)])
    start = [np.array(7) if i == at else draw(rng, shape) for i in range(5)]
    seeds = [None if i == at else draw(rng, shape, sign=True) for i in range(5)]
    captured = [np.array(7 + n), draw(rng), draw(rng, shape), draw(rng, (2,))]
    words = f"[{', '.join(names[i] for i in range(5))}] becomes [{', '.join(after)}]"
    return Case(words, start, captured, seeds, plan=plan)


def programs(rng, *counts):
    return [program(rng, n) for n in counts]


def lander(rng):
    start = [draw(rng, low=3, high=6), -draw(rng, low=1, high=2)]
    captured = [draw(rng), draw(rng, low=0.02, high=0.05)]
    return Case("the lander", start, captured, [draw(rng), draw(rng, sign=True)], "lander")


def newton(rng):
    a = draw(rng, (3,), 2, 9)
    seeds = [draw(rng, (3,), sign=True)]
    return Case("Newton's method", [a + 1], [a, np.array(1e-6)], seeds, "newton")


def square(rng):
    start, captured = [draw(rng, low=1.1, high=1.3)], [draw(rng, low=1.5), np.array(500.0)]
    return Case("h becomes w h² while h < 500", start, captured, [draw(rng)], "square")


def layer(rng, n):
    start = [np.array(2), draw(rng, (2, 4), sign=True)]
    captured = [draw(rng, (2, 2), sign=True), draw(rng, (2, 1)), np.array(2 + n)]
    seeds = [None, draw(rng, (2, 4), sign=True)]
    return Case("h becomes W h + b, with a count", start, captured, seeds, "layer")


def index(rng, n):
    start, captured = [draw(rng, (2, 3)), np.array(0)], [draw(rng), draw(rng), np.array(n)]
    words = "x becomes k x in even iterations and m x in odd ones"
    return Case(words, start, captured, [draw(rng, (2, 3)), None], "index")


def listed(rng, n):
    start, captured = [np.array(0), draw(rng, (3,))], [np.array([1.0] * n + [0.0]), draw(rng)]
    words = "x becomes k x², and the condition reads go[count]"
    return Case(words, start, captured, [None, draw(rng, (3,))], "list")


def shared(rng, n):
    start, shape = [draw(rng, (3,)), np.array(0)], (3,)
    captured = [draw(rng, shape), draw(rng, shape), np.array(n)]
    words = "x becomes x / 2 + k + m, and the rule returns one array for k and m"
    return Case(words, start, captured, [draw(rng, shape), None], "shared")


def lists_stay(ours, function, loop, *given, of):
    """Fail if a function writes into a list that it is given, for example zeros for None."""
    with explained(of):
        _, after = ours.watch(function, loop, *given)
    expect(after, HERE["flat"](given), WRITTEN, f"the lists afterwards: {of}")


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1.5, core=True,
                      hint="The result is the start, then the carry after each iteration.")
def test_every_carry(student, rng):
    """loops that count, and loops that the data stop; 0, 1 and more iterations"""
    ours = student.define(LOOPS)
    for case in [*programs(rng, 3, 5, 2, 1, 0), lander(rng), newton(rng), square(rng)]:
        with explained(case.of):
            came = student.run_loop(case.loop(ours), case.start, case.captured)
        carries = case.carries
        once_more = [*carries, arrays(*case.body(carries[-1], case.captured))]
        expect(came, carries, of=case.of, mistakes=[
            (carries[:-1], "The last carry is missing."),
            (carries[1:], "The start is missing."),
            (once_more, "The body runs once more although the condition is already false."),
            ([carries[0]], "It stops at once although the condition holds."),
            (carries[-1], "It returns the last carry, not a list of all carries."),
            ([carries[-1]] * len(carries), "One list is used for all carries, so all are alike."),
        ], because="The carries are not those of the loop. Each body call gets the newest carry.")


def kind_of_error(function, *arguments, **options):
    """The name of the exception that a call raises."""
    try:
        function(*arguments, **options)
    except StudentError as error:
        return error.kind
    return "none"


@pytest.mark.question("q1", points=0.5,
                      hint="`most` iterations are allowed. The next one raises a RuntimeError.")
def test_limit(student, rng):
    """as many iterations as allowed, and more; how often the functions are called"""
    ours, n = student.define(LOOPS), rng.randrange(3, 9)
    allowed = program(rng, n)
    loops = allowed.loop(ours), allowed.loop(ours)
    for most, loop in zip((n, n + 1), loops):
        of = f"{number_of(n)} with most={most}"
        with during(of, because=EARLY):
            came = student.run_loop(loop, allowed.start, allowed.captured, most)
        expect(came, allowed.carries, "The carries are not those of the loop.", of)
    for most, total in ((n - 1, n), (0, 2), (1000, 1001)):
        case, of = shared(rng, total), f"{number_of(total)} with most={most}"
        loop, options = case.loop(ours), {} if most == 1000 else {"most": most}
        kind = kind_of_error(student.run_loop, loop, case.start, case.captured, **options)
        expect(kind, "RuntimeError", of=of, mistakes=[("RecursionError", NESTED)], because=(
            "It raises no RuntimeError, but the condition still holds after `most` iterations."))
        expect(loop.calls["body"], most, of=of, mistakes=[
            (most + 1, "The body runs once more than `most` times before the RuntimeError."),
        ], because="Before the RuntimeError, the body does not run `most` times.")
        expect(loop.calls["condition"], most + 1, of=of, because=(
            "Before the RuntimeError, the condition is not asked `most` + 1 times."))
    for loop in loops:
        expect(loop.calls, {"condition": n + 1, "body": n, "body_vjp": 0}, of=number_of(n),
               because="It does not ask the condition n + 1 times and run the body n times.")
    x = np.array(float(rng.randrange(2, 9)))
    loop, of = ours.Loop("newton"), "Newton's method at the root itself, and a limit below 0"
    kind = kind_of_error(student.run_loop, loop, [x], [x * x, np.array(-1.0)], most=n)
    expect(kind, "RuntimeError", of=of, because=(
        "It stops when the carry no longer changes, but only the condition ends the loop."))


@pytest.mark.question("q1", points=0.5, corner=True,
                      hint="Long loops need a loop in Python, and a count stays an integer.")
def test_long_loops_and_counts(student, rng):
    """1,000 iterations; a count that is used as an index"""
    ours = student.define(LOOPS)
    for case in (shared(rng, 1000), index(rng, 4), listed(rng, 3)):
        with explained(case.of, raised=[("RuntimeError", EARLY)]):
            came = student.without_recursion(
                student.run_loop, case.loop(ours), case.start, case.captured)
        expect(came, case.carries, "The carries are not those of the loop.", case.of)


# q2 ----------------------------------------------------------------------------------------------


def go_back(student, ours, case, seeds):
    """Fail unless the cotangents of all carries are right."""
    with explained(case.of):
        came = student.carry_bars(case.loop(ours, True), case.carries, case.captured, seeds)
    wanted, _ = case.go_back(seeds)
    agree(came, wanted, case.of, mistakes=lambda: wrong_carry_bars(case, seeds, wanted), because=(
        "The cotangents of a carry are not what the rule makes of those of the next carry."))


def wrong_carry_bars(case, seeds, wanted):
    """What known mistakes give, and their causes."""
    last = filled(seeds, case.carries[-1])
    from_seeds = [filled(case.body_vjp(carry, case.captured, last)[0], carry)
                  for carry in case.carries[:-1]]
    ones = [np.ones(x.shape) if s is None else s for s, x in zip(seeds, case.start)]
    first_first = [last]
    for carry in case.carries[:-1]:
        first_first.insert(0, filled(case.body_vjp(carry, case.captured, first_first[0])[0], carry))
    return [
        (wanted[::-1], "The list begins with the seeds, but its first entry belongs to the start."),
        (case.go_back(seeds, left=True)[0],
         "The rule gets the carry that left the iteration, and not the one that came in."),
        (case.go_back(seeds, none=True)[0],
         "Where the rule returns None, the later cotangent is kept, but None stands for zeros."),
        (case.go_back(seeds, added=True)[0],
         "The later cotangents are added, but what the rule returns already contains them."),
        (case.go_back(ones)[0], "A seed of None is taken for ones, but it stands for zeros."),
        (first_first, "It begins with the first iteration, but only the last one has its seeds."),
        ([*from_seeds, last],
         "Each iteration begins with the seeds, and not with the cotangents of what left it."),
        (wanted[1:], "The cotangents of the start are missing."),
        (wanted[:-1], "The seeds are missing. They are the cotangents of the last carry."),
        (wanted[0], "It returns the cotangents of the start alone."),
    ]


@pytest.mark.question("q2", points=3, core=True,
                      hint="Begin with the last iteration; the rule reads what came in.")
def test_all_carried_values(student, rng):
    """several carried values, kept, swapped, replaced and combined; 0, 1 and more iterations"""
    ours = student.define(LOOPS)
    cases = [*programs(rng, 3, 5, 4, 3, 2, 2, 1, 0), lander(rng), newton(rng), layer(rng, 3)]
    for case in cases:
        go_back(student, ours, case, case.seeds)


@pytest.mark.question("q2", points=0.5, hint="This is the backward pass of lesson 10.")
def test_one_carried_value(student, rng):
    """one carried number, as in lesson 10"""
    ours = student.define(LOOPS)
    for _ in range(2):
        case = square(rng)
        go_back(student, ours, case, case.seeds)


@pytest.mark.question("q2", points=0.5, hint="None as a seed stands for zeros (rule 2).")
def test_missing_seeds(student, rng):
    """None as one seed, or as all of them"""
    ours = student.define(LOOPS)
    for case in (program(rng, 0), program(rng, 3), layer(rng, 0), layer(rng, 2)):
        for at in range(len(case.seeds)):
            go_back(student, ours, case, [None if i == at else s for i, s in enumerate(case.seeds)])
        go_back(student, ours, case, [None] * len(case.seeds))


@pytest.mark.question("q2", points=0.5, corner=True,
                      hint="Change no argument, and call nothing recursively (rules 3 and 4).")
def test_long_loops_and_arguments(student, rng):
    """1,200 iterations; what was given is not changed"""
    ours = student.define(LOOPS)
    for case in (program(rng, 3), shared(rng, 1200)):
        with explained(case.of):
            given = [case.carries, case.captured, filled(case.seeds, case.start)]
            came, after = student.without_recursion(
                ours.watch, student.carry_bars, case.loop(ours, True), *given)
        agree(came, case.go_back(case.seeds)[0], case.of,
              "The cotangents of a carry are not what the rule makes of those of the next carry.")
        expect(after, HERE["flat"](given), CHANGED, f"the arguments afterwards: {case.of}")
    case = program(rng, 2)
    given = case.carries, case.captured, case.seeds
    lists_stay(ours, student.carry_bars, case.loop(ours, True), *given, of=case.of)


# q3 ----------------------------------------------------------------------------------------------


ALONE = "Only the {} iteration contributes, but all are added."


def add_up(student, ours, case, alone=ALONE,
           because="The contributions of all iterations do not add up to the right sum."):
    """Fail unless the cotangents of the captured values are right; returns the numbers of the
    arguments, before and after."""
    bars, contributions = case.go_back(case.seeds)
    given = [case.carries, case.captured, bars]
    with explained(case.of):
        came, after = student.without_recursion(
            ours.watch, student.captured_bars, case.loop(ours, True), *given)
    wanted = case.totals(contributions)
    agree(came, wanted, case.of, because, lambda: wrong_sums(case, bars, contributions, alone))
    return HERE["flat"](given), after


def wrong_sums(case, bars, contributions, alone):
    """What known mistakes give, and their causes."""
    wanted = case.totals(contributions)
    came_in, left = case.carries[:-1], case.carries[1:]
    pairs = {"came in": (came_in, bars[:-1]), "all": (case.carries, bars), "left": (left, bars[1:]),
             "last": (came_in, bars[-1:] * case.n), "reversed": (came_in, bars[:0:-1]),
             "seeds": (came_in, bars[::-1])}
    wrong = {name: case.totals([filled(case.body_vjp(c, case.captured, g)[1], case.captured)
                                for c, g in zip(*pair)]) for name, pair in pairs.items()}
    mistakes = [(contributions[-1], alone.format("last")),
                (contributions[0], alone.format("first")),
                ([total / case.n for total in wanted], "It returns the mean, and not the sum."),
                ] if case.n > 1 else []
    return [
        *mistakes,
        (case.totals(contributions[:-1]), "The last iteration is left out."),
        (case.totals(contributions[1:]), "The first iteration is left out."),
        *added_in_place(case, contributions),
        *((wrong[key], "The rule gets the cotangents of the carry that came in, not of what left.")
          for key in ("came in", "all")),
        *((wrong[key], "The lists of bars are read in the wrong order. The first is the start's.")
          for key in ("reversed", "seeds")),
        ([x + total for x, total in zip(case.captured, wanted)],
         "The sums begin with the captured values, and not with zeros."),
        (wrong["left"], "The rule gets the carry that left, and not the one that came in."),
        (wrong["last"], "Each iteration gets the seeds, and not the cotangents of what left it."),
    ]


def added_in_place(case, contributions):
    """What a sum gives that adds into the first contribution, where the rule returns one array for
    two captured values: the other contributions count twice."""
    if case.key[0] != "shared" or case.n < 2:
        return []
    wrong = []
    for first, rest in ((contributions[0], contributions[1:]),
                        (contributions[-1], contributions[:-1])):
        both = first[0] + 2 * sum(part[0] for part in rest)
        wrong.append([both, both, np.zeros(())])
    return [(one, IN_PLACE) for one in wrong]


@pytest.mark.question("q3", points=2.5, core=True,
                      hint="Add what each iteration contributes, in the shape of the value.")
def test_all_captured_values(student, rng):
    """several captured arrays and numbers; 0, 1 and more iterations"""
    ours = student.define(LOOPS)
    for case in [*programs(rng, 3, 5, 4, 2, 1, 0), lander(rng), layer(rng, 3)]:
        add_up(student, ours, case)


@pytest.mark.question("q3", points=0.5, hint="This is the sum of lesson 10.")
def test_one_captured_value(student, rng):
    """one captured number, as in lesson 10"""
    ours = student.define(LOOPS)
    for _ in range(2):
        add_up(student, ours, square(rng))


@pytest.mark.question("q3", points=0.5, hint="None contributes nothing, in this iteration only.")
def test_values_that_some_iterations_read(student, rng):
    """values that only even iterations, only odd ones, or only the condition reads"""
    ours = student.define(LOOPS)
    for case in (*(index(rng, n) for n in (5, 2, 1)), newton(rng)):
        add_up(student, ours, case, "None excludes a value for good, but other iterations read it.")


@pytest.mark.question("q3", points=0.5, corner=True,
                      hint="Add into new arrays, and not into those of the rule (rule 3).")
def test_long_loops_and_shared_arrays(student, rng):
    """one array for two contributions; 1,200 iterations; what was given is not changed"""
    ours = student.define(LOOPS)
    for case in (shared(rng, 1), shared(rng, 3), program(rng, 3), shared(rng, 1200)):
        before, after = add_up(student, ours, case)
        expect(after, before, CHANGED, f"the arguments afterwards: {case.of}")


# q4 ----------------------------------------------------------------------------------------------

VJP = """
class LoopVjp:
    def __init__(self, *answer):
        self.answer, self.calls = answer, []

    def __call__(self, start, captured, bars):
        self.calls.append([list(start), list(captured), list(bars)])
        return self.answer


def twins(f, x, bars):
    return f(LoopVjp([bars[0]], [bars[1], bars[2]]), [x, x, np.array(x)], [2], [0, 1], [x])


def one_array(f, values, bar, start_at, captured_at):
    answer = LoopVjp([bar] * len(start_at), [bar] * len(captured_at))
    came = f(answer, values, start_at, captured_at, [bar] * len(start_at))
    return came, bar
"""


def summed(values, places, bars):
    """The sums over the places of each value."""
    totals = [np.zeros(x.shape) for x in values]
    for i, bar in zip(places, bars, strict=True):
        totals[i] = totals[i] + bar
    return totals


@pytest.mark.question("q4", points=2.5, core=True,
                      hint="A value's cotangent is the sum over all places where it stands.")
def test_several_places(student, rng):
    """values that stand in several places, at the start and among the captured ones"""
    ours = student.define(LOOPS + VJP)
    values = [draw(rng, (2,)), draw(rng, (2, 3)), draw(rng), draw(rng, (2,))]
    drawn = [([rng.randrange(4) for _ in range(3)], [rng.randrange(4) for _ in range(3)])
             for _ in range(4)]
    for start_at, captured_at in [([0, 1, 2, 2], [0, 3, 3]), ([0], [0]), ([1], []), *drawn]:
        outside = [draw(rng, values[i].shape, sign=True) for i in start_at]
        inside = [draw(rng, values[i].shape, sign=True) for i in captured_at]
        seeds = [draw(rng, values[i].shape) for i in start_at]
        loop_vjp, of = ours.LoopVjp(outside, inside), f"{start_at=}, {captured_at=}"
        with explained(of):
            came = student.value_bars(loop_vjp, values, start_at, captured_at, seeds)
        first, second = list(zip(start_at, outside)), list(zip(captured_at, inside))
        places = [*first, *second]
        others = [(i, bar) for i, bar in zip(captured_at, inside) if i not in start_at]
        *given, given_seeds = loop_vjp.calls[0]
        expect(given, [[values[i] for i in start_at], [values[i] for i in captured_at]], of=of,
               because="loop_vjp gets other values than those at start_at and captured_at.")
        expect(given_seeds, seeds, "loop_vjp does not get the seeds as they are.", of)
        mistakes = [
            (summed(values, *zip(*dict(places).items())),
             "Only the last place of a value counts, but its places are added."),
            (summed(values, *zip(*dict(places[::-1]).items())),
             "Only the first place of a value counts, but its places are added."),
            (summed(values, *zip(*zip(start_at, outside), *others)),
             "The captured places of a value that also starts the loop are left out."),
            (summed(values, start_at, outside), "The captured places are left out."),
            (summed(values, captured_at, inside), "The places at the start are left out."),
        ]
        for order in (1, -1):
            mistakes += [
                (summed(values, *zip(*dict(first[::order]).items(), *second)),
                 "Where an index stands twice in start_at, only one of its places counts."),
                (summed(values, *zip(*first, *dict(second[::order]).items())),
                 "Where an index stands twice in captured_at, only one of its places counts."),
            ]
        agree(came, summed(values, *zip(*places)), of, mistakes=mistakes.copy, because=(
            "The cotangent of a value is not the sum over the places where it stands."))


@pytest.mark.question("q4", points=0.5, hint="Without a place, and for None, there are zeros.")
def test_no_place(student, rng):
    """values that stand nowhere; None for one place of two; a count"""
    ours, k = student.define(LOOPS + VJP), draw(rng)
    values = [draw(rng, (1, 2)), np.array(4), draw(rng), draw(rng, (3,))]
    zeros = [np.zeros(x.shape) for x in values]
    of = "the first value has no place, the others have None here and there"
    with explained(of):
        came = student.value_bars(ours.LoopVjp([None, k], [None, 2 * k, None]), values, [1, 2],
                                  [2, 2, 3], [None, k])
    agree(came, [zeros[0], zeros[1], 3 * k, zeros[3]], of,
          "A value without a place, or with None, does not get zeros.", mistakes=lambda: [
              ([zeros[0], zeros[1], part, zeros[3]],
               "A place is left out. None stands for zeros, at its own place alone.")
              for part in (k, 2 * k, zeros[2])])
    of = "no value has a place"
    with explained(of):
        came = student.value_bars(ours.LoopVjp([], []), values, [], [], [])
    agree(came, zeros, of, "A value without a place does not get zeros.")


@pytest.mark.question("q4", points=0.5, hint="loop_vjp is called once.")
def test_one_call(student, rng):
    """how often loop_vjp is called"""
    ours = student.define(LOOPS + VJP)
    values = [draw(rng, (2,)) for _ in range(4)]
    loop_vjp = ours.LoopVjp(values[:2], values[1:])
    came = student.value_bars(loop_vjp, values, [0, 1], [1, 2, 3], values[:2])
    agree(came, summed(values, [0, 1, 1, 2, 3], [*values[:2], *values[1:]]), "four values",
          "The cotangent of a value is not the sum over the places where it stands.")
    expect(len(loop_vjp.calls), 1, of="how often loop_vjp is called for four values",
           because="loop_vjp is called more than once, and each call is a whole backward pass.")


@pytest.mark.question("q4", points=0.5, corner=True,
                      hint="A value is its index, and loop_vjp's arrays stay as they are (rule 3).")
def test_equal_values(student, rng):
    """equal values, one array at two indices, one array for all cotangents"""
    ours = student.define(LOOPS + VJP)
    x, bars = draw(rng, (2,)), [draw(rng, (2,)) for _ in range(3)]
    of = "values=[x, x, a copy of x], start_at=[2], captured_at=[0, 1]"
    with explained(of):
        came = ours.twins(student.value_bars, x, bars)
    agree(came, [bars[1], bars[2], bars[0]], of,
          "Values are found by their numbers or their arrays, but equal values are still two.")
    values, bar = [draw(rng, (2,)), draw(rng, (2,))], draw(rng, (2,))
    of = "loop_vjp returns one array for all places"
    with explained(of):
        came, left = ours.one_array(student.value_bars, values, bar, [0, 1], [1, 1])
    expect(left, bar, of=of, because=(
        "It adds into an array that loop_vjp returned, and another place uses it, too (rule 3)."))
    agree(came, [bar, 3 * bar], of,
          "The cotangent of a value is not the sum over the places where it stands.")


# q5 ----------------------------------------------------------------------------------------------


def second(student, ours, case, dots, seeds=None, of=""):
    """Fail unless the Hessian-vector product is right."""
    first = len(case.start)
    seeds, of = case.seeds if seeds is None else seeds, case.of + of
    with explained(of):
        came = student.without_recursion(
            student.loop_hvp, case.loop(ours), case.start, case.captured, seeds, dots[:first],
            dots[first:])
    wanted = case.hvp(dots, seeds)
    few_digits = comparing.same(came, wanted, 1e-3)
    agree(came, wanted, of, mistakes=lambda: case.wrong_hvp(dots, seeds), because=(
        "Only the first digits are right. A difference of two gradients loses the others."
        if few_digits else "The tangents of the cotangents are not those that Duals carry."))


def directions(rng, case):
    """Tangents for all values but counts."""
    return [draw(rng, x.shape, sign=True) if x.dtype.kind == "f" else None
            for x in [*case.start, *case.captured]]


@pytest.mark.question("q5", points=5, core=True,
                      hint="Send Duals through the forward pass and the backward pass.")
def test_all_values_move(student, rng):
    """loops that count, and loops that the data stop; all values move; 0, 1 and more iterations"""
    ours = student.define(LOOPS)
    for case in [square(rng), lander(rng), newton(rng), *programs(rng, 3, 4, 2, 1, 0)]:
        second(student, ours, case, directions(rng, case))
    for case in (square(rng), lander(rng), program(rng, 3)):
        large = [dot if dot is None else 1000 * dot for dot in directions(rng, case)]
        second(student, ours, case, large, of="; all tangents are a thousand times as large")


@pytest.mark.question("q5", points=1, hint="One value moves, and all cotangents may have tangents.")
def test_one_value_moves(student, rng):
    """one value moves at a time, or none"""
    ours = student.define(LOOPS)
    for case in (program(rng, 3), lander(rng)):
        none = [None] * len([*case.start, *case.captured])
        for at, dot in enumerate(directions(rng, case)):
            dots = [*none[:at], dot, *none[at + 1 :]]
            second(student, ours, case, dots, of=f"; only value {at + 1} moves")
        second(student, ours, case, none, of="; nothing moves")


@pytest.mark.question("q5", points=1, hint="A seed of None stands for zeros, and no seed moves.")
def test_missing_seeds_move_nothing(student, rng):
    """None as one seed, or as all of them"""
    ours = student.define(LOOPS)
    for case in (program(rng, 3), lander(rng)):
        dots = directions(rng, case)
        for at in range(len(case.seeds)):
            seeds = [None if i == at else seed for i, seed in enumerate(case.seeds)]
            second(student, ours, case, dots, seeds, f"; seed {at + 1} is None")
        second(student, ours, case, dots, [None] * len(case.seeds), "; all seeds are None")
    case = program(rng, 2)
    dots, first = directions(rng, case), len(case.start)
    given = case.start, case.captured, case.seeds, dots[:first], dots[first:]
    lists_stay(ours, student.loop_hvp, case.loop(ours), *given, of=case.of)


@pytest.mark.question("q5", points=1, corner=True,
                      hint="Counts stay integers, and long loops need a loop in Python (rule 4).")
def test_counts_and_long_loops(student, rng):
    """a count that is used as an index; 1,100 iterations"""
    ours = student.define(LOOPS)
    for case in (listed(rng, 2), listed(rng, 3), shared(rng, 1100)):
        second(student, ours, case, directions(rng, case))


# q6 ----------------------------------------------------------------------------------------------

PEAK = """
def peak(f, size, seed, every, n=70):
    start = [np.linspace(0.5, 1.0, size), np.array(0)]
    bars = [np.full(size, seed), None]
    loop, captured = Loop("scale"), [np.linspace(0.99, 1.01, size), np.array(n)]
    tracemalloc.start()
    came = f(loop, start, captured, bars, every)
    most = tracemalloc.get_traced_memory()[1] / (8 * size)
    tracemalloc.stop()
    return [came[0][0][:3], came[1][0][:3], most, loop.calls["body"]]
"""


TWICE = "The body runs more often than once forward and once for its segment."
SEGMENTS = "The segments do not begin or end where they should, or come in the wrong order."


def by_segments(student, ours, case, every):
    """Fail unless checkpoints give the right cotangents; returns the calls, and the case."""
    loop, of = case.loop(ours), f"{case.of}, every={every}"
    with explained(of):
        came = student.without_recursion(
            student.checkpointed_bars, loop, case.start, case.captured, case.seeds, every)
    bars, contributions = case.go_back(case.seeds)
    wanted = bars[0], case.totals(contributions)
    agree(came, wanted, of, SEGMENTS, lambda: wrong_segments(case, every, wanted, contributions))
    expect(loop.calls["body"] <= 2 * case.n, True, TWICE,
           of=f"whether the body runs at most 2 n times: {of}")
    return loop.calls, of


def wrong_segments(case, every, wanted, contributions):
    """What known mistakes give, and their causes."""
    pieces = [case.go_back(case.seeds, carries=case.carries[first : first + every + 1])
              for first in range(0, max(case.n, 1), every)]
    from_seeds = [part for _, parts in pieces for part in parts]
    return [
        (wanted[::-1], PAIR),
        ((pieces[0][0][0], case.totals(from_seeds)),
         "Each segment begins with the seeds, and not with the cotangents of the next segment."),
        ((wanted[0], case.totals(contributions[:every])),
         "The sums of the captured values begin at zero again in each segment."),
        ((wanted[0], case.totals(contributions[-(case.n % every or every) :])),
         "Only the last segment contributes to the captured values."),
        *(((wanted[0], sums), cause) for sums, cause in added_in_place(case, contributions)),
    ]


@pytest.mark.question("q6", points=2, core=True,
                      hint="Save checkpoints only, and run each segment again, the last one first.")
def test_segments(student, rng):
    """loops and segments of many lengths; how many carries are in memory"""
    ours, size = student.define(LOOPS + PEAK), 8_000
    cases = [(lander(rng), 3)] + [(program(rng, n), every) for n, every in (
        (7, 3), (6, 3), (5, 1), (4, 4), (5, 2), (3, 100), (1, 1), (1, 4), (0, 1), (0, 4))]
    cases += [(lander(rng), 4), (newton(rng), 2), (layer(rng, 5), 2), (listed(rng, 4), 3)]
    cases[0][0].seeds[0] = None
    for case, every in cases:
        by_segments(student, ours, case, every)
    seed = round(rng.uniform(1, 2), 3)
    x, k = (np.linspace(*ends, size)[:3] for ends in ((0.5, 1.0), (0.99, 1.01)))
    for every in (8, 2, 35):
        of = f"x becomes k x, 70 iterations, every={every}"
        *came, most, calls = ours.peak(student.checkpointed_bars, size, seed, every)
        agree(came, [seed * k**70, 70 * seed * x * k**69], of, "The cotangents are wrong.")
        expect(type(most) is float and most <= 70 / every + every + 8, True, because=(
            "Too many carries stay in memory. Keep the checkpoints and one segment, nothing else."),
            of=f"whether at most n / every + every + 8 carries are in memory: {of}")
        expect(type(calls) is int and calls <= 140, True, TWICE,
               of=f"whether the body runs at most 2 n times: {of}")


@pytest.mark.question("q6", points=0.5, hint="Only the forward pass asks the condition.")
def test_calls(student, rng):
    """how often the condition and the rule are called"""
    ours = student.define(LOOPS)
    for case, every in ((program(rng, 7), 3), (program(rng, 6), 2), (lander(rng), 5)):
        calls, of = by_segments(student, ours, case, every)
        expect(calls["condition"], case.n + 1, of=f"calls of the condition: {of}", because=(
            "The condition is asked again. The forward pass has already counted the iterations."))
        expect(calls["body_vjp"], case.n, of=f"calls of body_vjp: {of}",
               because="The rule is not called once for each iteration.")


@pytest.mark.question("q6", points=0.5, corner=True,
                      hint="Add into new arrays, and call nothing recursively (rules 3 and 4).")
def test_long_segments_and_shared_arrays(student, rng):
    """1,100 iterations in segments of 1, and in one segment; one array for two contributions"""
    ours = student.define(LOOPS)
    case = program(rng, 3)
    by_segments(student, ours, case, 2)
    given = case.start, case.captured, case.seeds, 2
    lists_stay(ours, student.checkpointed_bars, case.loop(ours), *given, of=case.of)
    for n, every in ((3, 2), (1100, 1), (1100, 1100)):
        by_segments(student, ours, shared(rng, n), every)
