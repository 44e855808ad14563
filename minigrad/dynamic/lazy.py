"""Lazy values, which wait until somebody looks at them: `with lazy():`."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minigrad.core.errors import Line, user_line
from minigrad.core.modes import Switch, block_or_decorator, use_switch
from minigrad.core.op import Op, compute, explain_error
from minigrad.core.signatures import Params
from minigrad.core.spec import Spec, spec_of
from minigrad.dynamic.tensor import SparseAttribute, Tensor, new_tensor, read_only


@block_or_decorator
def lazy(function: Callable[..., Any] | None = None) -> Any:
    """Make ops lazy inside `with lazy():`, so that they compute when a value is read.

    >>> with mg.lazy():
    ...     y = mg.tensor(2.0) * 3
    >>> y.item()
    6.0
    """
    return use_switch(Switch("lazy", defer_op), function)


class Pending(NamedTuple):
    """What is known of a lazy value: its Spec, the line that asked for it, and the numbers of its
    operands and its own, each a list that is empty until they are there.

    They are those of that line: an operand that is changed later gets an array of its own.
    """

    spec: Spec
    line: Line | None
    operands: list[Any]
    result: list[Any]


class LazyTensor(Tensor):
    """A Tensor without numbers yet; the first look at them computes them.

    `array` is an empty slot until then.
    """

    __slots__ = ()
    pending: SparseAttribute[Any] = SparseAttribute()  # what is known of it, until its numbers are
    shape: tuple[int, ...] = read_only(
        lambda self: (self.pending.spec if self.pending else self.array).shape
    )
    dtype: np.dtype[Any] = read_only(
        lambda self: (self.pending.spec if self.pending else self.array).dtype
    )
    ndim: int = read_only(lambda self: len(self.shape))

    def fill_slot(self) -> Any:
        """The numbers, computed now."""
        if self.pending is None:
            return super().fill_slot()
        realize(self)
        return self.array


def defer_op(op: type[Op], inputs: tuple[Any, ...], params: Params, remember: bool) -> Any:
    """op(inputs), lazy; its shape and dtype are checked at once. What prints looks at once."""
    try:
        spec = op.infer(*map(spec_of, inputs), **params)
    except Exception as error:
        raise explain_error(error, op, inputs, params) from None
    t: Any = new_tensor(None, op, inputs, params, remember, kind=LazyTensor)
    t.pending = Pending(spec_of(spec), user_line(), list(map(numbers_now, inputs)), [])
    del t.array
    if op.effect:
        realize(t)
    return t


def numbers_now(x: Any) -> list[Any]:
    """The array of an operand in a list, to which a lazy one will add it."""
    return x.pending.result if is_pending(x) else [x.array]


def is_pending(x: Any) -> bool:
    """True for a lazy value that nobody has looked at yet."""
    return isinstance(x, LazyTensor) and x.pending is not None


def realize(t: Tensor) -> None:
    """Computes a lazy value, and those it needs, one after another."""
    waiting = [t]
    while waiting:
        v = waiting[-1]
        missing = [x for x in v.inputs if is_pending(x)] if is_pending(v) else ()
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        if is_pending(v):
            look_at(v)


def look_at(v: Any) -> None:
    """The numbers of a value whose inputs are there; what no derivative needs is let go."""
    try:
        v.array = compute(v.op, [found for (found,) in v.pending.operands], v.params)
    except Exception as error:
        raise explain_error(error, v.op, v.inputs, v.params, v.pending.line) from None
    v.pending.result.append(v.array)
    v.pending = None
    if not v.requires_grad:
        v.op, v.inputs, v.params = None, (), {}
