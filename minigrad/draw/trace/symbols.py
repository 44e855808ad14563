"""Symbols: names in the places of values, from which rules make formulas instead of numbers."""

from typing import NamedTuple

import numpy as np

from minigrad.core.op import compute
from minigrad.core.operators import Operand
from minigrad.core.spec import is_scalar, spec_of
from minigrad.draw.read import number_text
from minigrad.draw.trace.tokens import Token, typeset_number

MOST = 20_000  # entries of an array that is computed in order to be shown


class Unknown(Exception):
    """A number that nobody has."""


class SymbolStep(NamedTuple):
    """What a Symbol was computed by."""

    op: type
    inputs: tuple
    params: dict


class Symbol(Operand):
    """A name or a formula in the place of a value; what is computed from it is a formula too.

    It is a leaf with a `token`, or `words` that stand for it, or the result of a SymbolStep.
    `read()` gives the numbers of a leaf, or None.
    """

    __slots__ = ("token", "words", "step", "read", "cache", "shape", "dtype")
    priority = 3  # above every engine: Tensors and Nodes that meet a symbol become formulas

    def __init__(self, spec, token=None, step=None, read=None, words=()):
        self.token, self.step, self.read, self.words, self.cache = token, step, read, words, None
        self.shape, self.dtype = spec

    def extend(self, op, inputs, params):
        """The formula of op(inputs)."""
        spec = op.infer(*map(spec_of, inputs), **params)
        return Symbol(spec, step=SymbolStep(op, tuple(map(self.lift, inputs)), params))

    def lift(self, x):
        """x as a symbol: a number is its own text."""
        if isinstance(x, Symbol):
            return x
        token = Token(typeset_number(constant_text(x)), "number")
        return Symbol(spec_of(x), token, read=lambda: getattr(x, "array", x))

    def numbers(self):
        """Its array. Raises Unknown where that is not there, or too large to be computed."""
        if self.cache is None:
            self.cache = self.compute_numbers()
        return self.cache

    def compute_numbers(self):
        """Its array, from those of what it was computed from."""
        if self.step is None:
            array = self.read() if self.read else None
            if array is None:
                raise Unknown
            return np.asarray(array)
        arrays = [x.numbers() for x in self.step.inputs]
        if max([1, *(array.size for array in arrays)]) > MOST:
            raise Unknown
        with np.errstate(all="ignore"):
            return np.asarray(compute(self.step.op, arrays, self.step.params))

    def is_made_by(self, *names):
        """Whether it is the result of an op of one of these names."""
        return self.step is not None and self.step.op.__name__ in names


def constant_text(x):
    """A number, or an array of one and the same number, as text."""
    if is_scalar(x):
        return number_text(x)
    array = np.asarray(getattr(x, "array", x))
    same = array.size and array.dtype.kind in "biuf" and (array == array.flat[0]).all()
    return number_text(array.flat[0]) if same else number_text(array) or "array"
