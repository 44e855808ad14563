"""Reverse mode at y = ln x₁ + x₁x₂ − sin x₂ and x₁ = 2, x₂ = 5: below every value stands its
adjoint. One pass from right to left gives both derivatives; bookmarks show what it must save."""

import minigrad as mg
from minigrad.core.stepwise import adjoint_trace

ALT = (
    "The graph of y = ln x₁ + x₁x₂ − sin x₂ at x₁ = 2, x₂ = 5, and below it its mirror image: "
    "adjoints run from right to left from 1 at y to 5.5 at x₁ and 1.716 at x₂."
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
        title="y = ln x₁ + x₁x₂ − sin x₂: both derivatives in one walk",
    )
