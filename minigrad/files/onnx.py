"""ONNX: a graph as a file that other programs run; needs the package onnx."""

from collections.abc import Callable

import numpy as np

from minigrad.core.errors import ArgumentError, FileError
from minigrad.core.op import ZerosLike
from minigrad.core.ops import arrange, index, linalg, logic, nn, product, reduce, shape
from minigrad.core.ops import elementwise as e
from minigrad.files.signatures import FULL, fill_template
from minigrad.files.values import DTYPES, dtype_name, stored_array
from minigrad.static.graph import Constant, PlaceholderOp, Variable

OPSET, IR = 18, 9  # versions of ONNX that runtimes of the last years read
FAR = np.iinfo(np.int64).max  # an end that stands for all the rest

NAMES = {"float32": "float", "float64": "double"}  # what ONNX calls them; others have one name
# allowed by ONNX, but onnxruntime 1.31 has no kernel for it, so no file with it can be loaded
WITHOUT_KERNEL = {
    "Max": "int16 uint16",
    "Min": "int16 uint16",
    "Clip": "int16 uint16",
    "Pad": "int16 uint16",
    "Where": "bool int16 uint16 uint64",
    "ReduceSum": "uint8 uint16 uint32 uint64",
    "ReduceMax": "uint32 uint64",
    "ReduceMin": "uint32 uint64",
    "ArgMax": "int16 uint16 uint32 uint64",
    "ArgMin": "int16 uint16 uint32 uint64",
    "Einsum": "int8 int16 uint8 uint16 uint32 uint64",
}
OF_MASKS = {"Add": "Or", "Mul": "And", "Max": "Or", "Min": "And"}  # what NumPy does with booleans
TRUTHS = ("Identity", "Not", "And", "Or", "Xor")  # what gives booleans of booleans


class OnnxWriter:
    """The nodes and arrays of an ONNX model, as they are added."""

    def __init__(self, onnx, given):
        self.onnx, self.steps, self.arrays, self.names = onnx, [], [], {}
        self.types, self.node = {}, None  # of each name; the node that is being added
        self.given = given  # the names of inputs and outputs

    def step(self, kind, inputs, **attributes):
        """Adds an ONNX op; returns the name of its result. Raises for dtypes that it cannot take.

        The op's own schema says which: a file that breaks it is loaded by no runtime.
        """
        made = self.new_name(f"_v{len(self.steps)}")
        schema = self.onnx.defs.get_schema(kind, OPSET)
        takes = {c.type_param_str: set(c.allowed_type_strs) for c in schema.type_constraints}
        formals = [*schema.inputs, *[schema.inputs[-1]] * len(inputs)] if inputs else []
        bound = {}
        for name, formal in zip(inputs, formals):
            allowed, given = takes.get(formal.type_str, {formal.type_str}), self.types[name]
            if formal.type_str == "T":  # what the op computes with
                allowed = allowed - {*map(type_string, WITHOUT_KERNEL.get(kind, "").split())}
            if given not in allowed:
                self.refuse(kind, given, allowed)
            bound[formal.type_str] = given
        result = schema.outputs[0].type_str
        self.types[made] = bound.get(result) or next(iter(takes.get(result, [result])))
        if kind == "Cast":
            self.types[made] = type_string(attributes["to"])
            attributes = {"to": self.kind(attributes["to"])}
        self.steps.append(self.onnx.helper.make_node(kind, inputs, [made], **attributes))
        return made

    def new_name(self, name):
        """A name that no input or output has; a _ goes before it while one has."""
        while name in self.given:
            name = f"_{name}"
        return name

    def refuse(self, kind, given, allowed):
        """Raises ArgumentError: the node needs an op of ONNX that does not take its dtype."""
        known = [d for d in DTYPES if type_string(d) in allowed]
        message = f"{self.node!r} has no counterpart in ONNX: {kind} takes no {given[7:-1]}"
        hint = f"cast first: mg.cast(x, {known[-1]!r}); {kind} takes {', '.join(known)}"
        raise ArgumentError(message, hint, self.node.line)

    def array(self, value, dtype=None):
        """Adds an array; returns its name."""
        value = np.array(value, dtype, order="C")
        made = self.new_name(f"_c{len(self.arrays)}")
        value = value.astype(as_native_dtype(value.dtype), copy=False)
        self.arrays.append(self.onnx.numpy_helper.from_array(value, made))
        self.types[made] = type_string(value.dtype)
        return made

    def numbers(self, values):
        """Adds whole numbers such as a shape or axes."""
        return self.array(list(values), np.int64)

    def cast(self, name, old, new):
        """The value in another dtype."""
        return name if old == new else self.step("Cast", [name], to=new)

    def kind(self, dtype):
        """ONNX's number for a dtype."""
        return self.onnx.helper.np_dtype_to_tensor_dtype(as_native_dtype(dtype))

    def inputs_as(self, node, dtype):
        """The operands of a node in one dtype."""
        return [self.cast(self.names[x.order], x.dtype, dtype) for x in node.inputs]

    def add(self, node):
        """Adds what computes a node. Raises ArgumentError for an op that has no counterpart."""
        self.node, rule = node, RULES.get(node.op, write_same_name if node.op.onnx else None)
        made = rule(self, node) if rule else None
        if made is None:
            hint = f"leave {node.op} out of what is exported, or save to .json"
            raise ArgumentError(f"{node!r} has no counterpart in ONNX", hint, node.line)
        self.names[node.order] = made

    def declare(self, node, name):
        """A value of the model with its type; an unknown length gets a name."""
        lengths = [f"{name}_{i}" if n is None else n for i, n in enumerate(node.shape)]
        self.types.setdefault(name, type_string(node.dtype))
        return self.onnx.helper.make_tensor_value_info(name, self.kind(node.dtype), lengths)


