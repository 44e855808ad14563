"""Loses q1: the hyperbolic tangent is written into the operand, too."""
# %% q1 after the key
def tanh(x):
    result = Value.record("tanh", math.tanh, x)
    x.data = result.data
    return result
