"""Loses q1: == takes the zeros for one, and NaN for none."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return a == b
