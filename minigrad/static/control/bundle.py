"""Several results of one op: its value is a tuple of arrays, and Item picks one of them."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from minigrad.core.op import Op, ZerosLike, bind
from minigrad.core.spec import Spec, is_float


class Bundle(tuple[Spec, ...]):
    """The Specs of a value that is a tuple of arrays; it stands in the place of a dtype.

    Its kind is "f" when one of the arrays is floating: then a derivative can pass. What it takes
    in memory is not planned: it counts as more than any limit.
    """

    itemsize = math.inf

    @property
    def kind(self) -> str:
        """As of a dtype."""
        return "f" if any(is_float(spec.dtype) for spec in self) else "V"

    def __str__(self) -> str:
        return f"({', '.join(map(str, self))})"


class Parts(dict):
    """A tangent or cotangent of a bundle: {place: derivative}; a place left out means zero.

    It has the bundle's shape and dtype and adds like any derivative, so the sweeps need not know
    about it. Only Item and the ops with several results look inside.
    """

    shape = ()

    def __init__(self, dtype: Any, parts: Any) -> None:
        self.dtype = dtype
        super().__init__(parts)

    def __add__(self, other):
        summed = {place: self[place] + other[place] for place in self if place in other}
        return Parts(self.dtype, {**self, **other, **summed})


class Item(Op):
    """z = the array at place `index` of a bundle."""

    builtin = True

    view = True
    reads = ("",)
    says = "{z} is result [{index}] of {x}."
    says_back = "{z} is a part of {to}, so that part receives {amount}."

    def infer(bundle, *, index):
        return bundle.dtype[index]

    def compute(bundle, *, index):
        return bundle[index]

    @classmethod
    def pushforward(op, xs, z, x_dots, params):
        return x_dots[0].get(params["index"])

    @classmethod
    def pullback(op, xs, z, z_bar, wanted, params):
        return [Parts(xs[0].dtype, {params["index"]: z_bar})]


INTERNED = {}  # equal bundles are one object, as equal dtypes are


def bundle(specs: Iterable[Spec]) -> Spec:
    """The Spec of a value that is a tuple of arrays of these Specs."""
    specs = Bundle(specs)
    return Spec((), INTERNED.setdefault(specs, specs))


def items(node: Any) -> list[Any]:
    """The results of a node, as one node each."""
    return [bind(Item, node, index=index) for index in range(len(node.dtype))]


def floating_places(specs: Iterable[Any]) -> tuple[int, ...]:
    """The places of floating values, the only ones with derivatives."""
    return tuple(i for i, spec in enumerate(specs) if is_float(spec.dtype))


def zero_derivative(x):
    """The derivative of what does not move."""
    return bind(ZerosLike, x)


def copy_results(values: Iterable[Any]) -> tuple[Any, ...]:
    """Copies, row by row: what enters and leaves a body as a carry shares memory with nothing."""
    return tuple(np.array(value, order="C") for value in values)
