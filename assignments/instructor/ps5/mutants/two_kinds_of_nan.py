"""Loses q1: the bits of NaN differ by a sign."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return struct.pack("d", a) == struct.pack("d", b)