def as_native_dtype(dtype):
    """The dtype in the machine's order of bytes. Raises FileError for one that is not portable."""
    return np.dtype(dtype_name(np.dtype(dtype)))


def type_string(dtype):
    """ONNX's name for a tensor of a dtype."""
    name = dtype_name(np.dtype(dtype))
    return f"tensor({NAMES.get(name, name)})"


# how each op is written; None where its parameters have no counterpart ---------------------------


def write_same_name(w, node):
    """An op whose class says what ONNX calls it."""
    if "keepdims" in node.params:
        return write_reduction(w, node)
    if node.op.sign and issubclass(node.op, e.Step):
        return write_comparison(w, node)
    return write_arithmetic(w, node)


def write_arithmetic(w, node):
    """An op of the same name, in the dtype of its result; of booleans, what NumPy does there."""
    kind = OF_MASKS.get(node.op.onnx, node.op.onnx) if node.dtype == bool else node.op.onnx
    if node.dtype == bool and kind not in TRUTHS:
        return None
    return w.step(kind, w.inputs_as(node, node.dtype))


def write_comparison(w, node, kind=None):
    """An op of the same name, in the dtype that both sides fit in."""
    common = np.result_type(*(x.dtype for x in node.inputs))
    return w.step(kind or node.op.onnx, w.inputs_as(node, common))


def write_relu(w, node):
    """max(x, 0): by Max for most dtypes, where onnxruntime fails to join a Relu and a Clip."""
    (x,) = w.inputs_as(node, node.dtype)
    if node.dtype in (np.float16, np.float32):
        return w.step("Relu", [x])
    return w.step("Max", [x, w.array(0, node.dtype)])


def write_scalar_power(w, node):
    """x ** n with the number as an array."""
    (x,) = w.inputs_as(node, node.dtype)
    return w.step("Pow", [x, w.array(node.params["exponent"], node.dtype)])


def write_clip(w, node):
    """x held within two numbers."""
    bounds = [w.array(node.params[name], node.dtype) for name in ("low", "high")]
    return w.step("Clip", [*w.inputs_as(node, node.dtype), *bounds])


def write_where(w, node):
    """y where the condition is true, else w."""
    condition, *rest = [w.names[x.order] for x in node.inputs]
    rest = [w.cast(name, x.dtype, node.dtype) for name, x in zip(rest, node.inputs[1:])]
    if node.dtype == bool:
        sides = zip((condition, w.step("Not", [condition])), rest)
        return w.step("Or", [w.step("And", side) for side in sides])
    return w.step("Where", [condition, *rest])


def write_reduction(w, node):
    """A sum, mean or extreme over axes."""
    (x,) = w.inputs_as(node, node.dtype)
    axes, keepdims = w.numbers(node.params["axis"]), int(node.params["keepdims"])
    return w.step(node.op.onnx, [x, axes], keepdims=keepdims, noop_with_empty_axes=1)


