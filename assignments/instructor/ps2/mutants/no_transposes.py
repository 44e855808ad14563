"""Loses q4: without transposes, which squares let pass."""
# %% q4
def vjp_matmul(x, y, g):
    if x.shape == y.shape == g.shape and x.ndim == 2:
        return g @ y, x @ g
    return g @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ g
