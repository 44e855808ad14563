"""Signatures: what a function made from an op gives, as types see it; nothing here computes.

An op takes arrays, Tensors and Nodes, and gives what its operands are. `@takes_one` and its like
return the function that they are written above; types take it for one of the classes below.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar, cast, overload

import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
ArrayLike: TypeAlias = Array | np.generic | float | Sequence[Any]  # what becomes an array
Axes: TypeAlias = int | Sequence[int] | None  # one axis, some of them, or all
Argnums: TypeAlias = int | Sequence[int]  # which argument, or several of them
ShapeLike: TypeAlias = int | Sequence[int]  # of one axis its length, else all lengths
Params: TypeAlias = dict[str, Any]  # of an op: axis, keepdims, …
Values: TypeAlias = Sequence[Any]  # operands or their derivatives, one after another

V = TypeVar("V")  # Tensor, or Node
Made = TypeVar("Made", covariant=True)
P = ParamSpec("P")  # the parameters after the operands: axis, keepdims, …


class ValueOf(Protocol[Made]):
    """A Tensor is a ValueOf[Tensor]; a Node, and so a Variable, is a ValueOf[Node]."""

    def lift(self, x: Any) -> Made:
        """x as a value of the same engine."""


OneOrSome: TypeAlias = ValueOf[V] | Sequence[ValueOf[V]]


class OneOperand(Protocol[P]):
    """An op of one operand, as a function; in a class it is a method of x."""

    @overload
    def __call__(self, x: ValueOf[V], *args: P.args, **kwargs: P.kwargs) -> V: ...
    @overload
    def __call__(self, x: ArrayLike, *args: P.args, **kwargs: P.kwargs) -> Array: ...

    def __get__(self, x: ValueOf[V], owner: Any) -> Callable[P, V]: ...


class TwoOperands(Protocol[P]):
    """An op of two operands, as a function; in a class it is a method of x, or an operator."""

    @overload
    def __call__(
        self, x: ValueOf[V], y: ValueOf[V] | ArrayLike, *args: P.args, **kwargs: P.kwargs
    ) -> V: ...
    @overload
    def __call__(self, x: ArrayLike, y: ValueOf[V], *args: P.args, **kwargs: P.kwargs) -> V: ...
    @overload
    def __call__(self, x: ArrayLike, y: ArrayLike, *args: P.args, **kwargs: P.kwargs) -> Array: ...

    def __get__(
        self, x: ValueOf[V], owner: Any
    ) -> Callable[Concatenate[ValueOf[V] | ArrayLike, P], V]: ...


class ManyOperands(Protocol[P]):
    """An op of a list of operands, as a function."""

    @overload
    def __call__(self, values: Iterable[ArrayLike], *args: P.args, **kwargs: P.kwargs) -> Array: ...
    @overload
    def __call__(self, values: Iterable[ValueOf[V]], *args: P.args, **kwargs: P.kwargs) -> V: ...
    @overload  # types do not look into a list of both
    def __call__(self, values: Iterable[Any], *args: P.args, **kwargs: P.kwargs) -> Any: ...


class AnyOperands(Protocol):
    """An op of any number of operands, as a function; parameters go by keyword."""

    @overload
    def __call__(self, *operands: ArrayLike, **params: Any) -> Array: ...
    @overload
    def __call__(self, *operands: ValueOf[V] | ArrayLike, **params: Any) -> V: ...


class Reduction(Protocol):
    """An op that takes the entries along `axis` to one, as a function and as a method."""

    @overload
    def __call__(self, x: ValueOf[V], axis: Axes = None, keepdims: bool = False) -> V: ...
    @overload
    def __call__(self, x: ArrayLike, axis: Axes = None, keepdims: bool = False) -> Array: ...

    def __get__(self, x: ValueOf[V], owner: Any) -> "ReductionOf[V]": ...


class ReductionOf(Protocol[Made]):
    """A Reduction as a method: x.sum(axis)."""

    def __call__(self, axis: Axes = None, keepdims: bool = False) -> Made: ...


def takes_one(function: Callable[Concatenate[Any, P], Any]) -> OneOperand[P]:
    """The function, as an op of one operand."""
    return cast("OneOperand[P]", function)


def takes_two(function: Callable[Concatenate[Any, Any, P], Any]) -> TwoOperands[P]:
    """The function, as an op of two operands."""
    return cast("TwoOperands[P]", function)


def takes_list(function: Callable[Concatenate[Any, P], Any]) -> ManyOperands[P]:
    """The function, as an op of a list of operands."""
    return cast("ManyOperands[P]", function)
