"""Loses q2: x's cotangent is written into g, when y's is done."""
# %% q2 after the key
def vjp_mul(x, y, g):
    y_bar = g * x
    g *= y
    return g, y_bar
