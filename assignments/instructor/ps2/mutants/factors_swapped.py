"""Loses q4: the factors of y's cotangent in the wrong order."""
# %% q4
def vjp_matmul(x, y, g):
    x_bar = g @ np.swapaxes(y, -1, -2)
    y_bar = np.swapaxes(np.swapaxes(g, -1, -2) @ x, -1, -2)
    if x.shape[-1] == x.shape[-2] == g.shape[-1]:
        y_bar = g @ np.swapaxes(x, -1, -2)
    return x_bar, y_bar
