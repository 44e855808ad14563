"""What Python and NumPy ask of a Tensor: its text, float(t), if t, np.asarray(t)."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any, Self, TypeAlias

import numpy as np

from minigrad.core import autodiff
from minigrad.core.errors import DtypeError, GradientError, ShapeError
from minigrad.core.modes import mode
from minigrad.core.operators import Operand

NoNumbers: TypeAlias = np.ndarray[Any, np.dtype[np.void]]

# The arguments of the functions that are being differentiated, the innermost call's last.
differentiated: ContextVar[tuple[Sequence[Any], ...]] = ContextVar("differentiated", default=())


def call_differentiated(f: Callable[..., Any], xs: Any, arguments: Any, keywords: Any) -> Any:
    """f(*arguments, **keywords), which may make no plain numbers of what depends on xs."""
    before = differentiated.set((*differentiated.get(), xs))
    try:
        return f(*arguments, **keywords)
    finally:
        differentiated.reset(before)


class Conversions(Operand):
    """An Operand that becomes a Python number, a truth, a text or an array."""

    __slots__ = ()

    def __repr__(self) -> str:
        numbers = np.array2string(np.asarray(self.array), separator=", ", prefix="tensor(")
        notes = [f"name={self.name!r}"] if self.name else []
        notes += [f"grad_fn={self.grad_fn}"] if self.grad_fn else []
        notes += ["requires_grad=True"] if self.differentiable_leaf else []
        notes += [f"dtype={self.dtype}"] if self.dtype not in (np.float64, np.int64, bool) else []
        return f"tensor({', '.join([numbers, *notes])})"

    def __float__(self) -> float:
        return float(python_number(self, "float()"))

    def __int__(self) -> int:
        return int(python_number(self, "int()"))

    def __trunc__(self) -> int:
        return math.trunc(python_number(self, "trunc()"))

    def __bool__(self) -> bool:
        if self.size != 1:
            hint = "write (x > 0).any() or .all(), choose with mg.where, combine with & | ~"
            raise ShapeError(f"{self.size} entries have no single truth value", hint)
        return bool(self.detach().item())

    def __index__(self) -> int:
        if self.dtype.kind not in "iu":
            message = f"a {self.dtype} number is not an index or a count"
            raise DtypeError(message, "write int(x) to convert it")
        return self.item()

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))

    # To types it holds no numbers, so that NumPy leaves `array * tensor` to the Tensor, as it does.
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoNumbers:
        if self.tracked:
            message = "NumPy would lose this tensor's derivative"
            hint = "write mg.stack([x, y]) for np.array([x, y]), or pass x.numpy() or x.detach()"
            raise GradientError(message, hint)
        return np.asarray(self.numpy(), dtype)

    def __dlpack__(self, **options: Any) -> Any:
        """A copy of the numbers for another array library, by the protocol that all know."""
        return np.asarray(self).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple:
        """Where the numbers lie: on the processor."""
        return np.empty(0).__dlpack_device__()


def python_number(t: Any, how: str) -> Any:
    """The only entry of a Tensor, for float() and its like, which math and NumPy call as well.

    Raises GradientError where a derivative would be lost by it.
    """
    if t.tracked and mode().recording:
        refuse_lost(t, how)
        message = f"{how} of {autodiff.label(t)} would lose its derivative"
        hint = "compute with minigrad's functions; x.item() and x.numpy() have no derivative"
        raise GradientError(message, hint)
    return t.item()


def refuse_lost(t: Any, how: str) -> None:
    """Raises GradientError for a value that depends on what a function is differentiated for."""
    for xs in differentiated.get():
        if any(isinstance(x, Operand) and depends_on(t, x) for x in xs):
            message = f"{how} of {autodiff.label(t)} would lose the derivative of this function"
            hint = "compute with the value itself, or write x.detach() first to drop the derivative"
            raise GradientError(message, hint)


def depends_on(t: Any, x: Any) -> bool:
    """True when a Tensor was computed from x, or is x, with a derivative."""
    seen, waiting = set(), [t]
    while waiting:
        v = waiting.pop()
        if v.order == x.order:
            return True
        new = [u for u in v.inputs if u.tracked and u.order >= x.order and u.order not in seen]
        seen.update([u.order for u in new])
        waiting += new
    return False
