"""Loses q5: the product with the Hessian is a NumPy array, where a list of numbers is promised."""
# %% q5
def hvp(f, xs, vs):
    slopes = gradient(f, [Dual(x, v) for x, v in zip(xs, vs)])
    return np.array([slope.tangent if isinstance(slope, Dual) else 0.0 for slope in slopes])
