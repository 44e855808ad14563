"""Loses q3: an f that raises has the value and the slope nan: the error is lost."""
# %% q3 after the key
def along(f, x, v, along=along):
    try:
        return along(f, x, v)
    except Exception:
        return np.nan, np.nan
