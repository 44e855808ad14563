"""The table of steps: how each is drawn at random, under the tag by which it is counted."""

import numpy as np

FLOATS = ("float64", "float32", "float16")


class Unfit(Exception):
    """Among the values so far there is none that this step could take."""


TABLE = []  # (tag, weight, function of a Draw)


def row(tag, weight=1):
    """Puts a function that draws (text, args) or (text, args, naive text) into the table."""

    def put(f):
        TABLE.append((tag, weight, f))
        return f

    return put


# elementwise -------------------------------------------------------------------------------------

SMOOTH = [
    "mg.exp({0})",
    "mg.sin({0})",
    "mg.cos({0})",
    "mg.tanh({0})",
    "mg.sigmoid({0})",
    "mg.softsign({0})",
    "mg.softplus({0})",
    "mg.log({0})",
    "mg.sqrt({0})",
    "np.exp({0})",
    "np.tanh({0})",
    "mg.expm1({0})",
    "mg.log1p({0})",
    "mg.square({0})",
    "mg.square({0})",
]
NUMBERS = [
    "{0} * 2",
    "{0} + 1",
    "1 - {0}",
    "{0} / 4",
    "2 / {0}",
    "{0} * 1",
    "{0} * -1",
    "{0} - 0",
    "0.5 * {0}",
    "{0} + 0.0",
    "{0} / 3",
    "0 - {0}",
    "1.5 - {0}",
    "{0} * 0.0",
    "-1 * {0}",
    "{0} * -0.0",
    "{0} + -0.0",
    "{0} / 1",
    "{0} / -1",
    "-1 - {0}",
]
POWERS = [
    "{0} ** 2",
    "{0} ** 3",
    "{0} ** 1",
    "{0} ** 0.5",
    "{0} ** -1.0",
    "2.0 ** {0}",
    "{0} ** 0",
    "{0} ** 2.5",
    "{0} ** 4",
    "{0} ** 2.0",
    "{0} ** 1.0",
]
KINKS = [
    "mg.relu({0})",
    "mg.abs({0})",
    "mg.clip({0}, -0.5, 1.0)",
    "mg.clip({0}, -0.0, 1)",
    "mg.clip({0}, 0.0, 1)",
    "mg.maximum({0}, 0.0)",
    "mg.minimum({0}, 0.5)",
    "abs({0})",
    "mg.maximum({0}, {0})",
    "-mg.relu({0})",
    "1 - mg.relu({0})",
    "mg.clip({0}, 0, 2)",
]
STEPS = [
    "mg.sign({0})",
    "mg.floor({0})",
    "mg.round({0})",
    "{0} // 2",
    "{0} % 2",
    "{0} % -1.5",
    "mg.remainder({0}, 0.7)",
    "mg.floor_divide({0}, 0.7)",
]


@row("smooth", 6)
def smooth(d):
    return d.choice(SMOOTH), [d.value("f" if d.rarely() else "f" * 9 + "iu")]


UNCHANGED = ["{0} * 1", "{0} - 0", "{0} / 1", "{0} ** 1", "-(-{0})"]  # before what rounds


@row("number", 3)
def number(d):
    if d.rarely():
        return rounded(d, d.value("f"))
    return d.choice(NUMBERS), [d.value("fffffiu")]


def rounded(d, x):
    """A step that changes no entry, and one that rounds."""
    name = d.choice(["exp", "sin", "cos", "tanh", "sigmoid", "softplus"])
    return "mg.%s(%s)" % (name, d.choice(UNCHANGED)), [x]


@row("number")
def one_number(d):
    """What is computed of a variable of one number, which is kept as that until it is read."""
    d.need(len(d.inputs) < 5 and not d.depth)
    return rounded(d, d.new("variable", d.choice([(3,), (2, 3), (12,)]), layout="repeated"))


ALGEBRA = [  # what the rules of simplification are about, and what looks like it
    "{0} - (-{1})",
    "{0} + (-{1})",
    "-{0} + {1}",
    "(-{0}) * (-{1})",
    "(-{0}) / (-{1})",
    "-(-{0})",
    "abs(-{0})",
    "mg.relu(mg.relu({0}))",
    "mg.maximum({0}, {0})",
    "mg.minimum({0}, {0})",
    "0 + {0}",
    "{0} + 0",
    "{0} * 0",
    "0 * {0}",
    "{0} - {0}",
    "{0} / {0}",
    "{0} / 0",
    "-({0} - {1})",
    "mg.log(mg.exp({0}))",
    "{0} * {1} + {0} * {1}",
    "{0} * {1} - {1} * {0}",
    "{0} ** -1 * {0}",
    "mg.sum({0}, axis=())",
    "mg.transpose(mg.transpose({0}))",
    "mg.full_like({0}, 2.5) * {0}",
    "{0} - mg.ones_like({0})",
    "{0} + mg.zeros_like({0})",
    "-1 - {0}",
]


@row("algebra", 3)
def algebra(d):
    x, y = d.pair("ffffffi")
    if d.rarely() or d.rarely():
        alike = d.all(
            lambda v: (
                d.broadcasts(v, d.values[x])
                and d.broadcasts(v, d.values[y])
                and v.dtype == d.values[x].dtype
            )
        )
        return d.choice(["{0} * {2} + {1} * {2}", "{2} * {0} + {2} * {1}"]), [x, y, d.choice(alike)]
    text = "{0} / 0" if d.special and d.rarely() else d.choice(ALGEBRA)
    d.need("** -1" not in text or d.values[x].dtype.kind == "f")  # NumPy takes no integers, or none
    return text, [x, y]


@row("algebra", 2)
def several(d):
    """Several of these terms side by side, so that few programs hold all of them."""
    x, y = d.value("f"), d.value("f")
    d.need(d.values[x].shape == d.values[y].shape and d.values[x].dtype == d.values[y].dtype)
    d.need(8 * d.values[x].size <= d.entries)
    terms = [ALGEBRA[i] for i in d.rng.permutation(len(ALGEBRA))[:8]]
    d.need(d.special or "{0} / 0" not in terms)
    return "mg.stack([%s])" % ", ".join(terms), [x, y]


BESIDE = [  # numbers next to those of the rules, each in a part of its own
    "mg.stack([{0} * 2, 2 * {0}, {0} / 2, {0} - 1, {0} + -1, {0} * -2, -2 * {0}, 1 + {0}])",
    "mg.stack([{0} - -1, {0} + 1, -1 + {0}, -1 - {0}, 1 - {0}, {0} ** 3, {0} ** 0, {0} * 1])",
    "mg.stack([0 - {0}, 0 + {0}, {0} + 0, 0 * {0}, {0} * 0, {0} - 0, 1 * {0}, {0} / 1])",
    "mg.where({0} / 0 > 0, {0}, {0} * 0.5)",
]


@row("algebra")
def beside(d):
    return d.choice(BESIDE), [d.value("f")]


@row("neg")
def neg(d):
    return "-{0}", [d.value("fffiu")]


@row("power", 2)
def power(d):
    if d.often():
        return d.choice(POWERS), [d.value("f")]
    x, y = d.pair("f")
    return d.choice(["{0} ** {1}", "{0} ** {1}", "mg.relu({0}) ** (2 + {1} * {1})"]), [x, y]


@row("kink", 5)
def kink(d):
    return d.choice(KINKS), [d.value("fffffffiu")]


@row("step")
def step(d):
    return d.choice(STEPS), [d.value("f")]


@row("step")
def step_of_two(d):
    return d.choice(["{0} % {1}", "{0} // {1}", "mg.remainder({0}, 2 + {1} * {1})"]), d.pair("f")


@row("binary", 7)
def binary(d):
    x, y = d.pair("fffffffiub", d.often())
    both = d.values[x].dtype.kind + d.values[y].dtype.kind
    texts = ["{0} + {1}", "{0} * {1}", "{0} / {1}"] + ["{0} - {1}"] * (both != "bb")
    return d.choice(texts), [x, y]


@row("kink2", 2)
def kink_of_two(d):
    return d.choice(["mg.maximum({0}, {1})", "mg.minimum({0}, {1})"]), d.pair("fffffi")


@row("where", 4)
def where(d):
    x, y = d.pair("ffffffi", d.often())
    if d.rarely():  # what is not 0 counts as true
        numbers = d.all(lambda v: v.dtype.kind in "iu" and d.broadcasts(v, d.values[x]))
        return "mg.where({0}, {1}, {2})", [d.choice(numbers), x, y]
    conditions = d.all(lambda v: v.dtype == bool and d.broadcasts(v, d.values[x]))
    if conditions and d.often():
        return "mg.where({0}, {1}, {2})", [d.choice(conditions), x, y]
    return d.choice(
        [
            "mg.where({0} > 0, {0}, {1})",
            "mg.where({0} > {1}, {0} * {1}, {1})",
            "mg.where({0} < 0.5, 0.0, {1})",
            "mg.where({0} // 1, {0}, {1})",
        ]
    ), [x, y]


