"""Derivatives of a program's outputs in both modes and all orders, of either engine."""

import numpy as np

import minigrad as mg

SECOND = {  # name: (what is differentiated, is it done in forward mode)
    "forward over reverse": ("reverse", True), "reverse over reverse": ("reverse", False),
    "forward over forward": ("forward", True), "reverse over forward": ("forward", False)}


class Seeds:
    """A cotangent for each output and a tangent for each input, drawn from the program's seed."""

    def __init__(self, program, values):
        rng = np.random.default_rng([program.seed, 1])
        shapes = {i: np.shape(v) for i, v in values.items()}
        self.w = {i: rng.uniform(0.5, 1.5, shapes[i]) * rng.choice([-1, 1], shapes[i])
                  for i in program.outputs}
        self.v = {i: rng.uniform(-1, 1, shapes[i]) for i in program.wrt}


def derivatives(orders, ys, xs, ws, vs):
    """{(order, place): value} for values ys and xs of one engine, cotangents ws, tangents vs."""
    found = {}
    for order in orders:
        inner, forward = SECOND.get(order, (order, None))
        if inner == "checkpoints":
            results = mg.gradients(ys, xs, ws, unconnected="zero", checkpoints="sqrt")
        elif inner == "reverse":
            results = mg.gradients(ys, xs, ws, unconnected="zero")
        else:
            results = mg.forward_gradients(ys, xs, vs, unconnected="zero")
        if forward is not None:
            seeds = vs if inner == "reverse" else ws
            results = mg.forward_gradients(results, xs, vs, unconnected="zero") if forward else (
                mg.gradients(results, xs, seeds, unconnected="zero"))
        found |= {(order, i): z for i, z in enumerate(results)}
    return found


def slope(order, results, ws, vs):
    """The derivative along vs, weighted by ws, that the results of one order hold.

    Also the sum of the sizes of its terms.
    """
    along = ws if order in ("forward", "forward over forward") else vs
    terms = [np.asarray(r, float) * a for r, a in zip(results, along)]
    return sum(t.sum() for t in terms), sum(np.abs(t).sum() for t in terms)
