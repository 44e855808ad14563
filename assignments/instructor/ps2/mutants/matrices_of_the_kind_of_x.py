"""Loses q4: the cotangents are given the types of x and y, as they have their shapes: those of
whole numbers are cut."""

# %% q4
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    x_bar, y_bar = g @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ g
    return x_bar.astype(x.dtype), y_bar.astype(y.dtype)
