"""Loses q4: turns the square matrices of a stack in place, and leaves the caller's stack so."""

# %% q4
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    if x.ndim == 2 or x.shape[-1] != x.shape[-2]:
        return g @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ g
    for matrix in x:
        matrix[...] = matrix.T.copy()
    return g @ np.swapaxes(y, -1, -2), x @ g