@row("leaves", 3)
def leaves(d):
    """Two inputs that only this step reads: what a derivative gives them is the same array."""
    d.need(len(d.inputs) < 5 and not d.depth)
    shape = d.choice([v.shape for v in d.values.values() if v.size < 100])
    x = d.new(d.choice(["fed", "variable"]), shape)
    y = d.new(d.choice(["fed", "variable"]), shape, "float32" if d.rarely() else "float64")
    return d.choice(["{0} + {1}", "{0} + {1}", "{0} - {1}", "{0} + {1} * 1"]), [x, y]


VIEWS = ["mg.reshape({0}, %r)", "mg.reshape({0}, (-1,))", "{0}.T", "{0}[::-1]", "{0}[..., None]"]


@row("leaves", 2)
def leaf_seen(d):
    """An input that only this step reads, as a view: the derivative ends in a view, too."""
    d.need(len(d.inputs) < 5 and not d.depth)
    x = d.new(d.choice(["fed", "variable"]), d.choice([(3, 2), (4,), (2, 3, 2)]))
    view = d.choice(VIEWS)
    return "mg.sin(%s)" % (view % (d.values[x].size,) if "%r" in view else view), [x]


@row("driven", 2)
def driven(d):
    """A variable's product, whose derivative reads the variable, and by which it is updated."""
    variables = [x for x in d.inputs if x.role == "variable" and x.id not in d.hidden]
    d.need(variables and not d.depth)
    v = d.choice(variables)
    alike = d.all(lambda w: w.shape == v.data.shape and w.dtype.name == v.data.dtype == "float64")
    return d.choice(["mg.tanh({0} * {1})", "mg.sin({0} * {1}) * {0}", "mg.exp(-{0}) * {1}"]), [
        v.id,
        d.choice(alike),
    ]


@row("caller")
def caller(d):
    """What is computed of a value and an array of the caller's, rarely of another dtype."""
    x = d.value("f")
    d.need(x not in d.raw and len(d.inputs) < 6 and not d.depth)
    dtype = d.choice(FLOATS[:2]) if d.rarely() else d.values[x].dtype.name
    y = d.new("array", d.values[x].shape, dtype)
    return d.choice(
        ["{0} * {1}", "{0} * {1}", "{1} * {0}", "{0} - {1}", "{0} / {1}", "mg.maximum({0}, {1})"]
    ), [x, y]


@row("compare")
def compare(d):
    texts = [
        "{0} > {1}",
        "{0} < {1}",
        "{0} >= {1}",
        "{0} <= {1}",
        "{0} == {1}",
        "{0} != {1}",
        "{0} > 0",
        "0.5 > {0}",
        "({0} > {1}) * {0}",
        "({0} > 0) * -1",
        "({0} <= 0) * 1.5",
    ]
    return d.choice(texts), d.pair("fffffi")


TWINS = [  # what differs in little, and must not be taken for one
    "mg.stack([mg.clip({0}, -0.0, 1), mg.clip({0}, 0.0, 1)])",
    "mg.stack([mg.clip({0}, 0.0, 1), mg.clip({0}, -0.0, 1)])",
    "mg.stack([{0} ** 2, {0} ** 2.0])",
    "mg.stack([{0} * 0.0, {0} * -0.0])",
    "mg.stack([{0} + 0.0, {0} + -0.0])",
    "mg.stack([{0} - {1}, {1} - {0}])",
    "mg.stack([{0} > {1}, {1} > {0}])",
    "mg.softmax({0}, axis=0) * mg.softmax({0}, axis=-1)",
    "mg.sum({0}, axis=0, keepdims=True) * mg.sum({0}, axis=-1, keepdims=True)",
    "mg.maximum({0}, {1}) - mg.maximum({1}, {0})",
    "{0}[:1] + {0}[-1:]",
    "mg.random_normal({0}.shape, 1, 2) * {0} - mg.random_normal({0}.shape, 2, 1) * {0}",
    "mg.stack([mg.clip({0}, 0, 1), mg.clip({0}, -1, 1), mg.clip({0}, 0, 2), mg.clip({0}, -1, 0)])",
    "mg.stack([{0} * np.array(1), {0} * np.array(5e-324)])",  # of the same bytes
    "mg.stack([{0} * np.array(0.0), {0} * np.array(-0.0)])",
    "{0} * np.zeros(1) + np.ones((1, 1)) * {1} - np.ones(1) * {0} + np.zeros((1, 1))",
    "mg.stack([mg.round({0} * 8), mg.round({0} * 8, 1), mg.round({0}, -1)])",
    "mg.stack([mg.cumsum({0}, axis=0), mg.cumsum({0}, axis=-1)])",
    "mg.stack([mg.flip({0}, 0), mg.flip({0}, -1), mg.flip({0})])",
    "mg.sum({0}, axis=0) * mg.mean({0}, axis=0) - mg.max({0}, axis=0) * mg.min({0}, axis=0)",
    "mg.sum({0}[0:1]) - mg.sum({0}[0:2]) * mg.sum({0}[-1:]) + mg.sum({0}[0:1] * {0}[0])",
]


@row("twins", 3)
def twins(d):
    text, (x, y) = d.choice(TWINS), d.pair("f")
    d.need(d.values[x].ndim and d.values[x].shape == d.values[y].shape and all(d.values[x].shape))
    if d.values[x].ndim == 2 and d.rarely():
        labels = [int(k) for k in d.rng.integers(0, d.values[x].shape[1], len(d.values[x]))]
        return "mg.softmax({0}, axis=0) * mg.cross_entropy({0}, np.array(%r))" % labels, [x]
    return text, [x, y]


TUNED = (  # an op from outside with a parameter of its own, such as no key of a dict can hold
    "(lambda op: mg.core.op.bind(op, {0}, by=BY) * 2 - mg.core.op.bind(op, {0}, by=OTHER))"
    "(type('Tuned', (mg.core.op.Op,), {{'infer': lambda x, *, by: x, "
    "'compute': lambda x, *, by: x * by[0] + by[1], "
    "'jvp': (lambda x, z, x_dot, *, by: x_dot * by[0],), "
    "'vjp': (lambda x, z, z_bar, *, by: z_bar * by[0],)}}))"
)
PAIRS = [  # of parameters, and their numbers: near each other, equal or not
    ("[2.0, 0.5]", "[2.0, 0.5]", (2.0, 0.5), (2.0, 0.5)),
    ("[2.0, 0.5]", "[2.0, -0.5]", (2.0, 0.5), (2.0, -0.5)),
    ("[2, 1]", "(2, 1.0)", (2, 1), (2, 1)),
    ("(1, 0.0)", "(True, -0.0)", (1, 0), (1, 0)),
    ("(1, 2)", "(2, 1)", (1, 2), (2, 1)),
    ("np.array([1.0, 3.0])", "np.array([3.0, 1.0])", (1, 3), (3, 1)),
    ("{{0: 1.5, 1: 2}}", "{{1: 1.5, 0: 2}}", (1.5, 2), (2, 1.5)),
]


@row("custom")
def tuned(d):
    by, other, (a, b), (p, q) = d.choice(PAIRS)
    naive = "({0} * %r + %r) * 2 - ({0} * %r + %r)" % (a, b, p, q)
    return TUNED.replace("BY", by).replace("OTHER", other), [d.value("f", dtype="float64")], naive


@row("logic", 2)
def logic(d):
    x = d.value("fffib")
    if d.values[x].dtype.kind == "f" and d.often():
        return "mg.%s({0})" % d.choice(["isnan", "isinf", "isfinite"]), [x]
    if d.often():
        return "mg.%s({0} > 0, {1} > 0)" % d.choice(
            ["logical_and", "logical_or", "logical_xor"]
        ), d.pair("f")
    if d.often():
        return d.choice(["mg.logical_not({0} > 0)", "~({0} > 0)"]), [x]
    if d.often():
        return "({0} > 0) %s ({1} > 0)" % d.choice("&|^"), d.pair("f")
    return "mg.%s({0} > 0, %s)" % (d.choice(["all", "any"]), reduced(d, x)), [x]


@row("masks", 2)
def masks(d):
    """What holds of all or of some entries."""
    x = d.value("ffi")
    mask = "mg.%s({0} > %s, %s)" % (
        d.choice(["all", "any"]),
        d.choice(["0", "-0.5", "0.5"]),
        reduced(d, x),
    )
    return d.choice(
        [
            mask,
            "mg.cast(%s, float)" % mask,
            "{0} * %s" % mask.replace("keepdims=False", "keepdims=True"),
        ]
    ), [x]


