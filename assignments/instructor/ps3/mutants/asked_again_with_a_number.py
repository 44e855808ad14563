"""Loses q4: when f raises TypeError, it is called a second time, with the plain x."""
# %% q4 after the key
def derivative(f, x, derivative=derivative):
    try:
        return derivative(f, x)
    except TypeError:
        f(x)
        return 0.0
