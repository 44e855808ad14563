"""Loses q2: the other factor as z / x, which is 0 / 0 where x is 0."""
# %% q2 after the key
def vjp_mul(x, y, g):
    return g * (x * y) / x, g * (x * y) / y
