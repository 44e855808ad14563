"""Loses q4: an f that fails with numbers has the slope 0: its ArithmeticError is lost."""
# %% q4 after the key
def derivative(f, x, derivative=derivative):
    try:
        return derivative(f, x)
    except ArithmeticError:
        return 0.0
