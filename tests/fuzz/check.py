"""Judges a program: the oracle, the plain interpretation and every way must agree."""

import io
import re
import traceback
import warnings
from collections import Counter
from contextlib import redirect_stdout
from typing import NamedTuple

import numpy as np

import minigrad as mg
from fuzz.compare import STEP, close, differences, near, rounding, same_bits
from fuzz.derivatives import SECOND, slope
from fuzz.naive import Naive
from fuzz.program import all_steps, run_steps
from fuzz.settings import PREFIX, find_way
from fuzz.ways import WAYS, Case, differentiable, has_loop, runs

REFUSALS = ("out of bounds for uint8",)  # a negative number beside unsigned ones
OTHER_NUMBERS = ("again", "fed inside", "function again", "saved meanwhile", "threads assign")
MOST_MOVED = 0.001  # of a half float, of which 1000 roundings would be all
JITTERS = 6  # computations with every result moved by a rounding, to see what rounding may do


class Failure(NamedTuple):
    """What disagrees: the program, the way, the key of the number, both values."""

    program: object
    way: str
    key: object
    got: object
    expected: object

    @property
    def kind(self):
        """What shrinking must keep."""
        error = ""
        if isinstance(self.got, Exception):
            words = re.sub(r"[^a-z ]", "", str(self.got).split("\n")[0])[-30:]
            error = f"{type(self.got).__name__} {words}"
        way = PREFIX if self.way.startswith(PREFIX) else self.way
        return way, self.key[0] if isinstance(self.key, tuple) else self.key, error


class Outcome(NamedTuple):
    """A Failure or None, and counts of what was compared and what was passed over."""

    failure: object
    counts: Counter


def judged(program, stage=None):
    """The Outcome of a program, of one stage, "plain" or the name of a way, or of all."""
    counts = Counter()
    with warnings.catch_warnings(), np.errstate(all="ignore"), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        return Outcome(Judge(program, counts).failure(stage), counts)


