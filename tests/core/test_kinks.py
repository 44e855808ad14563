"""The table of kinks, roots and NaN: each row, in both engines, both modes and to second order."""

import math
from pathlib import Path

import numpy as np
import pytest
from engines import Dynamic, Static

import minigrad as mg

README = Path(mg.__file__).parent / "core" / "ops" / "README.md"
ROWS = [
    [cell.strip().strip("`") for cell in line.strip("|\n").split("|")]
    for line in README.read_text("utf-8").splitlines()
    if line.startswith("| `")
]
rows = pytest.mark.parametrize("text, at, f0, f1, f2, quotient, why", ROWS, ids=lambda cell: cell)


def function(text):
    """The function x → text."""
    return eval(f"lambda x: {text}", {"mg": mg})


def orders(engine, f, at):
    """[f, f′ by both modes, f″ by both modes of both]."""
    (x,) = engine.inputs([np.array(at)])
    y = f(x)
    (back,) = mg.gradients(y, [x], unconnected="zero")
    (ahead,) = mg.forward_gradients(y, [x], [1.0], unconnected="zero")
    second = []
    for first in (back, ahead):
        second += mg.gradients(first, [x], unconnected="zero")
        second += mg.forward_gradients(first, [x], [1.0], unconnected="zero")
    return engine.numbers([y, back, ahead, *second])


@rows
@np.errstate(all="ignore")
def test_each_row_is_what_both_engines_compute(text, at, f0, f1, f2, quotient, why):
    wanted = [float(number) for number in (f0, f1, f1, f2, f2, f2, f2)]
    for engine in (Dynamic(), Static(), Static(optimize=False, backend="numpy")):
        found = orders(engine, function(text), float(at))
        assert found == pytest.approx(wanted, nan_ok=True, abs=1e-4)


@rows
@np.errstate(all="ignore")
def test_the_quotient_of_each_row_is_that_of_the_first_derivative(
    text, at, f0, f1, f2, quotient, why
):
    slope = mg.grad(function(text))
    wide, narrow = (
        (slope(float(at) + h).item() - slope(float(at) - h).item()) / (2 * h) for h in (1e-3, 1e-5)
    )
    settles = math.isfinite(narrow) and abs(wide - narrow) < 0.01
    assert settles is (quotient != "none")
    assert quotient == "none" or narrow == pytest.approx(float(quotient), abs=1e-3)


def test_a_second_derivative_is_the_quotient_or_not_a_number_or_that_of_a_branch():
    """What breaks Newton's method is a number that nobody chose."""
    chosen = ("relu", "maximum", "minimum", "clip", "where", "%", "sign")
    for text, at, _, _, f2, quotient, _ in ROWS:
        agrees = quotient != "none" and float(f2) == pytest.approx(float(quotient))
        branch = any(name in text for name in chosen)
        assert agrees or branch or not math.isfinite(float(f2)) or at == "nan", text


def test_a_network_with_dead_units_has_a_finite_hessian():
    weights, data = np.array([[1.0, -1.0], [0.5, 2.0]]), np.array([[0.0, 0.0], [1.0, 2.0]])
    hessian = mg.hessian(lambda w: mg.sum(mg.max_pool2d(mg.relu(data @ w)[None], 2) ** 2))(weights)
    assert np.isfinite(hessian.numpy()).all() and hessian.numpy().any()


@pytest.mark.parametrize("shape", [(3,), (2, 3)])
def test_newtons_method_is_told_that_a_squared_norm_hides_its_hessian(shape):
    norm = lambda x: mg.sqrt(mg.sum(x * x)) ** 2
    assert np.isnan(mg.hessian(norm)(np.zeros(shape)).numpy()).any()
    assert mg.hessian(lambda x: mg.sum(x * x))(np.zeros(shape)).numpy().max() == 2


@pytest.mark.parametrize("extreme", [mg.max, mg.min])
def test_the_derivatives_of_an_extreme_reach_a_value_that_nobody_holds(extreme):
    x = mg.tensor(np.arange(6.0).reshape(2, 3), requires_grad=True)
    (ahead,) = mg.forward_gradients(extreme(x * x), [x], [np.ones((2, 3))])
    (found,) = mg.gradients(ahead, [x])
    place = np.unravel_index(5 if extreme is mg.max else 0, (2, 3))
    assert np.count_nonzero(found.numpy()) == 1 and found.numpy()[place] == 2
