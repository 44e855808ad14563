"""Loses q4: the point of an inner derivative stands still when it is computed from x."""
# %% q4 after the key
at_any_point = derivative


def derivative(f, x):
    while isinstance(x, Moving) and not isinstance(x.tangent, Moving) and x.tangent != 1.0:
        x = x.value
    return at_any_point(f, x)