class Judge:
    """Compares a program's ways one after another until one fails."""

    def __init__(self, program, counts):
        self.program, self.counts = program, counts
        self.all_values, self.variables = [], None

    def failure(self, stage):
        """The first Failure, or None; of a way alone, the plain run is taken as right."""
        try:
            oracle = self.oracle_runs()
        except (ValueError, IndexError, TypeError, KeyError, ArithmeticError):
            self.counts["passed over: no program for the oracle"] += 1
            return None
        case = Case(self.program, self.first)
        try:
            truth = case.truth()
        except Exception as error:
            return self.refused("plain", error)
        failure = None
        if stage in (None, "plain"):
            failure = self.compare_with_oracle(truth, oracle) or self.compare_slopes(case, truth)
        for name in self.program.ways:
            if stage in (None, name):
                failure = failure or self.compare_way(name, case, truth)
        return failure

    def refused(self, way, error):
        """The Failure of an error where numbers were expected; None for a known refusal."""
        if isinstance(error, mg.MinigradError):
            if any(text in str(error) for text in REFUSALS):
                self.counts["passed over: refused, though NumPy takes it"] += 1
                return None
            if way in OTHER_NUMBERS and "out of bounds for axis" in str(error):
                self.counts["passed over: an index that other numbers move out of range"] += 1
                return None
            self.counts["refused: " + str(error).split("\n")[0][-60:]] += 1
        return Failure(self.program, way, "error", error, text_of(error))

    # the oracle ----------------------------------------------------------------------------------

    def oracle_runs(self, jitter=None):
        """{key: array} as ways give it, by the oracle."""
        program, found, self.all_values = self.program, {}, []
        stored = {x.id: np.array(x.data.array()) for x in program.inputs if x.role == "variable"}

        def keep(number, value):
            value = np.array(value)
            value = moved(value, jitter) if jitter else value
            self.all_values.append(value)
            return value

        for number, run in enumerate(program.runs):
            values = {x.id: stored.get(x.id, x.data.array()) for x in program.inputs}
            before = {i: np.array(v) for i, v in values.items()}
            run_steps(program.steps, values, Naive(run=number, active=run), keep, True)
            values |= before  # a variable that is fetched is read before it is changed
            if not number:
                self.first = dict(values)
            found |= {("value", i, number): np.array(values[i]) for i in program.outputs}
            found |= {("assign", i, number): values[i] for i in run}
            for array in stored.values() if jitter else ():  # what was assigned is rounded, too
                array[...] = moved(array, jitter)
        if any(program.runs):
            found |= {("variable", i, "at the end"): v for i, v in stored.items()}
        self.all_values += [x.data.array() for x in program.inputs]
        return found

    def compare_with_oracle(self, truth, oracle):
        """The Failure of a value that the oracle does not confirm."""
        tolerance = rounding(self.all_values)
        for key, expected in oracle.items():
            self.counts["values by the oracle"] += 1
            if not close(truth[key], expected, tolerance):
                if self.infinite_inside():
                    self.counts["passed over: a derivative inside, of what is not finite"] += 1
                    return None
                if (
                    truth[key].dtype == expected.dtype
                    and truth[key].shape == expected.shape
                    and (self.rounding_may_do_it(key, truth[key], expected))
                ):
                    self.counts["passed over: a value that rounding moves far"] += 1
                    return None
                return Failure(self.program, "oracle", key, truth[key], expected)
        return None

    def infinite_inside(self):
        """Whether a step is a derivative, and some number is not finite: sweeps meet 0 · inf there,
        which differences of the results do not show."""
        inside = any({"inner", "traced"} & set(s.tags) for s in all_steps(self.program.steps))
        return inside and not all(
            np.isfinite(v).all() for v in self.all_values if v.dtype.kind == "f"
        )

    def rounding_may_do_it(self, key, got, expected):
        """True where the oracle's computations with other roundings are as far from each other."""
        got, expected = got + 0.0, expected + 0.0  # True and False as numbers, too
        for seed in range(JITTERS):
            runs = self.oracle_runs(np.random.default_rng(seed))
            if key not in runs:  # of derivatives the oracle knows nothing
                return False
            other = runs[key] + 0.0
            if not np.array_equal(np.isfinite(other), np.isfinite(expected)):
                return True
            if not same_infinities(got, expected):
                continue
            finite = np.isfinite(other) & np.isfinite(got) & np.isfinite(expected)
            spread = np.abs(other - expected, where=finite, out=np.zeros(np.shape(other)))
            gap = np.abs(got - expected, where=finite, out=np.zeros(np.shape(other)))
            if gap.max(initial=0) <= 100 * spread.max(initial=0):
                return True
        return False

    # derivatives ---------------------------------------------------------------------------------

    def compare_slopes(self, case, truth):
        """The Failure of a derivative that differences do not confirm."""
        orders = sorted({key[0] for key in truth} & {*SECOND, "reverse", "forward", "checkpoints"})
        if not orders:
            return None
        if any(v.dtype == np.float16 for v in self.all_values) or not all(
            np.isfinite(v).all() for v in self.all_values
        ):
            self.counts["passed over: half or not finite"] += 1
            return None
        steps = [*all_steps(self.program.steps)]
        if any(ties(step, case.values) or on_edge(step, case.values) for step in steps):
            self.counts["passed over: at a tie the rule chooses a side"] += 1
            return None
        along = self.along(case)
        narrow = sum(float((case.seeds.w[i] * self.first[i]).sum()) for i in self.outputs(case))
        if not near(along(0.0), narrow, 1e-2):
            self.counts["passed over: rounding to a narrow float decides a comparison"] += 1
            return None
        first, second = differences(along)
        tolerance = max(1e-6, 100 * rounding(self.all_values))
        for order in orders:
            found, least = (second, 100 * tolerance) if order in SECOND else (first, tolerance)
            results = {key[1]: a for key, a in truth.items() if key[0] == order and key[2] == 0}
            got, size = slope(order, results, case.seeds)
            size = size if np.isfinite(size) else 0  # what is no number is wrong where a slope is
            if found is None or not found[1] <= least * max(size, abs(found[0]), 1e-3):
                self.counts["passed over: no reliable difference"] += 1
                continue
            if not np.isfinite(got) and abs(found[0]) > squared_by_narrow(self.all_values):
                self.counts["passed over: a slope that a narrow float may not hold"] += 1
                continue
            self.counts["slopes by differences"] += 1
            allowed = least * max(size, abs(found[0]), 1e-3) + 20 * found[1]
            if not abs(got - found[0]) <= allowed:
                if not all(self.confirms(along, order, found[0], allowed, by) for by in (8, 64)):
                    self.counts["passed over: another step, another difference"] += 1
                    continue
                return Failure(self.program, "differences", (order, "along v"), got, found[0])
        return None

    def confirms(self, along, order, expected, allowed, by):
        """Whether differences of steps `by` times smaller come near the expected number: 8 times
        smaller as sure as the first, which a wave shorter than the step is not; then as sure as
        rounding lets them be."""
        again = differences(along, STEP / by)[order in SECOND]
        if again is None:
            return False
        found, spread = again
        sure = by > 8 or spread <= allowed
        return sure and abs(found - expected) <= allowed + 20 * spread

    def outputs(self, case):
        """The outputs that derivatives are taken of."""
        there = {x.id for x in self.program.inputs}
        there |= {s.id for s in self.program.steps[: self.program.cut]}
        return [
            i
            for i in dict.fromkeys(self.program.outputs)
            if i in there and differentiable(case.graph().values[i])
        ]

    def along(self, case):
        """The weighted sum of outputs as a function of the distance moved along vs."""
        program, tape = self.program, None
        outputs = self.outputs(case)

        def f(t):
            nonlocal tape
            values, moves = {}, []
            for x in program.inputs:
                array = x.data.array()
                values[x.id] = array.astype(float) if array.dtype.kind == "f" else array
                if x.id in case.seeds.v:
                    by = t * case.seeds.v[x.id]
                    values[x.id] = np.asarray(values[x.id] + by)
                    moves.append((values[x.id], by))
            space = Naive(wide=True, active=program.runs[0], tape=tape, moves=moves)
            inner = {s.id for s in program.steps} & {*case.seeds.v}

            def keep(number, value):
                return np.array(value + t * case.seeds.v[number] if number in inner else value)

            try:
                run_steps(program.steps, values, space, keep, True)
            except (StopIteration, ValueError, IndexError):  # another number of iterations
                return np.nan
            tape = tape or space.tape
            return sum(float((case.seeds.w[i] * values[i]).sum()) for i in outputs)

        return f

    # ways ----------------------------------------------------------------------------------------

    def compare_way(self, name, case, truth):
        """The Failure of a way that does not give what it must."""
        way = WAYS[name] if name in WAYS else find_way(name)
        try:
            results = way.run(case)
        except Exception as error:
            return self.refused(name, error)
        got, expected = results if isinstance(results, tuple) else (results, truth)
        bodies = has_loop(self.program) and "session" not in name
        inner = any({"inner", "traced"} & set(s.tags) for s in all_steps(self.program.steps))
        for key, array in got.items():
            exact = way.exact and not (bodies and (inner or key[0] != "value"))
            exact = exact and not (key[-1] == "known" and regroups(self.program))
            self.counts["arrays by ways"] += 1
            right = np.asarray(expected[key])
            array = np.asarray(array)
            if same_bits(array, right) or self.undecided(name, key, array, right):
                continue
            tolerance = (
                1e-12
                if way.exact and rounding(self.all_values) < 1e-8
                else max(1e-9, rounding(self.all_values))
            )
            if exact or not close(array, right, tolerance):
                if not exact and self.excused(way, case, key, array, right):
                    self.counts["passed over: rounding moves it far"] += 1
                    continue
                return Failure(self.program, name, key, array, right)
        return None

    def excused(self, way, case, key, got, expected):
        """True for a result that rounding may move so far; of an exact way, only what is known to
        be moved as far."""
        if got.dtype != expected.dtype or got.shape != expected.shape:
            return False
        if not way.exact:
            return self.unsteady(case, key, got, expected)
        return got.dtype.kind == "f" and self.inputs_may_do_it(case, key, got, expected)

    def undecided(self, way, key, got, expected):
        """True for a derivative where 0 · inf may or may not be added: through a body, or because
        the deviation of one number is known to be 0 only where it is known to be one."""
        values = [v for v in (*self.all_values, got, expected) if v.dtype.kind == "f"]
        of_one = key[-1] == "known" and any("std(" in s.text for s in all_steps(self.program.steps))
        return (
            (has_loop(self.program) and "session" not in way or of_one)
            and key[0] != "value"
            and not all(np.isfinite(v).all() for v in values)
        )

    def unsteady(self, case, key, got, expected):
        """True for a result of other rounding, where a computation is badly conditioned."""
        values = [v for v in (*self.all_values, got, expected) if v.dtype.kind == "f"]
        if not all(np.isfinite(v).all() for v in values):
            return True
        return (
            near(got, expected, 1e-4)
            or self.inputs_may_do_it(case, key, got, expected)
            or self.rounding_may_do_it(key, got, expected)
            or (any({"compare", "step"} & set(s.tags) for s in all_steps(self.program.steps)))
        )

    def inputs_may_do_it(self, case, key, got, expected):
        """True where what is fed, moved by some roundings, moves the plain result as far."""
        built = case.graph()
        for seed in range(JITTERS):
            rng = np.random.default_rng(seed)
            feeds = {node: moved(a, rng, 1000) for node, a in built.feeds.items()}
            session = mg.Session(built.graph, optimize=False, backend="numpy")
            other = runs(case, session, built._replace(feeds=feeds)).get(key, expected)
            if np.abs(got - expected).max() <= 100 * np.abs(other - expected).max():
                return True
        return False


