"""Derivatives of products whose factors are 0, or leave the range of their dtype on the way."""

import math
from fractions import Fraction

import numpy as np
import pytest
from engines import Dynamic, Static

import minigrad as mg

FACTORS = {
    "no zero": [2.0, 3.0, -0.5],
    "one zero": [2.0, 0.0, 3.0, 4.0],
    "two zeros": [0.0, 5.0, 0.0],
    "overflow before a zero": [1e200, 1e200, 0.0],
    "overflow before two zeros": [1e200, 1e200, 0.0, 0.0],
    "overflow and back": [1e200, 1e200, 1e-200, 1e-200, 7.0],
    "underflow and back": [1e-200, 1e-200, 1e200, 1e200, -7.0],
    "digits of tiny numbers": [1e-160, 1.1e-160, 1e300, 1e20],
    "alone": [5.0],
    "none": [],
}
factors = pytest.mark.parametrize("xs", FACTORS.values(), ids=FACTORS)


def product_without(xs, *places):
    """The product of the factors at other places, exact until it is rounded."""
    product = math.prod([Fraction(x) for i, x in enumerate(xs) if i not in places], start=1)
    try:
        return float(product)
    except OverflowError:
        return math.inf if product > 0 else -math.inf


@factors
@np.errstate(all="ignore")
def test_each_factor_has_the_product_of_the_others(xs):
    wanted = [product_without(xs, i) for i in range(len(xs))]
    for engine in (Dynamic(), Static(), Static(optimize=False, backend="numpy")):
        (t,) = engine.inputs([np.array(xs)])
        (found,) = engine.numbers(mg.gradients(mg.prod(t), [t]))
        np.testing.assert_allclose(found, wanted, rtol=1e-14)


@pytest.mark.parametrize("dtype, large", [(np.float16, 60_000), (np.float32, 1e30)])
@np.errstate(all="ignore")
def test_narrow_products_with_zeros_have_derivatives_that_are_0(dtype, large):
    for zeros in (2, 3):
        xs = np.array([large] * 12 + [0] * zeros, dtype)
        for order in (xs, xs[::-1].copy(), xs[[0, -1, *range(1, len(xs) - 1)]]):
            found = mg.grad(mg.prod)(order).numpy()
            assert found.dtype == dtype and not found.any()


def test_second_and_third_derivatives_with_zeros():
    for xs in ([2.0, 3.0, 0.0, 0.0], [1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [1.0, 2.0, 3.0]):
        n = len(xs)
        second = mg.hessian(mg.prod)(np.array(xs)).numpy()
        third = mg.jacobian(mg.hessian(mg.prod))(np.array(xs)).numpy()
        for i, j, k in np.ndindex(n, n, n):
            assert second[i, j] == (product_without(xs, i, j) if i != j else 0)
            assert third[i, j, k] == (product_without(xs, i, j, k) if len({i, j, k}) == 3 else 0)


@np.errstate(all="ignore")
def test_infinite_factors_are_those_of_numpy():
    found = mg.grad(mg.prod)(np.array([np.inf, 0.0, 2.0])).numpy()
    np.testing.assert_array_equal(found, [0, np.inf, np.nan])
