"""Loses q1: adds the further slices into g[0], which is a view: the caller's g is changed (any new
axis in front, g of two axes or more). A right answer leaves its arguments as they are."""

# %% q1
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    g = np.asarray(g)
    while g.ndim > len(shape):
        if len(g) == 0:
            g = np.zeros(g.shape[1:])
            continue
        whole = g[0]
        for part in g[1:]:
            whole += part
        g = np.asarray(whole)
    for axis, length in enumerate(shape):
        if length == 1:
            g = g.sum(axis=axis, keepdims=True)
    return g
