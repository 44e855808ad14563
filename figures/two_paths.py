"""y = (x + w)(w + 1) and its adjoints: two paths lead from y back to w, and 2 + 3 = 5."""

import minigrad as mg
from minigrad.autodiff import adjoint_trace
from minigrad.draw import draw


def make():
    """The mirrored graph at x = 2, w = 1."""
    x = mg.tensor(2.0, name="x")
    w = mg.tensor(1.0, name="w", requires_grad=True)
    a = x + w
    b = w + 1.0
    y = a * b
    return draw(
        y, mode="mirror", names={"a": a, "b": b, "y": y}, adjoints=adjoint_trace(y),
        title="y = (x + w)(w + 1): two paths to dy/dw = 2 + 3 = 5",
    )
