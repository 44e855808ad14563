"""Loses q3: the direction is made 1 long and the slope multiplied by its length, which is inf for
speeds of 1e200."""
# %% q3 after the key
def along(f, x, v, along=along):
    length = np.linalg.norm(v)
    if length == 0:
        return along(f, x, v)
    value, slope = along(f, x, v / length)
    return value, slope * length
