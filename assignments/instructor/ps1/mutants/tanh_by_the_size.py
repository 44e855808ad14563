"""Loses q1: tanh from exp(-2|x|), which never overflows, but loses all digits near 0."""

# %% q1 after the key
def tanh(x):
    power = math.exp(-2 * abs(x.data))
    return Value(math.copysign((1 - power) / (1 + power), x.data), "tanh", (x,))
