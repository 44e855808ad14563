"""Loses q1: fifteen digits do not tell all floats apart."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return f"{a:.15g}" == f"{b:.15g}"
