"""Loses q2: the slope of x / y by x as z / x, which is 0 / 0 where x is 0."""
# %% q2 after the key
def vjp_div(x, y, g):
    z = x / y
    return g * z / x, -g * z / y
