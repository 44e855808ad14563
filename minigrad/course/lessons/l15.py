"""Lesson 15: cases, references, typical wrong answers, pictures. The words are in 15.toml."""

import sys

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson
from minigrad.course.lessons import elsewhere

# key_of ------------------------------------------------------------------------------------------

CALLS = [  # what a function of two arguments is called with
    (np.ones(3), 2),
    (np.zeros(3), 2),
    (np.ones(4), 2),
    (np.ones((3, 1)), 2),
    (np.ones(3, np.float32), 2),
    (np.ones(3), 5),
    (np.ones(3), 2.0),
    (np.ones(3), True),
    (np.ones(3), 1),
    (np.ones(3), np.array(2.0)),
    (np.ones(3), np.array(5.0)),
    (np.ones(4), 2),
]
PAIRS = [  # the order of numbers, two values of one hash, two objects of one value
    [(np.ones(3), 2, 5), (np.ones(3), 5, 2)],
    [(np.ones(3), -1.0), (np.ones(3), -2.0)],
    [(np.ones(3), float("1.5")), (np.ones(3), float("1.5"))],
]


def cases_key_of():
    """(calls,): the arguments of each."""
    pairs = ((0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (7, 8), (9, 10), (0, 9))
    return [([CALLS[i], CALLS[j]],) for i, j in pairs] + [(pair,) for pair in PAIRS] + [(CALLS,)]


def show_key_of(calls):
    """A case in words."""
    if len(calls) > 2:
        return f"the keys of {len(calls)} calls"
    return " and then ".join(f"f({', '.join(map(argument_text, args))})" for args in calls)


def argument_text(x):
    """An argument in words."""
    if isinstance(x, np.ndarray):
        return f"{x.dtype} array of shape {x.shape}"
    return f"{type(x).__name__} {x}"


def run_key_of(function, calls):
    """How many different keys the calls have."""
    keys = [function(args) for args in calls]
    return None if any(key is None for key in keys) else len(set(keys))


def reference_key_of(args):
    """Return the cache key of a call: shape and dtype of an array, type and value of the rest."""
    return tuple((x.shape, x.dtype) if isinstance(x, np.ndarray) else (type(x), x) for x in args)


def key_by(entry):
    """A key function from what it keeps of each argument."""
    return lambda args: tuple(map(entry, args))


def of_array(x, kept, otherwise):
    """`kept` for an array, else `otherwise`."""
    return kept(x) if isinstance(x, np.ndarray) else otherwise(x)


no_type = key_by(lambda x: of_array(x, lambda x: (x.shape, x.dtype), lambda x: x))
no_value = key_by(lambda x: of_array(x, lambda x: (x.shape, x.dtype), type))
no_dtype = key_by(lambda x: of_array(x, lambda x: x.shape, lambda x: (type(x), x)))
no_shape = key_by(lambda x: of_array(x, lambda x: x.dtype, lambda x: (type(x), x)))
by_hash = key_by(lambda x: of_array(x, lambda x: (x.shape, x.dtype), lambda x: (type(x), hash(x))))


def without_order(args):
    """A set of the entries."""
    return frozenset(reference_key_of(args))


def with_values(args):
    """The numbers of the arrays, too."""
    return reference_key_of(args), tuple(np.asarray(x).tobytes() for x in args)


def after_key_of(function):
    """Compare with minigrad's own key."""
    traced = mg.function(lambda x, n: x * n)
    for call in CALLS:
        traced(*call)
    print(f"  {len(CALLS)} calls have {run_key_of(function, CALLS)} different keys of yours,")
    print(f"  and mg.function makes {len(traced.traces)} traces for them.")


# traced ------------------------------------------------------------------------------------------


def move(h, v, gravity):
    """A step of the ball."""
    h, v = h + v, v - gravity
    return mg.abs(h), mg.where(h < 0, -0.8 * v, v)


def scaled(x, n):
    """A function with one result."""
    return mg.sum(x * n)


def doubled(x, n):
    """A function with a Python loop."""
    for _ in range(n):
        x = x + x
    return x


FUNCTIONS = {"scaled": scaled, "move": move, "doubled": doubled}


def cases_traced():
    """(what the function is called, the calls)."""
    balls = [(np.array(h), np.array(v), 0.6) for h, v in ((0.0, 12.5), (12.5, 11.9), (1.0, -3.0))]
    return [
        ("scaled", [(np.ones(3), 2.0), (np.arange(3.0), 2.0)]),
        (
            "scaled",
            [(np.ones(3), 2.0), (np.ones(4), 2.0), (np.ones(3), 5.0), (np.arange(4.0), 2.0)],
        ),
        ("scaled", [(np.ones(2), np.array(3.0)), (np.ones(2), np.array(4.0))]),
        ("scaled", [(np.ones(2), 3.0), (np.ones(2), 3.0)]),
        ("doubled", [(np.ones(2), 2), (np.ones(2), 3), (np.zeros(2), 3)]),
        ("scaled", [(np.arange(3), 2), (np.arange(3), 2.0)]),
        ("scaled", [(np.ones(3, np.float32), 2.0), (np.ones(3), 2.0)]),
        ("move", balls),
        ("move", [*balls, (np.array(100.0), np.array(0.0), 0.1)]),
    ]


def show_traced(name, calls):
    """A case in words."""
    told_as = {"scaled": "x * n, summed", "move": "the ball's step", "doubled": "x doubled n times"}
    told = "; ".join(", ".join(map(argument_text, args)) for args in calls)
    return f"f = {told_as[name]}, called with {told}"


def run_traced(function, name, calls):
    """The results of the calls, their dtypes, and how often f ran with nodes and with arrays."""
    passes = {True: 0, False: 0}

    def f(*args):
        passes[any(isinstance(x, mg.Node) for x in args)] += 1
        return FUNCTIONS[name](*args)

    made = function(f)
    if made is None:
        return None
    results = [made(*args) for args in calls]
    if any(result is None for result in results):
        raise TypeError("the function that traced returned returns None")
    return numbers_of(results), dtypes_of(results), passes[True], passes[False]


def numbers_of(results):
    """Results as an array where they are numbers."""
    try:
        return np.array([np.ravel([np.asarray(x, float) for x in as_list(r)]) for r in results])
    except (TypeError, ValueError, mg.MinigradError):
        return f"{type(results[0]).__name__} values"


def dtypes_of(results):
    """The dtypes of results as a text; what they are where they are no numbers."""
    try:
        return ", ".join(str(np.asarray(x).dtype) for r in results for x in as_list(r))
    except (TypeError, ValueError, mg.MinigradError):
        return f"{type(results[0]).__name__} values"


def as_list(result):
    """The parts of a result."""
    return list(result) if isinstance(result, (tuple, list)) else [result]


def build_cache(key_of, fresh=True, keep=True, typed=True):
    """A decorator like `traced`, for one way to make keys."""

    def traced(f):
        cache = {}

        def call(*args):
            key = key_of(args)
            if key not in cache or not keep:
                with mg.Graph() as graph:
                    inputs = [
                        mg.placeholder(shape=x.shape, dtype=x.dtype if typed else float)
                        if isinstance(x, np.ndarray)
                        else x
                        for x in args
                    ]
                    cache[key] = inputs, f(*inputs), mg.Session(graph), args
            inputs, output, session, first = cache[key]
            given = zip(inputs, args if fresh else first)
            return session.run(output, {x: a for x, a in given if isinstance(a, np.ndarray)})

        return call

    return traced


def reference_traced(f):
    """Return a function that traces f once for each key, and later runs the graph of that key."""
    return build_cache(reference_key_of)(f)


never_kept = build_cache(reference_key_of, keep=False)
traced_by_values = build_cache(with_values)
old_arguments = build_cache(reference_key_of, fresh=False)
typeless = build_cache(no_type)
without_dtype = build_cache(reference_key_of, typed=False)


def no_graph(f):
    """It calls f with arrays."""
    return lambda *args: f(*args)


def remembers_results(f):
    """It keeps the results of each key, without a graph."""
    results = {}

    def call(*args):
        key = reference_key_of(args)
        if key not in results:
            results[key] = f(*args)
        return results[key]

    return call


def after_traced(function):
    """Film a ball by the learner's function, and count its traces."""
    if isinstance(function(move), type(mg.function(move))):
        print("  This is the library's own. Now write it with a dictionary.")
    passes = []

    def step(h, v, gravity):
        passes.append(gravity)
        return move(h, v, gravity)

    mine, theirs = function(step), mg.function(move)
    heights = []
    for state in (mine, theirs):
        h, v = np.array(0.0), np.array(12.5)
        for at in range(180):
            h, v = state(h, v, 0.6 if at < 90 else 0.1)
            heights.append(float(h))
    same = heights[:180] == heights[180:]
    print(f"  180 calls, {len(passes)} traces; the same heights as by mg.function: {same}")
    print("  Below, the ball flies to the Moon after picture 90.")
    show_film(heights[:180])


def show_film(heights):
    """Draw the height of a ball in each picture of a film."""
    from minigrad.draw.plot.axes import paper

    with paper([2]) as (_, (axes,)):
        dots = {"linestyle": "", "marker": ".", "markersize": 3}
        axes.plot(heights, **mg.plot.style_of("dynamic", **dots))
        axes.set(xlabel="picture", ylabel="height", ylim=(0, None))


# bounce ------------------------------------------------------------------------------------------

FALLS = [  # the last one ends on the ground
    *((1.0, -5.0, 0.8), (1.0, -5.0, 0.4), (4.0, 1.0, 0.4), (7.0, -5.0, 0.5), (0.3, 0.1, 0.9)),
    (1.0, -1.0, 0.8),
]


def cases_bounce():
    """The arguments of calls, one after another."""
    return [(FALLS[:1],), (FALLS[:2],), (FALLS[2:4],), (FALLS[5:],), (FALLS,)]


def show_bounce(falls):
    """A case in words."""
    return "h, v, factor = " + "; then ".join(", ".join(map(str, fall)) for fall in falls)


def run_bounce(function, falls):
    """The heights, the speeds, and how many traces there are."""
    traced = mg.function(function)
    found = [traced(*map(mg.tensor, fall)) for fall in falls]
    if any(pair is None for pair in found):
        return None
    heights, speeds = zip(*[[float(x) for x in pair] for pair in found])
    return list(heights), list(speeds), len(traced.traces)


def reference_bounce(h, v, factor):
    """Move a ball, and turn its speed where it would be below the ground."""
    h, v = h + v, v - 0.6
    return mg.abs(h), mg.where(h < 0, -factor * v, v)


def frozen_bounce(h, v, factor):
    """0.8 stays in the graph."""
    return reference_bounce(h, v, 0.8)


def always_bounces(h, v, factor):
    """It turns the speed everywhere."""
    h, v = h + v, v - 0.6
    return mg.abs(h), -factor * v


def bounces_up(h, v, factor):
    """It does not turn the speed."""
    h, v = h + v, v - 0.6
    return mg.abs(h), mg.where(h < 0, factor * v, v)


def tests_after(h, v, factor):
    """It compares a height that is never below 0: the old one, or the one that it has turned."""
    h, v = mg.abs(h + v), v - 0.6
    return h, mg.where(h < 0, -factor * v, v)


def below_ground(h, v, factor):
    """The height stays negative."""
    h, v = h + v, v - 0.6
    return h, mg.where(h < 0, -factor * v, v)


def at_zero(h, v, factor):
    """It bounces on the ground, too."""
    h, v = h + v, v - 0.6
    return mg.abs(h), mg.where(h <= 0, -factor * v, v)


def exchanged(h, v, factor):
    """The two choices of where are exchanged."""
    h, v = h + v, v - 0.6
    return mg.abs(h), mg.where(h < 0, v, -factor * v)


# other frameworks --------------------------------------------------------------------------------


def count_graphs():
    """Return rows (function, graphs after the first call, after the third) of torch.compile."""
    answers = elsewhere.read_answers("15")["torch"]
    rows = []
    for question, name in (
        ("graphs_print", "print(…)"),
        ("graphs_branch", "if h < 0"),
        ("graphs_clock", "next(clock)"),
    ):
        rows.append((name, *map(int, answers[question].split(", then "))))
    return rows


class Later:
    """A value that is computed when it is needed, as one source of this course has it."""

    def __init__(self, op, *inputs, data=None):
        self.op, self.inputs, self.data = op, inputs, data

    def realize(self):
        """Compute the value, its inputs first."""
        if self.data is None:
            self.data = self.op(*[x.realize() for x in self.inputs])
        return self.data


lesson = Lesson("15", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