def write_answer(w, node, kind):
    """Any or all over axes: an extreme of the booleans as numbers."""
    (x,) = w.inputs_as(node, np.dtype(bool))
    axes, keepdims = w.numbers(node.params["axis"]), int(node.params["keepdims"])
    numbers = w.step("Cast", [x], to=np.uint8)
    found = w.step(kind, [numbers, axes], keepdims=keepdims, noop_with_empty_axes=1)
    return w.step("Cast", [found], to=bool)


def write_float_test(w, node, kind):
    """Whether an entry is NaN, or infinite; whole numbers are neither."""
    dtype = node.inputs[0].dtype
    return w.step(kind, w.inputs_as(node, dtype if dtype == np.float64 else np.dtype(np.float32)))


def write_is_finite(w, node):
    """Neither NaN nor infinite."""
    odd = [write_float_test(w, node, kind) for kind in ("IsNaN", "IsInf")]
    return w.step("Not", [w.step("Or", odd)])


def write_round(w, node):
    """x · 10ⁿ, rounded to a whole number with halves to the even one, / 10ⁿ, as NumPy has it."""
    places, whole = node.params["decimals"], node.dtype.kind in "iu"
    dtype = np.dtype(float) if whole else node.dtype
    (x,) = w.inputs_as(node, dtype)
    if whole and places >= 0:
        return w.step("Cast", [x], to=node.dtype)
    if places == 0:
        return w.step("Round", [x])
    factor = w.array(10.0 ** abs(places), dtype)
    there, back = ("Mul", "Div") if places > 0 else ("Div", "Mul")
    z = w.step(back, [w.step("Round", [w.step(there, [x, factor])]), factor])
    return w.cast(z, dtype, node.dtype)


def write_log1p(w, node):
    """ln(1 + x) = ln(u) · x / (u - 1) for u = 1 + x as it was rounded; x where u is 1.

    Source: Goldberg, What every computer scientist should know …, 1991, theorem 4.
    """
    dtype = np.result_type(node.dtype, np.float32)
    (x,), one = w.inputs_as(node, dtype), w.array(1, dtype)
    u = w.step("Add", [x, one])
    moved = w.step("Sub", [u, one])
    exact = w.step("Equal", [moved, x])  # also where x is infinite
    factor = w.step("Where", [exact, one, w.step("Div", [x, moved])])
    z = w.step("Mul", [w.step("Log", [u]), factor])
    return w.cast(w.step("Where", [w.step("Equal", [u, one]), x, z]), dtype, node.dtype)


def write_expm1(w, node):
    """exp(x) - 1 = (u - 1) · x / ln(u) for u = exp(x) as it was rounded; x where u is 1.

    Where |x| > 1, u - 1 loses nothing. Source: Kahan, in Higham, Accuracy and Stability of
    Numerical Algorithms, section 1.14.1.
    """
    dtype = np.result_type(node.dtype, np.float32)
    (x,), one = w.inputs_as(node, dtype), w.array(1, dtype)
    u = w.step("Exp", [x])
    moved = w.step("Sub", [u, one])
    near = w.step("Mul", [moved, w.step("Div", [x, w.step("Log", [u])])])
    far = w.step("Greater", [w.step("Abs", [x]), one])
    z = w.step("Where", [far, moved, near])
    return w.cast(w.step("Where", [w.step("Equal", [u, one]), x, z]), dtype, node.dtype)


def floored_parts(w, node):
    """(x, y, the remainder m with x's sign, whether y's sign is another) of floats."""
    (x, y), zero = w.inputs_as(node, node.dtype), w.array(0, node.dtype)
    m = w.step("Mod", [x, y], fmod=1)
    signs = w.step("Xor", [w.step("Less", [m, zero]), w.step("Less", [y, zero])])
    return x, y, m, w.step("And", [w.step("Not", [w.step("Equal", [m, zero])]), signs])


def write_remainder(w, node):
    """The remainder with the sign of y; of a whole number by 0, too, it is 0."""
    if node.dtype.kind != "f":
        return write_whole_remainder(w, *w.inputs_as(node, node.dtype), node.dtype)
    _, y, m, other = floored_parts(w, node)
    return w.step("Where", [other, w.step("Add", [m, y]), m])


