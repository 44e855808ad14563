"""The dynamic engine: a Tensor is a value computed at once that remembers how."""

import functools
import math
import sys
import warnings
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import attrgetter
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy import ndarray

from minigrad.core import autodiff
from minigrad.core.errors import (
    PACKAGE,
    ArgumentError,
    DtypeError,
    GradientError,
    Line,
    ShapeError,
    user_line,
)
from minigrad.core.modes import mode, no_grad
from minigrad.core.op import Op, Operandlike, Value, bind, contiguous, evaluate
from minigrad.core.ops.elementwise import Detach, Identity, cast
from minigrad.core.ops.index import stack
from minigrad.core.ops.shape import broadcast_to
from minigrad.core.signatures import Array, Params, Values
from minigrad.core.spec import as_array, as_contiguous, is_float, is_scalar, scalar_like, spec_of
from minigrad.dynamic.conversions import Conversions, refuse_lost
from minigrad.dynamic.hooks import Hooks
from minigrad.dynamic.in_place import InPlace, changes, export_of, tick

EMPTY: Params = {}  # the parameters of most ops
Tensors: TypeAlias = tuple["Tensor", ...]
CUT: dict[str, Any] = {"detached": True}  # the `extra` of values that a derivative cannot reach
X = TypeVar("X")  # what an attribute holds
LEAST_FREED = 4096  # bytes of a value that is let go when no rule reads it and nobody holds it
VALUES, ENTRIES = 60, 4  # a graph of more values, or of one with more entries, is not noted


class SparseAttribute(Generic[X]):
    """An attribute that few Tensors have, kept in `extra`: making a Tensor takes no time for it."""

    def __init__(self, default: Any = None) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, t: Any, owner: Any = None) -> X:
        extra = t.extra if t is not None and t.extra else EMPTY
        held: X = extra.get(self.name, self.default)
        return held

    def __set__(self, t: Any, value: X) -> None:
        extra = t.extra
        if extra is None or extra is CUT:  # which others have, too
            t.extra = {**(extra or EMPTY), self.name: value}
            return
        extra[self.name] = value
        if "meta" in extra:
            t.meta.extra = {**(t.meta.extra or EMPTY), self.name: value}


class GradientSlot(SparseAttribute[X]):
    """`t.grad`. Reading it from a computed value that keeps no gradient gives a warning.

    It takes None, a Tensor, an array, or one number for all entries, in t's dtype. Raises
    ShapeError for others.
    """

    def __set__(self, t: Any, value: Any) -> None:
        fits = type(value) is Tensor and value.shape == t.shape and value.dtype == t.dtype
        found: Any = value if value is None or fits else grad_from(t, value)
        super().__set__(t, found)

    def __get__(self, t: Any, owner: Any = None) -> X:
        extra = t.extra if t is not None else None
        found: Any = extra.get(self.name) if extra else None
        if found is None and t is not None and t.op and t.tracked and not t.keeps_grad:
            warn_of_no_gradient(t, sys._getframe(1))
        return found  # type: ignore[no-any-return]


def grad_from(t: Any, value: Any) -> "Tensor":
    """A gradient of t from numbers."""
    given = value if isinstance(value, Tensor) else tensor(value)
    if given.shape != t.shape and given.shape:
        message = f"the gradient {spec_of(given)} does not fit {autodiff.label(t)}, {spec_of(t)}"
        raise ShapeError(message, "give a gradient of the same shape, or None")
    given = cast(given, t.dtype)
    return given if given.shape == t.shape else broadcast_to(given, t.shape)


def warn_of_no_gradient(t: Any, asking: FrameType) -> None:
    """Warns whoever reads `t.grad`; drawings read all."""
    if not asking.f_code.co_filename.startswith(PACKAGE):
        message = (
            f"{autodiff.label(t)} has no gradient, because backward stores gradients only in leaves"
        )
        hint = "call retain_grad() on it before backward, or read the leaf's"
        warnings.warn(f"{message}\n  try  {hint}", stacklevel=3)


def read_only(read: Callable[[Any], Any], doc: str | None = None) -> Any:
    """A property of Tensors; its type is what is written beside its name."""
    return property(read, doc=doc)


