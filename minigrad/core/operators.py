"""The operators and methods that Tensors and Nodes share: each is one op applied."""

from typing import TYPE_CHECKING, Any, NoReturn

from minigrad.core import hints, ops
from minigrad.core.errors import ArgumentError, UsageError
from minigrad.core.numpy_calls import NumPyCalls
from minigrad.core.op import bind, read_now
from minigrad.core.ops.elementwise import Detach, Identity
from minigrad.core.ops.logic import both, differ, either, invert
from minigrad.core.signatures import ArrayLike, TwoOperands, V, ValueOf, takes_one, takes_two
from minigrad.core.spec import spec_of


def swap_xy(function: TwoOperands[[]]) -> TwoOperands[[]]:
    """y, x → function(x, y): an operator whose left operand x knows nothing of ops."""
    return takes_two(lambda y, x: function(x, y))


def only_axis(x: Any, axis: int | None, method: str) -> int:
    """The axis given, or the only one; which of several is meant, libraries see differently."""
    if axis is None and len(x.shape) != 1:
        message = f"{method}() needs an axis, because the value has {len(x.shape)} axes"
        raise UsageError(message, f"write x.{method}(axis=-1), or x.flatten().{method}() for all")
    return 0 if axis is None else axis


class Operand(NumPyCalls):
    """A Value in formulas: x + y, 2 * x, x @ y, x[1:], x.sum(); np.sum(x) is in numpy_calls.py."""

    __slots__ = ()
    _room = "x"  # whose names of other libraries hints.py knows

    if not TYPE_CHECKING:  # to types, what is not there is an error

        def __getattr__(self, name: str) -> Any:
            raise hints.missing_attribute(self, name)

    __add__, __sub__, __mul__, __truediv__ = ops.add, ops.sub, ops.mul, ops.div
    __pow__, __matmul__ = ops.power, ops.matmul
    __mod__, __floordiv__ = ops.remainder, ops.floor_divide
    __and__, __or__, __xor__ = both, either, differ
    __radd__, __rsub__, __rmul__, __rtruediv__ = map(swap_xy, (ops.add, ops.sub, ops.mul, ops.div))
    __rpow__, __rmatmul__ = swap_xy(ops.power), swap_xy(ops.matmul)
    __rmod__, __rfloordiv__ = swap_xy(ops.remainder), swap_xy(ops.floor_divide)
    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__
    __lt__, __le__, __gt__, __ge__ = ops.less, ops.less_equal, ops.greater, ops.greater_equal
    __hash__ = object.__hash__  # by identity: == is an op
    __neg__, __abs__, __invert__, __getitem__ = ops.negate, ops.abs, invert, ops.getitem
    __pos__ = takes_one(read_now)

    def __eq__(self: ValueOf[V], other: Any) -> V:
        """x == y in every place; False beside None and texts, as Python has it."""
        return NotImplemented if other is None or isinstance(other, str) else ops.equal(self, other)

    def __ne__(self: ValueOf[V], other: Any) -> V:
        no_number = other is None or isinstance(other, str)
        return NotImplemented if no_number else ops.not_equal(self, other)

    def _refuse_shift(self, other: Any) -> NoReturn:
        """Raises UsageError: bits are not looked at."""
        message = "<< and >> shift bits, which minigrad does not support"
        raise UsageError(message, "multiply by 2 ** n, or use NumPy on x.numpy()")

    __lshift__ = __rshift__ = __rlshift__ = __rrshift__ = _refuse_shift

    def __divmod__(self: ValueOf[V], other: ValueOf[V] | ArrayLike) -> tuple[V, V]:
        return ops.floor_divide(self, other), ops.remainder(self, other)

    def __rdivmod__(self: ValueOf[V], other: ArrayLike) -> tuple[V, V]:
        return ops.floor_divide(other, self), ops.remainder(other, self)

    def __round__(self: ValueOf[V], decimals: int = 0) -> V:
        return ops.round(self, decimals)

    @property
    def T(self: ValueOf[V]) -> V:
        """The value with its axes reversed."""
        return ops.transpose(self)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise UsageError("a single number has no length", "use x.shape")
        length: int = self.shape[0]
        return length

    def __format__(self, form: str) -> str:
        if not form:
            return str(self)
        if any(n != 1 for n in self.shape):
            message = f"the format {form!r} is for a single number, not {spec_of(self)}"
            raise ArgumentError(message, "write x[0] or mg.round(x, 3)")
        return format(self.item(), form)  # type: ignore[attr-defined]  # Tensors have it

    exp, log, sin, cos, tanh = ops.exp, ops.log, ops.sin, ops.cos, ops.tanh
    square, sqrt, abs, sign = ops.square, ops.sqrt, ops.abs, ops.sign
    floor, round, clip = ops.floor, ops.round, ops.clip
    relu, sigmoid, softplus = ops.relu, ops.sigmoid, ops.softplus
    softmax, log_softmax, logsumexp = ops.softmax, ops.log_softmax, ops.logsumexp
    sum, mean, var, std, max, min = ops.sum, ops.mean, ops.var, ops.std, ops.max, ops.min
    prod, cumsum, any, all = ops.prod, ops.cumsum, ops.any, ops.all
    squeeze, dot, outer, logaddexp = ops.squeeze, ops.dot, ops.outer, ops.logaddexp
    argsort, take, tile, roll, diag = ops.argsort, ops.take, ops.tile, ops.roll, ops.diag

    def argmax(self: ValueOf[V], axis: int | None = None) -> V:
        """The index of the largest entry along `axis`, which one axis alone needs not be told."""
        return ops.argmax(self, only_axis(self, axis, "argmax"))

    def argmin(self: ValueOf[V], axis: int | None = None) -> V:
        """The index of the smallest entry along `axis`, which one axis alone needs not be told."""
        return ops.argmin(self, only_axis(self, axis, "argmin"))

    def reshape(self: ValueOf[V], *shape: Any) -> V:
        """The entries in another shape: x.reshape(2, 3) or x.reshape((2, 3))."""
        return ops.reshape(self, shape[0] if len(shape) == 1 else shape)

    def flatten(self: ValueOf[V]) -> V:
        """The entries in one row."""
        return ops.reshape(self, (-1,))

    ravel = flatten

    def transpose(self: ValueOf[V], *axes: Any) -> V:
        """The axes permuted, reversed by default: x.transpose(1, 0) or x.transpose((1, 0))."""
        return ops.transpose(self, (axes[0] if len(axes) == 1 else axes) or None)

    def astype(self: ValueOf[V], dtype: Any) -> V:
        """The value in another dtype."""
        return ops.cast(self, dtype)

    def detach(self: ValueOf[V]) -> V:
        """The same numbers, cut off from differentiation."""
        same: V = bind(Detach, self)
        return same

    def clone(self: ValueOf[V]) -> V:
        """A copy, which derivatives pass through."""
        same: V = bind(Identity, self)
        return same

    copy = clone

    def tolist(self) -> Any:
        """The numbers in nested lists; one number as a Python number."""
        return self.numpy().tolist()  # type: ignore[attr-defined]  # Tensors have it
