"""Loses q1: what is close is not the same."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return math.isclose(a, b) and math.copysign(1, a) == math.copysign(1, b) or (a != a and b != b)
