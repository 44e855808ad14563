"""Loses q1: -x turns the sign of x itself."""
# %% q1 after the key
def negated(x):
    x.data = -x.data
    return Value(x.data, "neg", (x,))


Value.__neg__ = negated
