"""Loses q2: y's cotangent in x - y has no minus."""
# %% q2
def vjp_sub(x, y, g):
    return g, g


def vjp_mul(x, y, g):
    return g * y, g * x


def vjp_div(x, y, g):
    return g / y, -g * x / y**2