class Tensor(InPlace, Hooks, Conversions):
    """A value of the dynamic engine: `data`, and the `op` and `inputs` it was computed from.

    A leaf has no op. Operations are remembered when an input requires grad. Made by `tensor`; an
    `__init__` would take longer than all the rest of a small step. Its bases say how it is changed
    in place, what hooks are, and what Python and NumPy get when they ask for its numbers.
    """

    __slots__ = ("array", "op", "inputs", "params", "tracked", "order", "extra", "__weakref__")
    priority: float = 1
    changeable = True

    array: Array  # or one of NumPy's scalars: the engine's own, which nobody else writes into
    op: type[Op] | None
    inputs: Tensors
    params: dict[str, Any]
    tracked: bool
    extra: dict[str, Any] | None

    name: SparseAttribute[str | None] = SparseAttribute()
    grad: GradientSlot["Tensor | None"] = GradientSlot()
    keeps_grad: SparseAttribute[bool] = SparseAttribute(False)
    # handle → function
    hooks: SparseAttribute[dict[Any, Callable[..., Any]] | None] = SparseAttribute()
    # when and where, in place
    changed: SparseAttribute[tuple[int, Line | None] | None] = SparseAttribute()
    line: SparseAttribute[Line | None] = SparseAttribute()  # where it was made, inside keep_lines()
    detached: SparseAttribute[bool] = SparseAttribute(False)  # from what requires grad, in no_grad
    meta: SparseAttribute[Any] = SparseAttribute()  # what stands for it without its numbers

    # what it is ----------------------------------------------------------------------------------

    shape: tuple[int, ...] = read_only(attrgetter("array.shape"), "The lengths of the dimensions.")
    dtype: np.dtype[Any] = read_only(attrgetter("array.dtype"), "The number type.")
    ndim: int = read_only(attrgetter("array.ndim"), "The number of dimensions.")

    @property
    def size(self) -> int:
        """The number of entries."""
        return math.prod(self.shape)

    @property
    def is_leaf(self) -> bool:
        """True unless an op was remembered: w = tensor(…) is a leaf, w * 2 is not."""
        return self.op is None or not self.tracked

    differentiable_leaf: bool = read_only(lambda self: self.op is None and self.tracked)

    @property
    def grad_fn(self) -> type[Op] | None:
        """The op that backward will go through; None for a leaf."""
        return None if self.is_leaf else self.op

    @property
    def role(self) -> str:
        """What a drawing shows it as."""
        if self.op is not None:
            return "op"
        return "variable" if self.tracked else "input" if self.name else "constant"

    @property
    def requires_grad(self) -> bool:
        """True when derivatives for this value are asked for; of a leaf it can be set."""
        return self.tracked

    @requires_grad.setter
    def requires_grad(self, asked: bool) -> None:
        if asked and not is_float(self.dtype):
            raise no_slope(self.dtype)
        if self.op is not None and not asked:
            message = f"{autodiff.label(self)} was computed from values that require grad"
            raise GradientError(message, "take x.detach(), which has the same numbers")
        self.tracked = bool(asked)

    # its numbers ---------------------------------------------------------------------------------

    if not TYPE_CHECKING:  # to types, what is not there is an error

        def __getattr__(self, name: str) -> Any:
            return self.fill_slot() if name == "array" else super().__getattr__(name)

    def numpy(self) -> Array:
        """The numbers as an ndarray of their own."""
        return np.array(self.visible_numbers("numpy()"), order="C")

    def item(self) -> float | Any:  # or an int, or a bool
        """The only entry as a Python number. Raises ShapeError for more than one."""
        if self.size != 1:
            raise ShapeError(
                f"item() needs one entry, not {self.size}", "select one, or use numpy()"
            )
        return self.visible_numbers("item()").item()

    def visible_numbers(self, how: str) -> Any:
        """The numbers, which Python is about to compute with, asked for by `how`.

        Raises GradientError inside a function that is being differentiated for what they depend on.
        """
        if self.tracked and mode().recording:
            refuse_lost(self, how)
        return read_numbers(self)

    # the engine's side of `bind` -----------------------------------------------------------------

    def extend(self, op: type[Op], inputs: Values, params: Params) -> Any:
        """Computes op(inputs) now; remembers how, when an input requires grad."""
        now = mode()
        if now.tracing:
            return now.tracing.extend(op, inputs, params)
        wanted = tuple([isinstance(x, Tensor) and x.tracked for x in inputs])
        remember = True in wanted and now.recording and op.differentiable
        read = op.values_read(wanted) if remember else ()
        operands = [
            x if isinstance(x, Tensor) else new_constant(x, inputs, at in read or now.lazy)
            for at, x in enumerate(inputs)
        ]
        if now.lazy:
            return now.lazy(op, tuple(operands), params, remember)
        data = evaluate(op, [x.array for x in operands], params, operands)
        if not remember:
            return new_tensor(data, extra=cut_off(operands, now.recording))
        return new_tensor(data, op, keep_inputs(operands, read), params, True)

    def lift(self, x: Operandlike) -> "Tensor":
        """x as a Tensor, an array as a copy."""
        return x if isinstance(x, Tensor) else new_constant(x, (self,), copied=True)

    def detach(self) -> "Tensor":
        """A leaf with the same numbers, cut off from differentiation."""
        if mode().tracing:  # a leaf would hold the numbers of now for all later calls
            same: Tensor = bind(Detach, self)
            return same
        return new_tensor(as_contiguous(read_numbers(self)), extra=cut_off([self]))

    # reverse mode --------------------------------------------------------------------------------

    def backward(
        self, gradient: Any = None, retain_graph: bool = False, create_graph: bool = False
    ) -> None:
        """Adds ∂self/∂w, times `gradient`, to w.grad for every leaf w that requires grad.

        `gradient` (of self's shape) is needed unless self is a single number. The graph is freed
        as the sweep goes, unless retain_graph, also where a hook raises an error. With
        create_graph the gradients are themselves computed with Tensors, and can be differentiated.
        Raises GradientError, before any gradient changes, when the graph is gone or stale.
        """
        if not self.tracked:
            raise no_way_back(self)
        now, path = mode(), tracked_path([self])
        freed = not (now.plain or now.tracing or retain_graph or create_graph)
        noted = note_graph(self) if freed and len(path) <= VALUES else None
        seed = one_for(self) if gradient is None else autodiff.fit_seed(self, gradient, "gradient")
        if create_graph:
            sweep = autodiff.reverse_sweep(path, {self.order: seed})
            found = [(z, z_bar) for z, z_bar, _ in sweep if z.op is None or z.keeps_grad]
            z_bars = autodiff.copy_aliases([z_bar for _, z_bar in found], [seed])
        else:
            found = pull_back(path, {self.order: seed.array}, keep=retain_graph)
            z_bars = new_leaves([z_bar for _, z_bar in found], [gradient])
        for (z, _), z_bar in zip(found, z_bars):
            so_far = z.grad
            z.grad = z_bar if so_far is None else so_far + z_bar
        if noted:
            asked = None if gradient is None else seed.array
            self.extra = {**(self.extra or EMPTY), "noted": (noted, asked)}

    def verify(self) -> None:
        """Raises GradientError when backward can no longer go through this value."""
        if self.op is None:
            return
        if self.inputs and self.order > changes.latest and not changes.exports:
            return
        if not self.inputs:
            message = f"{autodiff.label(self)} was freed by an earlier backward"
            hint = "call the earlier backward with retain_graph=True, or compute the value again"
            raise GradientError(message, hint)
        for place in self.op.values_read([x.tracked for x in self.inputs]):
            read = self if place == "z" else self.inputs[place]
            if export_of(read):
                read.fill_slot()
            if read.changed and read.changed[0] > self.order:
                message = f"{autodiff.label(read)} was changed in place at {read.changed[1]}, but "
                message += f"{self.op.verb} needs its old value for the derivative"
                hint = f"change it after backward, or make a new value: {read.name or 'x'} = …"
                raise GradientError(message, hint)

    def recompute(self, path: dict[Any, Any], checkpoints: Any) -> Any:
        """Raises GradientError: what was computed at once is held by the graph of Tensors."""
        message = "checkpoints save no memory here, because the Tensors already hold their numbers"
        raise GradientError(
            message, "decorate a part of the network with mg.checkpoint, and compute again"
        )

    def restore_graph(self) -> tuple["Tensor", dict[Any, Any]]:
        """The graph as it was before backward freed it, for drawings; see history.py."""
        from minigrad.dynamic.history import restore_graph

        return restore_graph(self)

    def recorded_steps(self) -> list[tuple[Any, ...]]:
        """The steps of the last backward pass from this value; see history.py."""
        from minigrad.dynamic.history import repeat_sweep

        return repeat_sweep(self)

    def zero_grad(self) -> None:
        """Forgets the gradient: t.grad = None, which is all that a Tensor of PyTorch has."""
        self.grad = None

    def __reduce__(self) -> tuple[Any, ...]:
        """What a copy, or a pickle, is made of: a leaf of its own, with numbers of its own.

        Raises GradientError for a computed value while derivatives are recorded, as PyTorch does.
        """
        if self.tracked and self.op and mode().recording:
            message = f"a copy of {autodiff.label(self)} would lose its derivative"
            hint = "write x.clone() for one that keeps it, x.detach() for one that does not"
            raise GradientError(message, hint)
        return restore_leaf, (self.numpy(), self.requires_grad, self.name, self.grad)


