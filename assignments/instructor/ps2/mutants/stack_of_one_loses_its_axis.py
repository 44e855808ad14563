"""Loses q4: gives a stack of one matrix the matrix's shape, in the caller's own array."""

# %% q4
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    if x.ndim == 3 and len(x) == 1:
        x.shape, y.shape, g.shape = x.shape[1:], y.shape[1:], g.shape[1:]
        return (g @ y.T)[None], (x.T @ g)[None]
    return g @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ g
