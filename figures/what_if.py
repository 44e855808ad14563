"""What if w were another number? In the player you drag w, and every value and adjoint follows. At
w = −1.5 the derivative is 0 and y has its minimum. This works in a saved page, without Python."""

import numpy as np

import minigrad as mg
from minigrad.core.stepwise import adjoint_trace
from minigrad.draw.player.film import Lever, film_lever

ALT = (
    "Animation of minigrad's interactive player for y = (x + w)(w + 1) at x = 2. A slider moves w "
    "from 1 to 2.5, then down to -1.5 and back to 1. The values change with w, and so do the "
    "derivatives (adjoints) below them: the adjoint of w is 0 when w is -1.5."
)
WAY = ((1.0, 2.5, 8), (2.5, -1.5, 20), (-1.5, -1.5, 8), (-1.5, 1.0, 13))  # from, to, frames


def picture(number):
    """The graph with its adjoints at x = 2 and another w."""
    x = mg.tensor(2.0, name="x")
    w = mg.tensor(number, name="w", requires_grad=True)
    a, b = x + w, w + 1.0
    y = a * b
    adjoints = [(value, adjoint) for value, adjoint, *_ in adjoint_trace(y)]
    names = {"a": a, "b": b, "y": y}
    return mg.draw(y, mode="split", names=names, adjoints=adjoints, title="y = (x + w)(w + 1)")


def make():
    """The film."""
    parts = [np.linspace(*part, endpoint=False) for part in WAY]
    numbers = [round(float(n), 2) for n in [*np.concatenate(parts), WAY[0][0]]]
    return film_lever(list(map(picture, numbers)), Lever("w", -3.0, 3.0, numbers))
