"""Loses q3: slopes are rounded to twelve places, so that 1e-20 is 0."""
# %% q3 after the key
def jacobian(f, x, jacobian=jacobian):
    return np.round(jacobian(f, x), 12)
