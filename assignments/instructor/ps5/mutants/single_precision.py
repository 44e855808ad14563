"""Loses q1: half of the bits are not looked at."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return struct.pack("f", a) == struct.pack("f", b) or (a != a and b != b)