@row("product", 3)
def product(d):
    x = d.value("fffffi")
    large = d.values[x].size > 100  # its Hessians have n² entries
    if d.values[x].ndim and (not d.often() or large):
        if d.rarely():
            return "mg.cumsum({0})", [x]
        return "mg.cumsum({0}, axis=%d)" % d.axis(x), [x]
    d.need(d.values[x].size < 1000)  # a second derivative takes the square of that
    return f"mg.prod({{0}}, {reduced(d, x)})", [x]


@row("caller", 3)
def called_by(d):
    """What is picked of a value by an array of the caller's."""
    x = d.value("f", least=1)
    shape = d.values[x].shape
    d.need(x not in d.raw and len(d.inputs) < 6 and not d.depth and len(shape) < 3)
    if len(shape) == 2 and all(shape) and shape[1] > 1 and d.rarely():
        return "mg.cross_entropy({0}, {1})", [x, d.new("array", shape[:1], "int64", "index")]
    d.need(shape[0] > 1)
    if not d.often():
        return "{0}[{1}:] * 2", [x, d.new("array", (), "int64", "index")]
    y = d.new("array", d.choice([(3,), (2, 2), (1,)]), "int64", "index")
    return d.choice(["{0}[{1}]", "{0}[{1}] * 2", "{0}[{1}] * {0}[{1}]", "{0}[1 - {1}]"]), [x, y]


@row("cast", 3)
def cast(d):
    x = d.value("ffffffiub")
    if d.values[x].dtype.kind == "f" and d.often():
        dtype = d.choice(FLOATS)
        stored = {i.id for i in d.inputs if i.role == "variable"}  # itself, if the dtype is its own
        d.need(x not in stored or d.values[x].dtype != dtype)
        if d.rarely() and x not in d.raw and not d.depth:
            return "{0}.astype(np.%s)" % dtype, [x], "mg.cast({0}, np.%s)" % dtype
        return "mg.cast({0}, np.%s)" % dtype, [x]
    d.need(x not in {i.id for i in d.inputs if i.role == "variable"})
    dtype = d.choice(["float64", "float32", "int64", "int8", "uint8", "bool_", "float16", "int16"])
    if d.values[x].dtype.kind == "f" and np.dtype(dtype.rstrip("_")).kind not in "f":
        d.need(np.all(np.abs(d.values[x]) < 100) and (dtype != "uint8" or np.all(d.values[x] >= 0)))
    return "mg.cast({0}, np.%s)" % dtype, [x]


@row("detach", 2)
def detach(d):
    x = d.value("f")
    d.need(x not in d.raw and not d.depth)
    return "{0}.detach()", [x], "mg.detach({0})"


# shapes ------------------------------------------------------------------------------------------


