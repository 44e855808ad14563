"""Above the values of y = (x + w)(w + 1), below their adjoints, each under its value: two paths
lead from y back to w, and 2 + 3 = 5."""

import minigrad as mg
from minigrad.autodiff import adjoint_trace
from minigrad.draw import draw

ALT = ("The graph of y = (x + w)(w + 1) at x = 2, w = 1 with its mirror image below: two paths "
       "lead from y back to w, one brings 2, the other 3, and the adjoint of w is 5.")


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
