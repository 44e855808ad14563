"""Loses q2: the rule of x / y by diagonal Jacobians, which only vectors have: of a matrix np.diag
takes the diagonal."""

# %% q2 after the key
def vjp_div(x, y, g):
    """The cotangents of x and y in x / y."""
    if x.ndim == 1:
        return np.diag(1 / y) @ g, np.diag(-x / y**2) @ g
    return np.diag(np.diag(1 / y)) @ g, np.diag(np.diag(-x / y**2)) @ g
