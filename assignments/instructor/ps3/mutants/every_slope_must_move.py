"""Loses q5: a slope that stands still is no Dual, and has no tangent."""
# %% q5
def hvp(f, xs, vs):
    return [slope.tangent for slope in gradient(f, [Dual(x, v) for x, v in zip(xs, vs)])]
