"""Loses q1: the tangent of a constant array is one 0, without the array's shape."""
# %% q1 after the key
def dual(x):
    return x if isinstance(x, Dual) else Dual(x, 0.0)
