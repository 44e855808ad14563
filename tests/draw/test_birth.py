"""The NaN detective: where the first number that is not finite came up, and from which numbers."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.draw.trace import make_trace
from minigrad.draw.trace.birth import find_birth
from minigrad.draw.trace.tokens import tokens_text


def born(function, feed, wrt=None, mode="reverse"):
    """(formula of the step, words) of the birth in a function's trace; None without one."""
    with np.errstate(all="ignore"):
        trace = make_trace(function, feed, wrt, mode)
        found = find_birth(trace)
    words = found and found.words.partition(", line")[0]
    return found and (tokens_text(trace.events[found.step].formula), words)


def test_finite_numbers_have_no_birth():
    assert born(lambda x, w: mg.log(x) * w, {"x": 2.0, "w": 0.0}) is None


def test_the_first_value_with_its_operands():
    assert born(lambda x, w: mg.log(x) * w, {"x": 0.0, "w": 0.0})[1] == "log(0)"
    assert born(lambda x, w: x * w, {"x": np.inf, "w": 0.0})[1] == "given so"
    assert born(lambda x, w: mg.exp(x) - w / x, {"x": 800.0, "w": 1.0})[1] == "exp(800)"
    assert born(lambda x, w: w / (x - 1), {"x": 1.0, "w": -1.0})[1] == "−1 / 0"


def test_the_first_adjoint_with_its_share():
    formula, words = born(lambda x, w: mg.log(mg.abs(x)) * w, {"x": 1e-310, "w": 3.0})
    assert formula[:5] == "v̄2 =" and words == "3 × (1 / 1e−310)"


def test_the_line_is_named():
    def function(x):
        y = x - 2
        return 1 / y

    with np.errstate(all="ignore"):
        words = find_birth(make_trace(function, {"x": 2.0})).words
    assert words == f"1 / 0, line {function.__code__.co_firstlineno + 2}"


def test_of_arrays_the_entry_is_told():
    x = np.array([[1.0, 2.0], [4.0, 0.0]])
    assert born(lambda x, w: mg.sum(w / x), {"x": x, "w": np.array([5.0, 7.0])})[1] == "7 / 0"


def test_of_large_arrays_the_range_is_told():
    x = np.linspace(0, 1, 100)
    assert born(lambda x: mg.sum(mg.log(x)), {"x": x})[1] == "log(0 … 1)"


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_graph_is_looked_at_too(mode):
    with mg.Graph(), np.errstate(all="ignore"):
        x = mg.placeholder("x")
        y = mg.log(x - 1.0)
        found = find_birth(make_trace(y, {x: 1.0}, [x], mode))
    assert found.words.startswith("log(0)")
