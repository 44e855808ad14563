"""Loses q5: the Hessian times the gradient, not times the direction."""
# %% q5
def hvp(f, xs, vs):
    vs = gradient(f, xs)
    found = gradient(f, [Dual(x, v) for x, v in zip(xs, vs)])
    return [g.tangent if isinstance(g, Dual) else 0.0 for g in found]