# Inside `with graph:` it is a Node; types know Tensor's side, since no type says what is open.
TensorOrNode: TypeAlias = Tensor | Any


def new_tensor(
    data: Any,
    op: Any = None,
    inputs: tuple[Any, ...] = (),
    params: dict[str, Any] = EMPTY,
    tracked: bool = False,
    kind: type[Tensor] = Tensor,
    extra: dict[str, Any] | None = None,
) -> Tensor:
    """A Tensor with these numbers, computed by op(inputs), or a leaf."""
    t = kind()
    t.array, t.op, t.inputs, t.tracked = data, op, inputs, tracked
    t.params, t.order, t.extra = params, tick(), extra
    if mode().lines:
        t.line = user_line()
    return t


def cut_off(inputs: Sequence[Tensor], recording: bool = False) -> dict[str, Any] | None:
    """The `extra` of a value without history: CUT where one of its inputs had one that is not
    recorded. While it is `recording`, an op without a derivative ends it instead."""
    cut = any([x.extra is CUT or x.tracked and not recording for x in inputs])
    return CUT if cut else None


def no_way_back(y: Tensor) -> GradientError:
    """The error for a derivative of what depends on nothing that requires grad."""
    if y.detached:
        message = f"{autodiff.label(y)} is detached from leaves that require grad: it was computed "
        hint = "compute it outside no_grad(), from values that are not detached"
        return GradientError(f"{message}inside no_grad(), or from a detached value", hint)
    message = f"{autodiff.label(y)} does not depend on anything that requires grad"
    return GradientError(message, "create its leaves with requires_grad=True")


