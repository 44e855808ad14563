"""Loses q1: adds the rows up in the caller's g."""
# %% q1
def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(0)
    for axis, length in enumerate(shape):
        if length == 1 and g.shape[axis] > 1:
            lines = np.moveaxis(g, axis, 0)
            for line in lines[1:]:
                lines[0] += line
            g = np.moveaxis(lines[:1], 0, axis)
    return g
