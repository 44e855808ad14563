"""What gives a Tensor new numbers: x[0] = 1, x += 1."""

import itertools
from collections.abc import Callable
from operator import add, mul, sub, truediv
from typing import Any, Self

import numpy as np

from minigrad.core import autodiff
from minigrad.core.errors import DtypeError, GradientError, ShapeError, user_line
from minigrad.core.modes import mode
from minigrad.core.operators import Operand
from minigrad.core.spec import NUMBERS, as_contiguous

tick = itertools.count(1).__next__  # stamps every Tensor and every change: later means larger


class Changes:
    """When any Tensor was last changed in place: what was computed later is not stale."""

    latest = 0


changes = Changes()


class InPlace(Operand):
    """An Operand whose numbers can be changed, where no derivative can get lost by it."""

    __slots__ = ()

    def __setitem__(self, index: Any, value: Any) -> None:
        data, numbers = np.array(self.data), numbers_for(self, value)
        if not np.can_cast(numbers.dtype, data.dtype, "same_kind"):
            message = f"{numbers.dtype} numbers do not fit into {data.dtype}"
            raise DtypeError(message, "write x = x.astype(float) first")
        try:
            data[index] = numbers
        except (IndexError, ValueError) as error:
            hint = "count from 0, and give one value or one for each place"
            raise ShapeError(f"{error}", hint) from None
        change(self, data, value)

    def __iadd__(self, x: Any) -> Self:
        return apply_in_place(self, add, x)

    def __isub__(self, x: Any) -> Self:
        return apply_in_place(self, sub, x)

    def __imul__(self, x: Any) -> Self:
        return apply_in_place(self, mul, x)

    def __itruediv__(self, x: Any) -> Self:
        return apply_in_place(self, truediv, x)


def apply_in_place(t: Any, operator: Callable[[Any, Any], Any], x: Any) -> Any:
    """Gives t the numbers of operator(t, x). Raises ShapeError where these do not fit together."""
    numbers = numbers_for(t, x)
    try:
        data = operator(t.data, numbers)
    except ValueError:
        message = f"{numbers.dtype}{list(numbers.shape)} does not fit {t.dtype}{list(t.shape)}"
        raise ShapeError(message, "give a number, or values of the same shape") from None
    return change(t, data, x)


def change(t: Any, data: Any, value: Any) -> Any:
    """Gives t new numbers, where no derivative can get lost by it.

    Other values that share t's old array keep it: the new numbers lie in an array of their own.
    """
    if mode().recording and (t.tracked or getattr(value, "requires_grad", False)):
        raise GradientError(
            f"{autodiff.label(t)} takes part in derivatives; a change in place "
            "would not be remembered",
            f"make a new value: {t.name or 'x'} = …, or change it inside no_grad()",
        )
    fits = data.dtype is t.dtype or np.can_cast(data.dtype, t.dtype, "same_kind")
    if data.shape != t.shape or not fits:
        message = f"{data.dtype}{list(data.shape)} does not fit into {t.dtype}{list(t.shape)}"
        raise ShapeError(message, "make a new value instead")
    data = data.astype(t.dtype, copy=False)
    t.data = data if data.shape else data[()]
    changes.latest = tick()
    t.changed = changes.latest, user_line()
    return t


def numbers_for(t: Any, value: Any) -> Any:
    """The array of a value about to be written into t."""
    if type(value) is np.ndarray and value.dtype.kind in NUMBERS:
        return as_contiguous(value)
    return t.lift(value).data
