"""An op, whole: how to compute it, its local derivative, its shape rule; and the door, `bind`.

z = op(x, y): primals x and y give z. In forward mode a tangent x_dot of x becomes a tangent of z
(jvp); in reverse mode a cotangent z_bar of z becomes a cotangent x_bar of x (vjp). Rules are
written with ops, so one rule runs on arrays, on Tensors and on graph Nodes.
"""

import functools
import inspect
import operator
import re
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from string import Formatter
from typing import Any, TypeVar

import numpy as np

from minigrad.core.errors import ArgumentError, DtypeError, Line, MinigradError
from minigrad.core.signatures import OneOperand, Params, TwoOperands, Values, takes_one, takes_two
from minigrad.core.spec import (
    Shape,
    Spec,
    as_array,
    broadcast_shapes,
    is_compatible,
    is_stretched,
    spec_of,
)

F = TypeVar("F", bound=Callable[..., Any])
Operandlike = Any  # a number, an array, a Tensor, a Node: rules are written for all of them
ARRAYS = (np.ndarray, np.generic)
ARRAYS_AND_NUMBERS = (*ARRAYS, bool, int, float)
NOTHING_CHANGES = nullcontext()


class Value:
    """What ops are applied to and what they return: a Tensor, a Node, a hole of a pattern.

    `priority` says which engine wins when two kinds meet in one call. An engine brings:
    extend(op, inputs, params) applies an op where at least one input is of its kind;
    lift(x) makes a number, an array or a value into one of its values;
    verify() raises when the value's history is lost; run_hooks(x_bar) may replace a cotangent;
    recompute(path, checkpoints) says how reverse mode gets the values that it does not keep;
    at_version() is a `with` block in which new nodes read the variables as this value did;
    read_value() is a value that later changes of variables leave as it is;
    stretchable() are the places of operands that broadcasting repeats where a length is fed as 1;
    with_statements(ys, start) is a value that runs what prints on the way from `start` to ys;
    record_sweep(kind) keeps what a sweep of `kind`, "adjoint" or "tangent", makes for what, and
    recorded_steps() are those of the last backward pass from this value.
    """

    __slots__ = ()
    priority: float = 0
    extra: Any = None  # attributes that few values have
    hooks: Any = None
    changeable = False  # its numbers can be changed in place

    shape: tuple[Any, ...]
    dtype: Any
    op: Any  # what it was computed by, or None
    inputs: Any
    params: Any
    order: int
    name: Any
    extend: Callable[..., Any]
    lift: Callable[..., Any]
    run_hooks: Callable[..., Any]
    recompute: Callable[..., Any]
    recorded_steps: Callable[..., Any]

    def verify(self) -> None:
        """Raises GradientError when what a derivative needs is gone; here it never is."""

    def at_version(self) -> Any:
        """A `with` block in which variables are read as they were when this value was built."""
        return NOTHING_CHANGES

    def read_value(self) -> Any:
        """The value itself, where nothing is computed later than it is built."""
        return self

    def with_statements(self, ys: Any, start: int) -> Any:
        """The value itself, where what f prints was printed when f was called."""
        return self

    def stretchable(self) -> Values:
        """The places of operands that a run may repeat: none, where all lengths are known."""
        return ()

    def record_sweep(self, kind: str) -> Any:
        """What writes down the steps of a sweep over such values; None where nothing is kept."""
        return None

    def resolve(self) -> Any:
        """The value that somebody may hold, where this one stands for it."""
        return self

    def coerce(self, x: Operandlike) -> Any:
        """x as a value that this one can be computed from: of its engine, and of its graph."""
        return self.lift(x)


def bind(op: "type[Op]", /, *inputs: Operandlike, **params: Any) -> Any:
    """Applies `op`: arrays compute, Tensors compute and remember, Nodes extend their graph."""
    engine = None
    for x in inputs:
        if isinstance(x, Value) and (engine is None or x.priority > engine.priority):
            engine = x
    if engine is not None:
        return engine.extend(op, inputs, params)
    plain = ARRAYS_AND_NUMBERS if op.elementwise else ARRAYS
    return evaluate(op, [x if isinstance(x, plain) else as_array(x) for x in inputs], params)


# ops without parameters; `op.shortcuts` is {type of x: what does the same as `bind` in less time},
# which nothing here fills
UNARY: list[Any] = []
BINARY: list[Any] = []