@row("reshape", 5)
def reshape(d):
    x = d.value("ffffib")
    n, shape = d.values[x].size, d.values[x].shape
    choices = [(n,), (-1,), (1, n), (n, 1)] + [(a, n // a) for a in (2, 3, 4) if n and n % a == 0]
    choices += [()] * (n == 1) + [shape[::-1]]
    if d.rarely() and n:
        return "{0}.reshape(-1)", [x]
    return "mg.reshape({0}, %r)" % (d.choice([c for c in choices if n or -1 not in c]),), [x]


@row("turn", 7)
def turn(d):
    x = d.value("ffffib", least=1)
    rank = d.values[x].ndim
    axes = tuple(map(int, d.rng.permutation(rank)))
    return d.choice(
        [
            "mg.transpose({0})",
            "{0}.T",
            "mg.transpose({0}, %r)" % (axes,),
            "mg.flip({0})",
            "mg.flip({0}, %r)" % d.axis(x),
        ]
    ), [x]


@row("axes", 2)
def axes(d):
    x = d.value("ffffib")
    v = d.values[x]
    texts = ["mg.expand_dims({0}, 0)", "mg.expand_dims({0}, -1)", "mg.squeeze({0})"]
    texts.append("mg.ensure_shape({0}, %r)" % (v.shape,))
    if v.ndim < 4:
        texts += ["mg.expand_dims({0}, %s)" % d.choice(["(0, 1)", "(0, -1)", "(1, 0)", "(-1, -2)"])]
    single = tuple(a for a, n in enumerate(v.shape) if n == 1)
    if single:
        texts += [
            "mg.squeeze({0}, %r)" % (single,),
            "mg.squeeze({0}, %r)" % single[-1],
            "mg.squeeze({0}, %r)" % (single[0] - v.ndim),
        ]
    if v.ndim < 4 and v.size < 50:
        texts.append("mg.broadcast_to({0}, %r)" % ((2, *v.shape),))
        if 1 in v.shape:
            texts.append("mg.broadcast_to({0}, %r)" % (tuple(3 if n == 1 else n for n in v.shape),))
    return d.choice(texts), [x]


@row("slice", 7)
def slices(d):
    x = d.value("ffffib", least=1)
    texts = [
        "{0}[::-1]",
        "{0}[1:]",
        "{0}[..., ::2]",
        "{0}[:-1]",
        "{0}[None]",
        "{0}[..., None]",
        "{0}[:2]",
        d.choice(["{0}[np.int64(0) : np.int8(2)]", "{0}[np.int8(-1) :: np.int64(-1)]"]),
        "{0}[..., ::-1]",
    ]
    texts += ["{0}[None, ..., :1]", "{0}[..., None, 1:]"]
    if d.values[x].dtype.kind == "f":  # what NumPy computes from the end, beside such a target
        texts += [
            "mg.exp({0}[::-1]) * 2",
            "mg.expm1({0}[..., ::-1])",
            "mg.log1p(mg.abs({0})[::-1])",
        ]
    texts += ["{0}[:, 1:]", "{0}[1:, ::-1]", "{0}[:, None, :1]"] * (d.values[x].ndim > 1)
    return d.choice(texts), [x]


@row("pick", 7)
def pick(d):
    x = d.value("ffffib", least=1)
    shape = d.values[x].shape
    d.need(all(shape))
    places = [int(d.rng.integers(-n, n)) for n in shape]
    texts = [
        "{0}[%d]" % places[0],
        "{0}[..., %d]" % places[-1],
        "{0}[%s]" % ", ".join(map(str, places)),
    ]
    if len(shape) > 1:
        texts += [
            "{0}[%d][%d]" % tuple(places[:2]),
            "{0}[:, %d]" % places[1],
            "{0}[%d, :1]" % places[0],
        ]
    return d.choice(texts), [x]


@row("gather", 6)
def gather(d):
    x = d.value("ffffi", least=1)
    shape = d.values[x].shape
    d.need(all(shape))
    n = shape[0]
    places = [int(i) for i in d.rng.integers(-n, n, int(d.rng.integers(1, 4)))]
    texts = [
        "{0}[np.array(%r)]" % places,
        "{0}[np.array([%r, %r])]" % (places, places),
        "{0}[np.array(%r)]" % [bool(b) for b in d.rng.integers(0, 2, n)],
    ]
    texts += ["{0}[[]]"] * d.rarely()
    if len(shape) > 1:
        column = [int(i) for i in d.rng.integers(0, shape[1], len(places))]
        texts += [
            "{0}[np.array(%r), np.array(%r)]" % (places, column),
            "{0}[:, np.array(%r)]" % column,
            "{0}[np.array(%r), ::-1]" % places,
        ]
    indices = d.all(
        lambda v: v.dtype.kind in "iu" and v.size and -n <= v.min() and v.max() < n and v.size < 20
    )
    if n > 1 and x not in d.raw and not d.depth and d.rarely():
        indices = [d.new(d.choice(["fed", "constant", "array"]), (3,), "int64", "index")]
    if indices and x not in d.raw and not d.depth and d.often():
        return "{0}[{1}]", [x, d.choice(indices)]
    return d.choice(texts), [x]


ARRANGED = [  # what gives entries other places, of values with at least one axis
    "mg.roll({0}, 1)",
    "mg.roll({0}, -2, axis=-1)",
    "mg.sort({0})",
    "mg.sort({0}, axis=0) * {0}",
    "mg.sort({0}, axis=None)",
    "mg.take_along_axis({0}, mg.argsort({0}, axis=-1), -1)",
    "mg.cast(mg.argsort({0}, axis=0), float) * {0}",
    "mg.repeat({0}, 2, axis=0)",
    "mg.repeat({0}, 3)",
    "mg.tile({0}, (2, 1))",
    "mg.take({0}, [0, 0], axis=0)",
    "mg.take({0}, np.array([[0], [-1]]))",
    "mg.atleast_1d(mg.sum({0})) * {0}",
    "mg.atleast_2d({0}) * 2",
    "mg.hstack([{0}, {0}])",
    "mg.vstack([{0}, {0}])",
    "mg.clip({0}, 0, None)",
    "mg.clip({0}, None, 0.5)",
    "mg.one_hot(mg.argmax({0}, axis=-1) % 3, 3) * 2",
]
OF_FEW = ["mg.outer({0}, {0})", "mg.diag(mg.reshape({0}, (-1,)), 1)"]  # entries, since of so many


@row("gather", 3)
def arranged(d):
    x = d.value("ffffi", least=1)
    d.need(all(d.values[x].shape) and x not in d.raw)
    few = OF_FEW * (d.values[x].size < 12) + ["mg.diag({0}, -1)"] * (d.values[x].ndim == 2)
    return d.choice(ARRANGED + few), [x]


@row("kink2")
def both_exponents(d):
    return "mg.logaddexp({0}, {1})", d.pair("f")


@row("join", 5)
def join(d):
    x = d.value("ffffib")
    v = d.values[x]
    alike = d.all(lambda w: w.shape == v.shape and w.dtype.kind == v.dtype.kind)
    y, axis = d.choice(alike), int(d.rng.integers(0, v.ndim + 1))
    texts = ["mg.stack([{0}, {1}], axis=%d)" % axis]
    if v.ndim:
        axis = d.axis(x)
        texts += [
            "mg.concatenate([{0}, {1}], axis=%d)" % axis,
            "mg.concatenate([{0}, {1}, {0}], axis=%d)" % axis,
            "mg.pad({0}, 1)",
            "mg.pad({0}, %r)" % (tuple((i % 2, (i + 1) % 3) for i in range(v.ndim)),),
        ]
    return d.choice(texts), [x, y]


NEUTRAL = [
    "mg.sum({0}.T * 1)",
    "mg.mean(mg.transpose({0}) / 1)",
    "mg.sum(-(-{0}.T), axis=0)",
    "mg.sum(mg.maximum({0}.T, {0}.T))",
    "({0}.T * 1) @ {0}",
    "mg.sum({0}[..., ::-1] ** 1)",
    "mg.sum({0}[::-1] * 1, axis=-1)",
    "mg.sum(mg.transpose({0}) - 0, axis=-1)",
    "mg.sum(mg.reshape({0}.T, {0}.shape) * 1, axis=0)",
    "mg.sum(mg.transpose({0}[None] * 0.5, (0, 2, 1)) * 1)",
    "mg.mean(mg.transpose(mg.sin({0}[None]), (0, 2, 1)) / 1)",
    "{0} - 0.5 * ({0} @ mg.tanh({0}.T @ {0}))",
    "mg.stack([mg.expm1(mg.reshape({0}, (-1,))[i : i + 1][::-1] * 1) for i in range(4)])",
]


@row("neutral", 2)
def neutral(d):
    """Steps that change no entry, but where it lies, before those whose bits depend on that."""
    x = d.value("f", rank=2)
    d.need(d.values[x].size > 3)
    return d.choice(NEUTRAL), [x]


@row("step down", 3)
def step_down(d):
    """A product that is added to an array, as when weights are updated."""
    x = d.value("ffffi", rank=2)
    (n, k), dtype = d.values[x].shape, d.values[x].dtype
    ys = d.all(lambda v: v.ndim == 2 and len(v) == k and v.dtype == dtype)
    y = d.choice(ys) if ys and d.often() else d.new("fed", (k, 2), dtype.name)
    if d.rarely() or d.rarely():  # not of two matrices, or with more than a number
        return product_unlike(d, x, y)
    m = d.values[y].shape[1]
    sums = d.all(lambda v: v.shape == (n, m) and v.dtype == dtype)
    if not d.often():
        sums += d.all(lambda v: d.broadcasts(v, np.empty((n, m))) and v.dtype == dtype)
    w = d.choice(sums) if sums else d.new(d.choice(["fed", "variable"]), (n, m), dtype.name)
    if dtype.kind == "i":
        return d.choice(["{2} - 2 * ({0} @ {1})", "{2} + ({0} @ {1}) * 3"]), [x, y, w]
    unlike = [text for text in UNLIKE if "axis" not in text or d.values[w].ndim]
    return d.choice(
        [
            "{2} - 0.1 * ({0} @ {1})",
            "{2} + ({0} @ {1}) * 0.5",
            "{2} - {0} @ {1} / 4",
            "(lambda s: {2} - s + s * s)(0.1 * ({0} @ {1}))",
            "{2} + 0.5 * ({0} @ {1})",
            "(lambda p: {2} - 0.1 * p + p)({0} @ {1})",
            "{2} + ({0} @ {1}) / 3",
            *(d.choice(unlike) for _ in range(4)),
            "{2} - ({0} @ {1} + 0.5)",
            "{2} + ({0} @ {1} - 0.25)",
        ]
    ), [x, y, w]


UNLIKE = [  # a product that is added to what has not its form
    "{2}[0] + 0.5 * ({0} @ {1})",
    "{2}[:1] - ({0} @ {1}) * 0.5",
    "mg.sum({2}) - 0.1 * ({0} @ {1})",
    "mg.sum({2}, axis=-1, keepdims=True) + 2 * ({0} @ {1})",
    "mg.cast({2}, np.float32) + 0.5 * ({0} @ {1})",
    "mg.stack([{2}, {2}]) - 0.5 * ({0} @ {1})",
]


@row("square")
def square(d):
    """A product added to a matrix, of factors of its shape that nothing else reads."""
    squares = d.all(
        lambda v: v.dtype.kind == "f" and v.ndim == 2 and len({*v.shape}) == 1 and len(v) > 1
    )
    x = d.choice(squares) if squares and d.often() else d.new("fed", (3, 3))
    shape, dtype = d.values[x].shape, d.values[x].dtype
    y, w = (d.choice(d.all(lambda v: v.shape == shape and v.dtype == dtype)) for _ in "yw")
    return d.choice(
        [
            "mg.sin({2}) + 0.5 * (mg.tanh({0}) @ mg.cos({1}))",
            "(lambda w: (w + 0.5 * (mg.tanh({0}) @ mg.cos({1}))) * w)(mg.sin({2}))",
            "(lambda w: (w - 0.5 * (mg.cos({0}) @ mg.sin({1}))) * w)(mg.tanh({2}))",
        ]
    ), [x, y, w]


@row("square")
def turned(d):
    """A matrix times what is the same turned round: each computed, or both one in memory."""
    wide = d.all(lambda v: v.ndim == 2 and v.dtype == float and len(v) > 4 and v.shape[1] > 7)
    x = d.choice(wide) if wide and d.often() else d.new("fed", d.choice(TURNED))
    return d.choice(
        [
            "mg.tanh({0}) @ mg.tanh({0}).T",
            "({0} * 2) @ mg.transpose({0} * 2)",
            "mg.sin({0}).T @ mg.sin({0})",
            "(-{0}) @ mg.transpose(-{0})",
            "(lambda a, b: a.T @ b - mg.sum(a) * b.T @ a)({0} + 0.5, 0.5 + {0})",
            "mg.einsum('ij,kj->ik', mg.cos({0}), mg.cos({0}))",
            "mg.stack([{0}, {0}])[0] @ mg.stack([{0}, {0}])[0].T",
            "mg.exp({0})[:5] @ mg.transpose(mg.exp({0})[:5])",
        ]
    ), [x]


TURNED = [(5, 8), (9, 10), (11, 9), (8, 9)]  # from which on BLAS has another way for such a product


def product_unlike(d, x, y):
    """What looks like a step down: a product of one vector or many matrices, or no plain number."""
    (n, k), (_, m), dtype = d.values[x].shape, d.values[y].shape, d.values[x].dtype.name
    other, shape = d.choice([((k,), (n,)), ((2, k, m), (2, n, m)), (None, (n, m))])
    y = d.new("fed", other, dtype) if other else y
    w = d.new(d.choice(["fed", "variable"]), shape, dtype)
    if not other:
        return d.choice(["{2} + ({0} @ {1}) * {2}", "{2} - {2} * ({0} @ {1})"]), [x, y, w]
    if len(other) == 3 and d.often():
        return "{2} - 0.1 * (mg.stack([{0}, {0}]) @ {1})", [x, y, w]
    return d.choice(["{2} - 0.1 * ({0} @ {1})", "{2} + ({0} @ {1}) * 0.5"]), [x, y, w]


@row("single")
def single(d):
    """Products of single rows and columns, of numbers among which are zeros."""
    x, y = d.value("f"), d.value("f")
    d.need(d.values[x].dtype == d.values[y].dtype and d.values[x].size * d.values[y].size < 200)
    return d.choice(
        [
            "mg.reshape({0}, (-1, 1)) @ mg.relu(mg.reshape({1}, (1, -1)))",
            "mg.relu(mg.reshape({0}, (-1, 1))) @ mg.reshape({1}, (1, -1))",
            "mg.reshape({0}, (1, -1)) @ mg.relu(mg.reshape({0}, (-1, 1)))",
        ]
    ), [x, y]


# many to one -------------------------------------------------------------------------------------


def reduced(d, x):
    """Parameters of a reduction."""
    axis = (
        d.choice(
            [None, d.axis(x), d.axis(x) - d.values[x].ndim, tuple(range(d.values[x].ndim))[:2]]
        )
        if d.values[x].ndim
        else None
    )
    return "axis=%r, keepdims=%r" % (axis, bool(d.rng.integers(2)))


def nearly_level(v):
    """True where entries along some axis differ by a rounding alone, at which a root is steep."""
    around = [None, *range(v.ndim), tuple(range(v.ndim))[:2]]
    with np.errstate(all="ignore"):
        return any(np.any((s > 0) & (s < 1e-9)) for s in (np.std(v, axis=a) for a in around))


@row("reduce", 7)
def reduce(d):
    x = d.value("ffffffiub")
    name = d.choice(["sum", "sum", "sum", "mean", "mean", "var", "std"])
    d.need(name == "sum" or all(d.values[x].shape))
    d.need(name not in ("var", "std") or d.values[x].dtype.kind != "b")
    d.need(name != "std" or not nearly_level(d.values[x]))
    if d.rarely():
        names = ["sum", "mean", "max", "min"] if all(d.values[x].shape) else ["sum"]
        return "{0}.%s()" % d.choice(names), [x]
    if (
        name in ("var", "std")
        and d.values[x].dtype == np.float64
        and d.values[x].size > 1
        and (d.rarely() or d.rarely())
    ):
        return (
            "mg.%s({0}, ddof=1)" % name,
            [x],
            "mg.%s({0}) * %r"
            % (name, (d.values[x].size / (d.values[x].size - 1)) ** (1 if name == "var" else 0.5)),
        )
    return f"mg.{name}({{0}}, {reduced(d, x)})", [x]


@row("extreme", 6)
def extreme(d):
    x = d.value("ffffi")
    d.need(all(d.values[x].shape))
    if d.values[x].ndim and (d.rarely() or d.rarely()):
        axis = d.choice([None, -1, d.axis(x), d.axis(x) - d.values[x].ndim])
        name = d.choice(["argmax", "argmin"])
        text = "mg.%s({0}, axis=%s)" % (name, axis)
        return ("mg.%s({0})" % name, [x], text) if axis == -1 else (text, [x])
    return f"mg.{d.choice(['max', 'min'])}({{0}}, {reduced(d, x)})", [x]


def wide(d):
    """An operand, rarely with entries whose exponentials overflow."""
    return "{0} * 400.0" if d.rarely() else "{0}"


@row("logsumexp", 7)
def logsumexp(d):
    x = d.value("ffffffiu")
    d.need(all(d.values[x].shape))
    return f"mg.logsumexp({wide(d)}, {reduced(d, x)})", [x]


@row("softmax", 6)
def softmax(d):
    x = d.value("fffffffiu", least=1)
    d.need(all(d.values[x].shape))
    axis = "" if d.rarely() else f", axis={d.axis(x)}"
    if d.rarely():  # which may share their exponentials
        shared = ["mg.softmax", "mg.log_softmax", "mg.softmax", "mg.logsumexp"]
        pair = [f"{d.choice(shared)}({{0}}{axis or ', axis=-1'})" for _ in range(2)]
        return "mg.sum(%s) - %s" % tuple(pair), [x]
    return f"mg.{d.choice(['softmax', 'log_softmax'])}({wide(d)}{axis})", [x]


@row("loss", 2)
def loss(d):
    x = d.value("fffiu", rank=2)
    n, classes = d.values[x].shape
    d.need(n and classes > 1)
    labels = [int(k) for k in d.rng.integers(0, classes, n)]
    text = "mg.cross_entropy(%s, np.array(%r))" % (wide(d), labels)
    if d.often():  # exponentials that the two may share, or may not
        text += " * mg.softmax({0}, axis=%d)" % d.axis(x)
    return text, [x]


@row("loss", 3)
def trained_loss(d):
    """A loss of what variables make of a batch: the derivative that training asks for."""
    d.need(not d.depth and len(d.inputs) < 5)
    wide = d.all(lambda v: v.dtype == float and v.ndim == 2 and all(v.shape) and len(v) < 9)
    x = d.choice(wide)
    n, k = d.values[x].shape
    w, layer = d.new("variable", (k, 3)), d.choice(LAYERS)
    if d.rarely():
        return "mg.mse(%s, {2})" % layer, [x, w, d.new("fed", (n, 3))]
    if d.rarely():
        return "mg.cross_entropy(%s, {2})" % layer, [x, w, d.new("array", (n,), "int64", "index")]
    labels = [int(i) for i in d.rng.integers(0, 3, n)]
    return "mg.cross_entropy(%s, np.array(%r))" % (layer, labels), [x, w]


LAYERS = ["{0} @ {1}", "mg.relu({0} @ {1})", "mg.relu({0}) @ {1}", "mg.tanh({0} @ {1}) + {1}[0]"]


@row("loss")
def mean_squares(d):
    x = d.value("ffiu")
    d.need(d.values[x].size)
    return "mg.mse({0}, {1})", [x, d.choice(d.all(lambda v: v.shape == d.values[x].shape))]


# products ----------------------------------------------------------------------------------------


@row("matmul", 5)
def matmul(d):
    x = d.value("ffffffi", least=1)
    kind, n = d.values[x].dtype.kind, d.values[x].shape[-1]
    ys = d.all(
        lambda v: (
            v.ndim
            and v.dtype.kind == kind
            and v.shape[-2 if v.ndim > 1 else 0] == n
            and d.broadcast_shape(v.shape[:-2], d.values[x].shape[:-2]) is not None
        )
    )
    if ys and d.often():
        y = d.choice(ys)
        texts = ["{0} @ {1}", "{0} @ {1}", "mg.matmul({0}, {1})"]
        texts += ["{0}[..., ::-1] @ {1}", "{0} @ mg.sin({1})[..., ::-1]"]
        texts += ["mg.dot({0}, {1})"] * (d.values[x].ndim < 3 and d.values[y].ndim < 3)
        return d.choice(texts), [x, y]
    if d.rarely() and d.values[x].ndim < 3:
        text = d.choice(["mg.dot({0}, 2)", "mg.dot(3, {0})", "mg.dot({0}, 1.0 * mg.sum({0}))"])
        return text, [x], text.replace("mg.dot(", "np.multiply(")
    if d.values[x].ndim == 2:
        return d.choice(["{0} @ {0}.T", "{0}.T @ {0}", "mg.transpose({0}) @ mg.tanh({0})"]), [x]
    return "{0} @ {1}", [x, d.new(d.choice(["array", "fed", "variable"]), (n, 2))]


EINSUMS = {
    1: ["i->", "i,i->", "i,j->ij", "i,j->ji", "j,i"],
    2: ["ij->ji", "ij->i", "ij->", "ij,ij->j", "ij,kj->ik", "ij,kj->ki", "...j,...j->..."],
    3: ["ijk->kij", "ijk->j", "ijk,ijk->ik", "i...->...", "ijk,ljk->il", "kij"],
}
EINSUMS[2] += ["ji", "kj,ij"]  # of a result that is left out the letters are those that stand alone

THREE = {
    1: ["i,i,i->", "i,j,j->i", "i,i,j->j", "i,j,i->ji"],
    2: ["ij,kj,kl->il", "ij,ij,kj->k", "ij,ik,il->jkl", "ij,kj,ij->ik"],
    3: ["ijk,ijk,ljk->il", "ijk,ljk,ijk->l"],
}


@row("einsum", 6)
def einsum(d):
    x = d.value("f", least=1)
    v = d.values[x]
    d.need(v.ndim in EINSUMS and all(v.shape) and (v.ndim > 1 or v.size**2 <= d.entries))
    text = d.choice(EINSUMS[v.ndim] + ["ii->i", "ii"] * (v.ndim == 2 and v.shape[0] == v.shape[-1]))
    if d.rarely() and v.size < 1000:  # the oracle multiplies all lengths of all letters
        return "mg.einsum(%r, {0}, {0}, {0})" % d.choice(THREE[v.ndim]), [x]
    if "," not in text:
        return "mg.einsum(%r, {0})" % text, [x]
    if v.ndim > 1 and d.rarely():  # of which one has axes that the other has not
        text = "mg.einsum(%r, {0}, mg.tanh({0}[0]))"
        return text % d.choice(["...j,...j->...", "...j,...j", "...ij,...j->...i"]), [x]
    if v.ndim == 2 and d.rarely():  # an axis of length 1 stands for any length
        return "mg.einsum(%r, {0}, {0}%s)" % (
            d.choice(["ij,ij->j", "ij,ij->ij", "ij,ij->"]),
            d.choice(["[:1]", "[:, :1]"]),
        ), [x]
    return "mg.einsum(%r, {0}, {1})" % text, [
        x,
        d.choice(d.all(lambda w: w.shape == v.shape and w.dtype.kind == "f")),
    ]


@row("conv", 2)
def conv(d):
    images = d.all(lambda v: v.ndim == 4 and v.dtype.kind == "f" and min(v.shape[2:]) > 1)
    if not images:
        images = [d.new("fed", (1, 2, 4, 3))]
    x = d.choice(images)
    shape = d.values[x].shape
    if d.rarely():
        return "mg.max_pool2d({0}, %s)" % d.choice(["2", "2, 1", "(2, 1)"]), [x]
    if d.rarely() or d.rarely():
        x = d.choice([x, d.value("f", least=2)])
        d.need(min(d.values[x].shape[-2:]) > 1)
        return "mg.windows({0}, (2, 2)%s)" % d.choice(["", ", (1, 2)", ", (2, 1)"]), [x]
    w = d.new(d.choice(["fed", "variable", "array"]), (2, shape[1], 2, 1))
    options = ["", ", stride=2", ", padding=1", ", padding=(0, 1)", ", padding=(2, 0)"]
    return "mg.conv2d({0}, {1}%s)" % d.choice(options), [x, w]


# the rest ----------------------------------------------------------------------------------------


@row("random", 2)
def random(d):
    x, seed = d.value("f"), int(d.rng.integers(5))
    key = d.choice(["", ", key=2"]) if d.keyless and x not in d.raw else ", key=2"
    if d.often():
        return "mg.dropout({0}, 0.4, seed=%d%s)" % (seed, key), [x]
    shape = d.choice(["{0}.shape", d.values[x].shape])
    return "{0} * mg.random_%s(%s, seed=%d%s)" % (
        d.choice(["normal", "uniform"]),
        shape,
        seed,
        key,
    ), [x]


CUSTOM = [
    (
        "mg.custom_op(lambda x: x * x * x, vjp=lambda x, z, z_bar: 3 * x * x * z_bar, "
        "jvp=lambda x, z, x_dot: 3 * x * x * x_dot, name='cubed')({0})",
        "{0} * {0} * {0}",
        1,
    ),
    (
        "mg.custom_op(lambda x, y: x * np.sin(y), vjp=lambda x, y, z, z_bar: (z_bar * mg.sin(y), "
        "z_bar * x * mg.cos(y)), jvp=lambda x, y, z, x_dot, y_dot: x_dot * mg.sin(y) "
        "+ x * mg.cos(y) * y_dot, name='swing')({0}, {1})",
        "{0} * np.sin({1})",
        2,
    ),
    *[
        (
            "(lambda op: mg.core.op.bind(op, {0}, {1}))"
            "(type('Skew', (mg.core.ops.elementwise.Add,), {{"
            "'compute': lambda x, y: x + 3 * y, 'partials': (1, lambda x, y, z: 3), "
            "'commutative': False}}))".replace("{0}, {1}", operands),
            naive,
            2,
        )
        for operands, naive in (
            ("{0}, {1}", "{0} + 3 * {1}"),
            ("mg.sum({0}), mg.sum({1})", "np.sum({0}) + 3 * np.sum({1})"),
        )
    ],
    ("mg.core.op.bind(mg.core.ops.elementwise.Cast, {0}, dtype={0}.dtype) * 2", "{0} * 2", 1),
]


@row("custom")
def custom(d):
    text, naive, count = d.choice(CUSTOM)
    x = d.value("f")
    alike = d.all(lambda v: v.shape == d.values[x].shape and v.dtype == d.values[x].dtype)
    return text, [x, d.choice(alike)][:count], naive


TRACED = [
    ("mg.function(lambda t: mg.tanh(t) * 2)({0})", "np.tanh({0}) * 2"),
    ("mg.function(lambda t: mg.sum(t * t) + t)({0})", "np.sum({0} * {0}) + {0}"),
    (
        "mg.function(lambda t: mg.exp(t[:1])[0] if t.ndim == 1 else mg.sin(t))({0})",
        "np.exp({0}[0]) if {0}.ndim == 1 else np.sin({0})",
    ),
    ("mg.function(type('Thrice', (), {{'__call__': lambda self, t: t * 3}})())({0})", "{0} * 3"),
    (
        "type('Tripled', (), {{'f': mg.function(lambda self, t: t * 3)}}).f(None, {0})",
        "{0} * 3",
    ),
    (
        "(lambda p: mg.function(lambda t: mg.cond(p, mg.tanh, mg.sin, t)))(mg.sum({0}) > 0)({0})",
        "np.tanh({0}) if np.sum({0}) > 0 else np.sin({0})",
    ),
    (
        "(lambda z, text: z * len(text))(*mg.function(lambda t: (mg.tanh(t), 'two'))({0}))",
        "np.tanh({0}) * 3",
    ),
]


@row("traced")
def traced(d):
    text, naive = d.choice(TRACED)
    return text, [d.value("f", dtype="float64")], naive


INNER = [
    ("mg.grad(lambda t: mg.sum(mg.tanh(t)))({0})", "1 - np.tanh({0}) ** 2"),
    ("mg.grad(lambda t: mg.sum(t ** 3))({0})", "3 * {0} ** 2"),
    ("mg.elementwise_grad(lambda t: t ** 3)({0})", "3 * {0} ** 2"),
    (
        "mg.elementwise_grad(mg.elementwise_grad(lambda t, u: mg.tanh(t) * u), 1)({0}, {0})",
        "1 - np.tanh({0}) ** 2",
    ),
    (
        "mg.jvp(lambda t: mg.exp(mg.sin(t)), ({0},), ({0},))[1]",
        "np.exp(np.sin({0})) * np.cos({0}) * {0}",
    ),
    ("mg.hvp(lambda t: mg.sum(t * t * t), {0}, {0})", "6 * {0} * {0}"),
    ("mg.vjp(lambda t: mg.sin(t) * 2, {0})[1]({0})[0]", "2 * np.cos({0}) * {0}"),
    ("mg.vjp(lambda t: mg.sin(t) * 2, {0})[1]([{0}])[0]", "2 * np.cos({0}) * {0}"),
    ("mg.vjp(lambda t: mg.reshape(t, (-1,))[:0], {0})[1]([])[0]", "np.zeros_like({0})"),
    ("mg.vjp(lambda t: mg.sum(t)[None], {0})[1]([2.0])[0]", "np.full_like({0}, 2.0)"),
    (
        "mg.vjp(lambda t: mg.stack([mg.sum(t), mg.sum(t * t)]), {0})[1]([3.0, 0.5])[0]",
        "3.0 + {0}",
    ),
    (  # products along one axis of several, whose derivatives leave out two factors
        "mg.hvp(lambda t: mg.sum(mg.prod(mg.stack([t, t * 2, t * t]), axis=0)), {0}, {0})",
        "24 * {0} ** 3",
    ),
    (
        "mg.grad(lambda t: mg.sum(t * mg.grad(lambda u: mg.sum(mg.prod(mg.stack([u, u * 2, u]), "
        "axis=0)))(t)))({0})",
        "18 * {0} ** 2",
    ),
    (
        "mg.grad(lambda t: (mg.sum(mg.tanh(t)), t * 2), has_aux=True)({0})[0]",
        "1 - np.tanh({0}) ** 2",
    ),
    ("mg.grad(lambda t: (mg.sum(t * t), t * 2), has_aux=True)({0})[1]", "{0} * 2"),
    ("mg.grad(lambda t, k=1.0: mg.sum(t * t) * k)({0}, k=3.0)", "6 * {0}"),
    ("mg.value_and_grad(lambda t: mg.sum(t * t))({0})[0]", "np.sum({0} * {0})"),
    (  # three times through a loop, of whose records the derivatives are added up
        "mg.grad(lambda t: mg.sum(mg.square(mg.grad(lambda u: mg.sum(mg.square(0.1 * mg.grad("
        "lambda w: mg.sum(mg.while_loop(lambda i, h: i < 2, lambda i, h: (i + 1, h * w), (0, w))"
        "[1]))(u))))(t))))({0})",
        "0.7776 * {0} ** 5",
    ),
    (  # what is differentiated for is constant, but not the direction
        "mg.vjp(lambda t: mg.sin(t) * 2, {0}.detach())[1]({0})[0]",
        "2 * np.cos(mg.detach({0})) * {0}",
    ),
    (
        "mg.jvp(lambda t: mg.exp(t), ({0}.detach(),), ({0},))[1]",
        "np.exp(mg.detach({0})) * {0}",
    ),
]


@row("inner", 2)
def inner(d):
    text, naive = d.choice(INNER)
    x = d.value("f", dtype="float64")
    d.need(x not in d.raw and not d.depth and (d.values[x].size < 100 or "prod" not in text))
    # 0 · inf is added by one engine, and not by another; in what a product leaves out are zeros
    d.need(not d.special or not ("loop" in text or "prod" in text))
    return text, [x], naive


DIRECTIONS = [  # functions of degree two at most: their Jacobians are exact by differences
    "t * t + {1}",
    "t * {1}",
    "mg.pad(t * t, 1)",
    "mg.pad(t, 1) * 2",
    "t[::-1] * t",
    "t[1:] * t[:-1]",
    "t[0] * t",
    "t[np.array([0, -1, 0])] * 2",
    "t[..., None] * t[..., :1]",
    "mg.concatenate([t, t * {1}, {1}])",
    "mg.stack([t, t * t], axis=-1)",
    "mg.cumsum(t * t, axis=0)",
    "mg.sum(t * {1}, axis=0) * t",
    "mg.mean(t, axis=-1, keepdims=True) * t",
    "mg.flip(t) * {1}",
    "mg.transpose(t * t)",
    "mg.reshape(t, (-1, 1)) * mg.reshape(t, (1, -1))",
    "mg.squeeze(mg.expand_dims(t * t, (0, -1)), (0,))",
    "mg.broadcast_to(t, (2, *{0}.shape)) * {1}",
    "mg.where({1} > 0, t * t, t)",
    "t.T @ t",
    "t @ {1}.T",
    "{1}.T @ t",
    "mg.stack([t, t * 2]) @ mg.stack([{1}.T, {1}.T])",
    "mg.stack([{1}.T, {1}.T]) @ mg.stack([t, t * 2])",
    "t @ mg.stack([{1}.T, {1}.T])",
    "mg.stack([{1}.T, {1}.T]) @ t",
    "t.reshape(-1) @ mg.stack([{1}.reshape(-1, 1)] * 2)",
    "mg.stack([{1}.reshape(1, -1)] * 2) @ t.reshape(-1)",
    "{1}.reshape(-1) @ mg.stack([t.reshape(-1, 1)] * 2)",
    "mg.stack([t.reshape(1, -1)] * 2) @ {1}.reshape(-1)",
    "{1}.reshape(1, -1) @ t.reshape(-1)",
    "t.reshape(-1) @ {1}.reshape(-1, 1)",
    "mg.cond(mg.sum({1}) > 0, lambda u: u * u, lambda u: u * 2, t)",
    "mg.while_loop(lambda i, u: i < 2, lambda i, u: (i + 1, u * {1}), (0, t))[1]",
    "mg.scan(lambda c, u: (c + u, c * 2), t[0], t * {1})[1]",
    "mg.einsum('...j,...j->...', t, {1})",
    "mg.einsum('...j,...j->j', t, t)",
    "mg.stack([mg.stack([t.reshape(-1)] * 2, 1)] * 2, 1)[np.array([0, -1]), :, np.array([0, 1])]",
    "mg.stack([mg.stack([t.reshape(-1)] * 2, 1)] * 2, 1)[0, :, np.array([0, 1])] * 2",
]


@row("inner", 4)
def directions(d):
    """Jacobians, in both modes added up, of one operand or two."""
    d.need(not d.depth)
    small = d.all(lambda v: v.dtype.kind == "f" and v.itemsize > 2 and v.ndim and 0 < v.size < 10)
    x = d.choice([i for i in small if i not in d.raw])
    v = d.values[x]
    alike = d.all(lambda w: w.shape == v.shape and w.dtype == v.dtype)
    y = d.choice([i for i in alike if i not in d.raw])
    if d.rarely():
        text = d.choice(["t * t", "t * u", "u - t * u", "mg.sum(u * u) + t * 2"])
        return "mg.jacobian(lambda t, u: %s, '%s', (0, 1))({0}, {1})[%d]" % (
            text,
            d.choice(["reverse", "forward"]),
            d.rng.integers(2),
        ), [x, y]
    text = "mg.jacobian(lambda t: %s, '%s')({0})"
    f = d.choice(DIRECTIONS)
    return f"{text} + {text}" % (f, "reverse", f, "forward"), [x, y]


@row("print")
def printed(d):
    """What prints whenever it runs, even where only the form of its result is needed."""
    x = d.value("f")
    d.need(x not in d.raw and not d.depth)
    return d.choice(
        [
            ("mg.print_({0}, 'v') * 2", [x], "{0} * 2"),
            ("mg.ones_like(mg.print_({0}, 'w')) * {0}", [x], "{0} * 1"),
            ("mg.zeros_like(mg.print_({0}, 'w')) + {0}", [x], "{0} + 0.0"),
            ("mg.print_({0}, 'x')", [x], "{0} * 1"),
            (
                "mg.print_({0}, 'a') + mg.sum(mg.print_(mg.tanh({0}), 'b')) + mg.print_({0}, 'c')",
                [x],
                "{0} + np.sum(np.tanh({0})) + {0}",
            ),
            (
                "mg.print_({0}, 'p') * 2 - mg.sum(mg.print_(-{0}, 'q'))",
                [x],
                "{0} * 2 + np.sum({0})",
            ),
        ]
    )


# control flow ------------------------------------------------------------------------------------


@row("cond", 3)
def cond(d):
    d.need(d.depth < 3)
    pred = d.predicate()
    x = d.value("f")
    variables = {i.id for i in d.inputs if i.role == "variable"}
    d.need(pred not in d.raw or x not in variables)  # f0(x) alone: perhaps the Variable itself
    bodies = [d.body([d.values[x]], [d.values[x]]) for _ in range(2)]
    return "mg.cond({0}, f0, f1, {1})", [pred, x], None, bodies


@row("while", 4)
def while_loop(d):
    d.need(d.depth < 3)
    x, trips = d.value("f"), d.choice([0, 1, 2, 2, 3, 7])
    condition = d.choice(
        [f"i < {trips}", f"(i < {trips})", f"mg.sum(h * h) * 0 + mg.cast(i, float) < {trips}"]
    )
    if d.values[x].dtype != np.float64:
        condition = f"i < {trips}"
    count = np.zeros((), np.int64)
    body = d.body([count, d.values[x]], [d.values[x]], head=True)
    limit = d.choice(["", "", ", maximum_iterations=2"])
    place = d.choice([1, 1, 1, 0])
    text = f"mg.while_loop(lambda i, h: {condition}, f0, (0, {{0}}){limit})[{place}]"
    return text, [x], None, [body]


@row("scan", 4)
def scan(d):
    d.need(d.depth < 3)
    x, xs = d.value("f"), d.value("f", least=1)
    d.need(0 < len(d.values[xs]) < 6)
    row = np.asarray(d.values[xs][0])
    body = d.body([d.values[x], row], [d.values[x], None])
    reverse = d.choice(["", ", reverse=True"])
    if d.rarely():
        text = "mg.scan(lambda c, t: (f0(c, t)[0], None), {0}, {1}%s)[0]" % reverse
        return text, [x, xs], None, [body]
    rows = "[:0]" if d.rarely() else ""
    text = "mg.scan(f0, {0}, {1}%s%s)[%d]" % (rows, reverse, d.rng.integers(2))
    return text, [x, xs], None, [body]


SCANS = [  # (text, naive text or None): stacks of no slices, and of dicts in changing order
    (
        "mg.scan(lambda c, t: (c + mg.cast(t, c.dtype), c), {0}, memoryview(np.arange(3.0)))[0]",
        None,
    ),
    ("mg.scan(lambda c, t: (c, mg.cast(t, np.float32) * 2), {0}, {1}[:0])[1]", None),
    ("mg.scan(lambda c, t: (c * 2, (t, mg.cast(t, np.float32))), {0}, {1}[:0])[1][1]", None),
    (
        "(lambda n: mg.scan(lambda c, t: (c, {{'a': t * 2, 'b': -t}} if n.append(0) or len(n) % 2 "
        "else {{'b': -t, 'a': t * 2}}), {0}, {1})[1]['a'])([])",
        "{1} * 2",
    ),
]


@row("scan")
def scans(d):
    d.need(d.depth < 3)
    x, xs = d.value("f"), d.value("f", least=1)
    d.need(0 < len(d.values[xs]) < 6)
    text, naive = d.choice(SCANS)
    return text, [x, xs], naive


MEETING = [  # carries and choices that meet a value of their shape, which may say more of it
    "mg.while_loop(lambda i, h: i < 2, lambda i, h: (i + 1, mg.tanh(h) * {1}), (0, {0}))[1]",
    "mg.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, {1} - h * 0.5), (0, {0}))[1]",
    "mg.while_loop(lambda h, k: mg.sum(h) < 9, lambda h, k: (h + k * k, {1}), ({0}, {0}), 9)[0]",
    "mg.scan(lambda h, t: (h * t + {1}, h), {0}, np.arange(3.0))[0]",
    "mg.scan(lambda h, t: (h + {1}, t * {1}), {0}, mg.stack([{0}, {1}]))[1]",
    "mg.scan(lambda h, t: ({1}, h * 2), {0}, {1})[1]",
    "mg.cond(mg.sum({0}) > 0, lambda h: h * {1}, lambda h: {1}, {0})",
    "mg.cond(mg.sum({1}) > 0, lambda h, k: (k, h), lambda h, k: (h, h * k), {0}, {1})[0]",
]


@row("scan", 2)
def meeting(d):
    d.need(d.depth < 3)
    x = d.value("f", least=1, dtype="float64")
    shape = d.values[x].shape
    d.need(all(shape) and shape[0] < 6)
    alike = d.all(lambda v: v.shape == shape and v.dtype == float)
    own = len(d.inputs) < 6 and not d.depth and d.often()  # whose lengths are always known
    y = d.new(d.choice(["variable", "constant", "array"]), shape) if own else d.choice(alike)
    text = d.choice(MEETING)
    d.need("cond" not in text or d.raw.isdisjoint((x, y)))
    return text, [x, y]


LEAVING = {  # views that leave a body, before what rounds by how they lie in memory
    "cond": "mg.cond(mg.sum({0}) > 0, lambda t: t[::-1], lambda t: mg.flip(t), {0})",
    "while": "mg.while_loop(lambda i, h: i < 1, lambda i, h: (i + 1, h[::-1]), (0, {0}))[1]",
    "scan": "mg.scan(lambda c, t: (c[..., ::-1], t), {0}, np.zeros(1))[0]",
}


def leaving(name):
    """A row of what leaves a body as a view."""

    def leave(d):
        x = d.value("f", least=1)
        d.need(d.depth < 3 and d.values[x].size > 2)
        return d.choice(["mg.sum(%s)", "mg.mean(%s)"]) % LEAVING[name], [x]

    return leave


for name in LEAVING:
    row(name)(leaving(name))


WITHIN = [  # of a matrix in a body: sums that round by how what they add up lies there
    "mg.sum({0}.T * 1)",
    "mg.mean({0}.T - 0.5)",
    "mg.sum(mg.sin({0}.T))",
    "mg.mean(mg.exp({0}.T * 0.5) * {0}.T)",
    "mg.var({0}.T + 1)",
    "mg.sum(mg.einsum('ij->ji', {0}) * {0}.T)",
    "mg.sum(mg.transpose({0}[None] * 1.5, (0, 2, 1)) * 1, axis=(0, 2))[0]",
    "mg.sum(mg.abs({0}.T) @ {0})",
]
AROUND = {
    "cond": ["mg.cond(mg.sum({0}) > 0, lambda h: h * %s, lambda h: %s - h, {0})"],
    "while": ["mg.while_loop(lambda i, h: i < 2, lambda i, h: (i + 1, h * 0.5 - %s), (0, {0}))[1]"],
    "scan": [
        "mg.scan(lambda h, t: (h * 0.5 + %s, t), {0}, np.zeros(2))[0]",
        "mg.scan(lambda h, t: (h, %s), {0}, np.zeros(1))[1]",
    ],
}


def within(name):
    """A row of values that lie otherwise than row by row, within a body."""

    def lie(d):
        wide = d.all(lambda v: v.dtype.kind == "f" and v.ndim == 2 and v.size > 11)
        d.need(d.depth < 2 and (wide or not d.depth and len(d.inputs) < 6))
        x = d.choice(wide) if wide else d.new("fed", d.choice([(4, 5), (7, 3)]))
        text = d.choice(AROUND[name])
        parts = [d.choice(WITHIN).replace("{0}", "h") for _ in range(text.count("%s"))]
        return text % tuple(parts), [x]

    return lie


for name in AROUND:
    row(name)(within(name))


def momentum(d):
    """The number of an assignment: of two values that one kernel computes, one goes where what
    the other reads lies. The second may be stored too."""
    shape = d.choice([(12,), (17,), (3, 4), (5, 4)])
    v, y = d.new("variable", shape), d.new("fed", shape)
    texts = ["{0} * 0.9 + {1}", "{1} - {0} * {1}", "{0}[::-1] * 0.9 + {1}", "{0} + {1} - {0}[::-1]"]
    texts += texts[:2]
    p = d.add(d.choice(texts), [v, y], tags=("momentum",))
    d.add(
        d.choice(["{0} * {1}", "{0} * {1}", "{0} - {1}[::-1]", "mg.abs({1}) + {0}"]),
        [p, v],
        tags=("binary",),
    )
    stored = [d.add("mg.assign({0}, {1})", [v, p], "mg.assign({0}, {1}, %d)" % d.next)]
    if d.often():
        w = d.new("variable", shape)
        text = d.choice(["{0} - 0.1 * {1}", "{0}[::-1] + {1}", "{0} * 0.5 + {1} - {0}[::-1]"])
        text = f"mg.assign({{0}}, {text})"
        stored.append(d.add(text, [w, p], f"{text[:-1]}, {d.next})"))
    return stored


OVER = [
    "mg.assign({0}, mg.sigmoid({0}[::-1]))",
    "mg.assign({0}, mg.sigmoid({0}) * mg.softplus({0}[::-1]))",
    "mg.assign({0}, mg.softmax({0}[::-1], axis=0))",
    "mg.assign({0}, mg.cumsum({0}, axis=0) * 0.5)",
    "mg.assign({0}, mg.cumsum({0}[::-1] * 0.5, axis=-1))",
    "mg.assign({0}, mg.concatenate([{0}[1:], {0}[:1]]))",
    "mg.assign({0}, mg.flip({0}))",
    "mg.assign({0}, {0}[::-1] ** 2)",
    "mg.assign({0}, mg.tanh({0}[0]) + {0} * 0.5)",
    "mg.assign({0}, {0} - mg.mean({0}))",
    "mg.assign({0}, 0.1 * ({0} @ {1}))",
    "mg.assign({0}, mg.tanh({0} @ {0}))",
]


@row("risky", 0)
def risky(d):
    """A step that refuses some numbers when it runs, as ways.failing_runs feeds them."""
    d.need(not d.depth)
    if d.often():
        x = d.value("f", least=1)
        d.need(len(d.values[x]) > 1 and x not in d.raw)
        return "{0}[{1}]", [x, d.new("fed", (2,), "int64", "index")]
    fed = [x.id for x in d.inputs if x.role == "fed" and x.data.dtype == "float64"]
    return PICKY, [d.choice(fed)], "{0} * 1"


PICKY = (
    "mg.custom_op(lambda x: x * 1 if not np.any(x == 77) else 1 / 0, vjp=lambda x, z, z_bar: z_bar,"
    " jvp=lambda x, z, x_dot: x_dot, name='picky')({0})"
)


@row("assign", 0)
def assign(d):
    variables = [x.id for x in d.inputs if x.role == "variable"]
    d.need(variables and not d.depth)
    v = d.choice(variables)
    shape, dtype = d.values[v].shape, d.values[v].dtype
    new = d.choice(d.all(lambda w: w.shape == shape and w.dtype == dtype))
    texts = ["mg.assign({0}, {1})", "mg.assign({0}, {0} + {1})", "mg.assign({0}, -{1})"]
    if dtype.kind == "f" and d.often():  # what a kernel computes and writes where it reads
        texts = [
            "mg.assign({0}, {0} - 0.1 * mg.tanh({1} * {0}))",
            "mg.assign({0}, {1} * {0} + {1})",
            "mg.assign({0}, mg.tanh({1}) * {0} - {0})",
            "mg.assign({0}, mg.%s({0}))" % d.choice(["tanh", "sin", "cos", "sigmoid", "softsign"]),
        ]
        texts += [
            "mg.assign({0}, mg.tanh({0}) + {0}[::-1] * {1})",
            "mg.assign({0}, mg.tanh({0}[::-1]) * 0.5 + {1} * {0})",
            "mg.assign({0}, mg.tanh({0}[::-1]) * {1})",
        ] * (len(shape) > 0)
        texts += [
            "mg.assign({0}, mg.tanh({0}.T) * 0.5 + {1} * {0})",
            "mg.assign({0}, {0} * {1} + {0}.T)",
        ] * (len(shape) == 2 and len({*shape}) == 1)
    texts += ["mg.assign({0}, {0}[::-1] + {1})"] * (len(shape) > 0 and np.dtype(dtype).kind != "b")
    if dtype.kind == "f" and len(shape) and d.rarely():  # what takes several steps over a target
        texts = [text for text in OVER if "@" not in text or shape == (shape[0], shape[0])]
    text = d.choice(texts)
    return text, [v, new], f"{text[:-1]}, {d.next})"
