"""Derivatives of a program's outputs in both modes and all orders, of either engine."""

import numpy as np

import minigrad as mg

SECOND = {  # name: (what is differentiated, is it done in forward mode)
    "forward over reverse": ("reverse", True),
    "reverse over reverse": ("reverse", False),
    "forward over forward": ("forward", True),
    "reverse over forward": ("forward", False),
}


class Seeds:
    """A cotangent for each output and a tangent for each input, drawn from the program's seed."""

    def __init__(self, program, values):
        rng = np.random.default_rng([program.seed, 1])
        shapes = {i: np.shape(v) for i, v in values.items()}
        self.w = {
            i: rng.uniform(0.5, 1.5, shapes[i]) * rng.choice([-1, 1], shapes[i])
            for i in program.outputs
        }
        self.v = {i: rng.uniform(-1, 1, shapes[i]) for i in program.wrt}


def derivatives(orders, ys, xs, ws, vs):
    """{(order, number of an output or input): value}, for {number: value} ys and xs of one engine.

    ws holds cotangents of the ys and vs tangents of the xs, by number too.
    """
    found = {}
    for order in orders:
        inner, forward = SECOND.get(order, (order, None))
        if inner == "checkpoints":
            results = reverse(ys, xs, ws, checkpoints="sqrt")
        elif inner == "reverse":
            results = reverse(ys, xs, ws)
        else:
            results = along(ys, xs, vs)
        if forward is not None:
            seeds = vs if inner == "reverse" else ws
            results = along(results, xs, vs) if forward else reverse(results, xs, seeds)
        found |= {(order, i): z for i, z in results.items()}
    return found


def reverse(ys, xs, ws, **options):
    """{number: cotangent} of the xs."""
    seeds = [ws[i] for i in ys]
    return dict(
        zip(xs, mg.gradients([*ys.values()], [*xs.values()], seeds, unconnected="zero", **options))
    )


def along(ys, xs, vs):
    """{number: tangent} of the ys."""
    seeds = [vs[i] for i in xs]
    return dict(
        zip(ys, mg.forward_gradients([*ys.values()], [*xs.values()], seeds, unconnected="zero"))
    )


def slope(order, results, seeds):
    """The derivative along the tangents, weighted by the cotangents, that one order's results hold.

    Also the sum of the sizes of its terms.
    """
    by = seeds.w if order in ("forward", "forward over forward") else seeds.v
    terms = [np.asarray(r, float) * by[i] for i, r in results.items()]
    return sum(t.sum() for t in terms), sum(np.abs(t).sum() for t in terms)