def note_graph(y: Tensor) -> dict[Any, Any] | None:
    """All that y was computed from, y included: {order: the fields of a NotedValue}; None where
    that is not small. It must be fast: training on single numbers spends its time here."""
    if any([x.array.size > ENTRIES for x in y.inputs]):
        return None  # as in nearly every training: it is known at once
    found: dict[Any, Any] = {}
    waiting = [y]
    while waiting:
        v = waiting.pop()
        if v.order in found:
            continue
        data, extra = v.array, v.extra
        if data.size > ENTRIES or len(found) == VALUES or type(v) is MetaTensor:
            return None
        inputs = [x.order for x in v.inputs]
        own = (extra.get("name"), extra.get("line")) if extra else (None, None)
        found[v.order] = data, v.op, inputs, v.params, v.tracked, *own, weakref.ref(v)
        waiting += v.inputs
    return found


def restore_leaf(data: Any, requires_grad: bool, name: str | None, grad: Any) -> Tensor:
    """A leaf as it was copied or pickled."""
    t = tensor(data, requires_grad, name=name)
    t.grad = grad
    return t


def tracked_path(ys: Sequence[Tensor]) -> dict[int, Any]:
    """{order: value} of all that requires grad and that ys were computed from, ys included, in
    order of creation: what autodiff.ancestors finds, without what has no derivative.

    Raises GradientError when one of them was freed, or is stale.
    """
    found = {y.order: y for y in ys if y.tracked}
    waiting, latest, exports = list(found.values()), changes.latest, changes.exports
    for v in waiting:  # it grows on the way
        inputs = v.inputs
        if not inputs or v.order <= latest or exports:
            v.verify()
        for x in inputs:
            if (order := x.order) not in found and x.tracked:
                found[order] = x = x.resolve() if x.extra else x
                waiting.append(x)
    return {order: found[order] for order in sorted(found)}


