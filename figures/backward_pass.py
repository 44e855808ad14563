"""Reverse mode, step by step. First, the values are computed from left to right. Then, from right
to left, each adjoint is computed as the sum of the contributions from the operations that use the
value. Two paths lead to w, and 2 + 3 = 5."""

import minigrad as mg
from minigrad.core.stepwise import adjoint_trace
from minigrad.draw.player.animation import animate_drawing
from minigrad.draw.trace import make_trace

ALT = (
    "The graph of y = (x + w)(w + 1) at x = 2, w = 1, with the adjoint of each value below it. "
    "Values appear from left to right up to y = 6. Then adjoints appear from right to left. w "
    "receives the contributions 3 and 2, so its adjoint is 5."
)


def make():
    """The graph with its adjoints at x = 2, w = 1, playing."""
    x = mg.tensor(2.0, name="x")
    w = mg.tensor(1.0, name="w", requires_grad=True)
    a = x + w
    b = w + 1.0
    y = a * b
    names = {"a": a, "b": b, "y": y}
    picture = mg.draw(
        y,
        names=names,
        adjoints=adjoint_trace(y),
        title="y = (x + w)(w + 1), forward and backward",
    )
    return animate_drawing(picture, make_trace(y, names=names))