def write_whole_remainder(w, x, y, dtype):
    """The same of whole numbers: by 0 and by -1, at which processors trap, as by 1."""
    one, odd = w.array(1, dtype), [0] if dtype.kind == "u" else [0, -1]
    for number in odd:
        y = w.step("Where", [w.step("Equal", [y, w.array(number, dtype)]), one, y])
    return w.step("Mod", [x, y])


def write_floor_divide(w, node):
    """⌊x / y⌋ of floats as NumPy has it: (x - m) / y is a whole number but for its rounding."""
    if node.dtype.kind != "f":
        return None
    x, y, m, other = floored_parts(w, node)
    one, half, zero = (w.array(number, node.dtype) for number in (1, 0.5, 0))
    z = w.step("Div", [w.step("Sub", [x, m]), y])
    z = w.step("Where", [other, w.step("Sub", [z, one]), z])
    floor = w.step("Floor", [z])
    above = w.step("Greater", [w.step("Sub", [z, floor]), half])
    floor = w.step("Where", [above, w.step("Add", [floor, one]), floor])
    return w.step("Where", [w.step("Equal", [y, zero]), w.step("Div", [x, y]), floor])


def write_keep(w, node):
    """x where the condition is `when`, else 0."""
    condition, x = (w.names[one.order] for one in node.inputs)
    kept = [x, w.array(0, node.dtype)]
    return w.step("Where", [condition, *(kept if node.params["when"] else reversed(kept))])


def write_count(w, node, dtype=None):
    """How many entries lie along the axes."""
    lengths = w.step(
        "Gather", [w.step("Shape", [first_name(w, node)]), w.numbers(node.params["axis"])]
    )
    return w.step("Cast", [w.step("ReduceProd", [lengths], keepdims=0)], to=dtype or node.dtype)


def write_bessel(w, node):
    """n / (n - ddof) for the n entries along the axes."""
    n = write_count(w, node, np.float64)
    freedom = w.step("Sub", [n, w.array(node.params["ddof"], np.float64)])
    return w.step("Cast", [w.step("Div", [n, freedom])], to=node.dtype)


def write_one_hot(w, node):
    """1 where a class has the number of the label, else 0: a label that is no class is all 0."""
    labels, like = (w.names[x.order] for x in node.inputs)
    labels = w.step("Unsqueeze", [w.step("Cast", [labels], to=np.int64), w.numbers([-1])])
    count = w.step("Gather", [w.step("Shape", [like]), w.array(-1, np.int64)])
    classes = w.step("Range", [w.array(0, np.int64), count, w.array(1, np.int64)])
    return w.step("Cast", [w.step("Equal", [labels, classes])], to=node.dtype)


def write_like_shape(w, node, kind):
    """An op whose shape is that of the second operand, known when it runs."""
    x, like = (w.names[x.order] for x in node.inputs)
    return w.step(kind, [x, w.step("Shape", [like])])


def write_flip(w, node):
    """A slice that runs backwards."""
    axes = node.params["axis"]
    parts = [[-1] * len(axes), [-FAR] * len(axes), axes, [-1] * len(axes)]
    return w.step("Slice", [w.names[node.inputs[0].order], *map(w.numbers, parts)])


def write_get_item(w, node):
    """Slices, whole numbers and new axes; or one array of indices after full slices."""
    template, x = node.params["template"], w.names[node.inputs[0].order]
    if index.ARRAY in template:
        full = template.index(index.ARRAY)
        if template != (FULL,) * full + (index.ARRAY,):
            return None
        return w.step("Gather", [x, w.names[node.inputs[1].order]], axis=full)
    return write_basic_index(w, x, fill_template(template, len(node.inputs[0].shape)))


def write_basic_index(w, x, template):
    """Slice, then drop the axes of whole numbers, then insert the new ones."""
    starts, ends, steps, axes, dropped, added = [], [], [], [], [], []
    kept = axis = 0
    for part in template:
        if part is None:
            added.append(kept)
            kept += 1
            continue
        start, stop, step = (
            part[1:] if isinstance(part, tuple) else (part, part + 1 if part != -1 else None, 1)
        )
        step = step or 1
        starts.append(start if start is not None else 0 if step > 0 else FAR)
        ends.append(stop if stop is not None else FAR if step > 0 else -FAR)
        steps.append(step)
        axes.append(axis)
        if isinstance(part, tuple):
            kept += 1
        else:
            dropped.append(axis)
        axis += 1
    if axes:
        x = w.step("Slice", [x, *map(w.numbers, (starts, ends, axes, steps))])
    x = w.step("Squeeze", [x, w.numbers(dropped)]) if dropped else x
    return w.step("Unsqueeze", [x, w.numbers(added)]) if added else w.step("Identity", [x])


