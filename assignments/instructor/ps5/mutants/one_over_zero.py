"""Loses q1: 1 / x tells the zeros apart in hardware; in Python it raises."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return (a != a and b != b) or (a == b and 1 / a == 1 / b)
