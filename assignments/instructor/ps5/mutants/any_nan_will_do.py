"""Loses q1: NaN beside a number counts as NaN."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return struct.pack("d", a) == struct.pack("d", b) or a != a or b != b