def read_now(x: Operandlike) -> Any:
    """x itself; of a variable the value that it has by now, which is what an op would read."""
    return x.read_value() if isinstance(x, Value) else x


def unary(op: "type[Op]") -> OneOperand[[]]:
    """The function x → op(x)."""
    shortcuts: dict[Any, Any] = {}
    op.shortcuts = shortcuts

    def function(x: Operandlike) -> Any:
        shortcut = shortcuts.get(type(x))
        return bind(op, x) if shortcut is None else shortcut(x)

    UNARY.append(op)
    return takes_one(name_after(op, function))


def binary(op: "type[Op]") -> TwoOperands[[]]:
    """The function x, y → op(x, y)."""
    shortcuts: dict[Any, Any] = {}
    op.shortcuts = shortcuts

    def function(x: Operandlike, y: Operandlike) -> Any:
        shortcut = shortcuts.get(type(x))
        return bind(op, x, y) if shortcut is None else shortcut(x, y)

    BINARY.append(op)
    return takes_two(name_after(op, function))


def name_after(op: "type[Op]", function: F) -> F:
    """The function under the name and with the words of its op, as the learner meets it."""
    function.__name__ = function.__qualname__ = op.verb
    function.__doc__, function.__module__ = op.__doc__, op.__module__
    return function


def evaluate(op: "type[Op]", arrays: Values, params: Params, inputs: Values | None = None) -> Any:
    """op(arrays); what goes wrong is told in the terms of the op and its `inputs`."""
    try:
        return compute(op, arrays, params)
    except Exception as error:
        raise explain_error(error, op, inputs or arrays, params) from None


# How numbers lie in memory decides how NumPy rounds a sum, a product of matrices, a power. So that
# equal programs give equal bits, a value that is not a view lies row by row, in every engine.


def compute(op: "type[Op]", arrays: Values, params: Params) -> Any:
    """op.compute on arrays, its result row by row in memory unless it is a view of the first."""
    z = op.compute(*(arrays if op.layout_invariant else map(contiguous, arrays)), **params)
    if type(z) is not np.ndarray or z.flags.c_contiguous or op.gives_view(len(arrays)):
        return z
    return np.ascontiguousarray(z)


def contiguous(x: Any) -> Any:
    """x; a copy row by row when x owns numbers in another order.

    In such an order NumPy leaves what it computes entry by entry from transposed operands; where
    only entries matter, that may stay until somebody asks here.
    """
    if type(x) is np.ndarray and not x.flags.c_contiguous and x.flags.owndata:
        return np.ascontiguousarray(x)
    return x


# what NumPy, and the rules of ops, say of operands that do not fit
OF_OPERANDS = (MinigradError, ValueError, TypeError, LookupError, ArithmeticError, MemoryError)


def explain_error(
    error: Exception, op: "type[Op]", inputs: Values, params: Params, line: Line | None = None
) -> Exception:
    """`error` of an op's rule as an error that shows the whole call, and where it was made.

    What says nothing of operands, as a slip in the code of a rule, comes back as it is.
    """
    if not isinstance(error, OF_OPERANDS):
        return error
    if not isinstance(error, MinigradError):
        hint = "check the values of the operands"
        error = shape_fault(op, inputs, params) or ArgumentError(str(error), hint)
    labels = operand_labels(op, inputs)
    call = ", ".join(f"{label}: {spec_of(x)}" for label, x in zip(labels.values(), inputs))
    message = error.message
    for formal, label in labels.items():
        message = message.replace("{" + formal + "}", label)
    return type(error)(f"{op.verb}({call}): {message}", error.hint, line or error.line, error.code)


def shape_fault(op: "type[Op]", inputs: Values, params: Params) -> MinigradError | None:
    """What the shape rule says against the operands, or None; that an op cannot be tried on ones
    says nothing of its operands."""
    try:
        op.infer(*map(spec_of, inputs), **params)
    except OF_OPERANDS as fault:
        return fault if isinstance(fault, MinigradError) and fault.code != "probe" else None
    return None


