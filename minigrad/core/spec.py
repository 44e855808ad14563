"""Shape and dtype: what is known of a value before it is computed."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from minigrad.core.errors import DtypeError, ShapeError

Shape = tuple[int | None, ...]
float16, float32, float64 = np.float16, np.float32, np.float64
int32, int64 = np.int32, np.int64
NUMBERS = "biuf"  # the dtype kinds that flow through a graph: bool, integers, floats


class Spec(NamedTuple):
    """A shape, where None is a length known only at run time, and a dtype."""

    shape: Shape
    dtype: Any  # a dtype; of a value that is several arrays, a tuple: see control/bundle.py

    def __str__(self) -> str:
        lengths = ",".join("?" if n is None else str(n) for n in self.shape)
        return str(self.dtype) if isinstance(self.dtype, tuple) else f"{self.dtype}[{lengths}]"


def spec_of(x: Any) -> Spec:
    """Spec of an array, a number, a Tensor or a Node."""
    if hasattr(x, "shape") and hasattr(x, "dtype"):
        return Spec(tuple(x.shape), x.dtype)
    array = as_array(x)
    return Spec(array.shape, array.dtype)


def rank_of(x: Any) -> int:
    """The number of dimensions; np.ndim asks first whether somebody has overridden it."""
    return x.ndim if hasattr(x, "ndim") else np.ndim(x)


def is_float(dtype: np.dtype[Any]) -> bool:
    """Only floating values carry derivatives."""
    return dtype.kind == "f"


def is_whole_number(x: Any) -> bool:
    """True for an int, Python's or NumPy's, but no bool."""
    return isinstance(x, (int, np.integer)) and not isinstance(x, bool)


def number_type(dtype: Any) -> np.dtype:
    """A dtype of numbers. Raises DtypeError for anything else: zeros(2, 3) means zeros((2, 3))."""
    try:
        kind: np.dtype[Any] = np.dtype(dtype)
    except TypeError:
        hint = "write float or np.float32; a shape is one tuple: (2, 3)"
        raise DtypeError(f"{dtype!r} is not a dtype", hint) from None
    if kind.kind not in NUMBERS:
        raise DtypeError(f"{kind} is not a type of numbers", "choose a bool, int or float dtype")
    return kind


def as_floats(x: Any) -> Any:
    """x as an array of floats: booleans and integers, of any width, become float64."""
    try:
        if x.dtype.kind not in "biu":
            return x
    except AttributeError:  # a Python number
        return np.asarray(x, float)
    return x.astype(float)


def as_contiguous(x: Any) -> Any:
    """x, as it lies in memory or copied, so that it lies row by row; what is no array, as it is.

    A single entry has such strides as other arrays of its shape: from a negative one NumPy
    computes exp, log and powers in another way, with other last bits.
    """
    if not isinstance(x, np.ndarray):
        return x
    if not x.flags.c_contiguous:
        return np.ascontiguousarray(x)
    return x.reshape(()).reshape(x.shape) if x.size == 1 and is_reversed(x) else x


def is_reversed(x: np.ndarray) -> bool:
    """True for an array with a negative stride."""
    return any(step < 0 for step in x.strides)


def as_array(data: Any, dtype: Any = None) -> np.ndarray:
    """`data` as an ndarray of numbers. Raises DtypeError for anything else."""
    if data is ...:
        message = "... is given where a number is expected"
        raise DtypeError(message, "replace the ... with your answer", code="blank")
    kind, hint = type(data).__name__, "pass numbers in nested lists of equal lengths"
    try:
        array = np.asarray(data, dtype=dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise DtypeError(f"{kind} cannot become an array: {error}", hint) from None
    if array.dtype.kind not in NUMBERS:
        hint = "pass booleans, integers or floats"
        raise DtypeError(f"{kind} of dtype {array.dtype} is not made of numbers", hint)
    return array


def scalar_like(number: float, dtypes: Sequence[np.dtype]) -> np.ndarray:
    """A Python number as a 0-d array that does not widen `dtypes` (NEP 50's weak scalars)."""
    try:
        weak = len(dtypes) == 1 and is_float(dtypes[0])  # no number widens a float: a short cut
        return np.asarray(number, dtypes[0] if weak else np.result_type(*dtypes, number))
    except OverflowError as error:
        message = f"{number} does not fit in {', '.join(map(str, dtypes))}: {error}"
        raise DtypeError(message, "cast the array to a wider dtype first") from None


def is_compatible(shape: Shape, declared: Shape) -> bool:
    """True when a shape agrees with a declared one, in which None stands for any length."""
    return len(shape) == len(declared) and all(n is None or m == n for m, n in zip(shape, declared))


def is_stretched(declared: Shape, given: Shape, result: Shape) -> bool:
    """True when a length that was unknown is now 1 and would be repeated."""
    offset = len(result) - len(given)
    return any(
        n is None and m == 1 != result[i + offset] for i, (n, m) in enumerate(zip(declared, given))
    )


def is_scalar(x: Any) -> TypeGuard[float]:
    """True for a Python number, whose dtype is weak; False for NumPy's own scalars."""
    return isinstance(x, (bool, int, float)) and not isinstance(x, np.generic)


def broadcast_shapes(*shapes: Shape) -> Shape:
    """NumPy's broadcasting; an unknown length pairs with 1, with None or with a known length."""
    if len({*shapes}) == 1:
        return shapes[0]
    padded = [(1,) * (max(map(len, shapes)) - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(broadcast_lengths(lengths) for lengths in zip(*padded))


def broadcast_lengths(lengths: Shape) -> int | None:
    known = {n for n in lengths if n not in (1, None)}
    if len(known) > 1:
        message = f"lengths {' and '.join(map(str, sorted(known)))} do not broadcast"
        raise ShapeError(message, "make the lengths equal, or one of them 1")
    return known.pop() if known else None if None in lengths else 1
