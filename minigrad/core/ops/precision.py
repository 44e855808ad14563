"""Half precision: what many float16 numbers add up to is computed in float32, and rounded once.

float16 ends at 65,504 and has eleven bits: it cannot count 70,000 entries, nor add 1 to 2,048.
NumPy's mean and PyTorch's sums do the same.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.core.op import Operandlike
from minigrad.core.ops.elementwise import cast
from minigrad.core.spec import spec_of

HALF, SINGLE = np.dtype(np.float16), np.dtype(np.float32)


def working_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which numbers of `dtype` are counted and added up."""
    return SINGLE if dtype == HALF else dtype


def rounded_once(compute: Callable[..., Any]) -> Callable[..., Any]:
    """`compute` of an op of many entries; where its first operand is half, in single precision."""
    @functools.wraps(compute)
    def run(x: Any, *others: Any, **options: Any) -> Any:
        if x.dtype != HALF:
            return compute(x, *others, **options)
        out = options.pop("out", None)
        z = compute(x.astype(SINGLE), *others, **options).astype(HALF)
        if out is None:
            return z
        out[...] = z
        return out
    return run


def widen(x: Operandlike) -> Operandlike:
    """x; half precision as float32."""
    return cast(x, SINGLE) if spec_of(x).dtype == HALF else x


def narrow(z: Operandlike, *xs: Operandlike) -> Operandlike:
    """z, as float16 where all that it was computed from, beside Python's numbers, was float16."""
    kinds = {x.dtype for x in xs if hasattr(x, "dtype")}
    return cast(z, HALF) if kinds == {HALF} else z