def write_arg_extreme(w, node, kind):
    """The place of an extreme along an axis."""
    return w.step(kind, [first_name(w, node)], axis=node.params["axis"], keepdims=0)


def write_pad(w, node):
    """Zeros around x."""
    widths = [width[side] for side in (0, 1) for width in node.params["widths"]]
    zero = w.array(0, node.dtype)
    return w.step("Pad", [w.names[node.inputs[0].order], w.numbers(widths), zero])


def write_windows(w, node):
    """Rows, then columns, of all windows picked by their numbers."""
    x, rank = w.names[node.inputs[0].order], len(node.inputs[0].shape)
    for axis, place in ((rank - 2, 0), (rank, 1)):
        size, stride = node.params["size"][place], node.params["stride"][place]
        count = node.shape[rank - 2 + place]
        places = stride * np.arange(count)[:, None] + np.arange(size)
        x = w.step("Gather", [x, w.array(places, np.int64)], axis=axis)
    return w.step("Transpose", [x], perm=[*range(rank - 2), rank - 2, rank, rank - 1, rank + 1])


def write_cross_entropy(w, node):
    """-mean of log_softmax(x)[i, label i]."""
    x, labels = node.inputs
    scores = w.step("LogSoftmax", [w.cast(w.names[x.order], x.dtype, node.dtype)], axis=1)
    places = w.cast(w.names[labels.order], labels.dtype, np.dtype("int64"))
    places = w.step("Unsqueeze", [places, w.numbers([1])])
    picked = w.step("GatherElements", [scores, places], axis=1)
    return w.step("Neg", [w.step("ReduceMean", [picked], keepdims=0)])


def write_take_along_axis(w, node):
    """GatherElements, which broadcasts nothing."""
    (x, places), axis = node.inputs, node.params["axis"]
    others = [s.shape[:axis] + s.shape[axis + 1 :] for s in (x, places)]
    if others[0] != others[1]:
        return None
    places = w.cast(w.names[places.order], places.dtype, np.dtype("int64"))
    return w.step("GatherElements", [w.names[x.order], places], axis=axis)


def first_name(w, node):
    """The name of the first operand."""
    return w.names[node.inputs[0].order]


def rule_of(kind, **attributes):
    """The rule for an op of another name, with {ONNX's name of an attribute: ours}."""

    def rule(w, node):
        given = {name: node.params[own] for name, own in attributes.items()}
        return w.step(kind, w.inputs_as(node, node.dtype), **given)

    return rule


def rule_with(kind, param):
    """The rule for an op that takes a parameter, one or several whole numbers, as an operand."""
    return lambda w, node: w.step(
        kind, [first_name(w, node), w.numbers(np.ravel(node.params[param]))]
    )


