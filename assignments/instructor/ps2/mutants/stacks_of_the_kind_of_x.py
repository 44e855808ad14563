"""Loses q4: the cotangents of stacks go, matrix by matrix, into arrays like x and y: of stacks of
whole numbers all behind the point is cut off."""

# %% q4
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    if x.ndim == 2:
        return g @ y.T, x.T @ g
    x_bar, y_bar = np.empty_like(x), np.empty_like(y)
    for i in range(len(x)):
        x_bar[i], y_bar[i] = vjp_matmul(x[i], y[i], g[i])
    return x_bar, y_bar
