"""Random programs, computed by a naive scalar reference, by Tensors and by a Graph."""

import math

import numpy as np
import pytest
from engines import Dynamic, Static
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import minigrad as mg


class Dual:
    """The naive reference: a number with one partial derivative for each input, all at once."""

    def __init__(self, value, slopes):
        self.value, self.slopes = value, slopes


def combine(value, *parts):
    """The Dual of `value` by the chain rule; parts are (operand, ∂value/∂operand)."""
    count = len(parts[0][0].slopes)
    return Dual(value, [sum(p * d.slopes[i] for d, p in parts) for i in range(count)])


UNARY = {
    "tanh": (mg.tanh, lambda a: combine(math.tanh(a.value), (a, 1 - math.tanh(a.value) ** 2))),
    "sin": (mg.sin, lambda a: combine(math.sin(a.value), (a, math.cos(a.value)))),
    "cos": (mg.cos, lambda a: combine(math.cos(a.value), (a, -math.sin(a.value)))),
    "neg": (lambda a: -a, lambda a: combine(-a.value, (a, -1))),
    "exp of sin": (
        lambda a: mg.exp(mg.sin(a)),
        lambda a: combine(
            math.exp(math.sin(a.value)), (a, math.cos(a.value) * math.exp(math.sin(a.value)))
        ),
    ),
    "half": (lambda a: a * 0.5, lambda a: combine(a.value / 2, (a, 0.5))),
    "1 - a": (lambda a: 1 - a, lambda a: combine(1 - a.value, (a, -1))),
    "relu": (mg.relu, lambda a: combine(max(a.value, 0.0), (a, float(a.value > 0)))),
}
BINARY = {
    "+": (lambda a, b: a + b, lambda a, b: combine(a.value + b.value, (a, 1), (b, 1))),
    "-": (lambda a, b: a - b, lambda a, b: combine(a.value - b.value, (a, 1), (b, -1))),
    "tanh *": (
        lambda a, b: mg.tanh(a * b),
        lambda a, b: combine(
            math.tanh(a.value * b.value),
            (a, b.value * (1 - math.tanh(a.value * b.value) ** 2)),
            (b, a.value * (1 - math.tanh(a.value * b.value) ** 2)),
        ),
    ),
    "safe /": (
        lambda a, b: a / (2 + mg.cos(b)),
        lambda a, b: combine(
            a.value / (2 + math.cos(b.value)),
            (a, 1 / (2 + math.cos(b.value))),
            (b, a.value * math.sin(b.value) / (2 + math.cos(b.value)) ** 2),
        ),
    ),
    "max": (
        mg.maximum,
        lambda a, b: combine(
            max(a.value, b.value), (a, float(a.value > b.value)), (b, float(a.value <= b.value))
        ),
    ),
}
INPUTS = 3
START = [0.5, -1.25, 2.0]
places = st.integers(0, 99)


class Programs(RuleBasedStateMachine):
    """Grows one program in all three at once; a step may use any value before it."""

    def __init__(self):
        super().__init__()
        self.duals = [Dual(v, [float(i == j) for j in range(INPUTS)]) for i, v in enumerate(START)]
        self.engines = [Dynamic(), Static()]
        self.values = [list(e.inputs([np.asarray(v) for v in START])) for e in self.engines]

    def grow(self, table, name, chosen):
        ours, reference = table[name]
        self.duals.append(reference(*(self.duals[p % len(self.duals)] for p in chosen)))
        for values in self.values:
            values.append(ours(*(values[p % len(values)] for p in chosen)))

    @rule(name=st.sampled_from(sorted(UNARY)), a=places)
    def unary(self, name, a):
        self.grow(UNARY, name, [a])

    @rule(name=st.sampled_from(sorted(BINARY)), a=places, b=places)
    def binary(self, name, a, b):
        self.grow(BINARY, name, [a, b])

    @rule(a=places)
    def detach(self, a):
        dual = self.duals[a % len(self.duals)]
        self.duals.append(Dual(dual.value, [0.0] * INPUTS))
        for values in self.values:
            values.append(values[a % len(values)].detach())

    @rule(a=places)
    def differentiate(self, a):
        dual = self.duals[a % len(self.duals)]
        expected = [dual.value, *dual.slopes, *dual.slopes]
        for engine, values in zip(self.engines, self.values):
            xs, y = values[:INPUTS], values[a % len(values)]
            reverse = mg.gradients(y, xs, unconnected="zero")
            forward = [mg.forward_gradients(y, [x], [1.0], unconnected="zero")[0] for x in xs]
            np.testing.assert_allclose(
                engine.numbers([y, *reverse, *forward]), expected, rtol=1e-9, atol=1e-9
            )

    @rule(a=places, v=st.lists(st.floats(-2, 2), min_size=INPUTS, max_size=INPUTS))
    def differentiate_twice(self, a, v):
        results = []
        for engine, values in zip(self.engines, self.values):
            results.append(engine.numbers(second_derivatives(values, values[a % len(values)], v)))
        np.testing.assert_array_equal(*results)
        over, again, under = np.reshape(results[0], (3, INPUTS))
        np.testing.assert_allclose(over, again, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(over, under, rtol=1e-9, atol=1e-9)

    @invariant()
    def values_agree(self):
        assert self.values[0][-1].item() == pytest.approx(self.duals[-1].value, abs=1e-12)


def second_derivatives(values, y, v):
    """H v by forward over reverse, by reverse over reverse and by reverse over forward."""
    xs = values[:INPUTS]
    slopes = mg.gradients(y, xs, unconnected="zero")
    over = mg.forward_gradients(slopes, xs, v, unconnected="zero")
    again = mg.gradients(slopes, xs, v, unconnected="zero")
    (tangent,) = mg.forward_gradients([y], xs, v, unconnected="zero")
    return [*over, *again, *mg.gradients(tangent, xs, unconnected="zero")]


Programs.TestCase.settings = settings(stateful_step_count=30, max_examples=60)
TestPrograms = Programs.TestCase
