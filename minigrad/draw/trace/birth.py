"""Where a number that is not finite came up first, and from which numbers: "inf × 0, line 7"."""

from typing import NamedTuple

import numpy as np

from minigrad.core.spec import spec_of
from minigrad.draw.read import clean, number_text, value_text
from minigrad.draw.trace.formula import contribution_symbols, value_symbol, written
from minigrad.draw.trace.symbols import Symbol
from minigrad.draw.trace.tokens import Token, tokens_text, typeset_number

LONGEST = 60  # characters of a formula


class Birth(NamedTuple):
    """The step of a trace, from 0, after which some number is not finite, and how it came."""

    step: int
    words: str


def find_birth(trace):
    """The Birth of the first NaN or infinity of a trace; None when all numbers are finite."""
    for event in trace.events:
        told = event.derivative or event.value
        if told is not None and told.odd:
            return Birth(event.step, birth_words(trace, event))
    return None


def birth_words(trace, event):
    """The formula of a step with its numbers, and its line: "inf × 0, line 7"."""
    try:
        formula = Numbers(trace, event).formula()
    except Exception:
        formula = tokens_text(event.formula)
    said = [clean(formula, LONGEST)]
    return ", ".join([*said, *([f"line {event.line.number}"] if event.line else [])])


class Numbers:
    """The texts of all numbers just before a step; of arrays, at the entry that went wrong."""

    def __init__(self, trace, event):
        self.trace, self.event = trace, event
        self.orders = {value.order: at for at, value in enumerate(trace.values)}
        before = [one for one in trace.events[: event.step] if not (one.turn or one.inner)]
        self.values = {one.node: one.value for one in before if one.value}
        self.derivatives = {one.node: one.derivative for one in before if one.derivative}
        self.entry = None

    def value(self, id):
        """The value of an id."""
        return self.trace.values[int(id[1:])]

    def number(self, value):
        """A Symbol that is written as the value's number."""
        at = self.orders[value.order]
        told = self.values.get(f"n{at}")
        text = self.text(told) if told else value_text(value) or self.trace.names[at]
        return number_symbol(value, text)

    def text(self, told):
        """The text of a Summary, or of its entry."""
        if self.entry is not None and isinstance(told.numbers, list):
            numbers = np.asarray(told.numbers)
            shape = np.broadcast_shapes(numbers.shape, self.shape)
            if shape == self.shape:
                return number_text(np.broadcast_to(numbers, shape)[self.entry])
        return told.text

    def look_at_entry(self, op, told):
        """From now on tells of arrays the entry that first went wrong, if ops go by entries."""
        if getattr(op, "elementwise", False) and isinstance(told.numbers, list):
            numbers = np.asarray(told.numbers)
            self.shape, bad = numbers.shape, np.argwhere(~np.isfinite(numbers))
            self.entry = tuple(bad[0])

    def formula(self):
        """What was computed, in numbers."""
        event, v = self.event, self.value(self.event.node)
        if event.phase == "backward" and event.edge:
            return self.contribution()
        if event.phase in ("backward", "tangent") or event.renews:
            return tokens_text(event.formula)
        if not v.inputs:
            return "given so"
        self.look_at_entry(v.op, event.value)
        return with_crosses(value_symbol(v, self.number))

    def contribution(self):
        """A contribution to an adjoint, in numbers."""
        user, operand = self.event.edge
        z, x = self.value(user), self.value(operand)
        if z.shape == x.shape:
            self.look_at_entry(z.op, self.event.derivative)
        z_bar = number_symbol(z, self.text(self.derivatives[user]))
        before = [one.edge for one in self.trace.events[: self.event.step]].count(self.event.edge)
        return with_crosses(contribution_symbols(z, z_bar, {x.order: x}, self.number)[before])


def number_symbol(value, text):
    """A Symbol in the place of a value, which is written as a number."""
    return Symbol(spec_of(value), Token(typeset_number(text), "number"))


def with_crosses(symbol):
    """A formula of numbers as text, with × between them."""
    return tokens_text(written(symbol)).replace(" · ", " × ")
