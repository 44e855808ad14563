"""Loses q1: tanh by powers of e, which overflow at 400."""
# %% q1 after the key
def tanh(x):
    return Value.record("tanh", lambda a: (math.exp(2 * a) - 1) / (math.exp(2 * a) + 1), x)
