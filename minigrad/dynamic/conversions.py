"""What Python and NumPy ask of a Tensor: its text, float(t), if t, np.asarray(t)."""

from collections.abc import Iterator
from typing import Any, Self, TypeAlias

import numpy as np

from minigrad.core.errors import DtypeError, GradientError, ShapeError
from minigrad.core.operators import Operand

NoNumbers: TypeAlias = np.ndarray[Any, np.dtype[np.void]]


class Conversions(Operand):
    """An Operand that becomes a Python number, a truth, a text or an array."""

    __slots__ = ()

    def __repr__(self) -> str:
        numbers = np.array2string(np.asarray(self.data), separator=", ", prefix="tensor(")
        notes = [f"name={self.name!r}"] if self.name else []
        notes += [f"grad_fn={self.grad_fn}"] if self.grad_fn else []
        notes += ["requires_grad=True"] if self.differentiable_leaf else []
        notes += [f"dtype={self.dtype}"] if self.dtype not in (np.float64, np.int64, bool) else []
        return f"tensor({', '.join([numbers, *notes])})"

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __bool__(self) -> bool:
        if self.size != 1:
            hint = "ask (x > 0).any() or .all(), choose with mg.where, join with & | ~"
            raise ShapeError(f"{self.size} entries are neither true nor false together", hint)
        return bool(self.item())

    def __index__(self) -> int:
        if self.dtype.kind not in "iu":
            message = f"a {self.dtype} number is no place and no count"
            raise DtypeError(message, "write int(x) when that is what you want")
        return self.item()

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))

    # To types it holds no numbers, so that NumPy leaves `array * tensor` to the Tensor, as it does.
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoNumbers:
        if self.tracked:
            message = "NumPy would lose this tensor's derivative"
            hint = "pass x.numpy() or x.detach() when that is what you want"
            raise GradientError(message, hint)
        return np.asarray(self.numpy(), dtype)

    def __dlpack__(self, **options: Any) -> Any:
        """A copy of the numbers for another array library, by the protocol that all know."""
        return np.asarray(self).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple:
        """Where the numbers lie: on the processor."""
        return np.empty(0).__dlpack_device__()
