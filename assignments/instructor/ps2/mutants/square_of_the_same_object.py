"""Loses q2: thinks that x * x needs 2x when both operands are the same object, for each of them:
vjp_mul(x, x, g) should be (g x, g x); the engine does the adding, and gets 4x here."""

# %% q2
def vjp_sub(x, y, g):
    """The cotangents of x and y in x - y."""
    return g, -g


def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    if x is y:  # a square: its slope is 2 x
        x_bar = 2 * g * x
        return x_bar, x_bar
    return g * y, g * x


def vjp_div(x, y, g):
    """The cotangents of x and y in x / y."""
    return g / y, -g * x / (y * y)
