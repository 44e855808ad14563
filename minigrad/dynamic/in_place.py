"""What gives a Tensor new numbers: x[0] = 1, x += 1, x.data = …, and writing into x.data.

A derivative that is still to come needs the numbers of the time of use, so every change is noted
with its line, and `Tensor.verify` (tensor.py) refuses to go through a value whose operands changed
after it was computed.
"""

import itertools
import operator
import sys
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np

from minigrad.core import autodiff
from minigrad.core.errors import DtypeError, GradientError, Line, ShapeError, user_line
from minigrad.core.modes import mode, no_grad
from minigrad.core.op import NOTHING_CHANGES, Value
from minigrad.core.operators import Operand
from minigrad.core.signatures import Array
from minigrad.core.spec import NUMBERS, as_contiguous, is_float, spec_of

tick = itertools.count(1).__next__  # stamps every Tensor and every change: later means larger
Operator = Callable[[Any, Any], Any]


class Changes:
    """The time of the latest change in place of any Tensor; a value computed after it cannot be
    stale."""

    latest = 0
    exports: dict[int, Any] = {}  # weak references to Tensors whose array was handed out


changes = Changes()


class Export(NamedTuple):
    """An array that `t.data` handed out, where anybody may write into it, and the engine's own."""

    array: np.ndarray
    own: np.ndarray
    line: Line | None


class InPlace(Operand):
    """An Operand whose numbers can be changed, where no derivative can get lost by it."""

    __slots__ = ()
    array: Any
    extra: dict[str, Any] | None

    @property
    def data(self) -> Array:
        """The numbers as an array that may be written into; an assignment gives others.

        Derivatives do not see it, as in PyTorch; the change is noted, and `backward` raises
        GradientError when it needs the numbers from before. Assigning takes numbers, arrays and
        Tensors of this shape; it raises ShapeError or DtypeError for others.
        """
        array = self.visible_numbers("data")
        if type(array) is not np.ndarray:
            return array  # NumPy's single numbers cannot be changed
        found = export_of(self)
        return found.array if found else export(self, array)

    @data.setter
    def data(self, value: Any) -> None:
        found = export_of(self)
        if found and value is found.array:
            self.fill_slot()  # x.data -= 1 has written into it already
            return
        if mode().tracing:
            mode().tracing.refuse_change(self)
        array = numbers_for(self, value)
        if array.shape != self.shape:
            hint = "give values of its shape, or make a new Tensor"
            raise ShapeError(unfit_data(self, array), hint)
        if is_float(array.dtype) and array.dtype != self.dtype and hasattr(value, "dtype"):
            hint = "cast it: w.data = v.astype(w.dtype), or make a new Tensor"
            raise DtypeError(unfit_data(self, array), hint)
        replace_numbers(self, np.array(array))

    def fill_slot(self) -> Any:
        """The engine's own numbers, after a look at the array that was handed out."""
        handed, own, line = export_of(self)  # type: ignore[misc]
        if (handed.shape, handed.dtype) != (own.shape, own.dtype):
            message = f"the data of {autodiff.label(self)} became {handed.dtype}{[*handed.shape]}"
            raise ShapeError(message, "make a new Tensor of that shape", line)
        if not same_bits(handed, own):
            own = np.array(handed)
            note_change(self, line)
        if sys.getrefcount(handed) <= 3:  # the Export has it, this function, and this call
            end_export(self)
            self.array = own
        else:
            self.extra = {**(self.extra or {}), "export": Export(handed, own, line)}
        return own

    def __setitem__(self, index: Any, value: Any) -> None:
        data, numbers = np.array(self.array), numbers_for(self, value)
        if not np.can_cast(numbers.dtype, data.dtype, "same_kind"):
            message = f"{numbers.dtype} numbers do not fit into {data.dtype}"
            raise DtypeError(message, "write x = x.astype(float) first")
        try:
            data[index] = numbers
        except (IndexError, ValueError) as error:
            hint = "use indices from 0 up, and give one value or one for each entry"
            raise ShapeError(f"{error}", hint) from None
        refuse_change(self, value)
        replace_numbers(self, data)

    def __iadd__(self, x: Any) -> Self:
        return change_by(self, operator.add, x)

    def __isub__(self, x: Any) -> Self:
        return change_by(self, operator.sub, x)

    def __imul__(self, x: Any) -> Self:
        return change_by(self, operator.mul, x)

    def __itruediv__(self, x: Any) -> Self:
        return change_by(self, operator.truediv, x)

    def __ifloordiv__(self, x: Any) -> Self:
        return change_by(self, operator.floordiv, x)

    def __imod__(self, x: Any) -> Self:
        return change_by(self, operator.mod, x)

    def __ipow__(self, x: Any) -> Self:
        return change_by(self, operator.pow, x)

    def __imatmul__(self, x: Any) -> Self:
        return change_by(self, operator.matmul, x)


