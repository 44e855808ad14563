"""What a traced sweep starts from, for values of either engine."""

from minigrad.autodiff import differentiable, label, leaves, seed_values
from minigrad.errors import ArgumentError
from minigrad.ops.shape import ones_like


def directions(y, wrt):
    """(values that move, {order: tangent}): from a dict, or 1 in every place of those listed."""
    if wrt is None:
        wrt = leaves(y)
        if len(wrt) != 1:
            raise ArgumentError(
                f"{label(y)} depends on {len(wrt)} inputs: a tangent needs to know which one moves",
                "say so: wrt=x, or wrt={x: 1.0, w: 0.0}",
            )
    moved = wrt if isinstance(wrt, dict) else {}
    xs = differentiable(list(moved) or wrt, "wrt")
    given = [moved.get(x) if moved else x.lift(ones_like(x)) for x in xs]
    return xs, {x.order: s for x, s in zip(xs, seed_values(xs, given, "wrt", None))}


def refuse_nothing(path, y):
    """Raises ArgumentError when y depends on nothing that is differentiated."""
    if not path:
        raise ArgumentError(
            f"{label(y)} remembers no computation that could be differentiated",
            "make a leaf with requires_grad=True, and compute it again",
        )
