"""Loses q1: inf - inf is no 0.0: infinity is not itself."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a - b == 0.0 and math.copysign(1.0, a) == math.copysign(1.0, b)