def unfit_data(t: Any, array: Array) -> str:
    """What is said of numbers that cannot be the data of t."""
    return f"{spec_of(array)} is assigned to the data of a Tensor {spec_of(t)}"


def change_by(t: Any, function: Operator, x: Any) -> Any:
    """t += x and its like: the numbers of function(t, x) in t, or a new value, see `rebinds`.

    Raises GradientError for a leaf that requires grad outside no_grad(), and ShapeError where t
    and x do not fit together.
    """
    if rebinds(t, x):
        return function(t, x)
    refuse_change(t, x)
    with no_grad() if mode().recording else NOTHING_CHANGES:
        replace_numbers(t, function(t, x).array)
    return t


def rebinds(t: Any, x: Any) -> bool:
    """True where `t += x` is t = t + x: Python gives the name t to a new value.

    It is so wherever a derivative goes through the change, and while a function is traced; the old
    value stays as it is for everybody else who holds it. A leaf that requires grad must stay the
    same object.
    """
    now = mode()
    if now.tracing:
        return bool(t.order > now.tracing.start)  # it was made by this very call
    if isinstance(x, Value) and not isinstance(x, InPlace):
        return True  # x is a node
    if not now.recording:
        return False
    moves = t.tracked or getattr(x, "requires_grad", False)
    return moves and not t.differentiable_leaf


def refuse_change(t: Any, value: Any) -> None:
    """Raises GradientError where a derivative would go through a change in place, and GraphError
    where a function is traced, which would change t once and not at each call."""
    now = mode()
    if now.tracing:
        now.tracing.refuse_change(t)
    if now.recording and (t.tracked or getattr(value, "requires_grad", False)):
        raise GradientError(
            f"{autodiff.label(t)} takes part in derivatives; a change in place "
            "would not be remembered",
            f"make a new value: {t.name or 'x'} = …, or change it inside no_grad()",
        )


def replace_numbers(t: Any, data: Any) -> None:
    """Gives t other numbers of its shape, in an array that nobody else has, and notes it.

    Other values that share t's old array keep it.
    """
    dtype, shape = t.dtype, t.shape
    if not (data.dtype is dtype or np.can_cast(data.dtype, dtype, "same_kind")):
        message = f"{data.dtype} numbers do not fit into {dtype}"
        raise DtypeError(message, "make a new value instead")
    if data.shape != shape:
        message = f"{data.dtype}{list(data.shape)} does not fit into {dtype}{list(shape)}"
        raise ShapeError(message, "make a new value instead")
    data = data.astype(dtype, copy=False)
    end_export(t)
    t.array = data if shape else data[()]
    note_change(t, user_line())


def note_change(t: Any, line: Line | None) -> None:
    """Stamps t: whoever needs its numbers from before is told where they went."""
    changes.latest = tick()
    t.changed = changes.latest, line


def export(t: Any, array: np.ndarray) -> np.ndarray:
    """A copy that the caller may write into. `t.array` is deleted, so the next access goes through
    `fill_slot`, which compares the copy with the engine's own array."""
    handed = np.array(array, order="C")
    t.extra = {**(t.extra or {}), "export": Export(handed, as_contiguous(array), user_line())}
    order, exports = t.order, changes.exports
    exports[order] = weakref.ref(t, lambda _: exports.pop(order, None))
    del t.array
    return handed


def export_of(t: Any) -> Export | None:
    """The Export of a Tensor whose `data` somebody may still have."""
    return t.extra.get("export") if t.extra else None


def end_export(t: Any) -> None:
    """What was handed out is no longer looked at."""
    if export_of(t):
        t.extra = {name: value for name, value in t.extra.items() if name != "export"}
        changes.exports.pop(t.order, None)


def same_bits(x: np.ndarray, y: np.ndarray) -> bool:
    """True for two arrays of one shape with the same bytes: NaN too is equal to itself."""
    return np.array_equal(x.reshape(-1).view(np.uint8), y.reshape(-1).view(np.uint8))


def numbers_for(t: Any, value: Any) -> Any:
    """The array of a value about to be written into t."""
    if type(value) is np.ndarray and value.dtype.kind in NUMBERS:
        return as_contiguous(value)
    return t.lift(value).array