def regroups(program):
    """True where a graph of unknown lengths may add up contributions in another order: in it,
    `ensure_shape` is a node, which adds up its own first; with known lengths it is none. So is the
    sum over what a run may repeat, which higher derivatives go through in the body of a loop.
    """
    steps = [*all_steps(program.steps)]
    nested = has_loop(program) and any("inner" in s.tags for s in steps)
    return nested or any("ensure_shape(" in s.text for s in steps)


def squared_by_narrow(values):
    """The largest number whose square the narrowest float among values holds; inf for doubles.

    Differences are of doubles: beyond this, a product on the way to a slope may overflow.
    """
    narrow = min((v.dtype for v in values if v.dtype.kind == "f"), key=lambda d: d.itemsize)
    return np.inf if narrow == np.float64 else float(np.finfo(narrow).max) ** 0.5


def same_infinities(a, b):
    """True for two arrays that are NaN, inf and -inf in the same places."""
    a, b = (np.where(np.isfinite(v), 0.0, v) for v in (a, b))
    return np.array_equal(a, b, equal_nan=True)


def moved(array, rng, roundings=1):
    """A floating array with every entry moved by so much, or not; others as they are."""
    if array.dtype.kind != "f":
        return array
    by = min(roundings * float(np.finfo(array.dtype).eps), MOST_MOVED)
    return (array * (1 + by * rng.choice([-1, 0, 1], array.shape))).astype(array.dtype)


