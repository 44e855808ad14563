"""Checks of derivatives against difference quotients, in random directions."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from minigrad.core.errors import ArgumentError, GradientError
from minigrad.core.op import Value
from minigrad.dynamic.tensor import new_tensor
from minigrad.dynamic.transform import jvp, vjp

STEP = 1e-6  # central differences: error about STEP² + 1e-16/STEP, relative to the function
# Further steps: where their quotients agree, the function shows even a small derivative. All are
# smaller than STEP, so that they stay where the function is defined.
SMALLER_STEPS = (STEP / 3, STEP / 10, STEP / 100, STEP / 1000)
NOISE = 2.0**-52 / STEP  # what rounding errors of intermediate values of 1 add to a quotient
CERTAIN = 10  # how many times as far as these quotients differ a wrong derivative lies from them


def gradcheck(
    f: Callable,
    *inputs: Any,
    modes: Sequence[str] = ("forward", "reverse"),
    order: int = 1,
    seed: int = 0,
    tolerance: float = 1e-6,
    numeric: str = "central",
) -> bool:
    """Compare f's derivatives with difference quotients; return True, or raise GradientError.

    For random v and w, compares ⟨w, J v⟩ by forward mode and ⟨Jᵀ w, v⟩ by reverse mode with the
    central difference of ⟨w, f⟩ along v, or with its complex step (numeric="complex", exact to
    rounding, for analytic f on arrays). They may differ by `tolerance`, relative to the derivative
    or to 1. Of a derivative below 1, a difference of more than 2e-10 is also an error if difference
    quotients with smaller steps show that it is none of rounding. order=2 also checks the
    derivative of Jᵀ w. Inputs are float64. Random directions see every entry, and a transposed or
    swapped one with probability 1.

    >>> mg.gradcheck(lambda x: x * mg.sin(x), [np.array([1.0, 2.0])])
    True
    """
    arrays = [check_input(x) for x in inputs]
    if order < 1 or numeric not in ("central", "complex") or set(modes) - {"forward", "reverse"}:
        message = f"gradcheck(order={order}, modes={modes}, numeric={numeric!r})"
        raise ArgumentError(message, 'order ≥ 1; modes from "forward", "reverse"')
    rng = np.random.default_rng(seed)
    y = flatten_result(f(*map(new_tensor, arrays)))
    v = [rng.standard_normal(x.shape) for x in arrays]
    w = [rng.standard_normal(np.shape(part)) for part in y]
    expected = quotients[numeric](f, arrays, v, w)
    spread = partial(quotient_spread, f, arrays, v, w, expected)
    for mode in modes:
        found = directional[mode](f, arrays, v, w)
        compare_derivatives(mode, found, expected, tolerance, spread)
    if order > 1:
        rest: dict[str, Any] = {"order": order - 1, "seed": seed, "tolerance": tolerance}
        gradcheck(lambda *xs: pull_direction(f, xs, w), *arrays, modes=modes, **rest)
    return True


def check_input(x):
    """An input as a float64 array."""
    array = np.asarray(x.array if isinstance(x, Value) else x)
    if array.dtype != np.float64:
        message = f"gradcheck needs float64, not {array.dtype}, for its difference quotients"
        raise ArgumentError(message, "pass float64 inputs, and wrap f for other arguments")
    return array


def flatten_result(y):
    """What f returned, as a list."""
    return list(y) if isinstance(y, (tuple, list)) else [y]


def inner_product(ws, vs):
    """Σ w·v over all parts."""
    return sum(float(np.sum(w * np.asarray(getattr(v, "array", v)))) for w, v in zip(ws, vs))


def central_quotient(f, xs, v, w, step=STEP):
    """d/dt ⟨w, f(x + t v)⟩ at 0 by a central difference."""

    def moved(t):
        return flatten_result(f(*[new_tensor(x + t * d) for x, d in zip(xs, v)]))

    ahead, behind = moved(step), moved(-step)
    return (inner_product(w, ahead) - inner_product(w, behind)) / (2 * step)


def quotient_spread(f, xs, v, w, expected):
    """How far `expected` and difference quotients with smaller steps lie apart.

    They do so by rounding errors of f, which grow as the step falls, and by what f does near x.
    """
    sizes = [size for x in xs for size in np.abs(x).ravel() if size]
    scales = {1.0, min([1.0, *sizes])}  # what f does near 0 may be as small as x
    steps = [scale * step for scale in scales for step in SMALLER_STEPS]
    found = [expected, *(central_quotient(f, xs, v, w, step) for step in steps)]
    return np.ptp(found)


def complex_quotient(f, xs, v, w):
    """d/dt ⟨w, f(x + t v)⟩ at 0 as Im ⟨w, f(x + i h v)⟩ / h."""
    h = 1e-30
    y = flatten_result(f(*[x + 1j * h * d for x, d in zip(xs, v)]))
    return inner_product(w, [np.imag(part) / h for part in y])


def forward_derivative(f, xs, v, w):
    """⟨w, J v⟩."""
    return inner_product(w, flatten_result(jvp(f, [new_tensor(x) for x in xs], v)[1]))


def reverse_derivative(f, xs, v, w):
    """⟨Jᵀ w, v⟩."""
    return inner_product(v, pull_direction(f, [new_tensor(x) for x in xs], w))


def pull_direction(f, xs, w):
    """Jᵀ w as a tuple, one part for each input."""
    y, pullback = vjp(f, *xs)
    return pullback(type(y)(w) if isinstance(y, (tuple, list)) else w[0])


quotients = {"central": central_quotient, "complex": complex_quotient}
directional = {"forward": forward_derivative, "reverse": reverse_derivative}


def compare_derivatives(mode, found, expected, tolerance, spread):
    """Raises GradientError when two directional derivatives differ; `spread` computes how far the
    difference quotients do."""
    difference = abs(found - expected)
    fits = difference <= tolerance * max(1, abs(expected))
    if fits and expected and difference > max(NOISE, tolerance * abs(expected)):
        fits = not difference > CERTAIN * spread()
    if not fits:
        raise GradientError(
            f"{mode} mode gives {found:.9g} along a random direction, the "
            f"difference quotient {expected:.9g}",
            "check the rule's signs, factors, axes and transposes",
        )
