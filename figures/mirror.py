"""Reverse mode at y = ln x₁ + x₁x₂ − sin x₂ and x₁ = 2, x₂ = 5. The adjoint of each value is drawn
below it. One pass from right to left gives both derivatives. A bookmark marks each value that the
forward pass must save for it."""

import minigrad as mg
from minigrad.core.stepwise import adjoint_trace

ALT = (
    "The graph of y = ln x₁ + x₁x₂ − sin x₂ at x₁ = 2, x₂ = 5, with its mirror image below. In "
    "the mirror image, the adjoints run from right to left, from 1 at y to 5.5 at x₁ and 1.716 at "
    "x₂."
)


def make():
    """The graph with its adjoints."""
    x1 = mg.tensor(2.0, name="x₁", requires_grad=True)
    x2 = mg.tensor(5.0, name="x₂", requires_grad=True)
    y = mg.log(x1) + x1 * x2 - mg.sin(x2)
    return mg.draw(
        y,
        mode="mirror",
        names={"y": y},
        adjoints=adjoint_trace(y),
        title="y = ln x₁ + x₁x₂ − sin x₂: both derivatives in one backward pass",
    )
