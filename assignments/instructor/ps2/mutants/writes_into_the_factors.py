"""Loses q4: turns the caller's square matrices round and leaves them so."""
# %% q4
def vjp_matmul(x, y, g):
    if x.shape == y.shape and x.ndim == 2:
        if x is y:
            return g @ y.T, x.T @ g
        x[...], y[...] = x.T.copy(), y.T.copy()
        return g @ y, x @ g
    return g @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ g