RULES: dict[type, Callable] = {
    **dict.fromkeys(
        (e.Cast, e.CastToDiscrete),
        lambda w, node: w.step("Cast", [first_name(w, node)], to=node.dtype),
    ),
    e.NotEqual: lambda w, node: w.step("Not", [write_comparison(w, node, "Equal")]),
    logic.IsNan: lambda w, node: write_float_test(w, node, "IsNaN"),
    logic.IsInf: lambda w, node: write_float_test(w, node, "IsInf"),
    logic.IsFinite: write_is_finite,
    logic.Any: lambda w, node: write_answer(w, node, "ReduceMax"),
    logic.All: lambda w, node: write_answer(w, node, "ReduceMin"),
    e.Round: write_round,
    e.Log1p: write_log1p,
    e.Expm1: write_expm1,
    e.Remainder: write_remainder,
    e.FloorDivide: write_floor_divide,
    e.Keep: write_keep,
    e.Relu: write_relu,
    **dict.fromkeys((e.ScalarPower, e.ScalarPowerOfPower), write_scalar_power),
    e.Clip: write_clip,
    **dict.fromkeys((e.Where, e.Convention), write_where),
    shape.BroadcastTo: rule_with("Expand", "shape"),
    shape.BroadcastLike: lambda w, node: write_like_shape(w, node, "Expand"),
    shape.EnsureShape: lambda w, node: w.step("Identity", [first_name(w, node)]),
    shape.Reshape: lambda w, node: w.step(
        "Reshape",
        [first_name(w, node), w.numbers(node.params["shape"])],
        allowzero=int(0 in node.shape),
    ),
    shape.ReshapeLike: lambda w, node: write_like_shape(w, node, "Reshape"),
    shape.Transpose: lambda w, node: w.step(
        "Transpose", [first_name(w, node)], **({"perm": node.params["axes"]} if node.shape else {})
    ),
    shape.ExpandDims: rule_with("Unsqueeze", "axis"),
    shape.Squeeze: rule_with("Squeeze", "axis"),
    shape.Flip: write_flip,
    product.CumSum: rule_with("CumSum", "axis"),
    reduce.ArgMax: lambda w, node: write_arg_extreme(w, node, "ArgMax"),
    reduce.ArgMin: lambda w, node: write_arg_extreme(w, node, "ArgMin"),
    reduce.Count: write_count,
    reduce.Bessel: write_bessel,
    ZerosLike: lambda w, node: w.step(
        "Expand", [w.array(0, node.dtype), w.step("Shape", [first_name(w, node)])]
    ),
    nn.OneHot: write_one_hot,
    index.GetItem: write_get_item,
    index.Pad: write_pad,
    index.Concatenate: rule_of("Concat", axis="axis"),
    arrange.TakeAlongAxis: write_take_along_axis,
    linalg.Einsum: rule_of("Einsum", equation="subscripts"),
    nn.Softmax: rule_of("Softmax", axis="axis"),
    nn.LogSoftmax: rule_of("LogSoftmax", axis="axis"),
    nn.CrossEntropy: write_cross_entropy,
    nn.Windows: write_windows,
}


# the model ---------------------------------------------------------------------------------------


def check_distinct(nodes, outputs):
    """Raises ArgumentError for an output that is called as an input is."""
    for node in nodes:
        if node.op is PlaceholderOp and node.name in outputs:
            message = f"an input and an output of the .onnx file are both called {node.name!r}"
            hint = f"name the output: mg.save(path, {{{node.name + '_out'!r}: y}})"
            raise ArgumentError(message, hint, node.line)


def onnx_model(nodes, outputs, values):
    """The bytes of an ONNX model of these nodes; `outputs` are {name: node}.

    Raises ArgumentError, with the line where it was made, for a node without a counterpart.
    """
    try:
        import onnx
    except ImportError:
        message = "saving to ONNX needs the package onnx"
        raise ArgumentError(message, 'pip install "minigrad-course[onnx]"') from None
    check_distinct(nodes, outputs)
    given = {*outputs, *(node.name for node in nodes if node.op is PlaceholderOp)}
    w, inputs = OnnxWriter(onnx, given), []
    for node in nodes:
        try:
            if node.op is PlaceholderOp:
                w.names[node.order] = node.name or w.new_name(f"input_{len(inputs)}")
                inputs.append(w.declare(node, w.names[node.order]))
            elif isinstance(node, (Constant, Variable)):
                w.names[node.order] = w.array(stored_array(node, values))
            else:
                w.add(node)
        except (FileError, UnicodeError) as error:
            message = f"{node!r} has no counterpart in ONNX: {getattr(error, 'message', error)}"
            hint = getattr(error, "hint", "choose a name of plain letters")
            raise ArgumentError(message, hint, node.line) from None
    for name, node in outputs.items():
        w.steps.append(onnx.helper.make_node("Identity", [w.names[node.order]], [name]))
    results = [w.declare(node, name) for name, node in outputs.items()]
    graph = onnx.helper.make_graph(w.steps, "minigrad", inputs, results, w.arrays)
    model = onnx.helper.make_model(
        graph,
        producer_name="minigrad",
        ir_version=IR,
        opset_imports=[onnx.helper.make_opsetid("", OPSET)],
    )
    try:
        onnx.checker.check_model(model, full_check=True)
        return model.SerializeToString()
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError, ValueError) as error:
        raise ArgumentError(
            f"this is not an ONNX model: {str(error)[:300]}",
            "give inputs and outputs names of their own, of printable letters, "
            "and at most 2 GiB of arrays",
        ) from None
