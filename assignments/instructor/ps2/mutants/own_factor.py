"""Loses q2: in x * y each gets its own factor."""
# %% q2
def vjp_sub(x, y, g):
    return g, -g


def vjp_mul(x, y, g):
    return g * x, g * y


def vjp_div(x, y, g):
    return g / y, -g * x / y**2
