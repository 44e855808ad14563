"""Where a number that is not finite came up first, and from which numbers: "inf × 0, line 7"."""

from typing import NamedTuple

import numpy as np

from minigrad.draw.read import clean, value_text
from minigrad.draw.trace.formula import formula_of, share_formulas

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
        formula = event.sentence
    said = [clean(formula, LONGEST)]
    return ", ".join([*said, *([f"line {event.line.number}"] if event.line else [])])


class Numbers:
    """The texts of all numbers just before a step."""

    def __init__(self, trace, event):
        self.trace, self.event = trace, event
        self.place = {id(value): at for at, value in enumerate(trace.values)}
        self.orders = {value.order: at for at, value in enumerate(trace.values)}
        before = trace.events[: event.step]
        self.values = {one.node: one.value for one in before if one.value}
        self.derivatives = {one.node: one.derivative for one in before if one.derivative}

    def number(self, value):
        """A value's number as text, in brackets if it is negative."""
        at = self.place.get(id(value), self.orders.get(value.order))
        told = self.values.get(f"n{at}")
        return add_sign_brackets(told.text if told else value_text(value) or self.trace.names[at])

    def formula(self):
        """What was computed, in numbers."""
        event, v = self.event, self.trace.values[int(self.event.node[1:])]
        if event.phase == "backward" and event.edge:
            return self.share()
        if event.phase == "tangent":
            return event.sentence
        if not v.inputs:
            return "given so"
        return formula_of(v, self.number).replace(" * ", " × ")

    def share(self):
        """The share of an adjoint, in numbers; or the sum, where only that is not finite."""
        user, operand = self.event.edge
        z, x = (self.trace.values[int(id[1:])] for id in (user, operand))
        z_bar = add_sign_brackets(self.derivatives[user].text)
        path = {x.order: x}
        before = [one.edge for one in self.trace.events[: self.event.step]].count(self.event.edge)
        text = share_formulas(z, z_bar, path, self.number)[before]
        so_far = self.derivatives.get(operand)
        known = f"{so_far.text} + " if so_far and np.isinf(so_far.high or 0) else ""
        return known + text.replace(" * ", " × ")


def add_sign_brackets(text):
    """A negative number in brackets: "2 × (-1)"."""
    return f"({text})" if text[:1] == "-" else text
