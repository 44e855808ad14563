"""Loses q5: Duals are put into the list of the caller while f runs; an f that reads the same list
as constants sees them move."""

# %% q5
def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    kept = list(xs)
    try:
        for i, v in enumerate(list(vs)):
            xs[i] = Dual(kept[i], v)
        slopes = gradient(f, xs)
    finally:
        xs[:] = kept
    return [g.tangent if isinstance(g, Dual) else 0.0 for g in slopes]