def ties(step, values):
    """True for twins of a maximum or minimum of two values that agree somewhere, or of the
    extremes of one that come twice: what is smooth of both together has no such derivatives."""
    if "twins" not in step.tags or not all(i in values for i in step.args):
        return False
    x, *others = (np.asarray(values[i]) for i in step.args)
    if "mg.max(" in step.text:
        ends = np.sort(x, axis=0)
        return len(x) > 1 and bool(np.any((ends[0] == ends[1]) | (ends[-1] == ends[-2])))
    return "mum(" in step.text and any(np.any(x == y) for y in others)


def on_edge(step, values):
    """True for a comparison, or a relu, whose answer another number next to its operand's turns.

    True as well for 0, or a negative number, to the power of another value, and for the root of 0,
    whose slope is infinite; and for a remainder or a quotient without one that jumps within a step.
    """
    xs = [np.asarray(values[i]) for i in step.args if i in values]
    if step.text in ("{0} % {1}", "{0} // {1}") and len(xs) == 2:
        x, by = map(np.abs, xs)
        return bool(np.any(STEP * (1 + x / by) > by / 4))
    if step.text == "{0} ** {1}":  # in the exponent it has no slope, in 0 an infinite one
        return len(xs) < 2 or bool(np.any(xs[0] <= 0))
    if step.text == "{0} ** 0.5":
        return bool(xs) and bool(np.any(xs[0] == 0))
    if "relu" in step.text:
        return any(np.any(x == 0) for x in xs)
    if "compare" not in step.tags:
        return False
    if len(xs) == 2:
        return bool(np.any(xs[0] == xs[1]))
    limit = re.search(r"[<>] (-?[\d.]+)$", step.text)
    return bool(limit and xs) and bool(np.any(xs[0].sum() == float(limit[1])))


def text_of(error):
    """An error's text with the place in the package where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f" at {frame.filename}:{frame.lineno}" for frame in last)
    return f"{type(error).__name__}: {error}{place}"
