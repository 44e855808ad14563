"""The two sweeps with every share in view, for values of either engine."""

from minigrad.autodiff import contributions, differentiable, label, leaves, seed_values
from minigrad.errors import ArgumentError
from minigrad.ops.shape import ones_like


def reverse_steps(path, adjoints, values):
    """autodiff's reverse sweep, told in more detail: yields (z, its adjoint, what it passes on).

    Passed on are (x, share, x's adjoint so far), one for each operand on the path.
    """
    while path:
        order, z = path.popitem()
        z_bar = adjoints.pop(order, None)
        if z_bar is None:
            continue
        if z.hooks:
            z_bar = z.hooked(z_bar)
        passed = []
        for x, share in contributions(z, z_bar, path, values):
            before = adjoints.get(x.order)
            adjoints[x.order] = share if before is None else before + share
            passed.append((x, share, adjoints[x.order]))
        yield z, z_bar, passed


def directions(y, wrt):
    """(values that move, {order: tangent}): from a dict, or 1 in every place of those listed."""
    if wrt is None:
        wrt = leaves(y)
        if len(wrt) != 1:
            raise ArgumentError(f"{label(y)} depends on {len(wrt)} inputs: a tangent needs to know "
                                "which one moves", "say so: wrt=x, or wrt={x: 1.0, w: 0.0}")
    moved = wrt if isinstance(wrt, dict) else {}
    xs = differentiable(list(moved) or wrt, "wrt")
    given = [moved.get(x) if moved else x.lift(ones_like(x)) for x in xs]
    return xs, {x.order: s for x, s in zip(xs, seed_values(xs, given, "wrt", None))}


def refuse_nothing(path, y):
    """Raises ArgumentError when y depends on nothing that is differentiated."""
    if not path:
        raise ArgumentError(f"{label(y)} remembers no computation that could be differentiated",
                            "make a leaf with requires_grad=True, and compute it again")
