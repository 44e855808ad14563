"""What students answer in lesson 15, wrong and right; test_lab_banks.py tells the form."""

from minigrad.course.lessons.l15 import reference_key_of

KEY = """
return tuple((x.shape, x.dtype) if isinstance(x, np.ndarray) else (type(x), x) for x in args)
"""
TRACED = """
cache = {}
def call(*args):
    key = key_of(args)
    if key not in cache:
        with mg.Graph() as graph:
            inputs = [mg.placeholder(shape=x.shape, dtype=x.dtype)
                      if isinstance(x, np.ndarray) else x for x in args]
            cache[key] = inputs, f(*inputs), mg.Session(graph)
    inputs, output, session = cache[key]
    arrays = {x: a for x, a in zip(inputs, args) if isinstance(a, np.ndarray)}
    return session.run(output, arrays)
return call
"""
BOUNCE = """
h, v = h + v, v - 0.6
return mg.abs(h), mg.where(h < 0, -factor * v, v)
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


NAMES = {"key_of": reference_key_of, "known": {}}  # a dictionary outside of `traced`
SIGNATURES = {"key_of": "args", "traced": "f", "bounce": "h, v, factor"}
WRONG_FUNCTIONS = {
    "key_of": [
        ("    ...", "Make one entry"),
        (changed(KEY, "(type(x), x)", "x"), "no_type"),
        (changed(KEY, "(type(x), x)", "type(x)"), "no_value"),
        (changed(KEY, "(x.shape, x.dtype)", "x.shape"), "no_dtype"),
        (changed(KEY, "(x.shape, x.dtype)", "x.dtype"), "no_shape"),
        ("return tuple(type(x) for x in args)", "Two calls need"),
        (
            "return tuple(x.shape if isinstance(x, np.ndarray) else x for x in args)",
            "Two calls need",
        ),
        (changed(KEY, "return tuple", "return frozenset"), "without_order"),
        (changed(KEY, "args)", "sorted(args, key=str))"), "without_order"),
        (changed(KEY, "tuple(", "hash(tuple(") + ")", "by_hash"),
        (changed(KEY, "(type(x), x)", "(type(x), hash(x))"), "by_hash"),
        (changed(KEY, "(type(x), x)", "id(x)"), "Two calls need"),
        (changed(KEY, "(type(x), x)", "(type(x), id(x))"), "Two calls need"),
        (changed(KEY, "(x.shape, x.dtype)", "(len(x), x.dtype)"), "A key has to be hashable"),
        (changed(KEY, "(x.shape, x.dtype)", "(x.shape, x.dtype, x.tobytes())"), "with_values"),
        (changed(KEY, "(x.shape, x.dtype)", "(x.ndim, x.dtype)"), "Two calls need"),
        (changed(KEY, "(x.shape, x.dtype)", "(x.size, x.dtype)"), "Two calls need"),
        (changed(KEY, "(x.shape, x.dtype)", "id(x)"), "Two calls need"),
        ("return args", "A key has to be hashable"),
        (changed(KEY, "tuple(", "list("), "A key has to be hashable"),
        ("return tuple((x.shape, x.dtype) for x in args)", "Numbers have no shape"),
        ("return tuple((np.shape(x), np.asarray(x).dtype) for x in args)", "Two calls need"),
        ("return 0", "Two calls need"),
        ("return str(args)", "with_values"),
        (changed(KEY, "return tuple", "tuple"), "Does it end with return"),
    ],
    "traced": [
        ("    ...", "Make an empty dictionary"),
        ("return f", "no_graph"),
        (changed(TRACED, "if key not in cache:", "if True:"), "never_kept"),
        (
            changed(TRACED, "cache = {}\ndef call(*args):", "def call(*args):\n    cache = {}"),
            "never_kept",
        ),
        (
            changed(TRACED, "if isinstance(x, np.ndarray) else x for x in", "for x in"),
            "Python numbers have no shape",
        ),
        (changed(TRACED, "key_of(args)", "f"), "The graph does not fit"),
        (changed(TRACED, "key_of(args)", "len(args)"), "The graph does not fit"),
        (
            changed(
                TRACED, "key_of(args)", "key_of(args), tuple(np.asarray(x).tobytes() for x in args)"
            ),
            "traced_by_values",
        ),
        (
            """
            results = {}
            def call(*args):
                key = key_of(args)
                if key not in results:
                    results[key] = f(*args)
                return results[key]
            return call
            """,
            "remembers_results",
        ),
        (
            changed(
                changed(TRACED, "mg.Session(graph)\n", "mg.Session(graph), args\n"),
                "inputs, output, session = cache[key]",
                "inputs, output, session, args = cache[key]",
            ),
            "old_arguments",
        ),
        (
            """
            results = {}
            def call(*args):
                key = key_of(args)
                if key not in results:
                    with mg.Graph() as graph:
                        inputs = [mg.placeholder(shape=x.shape, dtype=x.dtype)
                                  if isinstance(x, np.ndarray) else x for x in args]
                        output = f(*inputs)
                    feeds = {x: a for x, a in zip(inputs, args) if isinstance(a, np.ndarray)}
                    results[key] = mg.Session(graph).run(output, feeds)
                return results[key]
            return call
            """,
            "old_arguments",
        ),
        (
            changed(
                TRACED,
                "key_of(args)",
                "tuple((x.shape, x.dtype) if isinstance(x, np.ndarray) else x for x in args)",
            ),
            "typeless",
        ),
        (
            changed(
                TRACED,
                "key_of(args)",
                "tuple(x.shape if isinstance(x, np.ndarray) else x for x in args)",
            ),
            "The graph does not fit",
        ),
        (changed(TRACED, ", dtype=x.dtype", ""), "without_dtype"),
        (changed(TRACED, "return session", "f(*args); return session"), "For a new key"),
        (changed(TRACED, "cache = {}", "cache = known"), "For a new key"),
        (changed(TRACED, "return call", "return call()"), "`traced` ends with"),
        (changed(TRACED, "return call", "call"), "Does it end with return"),
        (changed(TRACED, "return session.run", "session.run"), "`traced` ends with"),
        (changed(TRACED, "def call(*args)", "def call(args)"), "`traced` ends with"),
        (
            changed(TRACED, "            cache[key] =", "            cache[0] ="),
            "Store the new entry",
        ),
        (changed(TRACED, ", arrays)", ")"), "The graph does not fit"),
        (changed(TRACED, "mg.Session(graph)", "mg.Session(mg.Graph())"), "The graph does not fit"),
        (
            changed(
                TRACED,
                "if isinstance(x, np.ndarray) else x for x in args",
                "for x in map(np.array, args)",
            ),
            "The graph does not fit",
        ),
        (
            changed(TRACED, "key_of(args)", "key_of(args); args = [*map(np.array, args)]"),
            "Call f inside",
        ),
        (changed(TRACED, " if isinstance(a, np.ndarray)}", "}"), "The graph does not fit"),
        (changed(TRACED, "shape=x.shape, dtype=x.dtype", ""), "The graph does not fit"),
        (changed(TRACED, "key_of(args)", "key_for(args)"), "`key_of` is your function"),
        (changed(TRACED, "return session.run(output, arrays)", "return output"), "For a new key"),
    ],
    "bounce": [
        ("    ...", "Choose between"),
        (
            """
            h, v = h + v, v - 0.6
            if h < 0:
                h, v = -h, -factor * v
            return h, v
            """,
            "During the trace h and factor",
        ),
        (changed(BOUNCE, "-factor", "-0.8"), "frozen_bounce"),
        (changed(BOUNCE, "mg.where(h < 0, -factor * v, v)", "-factor * v"), "always_bounces"),
        (changed(BOUNCE, "-factor", "factor"), "bounces_up"),
        (changed(BOUNCE, "h, v = h + v,", "h, v = mg.abs(h + v),"), "tests_after"),
        (
            """
            moved, slower = h + v, v - 0.6
            return mg.abs(moved), mg.where(h < 0, -factor * slower, slower)
            """,
            "tests_after",
        ),
        (changed(BOUNCE, "mg.abs(h),", "h,"), "below_ground"),
        (changed(BOUNCE, "-factor * v, v)", "v, -factor * v)"), "exchanged"),
        (changed(BOUNCE, "h < 0", "h > 0"), "Move the ball first"),
        (changed(BOUNCE, "h < 0", "h <= 0"), "at_zero"),
        (changed(BOUNCE, "-factor", "-float(factor)"), "During the trace h and factor"),
        (changed(BOUNCE, "-factor", '-settings["bounce"]'), "Everything that varies"),
        (changed(BOUNCE, "-factor", "-factor.item()"), "During the trace h and factor"),
        (changed(BOUNCE, "mg.abs(h), ", ""), "Return two values"),
        (changed(BOUNCE, "h, v = h + v, v - 0.6", "v = v - 0.6; h = h + v"), "Move the ball first"),
        (changed(BOUNCE, "return", "x ="), "Does it end with return"),
        (changed(BOUNCE, "h < 0", "h + v < 0"), "Move the ball first"),
    ],
}
RIGHT_FUNCTIONS = {
    "key_of": [
        KEY,
        """
        key = []
        for x in args:
            if isinstance(x, np.ndarray):
                key.append(("array", x.shape, str(x.dtype)))
            else:
                key.append((type(x).__name__, x))
        return tuple(key)
        """,
        """
        return str([(x.shape, x.dtype) if hasattr(x, "shape") else x for x in args])
        """,
    ],
    "traced": [
        TRACED,
        """
        traces = dict()
        def call(*args):
            k = key_of(args)
            if k in traces:
                session, output, places = traces[k]
            else:
                graph = mg.Graph()
                places = []
                with graph:
                    for a in args:
                        if type(a) is np.ndarray:
                            places.append(mg.placeholder(shape=a.shape, dtype=a.dtype))
                        else:
                            places.append(a)
                    output = f(*places)
                session = mg.Session(graph)
                traces[k] = session, output, places
            feeds = {}
            for place, a in zip(places, args):
                if isinstance(a, np.ndarray):
                    feeds[place] = a
            return session.run(output, feeds)
        return call
        """,
        """
        class Traced:
            def __init__(self):
                self.known = {}
            def __call__(self, *args):
                if key_of(args) not in self.known:
                    self.known[key_of(args)] = self.trace(args)
                run = self.known[key_of(args)]
                return run([x for x in args if isinstance(x, np.ndarray)])
            def trace(self, args):
                with mg.Graph() as graph:
                    nodes = [mg.placeholder(f"x{i}", x.shape, x.dtype)
                             if isinstance(x, np.ndarray) else x for i, x in enumerate(args)]
                    y = f(*nodes)
                session, places = mg.Session(graph), [n for n in nodes if isinstance(n, mg.Node)]
                return lambda arrays: session.run(y, dict(zip(places, arrays)))
        return Traced()
        """,
    ],
    "bounce": [
        BOUNCE,
        """
        h, v = h + v, v - 0.6
        return mg.cond(h < 0, lambda: (-h, -factor * v), lambda: (h, v))
        """,
        """
        h, v = h + v, v - 0.6
        return np.abs(h), mg.where(mg.any(h < 0), -factor * v, v)
        """,
        """
        new_h = h + v
        below = new_h < 0
        v = v - 0.6
        return mg.where(below, -new_h, new_h), v * mg.where(below, -factor, 1.0)
        """,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with one number"),
        (5, "That is the number of calls"),
        (2, "One pair of keys"),
        (4, "The numbers of an array"),
        (1, "The shape of an array"),
        (7, "Write down the key"),
    ],
}
RIGHT_VALUES = {"exit": [3, 3.0, "3"]}
PREDICTIONS = {
    "moon": ([..., 0.6, "no"], -0.6),
    "winds": ([..., 2, "none"], 1),
    "graphs": ([..., 2, "many"], 3),
    "lazy": ([..., 2, "all"], 3),
}