def compute_checked(op: "type[Op]", spec: Spec, /, *arrays: Any, **params: Any) -> Any:
    """op(arrays). Raises ArgumentError when the code of others computes what it did not say."""
    z = compute(op, arrays, params)
    found = spec_of(z)
    if found.dtype != spec.dtype or not is_compatible(found.shape, spec.shape):
        message = f"it computed {found}, but its shape rule says {spec}"
        raise ArgumentError(message, "return that from compute, or correct infer")
    return z


def operand_labels(op: "type[Op]", inputs: Values) -> dict[str, str]:
    """{formal name of each operand: the learner's name for it, else the formal name}.

    A formal name that is the learner's name for another operand is not used for this one.
    """
    formal, names = op.operands(len(inputs)), [getattr(x, "name", None) for x in inputs]
    return {
        f: name or (f if f not in names else f"operand {place}")
        for place, (f, name) in enumerate(zip(formal, names), 1)
    }


# what a formula of single numbers may call, besides abs: NumPy's functions of these names
FORMULA_CALLS = "exp log sin cos tanh sqrt sign maximum minimum".split()
FORMULA_WORDS = {*FORMULA_CALLS, "abs", "if", "else", "and", "or", "not"}


def check_formula(name: str, formula: str) -> None:
    """Raises ArgumentError when a formula contains a word that generated code does not know."""
    texts = [text for text, *_ in Formatter().parse(formula)]  # without {0}, {type}
    unknown = {*re.findall(r"\b[A-Za-z_]\w*", " ".join(texts))} - FORMULA_WORDS
    if unknown:
        message = f"the formula of {name} contains {', '.join(sorted(unknown))}"
        known = ", ".join(["abs", *FORMULA_CALLS])
        raise ArgumentError(message, f"call only {known}, or leave the formula out")


class OpType(type):
    """Prints an op class as its bare name, and keeps what follows from its rules."""

    sign: str | None
    layout_invariant: bool
    formula: str | None
    verb: str
    shortcuts: dict[Any, Any]
    found_to_read: dict[tuple[bool, ...], set[Any]]

    def __init__(cls, name: str, bases: tuple[Any, ...], namespace: dict[Any, Any]) -> None:
        super().__init__(name, bases, namespace)
        cls.found_to_read = {}  # which operands are wanted → what values_read says
        # is not passed on to classes derived elsewhere
        cls.builtin = namespace.get("builtin", False)
        if cls.sign and cls.layout_invariant and "formula" not in namespace:
            cls.formula = f"{{0}} {cls.sign} {{1}}"
        check_formula(name, cls.formula or "")
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
        cls.verb = namespace.get("verb", words)  # for sentences

    def __repr__(cls) -> str:
        return cls.__name__


