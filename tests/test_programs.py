"""Random programs, computed by a naive scalar reference, by Tensors and by a Graph."""

import math

import numpy as np
from engines import Dynamic, Static
from hypothesis import given
from hypothesis import strategies as st

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
    "exp of sin": (lambda a: mg.exp(mg.sin(a)), lambda a: combine(
        math.exp(math.sin(a.value)), (a, math.cos(a.value) * math.exp(math.sin(a.value))))),
    "half": (lambda a: a * 0.5, lambda a: combine(a.value / 2, (a, 0.5))),
    "1 - a": (lambda a: 1 - a, lambda a: combine(1 - a.value, (a, -1))),
    "relu": (mg.relu, lambda a: combine(max(a.value, 0.0), (a, float(a.value > 0)))),
}
BINARY = {
    "+": (lambda a, b: a + b, lambda a, b: combine(a.value + b.value, (a, 1), (b, 1))),
    "-": (lambda a, b: a - b, lambda a, b: combine(a.value - b.value, (a, 1), (b, -1))),
    "tanh *": (lambda a, b: mg.tanh(a * b), lambda a, b: combine(
        math.tanh(a.value * b.value), (a, b.value * (1 - math.tanh(a.value * b.value) ** 2)),
        (b, a.value * (1 - math.tanh(a.value * b.value) ** 2)))),
    "safe /": (lambda a, b: a / (2 + mg.cos(b)), lambda a, b: combine(
        a.value / (2 + math.cos(b.value)), (a, 1 / (2 + math.cos(b.value))),
        (b, a.value * math.sin(b.value) / (2 + math.cos(b.value)) ** 2))),
    "max": (mg.maximum, lambda a, b: combine(
        max(a.value, b.value), (a, float(a.value > b.value)), (b, float(a.value <= b.value)))),
}
INPUTS = 3
steps = st.lists(st.one_of(
    st.tuples(st.sampled_from(sorted(UNARY)), st.integers(0, 99)),
    st.tuples(st.sampled_from(sorted(BINARY)), st.integers(0, 99), st.integers(0, 99)),
), min_size=1, max_size=25)
numbers = st.lists(st.floats(-2, 2), min_size=INPUTS, max_size=INPUTS)


def run(program, values, which):
    """The program's last value; step i may use any value before it (indices wrap around)."""
    values = list(values)
    for name, *places in program:
        table = UNARY if len(places) == 1 else BINARY
        values.append(table[name][which](*(values[p % len(values)] for p in places)))
    return values[-1]


@given(steps, numbers)
def test_values_and_derivatives_agree_with_the_reference(program, start):
    duals = [Dual(v, [float(i == j) for j in range(INPUTS)]) for i, v in enumerate(start)]
    expected = run(program, duals, 1)
    for engine in (Dynamic(), Static()):
        xs = engine.inputs([np.asarray(v) for v in start])
        y = run(program, xs, 0)
        reverse = mg.gradients(y, xs, unconnected="zero")
        forward = [mg.forward_gradients(y, [x], [1.0], unconnected="zero")[0] for x in xs]
        found = engine.numbers([y, *reverse, *forward])
        np.testing.assert_allclose(found, [expected.value, *expected.slopes, *expected.slopes],
                                   rtol=1e-9, atol=1e-9)


@given(steps, numbers)
def test_second_derivatives_of_both_engines_agree_in_every_order_of_modes(program, start):
    results = []
    for engine in (Dynamic(), Static()):
        xs = engine.inputs([np.asarray(v) for v in start])
        y = run(program, xs, 0)
        slopes = mg.gradients(y, xs, unconnected="zero")
        over = mg.forward_gradients(slopes, xs, [1.0, 2.0, 3.0], unconnected="zero")
        again = mg.gradients(slopes, xs, [1.0, 2.0, 3.0], unconnected="zero")
        (tangent,) = mg.forward_gradients(y, xs, [1.0, 2.0, 3.0], unconnected="zero")
        under = mg.gradients(tangent, xs, unconnected="zero")
        results.append(engine.numbers([*over, *again, *under]))
    np.testing.assert_array_equal(*results)
    over, again, under = np.reshape(results[0], (3, INPUTS))
    np.testing.assert_allclose(over, again, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(over, under, rtol=1e-9, atol=1e-9)
