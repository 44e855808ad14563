"""What if w were another number? In a player you drag it, and every value and every adjoint
follows; at w = −1.5 the derivative is 0, and y is least. It works in a saved page, without
Python."""

import numpy as np

import minigrad as mg
from minigrad.core.stepwise import adjoint_trace
from minigrad.draw.player.film import Lever, film_lever

ALT = (
    "A film of a player of y = (x + w)(w + 1) at x = 2. The slider of w is dragged from 1 to 2.5, "
    "down to -1.5 and back; the values and the adjoints below them change with it, and "
    "the adjoint of w is 0 when w is -1.5."
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