def one_for(t: Tensor) -> Tensor:
    """The seed 1 of a Tensor, which nobody else has."""
    if not t.shape:
        return new_tensor(t.dtype.type(1))
    seed: Tensor = autodiff.ones_for(t, new_tensor)
    return seed


def read_numbers(t: Tensor) -> Any:
    """The numbers, which Python is about to use; while a function is traced there are none."""
    if mode().tracing:
        mode().tracing.refuse(t)
    if type(t) is MetaTensor:
        message = (
            f"the numbers of {autodiff.label(t)} were freed, because no derivative rule needs them"
        )
        raise GradientError(message, "keep the value itself in a Python variable")
    return t.array


def numbers_of(t: Tensor) -> Array:
    """A Tensor's array, for rules that run on arrays."""
    numbers: Array = contiguous(t.array)
    return numbers


# op → what applies its rules to arrays in the least time, in the two sweeps. fast/ fills these
# with functions of the same results, and `with mg.plain():` leaves them out.
QUICK_PULLS: dict[Any, Callable[..., Any]] = {}
QUICK_PUSHES: dict[Any, Callable[..., Any]] = {}


def reverse_arrays(path: dict[int, Any], adjoints: dict[int, Any]) -> Iterator[tuple[Any, ...]]:
    """autodiff.reverse_sweep on the arrays of Tensors: its derivatives have no history."""
    quick = {} if mode().plain else QUICK_PULLS
    return autodiff.reverse_sweep(path, adjoints, numbers_of, array_contributions, quick)


def pull_back(path: dict[int, Any], adjoints: dict[int, Any], keep: bool) -> list[tuple[Any, Any]]:
    """[(value, its cotangent as an array)] of all on the path that keeps its gradient.

    Unless `keep`, values forget their inputs on the way: memory falls as the sweep goes on.
    """
    found = []
    with no_grad():
        for z, z_bar, _ in reverse_arrays(path, adjoints):
            extra = z.extra
            if z.op is None or extra and z.keeps_grad:
                found.append((z, z_bar))
            if not keep:
                z.inputs = ()
                if extra and z.meta is not None:
                    z.meta.inputs = ()
            del z, z_bar
    return found


def array_contributions(z: Tensor, z_bar: Any, path: Any, values: Any) -> Any:
    """autodiff.contributions of a cotangent that may lie in any order."""
    return autodiff.contributions(z, contiguous(z_bar), path, values)


def forward_arrays(path: dict[int, Any], tangents: dict[int, Any]) -> dict[int, Any]:
    """autodiff.forward_sweep on the arrays of Tensors."""
    quick = {} if mode().plain else QUICK_PUSHES
    return autodiff.forward_sweep(path, tangents, numbers_of, quick)


def new_constant(x: Operandlike, inputs: Sequence[Any], copied: Any) -> Tensor:
    """A number or array among the inputs of an op, as a Tensor without a derivative.

    Unless `copied`, the caller still owns an array that lies row by row and may change it, so what
    rules read later is copied.
    """
    if isinstance(x, Value):
        raise ArgumentError(f"{type(x).__name__} cannot be used with a Tensor", "use one engine")
    if is_scalar(x):
        return new_tensor(scalar_like(x, [spec_of(v).dtype for v in inputs if not is_scalar(v)]))
    data = as_contiguous(as_array(x))
    return new_tensor(np.array(data) if copied else data)


def keep_inputs(inputs: Sequence[Any], read: Collection[Any]) -> tuple[Any, ...]:
    """What is kept of the inputs of an op: those whose numbers its rules read, and stand-ins of
    others that are large."""
    return tuple([x if at in read else meta_of(x) for at, x in enumerate(inputs)])


