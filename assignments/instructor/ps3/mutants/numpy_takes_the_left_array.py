"""Loses q1: array * x is left to NumPy, which makes an array of Duals."""
# %% q1 after the key
del Dual.__array_ufunc__