class Op(metaclass=OpType):
    """An op with a rule per operand: jvp[i](x, y, z, x_dot) and vjp[i](x, y, z, z_bar).

    Parameters (axis, shape, ...) follow by keyword. A rule None means: no derivative there.
    `reads` says for each reverse rule whose numbers it looks at, which must then be kept as they
    were: "x", "y", "w" are the operands, "z" the result, "*" all operands but the first, "+" all
    but the first two. Shapes and dtypes may be looked at freely. None stands for everything.

    `says` is one sentence of English about z, and `says_back` about what the reverse rule passes
    on: one for all operands, or one for each. They are told in the learner's names: {x}, {y}, {w}
    and {z}, {xs} for all operands, {to} for the one that receives {amount} of {z_bar}; parameters
    by their own names. `says_rows` and `says_rows_back` take their place where a vector meets the
    {rows} of a matrix; {said} is then what `says` gives.
    """

    elementwise = False
    differentiable = True
    pure = True  # equal inputs give equal results: it may be folded and merged
    effect = False  # it must run, and in order
    layout_invariant = False  # its bits are the same however its operands lie in memory
    builtin = False  # its compute is this package's, and gives what infer says
    sign: str | None = None  # between the operands, in a formula: "+"
    formula: str | None = None  # of single numbers, in Python: "exp({0})"; an exact sign gives it
    onnx: str | None = None  # the operator of that name in ONNX computes the same
    commutative = False  # x and y may change places, bit for bit
    infallible = False  # once shapes and dtypes are checked, nothing can go wrong in compute
    view = False  # z may share x's memory
    lowerings: Params = {}  # by names of other array libraries, as "jax": compute on their arrays
    shape_only: Values = ()  # operands of which compute looks at the shape alone
    reads: tuple[str, ...] | None = None
    jvp: Values = ()
    vjp: Values = ()
    partials: Values = ()
    says = "{z} is what {verb} computes from {xs}."
    says_back: str | tuple[str, ...] = "The rule of {verb} says that {to} receives {amount}."
    says_rows = says_rows_back = ""
    infer: Callable[..., Any]
    compute: Callable[..., Any]
    # (shape of x, shape of z) → [(op, its parameters)] that take x to z, where lengths are known
    steps_between: Any = None

    @classmethod
    def gives_view(op, count: int) -> bool:
        """True when z, computed from `count` operands, lies in the first one's memory."""
        return op.view

    @classmethod
    def broadcast_lengths(op, shapes: Values, z_shape: Shape, **params: Any) -> list[Any]:
        """(lengths, what they are broadcast to) of each operand, for operands of such shapes."""
        return [(shape, z_shape) for shape in shapes] if op.elementwise else []

    @classmethod
    def stretchable(op, inputs: Values, params: Params) -> Values:
        """The places of operands with an unknown length that, fed as 1, would be repeated."""
        if all(None not in x.shape for x in inputs):
            return ()
        return [
            place
            for place, x in enumerate(inputs)
            if any(
                n is None and is_repeated(op, inputs, params, x, a) for a, n in enumerate(x.shape)
            )
        ]

    @classmethod
    def operands(op, count: int) -> list[str]:
        """The formal names of `count` operands, as in the op's own shape rule."""
        parameters = list(inspect.signature(op.infer).parameters.values())
        names = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        return (names + [f"x{i}" for i in range(len(names), count)])[:count]

    @classmethod
    def values_read(op, wanted: Iterable[bool]) -> set[Any]:
        """The positions of operands, and "z", that the rules of the `wanted` operands read."""
        wanted = tuple(wanted)
        read = op.found_to_read.get(wanted)
        if read is None:
            read = op.found_to_read[wanted] = places_read(op.reads, wanted)
        return read

    @classmethod
    def pushforward(op, xs: Values, z: Any, x_dots: Values, params: Params) -> Any:
        """The tangent of z: the sum of what each operand's tangent contributes."""
        pairs = [(rule, v) for rule, v in zip(op.jvp, x_dots) if v is not None and rule]
        return accumulate([rule(*xs, z, v, **params) for rule, v in pairs])

    @classmethod
    def pullback(op, xs: Values, z: Any, z_bar: Any, wanted: Values, params: Params) -> Values:
        """The cotangent of each wanted operand; None for the others."""
        return [
            rule(*xs, z, z_bar, **params) if want and rule else None
            for rule, want in zip(op.vjp, wanted)
        ]


def is_repeated(op: type[Op], inputs: Values, params: Params, x: Any, axis: int) -> bool:
    """True when a length 1 of x along `axis` would be repeated beside what is known of the rest."""
    one = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    given = [Spec(one if has_shape_of(x, v) else v.shape, v.dtype) for v in inputs]
    try:
        z_shape = op.infer(*given, **params).shape
    except MinigradError:
        return False
    shapes = [v.shape for v in inputs], [s.shape for s in given]
    before, after = (op.broadcast_lengths(each, z_shape, **params) for each in shapes)
    return any(is_stretched(was, now, whole) for (was, _), (now, whole) in zip(before, after))


def has_shape_of(x: Any, y: Any) -> bool:
    """True when x and y are computed entry by entry from one value, so that no feed tells them
    apart."""
    return shape_source(x) is shape_source(y)


def shape_source(x: Any) -> Any:
    """The value whose shape x has, back over ops of single entries of it and of numbers."""
    while x.op is not None and x.op.elementwise:
        wide = [v for v in x.inputs if v.shape != ()]
        if len(wide) != 1:
            break
        x = wide[0]
    return x


def places_read(reads: tuple[str, ...] | None, wanted: tuple[bool, ...]) -> set[Any]:
    """What the letters of `reads` stand for, in the rules of the `wanted` operands."""
    count = len(wanted)
    meant: dict[Any, Any] = {"x": {0}, "y": {1}, "w": {2}, "z": {"z"}}
    meant |= {"*": range(1, count), "+": range(2, count)}
    rules = ("x*z",) if reads is None else reads
    rules = rules if len(rules) == count else rules * count
    letters = "".join(letters for letters, want in zip(rules, wanted) if want)
    return {place for letter in letters for place in meant[letter]}