class MetaTensor(Tensor):
    """A stand-in for a value without its numbers, which are freed when nobody else holds it.

    It stands in the graph for a large value that no rule reads; its array is NaN everywhere and
    takes no memory.
    """

    __slots__ = ()
    priority = 1.5  # it is asked before the Tensors beside it, and refuses
    op: type[Op]
    origin: SparseAttribute[Any] = SparseAttribute()  # a weak reference to the value

    def __repr__(self) -> str:
        return f"<{self.op.verb} of {spec_of(self)}, its numbers are not kept>"

    def extend(self, op: type[Op], inputs: Sequence[Any], params: dict[str, Any]) -> Any:
        """Computes op(inputs) where it needs the shape of this value alone.

        Raises GradientError where it needs the numbers.
        """
        for at, x in enumerate(inputs):
            if isinstance(x, MetaTensor) and at not in op.shape_only:
                read_numbers(x)
        return super().extend(op, inputs, params)

    def resolve(self) -> Tensor:
        return self if (value := self.origin()) is None else value


def meta_of(x: Tensor) -> Tensor:
    """The MetaTensor of x, one for all users; x itself where it is small, a leaf, read by the rule
    of its own op, or made to be looked at."""
    if x.op is None or x.array.nbytes < LEAST_FREED or mode().lines or type(x) is MetaTensor:
        return x
    if x.meta is None:
        if "z" in x.op.values_read([v.tracked for v in x.inputs]):
            return x
        numbers = unknown(x.shape, x.dtype)
        meta = new_tensor(numbers, x.op, x.inputs, x.params, True, kind=MetaTensor)
        meta.order = x.order
        meta.extra = {**(x.extra or EMPTY), "origin": weakref.ref(x)}
        meta.extra.pop("export", None)
        x.extra = {**(x.extra or EMPTY), "meta": meta}
    found: Tensor = x.meta
    return found


@functools.lru_cache(1024)
def unknown(shape: tuple[int, ...], dtype: Any) -> ndarray:
    """An array of NaN that takes the memory of one."""
    return np.broadcast_to(np.array(np.nan, dtype), shape)


def new_leaves(arrays: Iterable[Any], seeds: Iterable[Any]) -> list[Tensor]:
    """New leaves of these numbers, which share memory with nothing: not with one another, not with
    seeds that are the caller's Tensors, from which a derivative may have come unchanged."""
    taken = {id(seed.array) for seed in seeds if isinstance(seed, Tensor)}
    found = []
    for array in arrays:
        if type(array) is ndarray and (
            id(array) in taken or not array.flags.owndata or not array.flags.c_contiguous
        ):
            array = np.array(array, order="C")
        taken.add(id(array))
        found.append(new_tensor(array))
    return found


def no_slope(dtype: Any) -> DtypeError:
    """The error for a derivative of what is no float."""
    return DtypeError(
        f"requires_grad=True is given for {dtype} numbers, but only floats have derivatives",
        "write 3.0 for 3, or pass dtype=float",
    )


def tensor(
    data: Any, requires_grad: bool = False, dtype: Any = None, name: str | None = None
) -> Tensor:
    """Make a leaf Tensor with its own copy of `data`: numbers, nested lists or an array.

    Keeps NumPy's dtypes (Python floats become float64). Of values that take part in derivatives it
    is a copy through which these go, unless it shall be a leaf of its own with `requires_grad`.
    Raises DtypeError when that is asked of integers or booleans, which have no derivative.

    >>> mg.tensor([1.0, 2.0], requires_grad=True)
    tensor([1., 2.], requires_grad=True)
    """
    t: Tensor
    if not requires_grad and has_derivative(data):
        value = join_values(data)
        t = bind(Identity, value) if dtype is None else cast(value, dtype)
    else:
        given = data.visible_numbers("tensor()") if isinstance(data, Tensor) else data
        array = np.array(as_array(given, dtype), order="C")
        if requires_grad and not is_float(array.dtype):
            raise no_slope(array.dtype)
        t = new_tensor(array if array.shape else array[()], tracked=bool(requires_grad))
    if name:
        t.name = name
    return t


def has_derivative(data: Any) -> bool:
    """True for a value, or nested lists with one, whose derivative a copy would lose."""
    if isinstance(data, (list, tuple)):
        return any(has_derivative(each) for each in data if not isinstance(each, (int, float)))
    if mode().tracing:
        return isinstance(data, Value)
    return isinstance(data, Tensor) and data.tracked and mode().recording


def join_values(data: Any) -> Any:
    """Nested lists of values and numbers as one value."""
    return stack([join_values(each) for each in data]) if isinstance(data, (list, tuple)) else data
