"""Loses q4: finite differences: a step inside a step leaves few digits, or none."""
# %% q4
def derivative(f, x, step=1e-4):
    return (f(x + step) - f(x - step)) / (2 * step)
