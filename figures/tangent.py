"""Forward mode at y = ln x₁ + x₁x₂ − sin x₂ and x₁ = 2, x₂ = 5. The derivative of each value with
respect to x₁ is computed along with the value, in the same direction."""

import minigrad as mg
from minigrad.core.stepwise import tangent_trace

ALT = (
    "The graph of y = ln x₁ + x₁x₂ − sin x₂, with a tangent below each value that depends on x₁. "
    "The tangent of x₁ is 1. Dashed arrows lead from there, from left to right, to the tangent of "
    "y, which is 5.5."
)


def make():
    """The graph with its tangents."""
    x1 = mg.tensor(2.0, name="x₁", requires_grad=True)
    x2 = mg.tensor(5.0, name="x₂", requires_grad=True)
    y = mg.log(x1) + x1 * x2 - mg.sin(x2)
    seeds = tangent_trace(y, [x1], [1.0])
    return mg.draw(
        y,
        mode="tangent",
        names={"y": y},
        tangents=seeds,
        title="y = ln x₁ + x₁x₂ − sin x₂ and dy/dx₁ = 5.5",
    )