# (elementwise op, dtypes, parameters) → the dtype that NumPy was found to give
probed: dict[Any, Any] = {}


class Elementwise(Op):
    """z[i] = f(x[i], y[i]) after broadcasting; `partials` are ∂z/∂x and ∂z/∂y, for both modes.

    A partial is a function of (x, y, z), or the number 1 or -1, or None. A function that returns
    None says: zero everywhere.
    """

    elementwise = True
    hint = "make it a float first: x.astype(float)"  # for a dtype that compute refuses
    says_back = "{verb} has the derivative {slope}, so {to} receives {amount}."
    says_rows = "{said} Each of the {rows} rows of {large} uses {small}."
    says_rows_back = "{to} was used for all {rows} rows, so it receives the sum over the rows."

    @classmethod
    def infer(op, *specs: Spec, **params: Any) -> Spec:
        # 2 == 2.0, but not as a power
        key = op, *[s.dtype for s in specs], *[(name, type(p), p) for name, p in params.items()]
        if key not in probed:
            empty = [np.ones((0,), s.dtype) for s in specs]
            try:
                probed[key] = op.compute(*empty, **params).dtype
            except TypeError:
                names = " and ".join(f"{s.dtype}" for s in specs)
                raise DtypeError(f"{op.verb} is not defined for {names}", op.hint) from None
        return Spec(broadcast_shapes(*[s.shape for s in specs]), probed[key])

    @classmethod
    def operands(op, count: int) -> list[str]:
        return ["x", "y", "w"][:count]

    @classmethod
    def pushforward(op, xs: Values, z: Any, x_dots: Values, params: Params) -> Any:
        pairs = [(p, v) for p, v in zip(op.partials, x_dots) if v is not None and p]
        return accumulate([scale_partial(p, xs, z, v, params) for p, v in pairs])

    @classmethod
    def pullback(op, xs: Values, z: Any, z_bar: Any, wanted: Values, params: Params) -> Values:
        return [
            scale_partial(p, xs, z, z_bar, params) if want and p else None
            for p, want in zip(op.partials, wanted)
        ]


class Linear(Op):
    """An op linear in its first operand: its tangent is the op of the tangent.

    `transpose(z_bar, x)` gives x's cotangent. Further operands (an index, a `like`) only steer;
    with `jointly`, the op is linear in all operands together and transpose returns one for each.
    """

    jointly = False
    transpose: Callable[..., Any]
    reads = ("",)
    says_back = "{verb} is linear, so its transpose takes {z_bar} back to {to}."

    @classmethod
    def pushforward(op, xs: Values, z: Any, x_dots: Values, params: Params) -> Any:
        if op.jointly:
            x_dots = [bind(ZerosLike, x) if d is None else d for x, d in zip(xs, x_dots)]
            return bind(op, *x_dots, **params)
        return None if x_dots[0] is None else bind(op, x_dots[0], *xs[1:], **params)

    @classmethod
    def pullback(op, xs: Values, z: Any, z_bar: Any, wanted: Values, params: Params) -> Values:
        x_bars = op.transpose(z_bar, *xs, **params)
        return x_bars if op.jointly else (x_bars,) + (None,) * (len(xs) - 1)


class Discrete(Op):
    """An op whose derivative is zero wherever it exists: a comparison, a count, a draw."""

    differentiable = False


class ZerosLike(Discrete):
    """z = 0, of x's shape and dtype."""

    builtin = True
    shape_only = (0,)
    says = "{z} has the shape of {x} and holds only zeros."

    def infer(x: Any) -> Any:
        return x

    def compute(x: Any) -> Any:
        return np.zeros_like(x)


def scale_partial(partial: Any, xs: Values, z: Any, v: Any, params: Params) -> Any:
    """A local derivative times a tangent or cotangent."""
    if partial == 1:
        return v
    if partial == -1:
        return -v
    slope = partial(*xs, z, **params)
    return bind(ZerosLike, v) if slope is None else v * slope


def accumulate(parts: list[Any]) -> Any:
    """The sum of contributions; None when there are none."""
    return functools.reduce(operator.add, parts) if parts else None
