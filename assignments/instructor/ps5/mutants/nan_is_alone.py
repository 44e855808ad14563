"""Loses q1: zeros are told apart, but NaN is not NaN."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return a == b and math.copysign(1, a) == math.copysign(1, b)
