"""Loses q5: the caller's list of speeds is emptied."""
# %% q5
def hvp(f, xs, vs):
    moving = [Dual(x, vs.pop(0)) for x in xs]
    return [slope.tangent if isinstance(slope, Dual) else 0.0 for slope in gradient(f, moving)]
