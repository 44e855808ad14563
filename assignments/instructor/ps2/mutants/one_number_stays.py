"""Loses q1: g of shape () has no axes, and is taken for a mistake."""
# %% q1 after the key
of_any = unbroadcast


def unbroadcast(g, shape):
    return of_any(g, shape) if g.shape else np.zeros(shape)
