"""Loses q1: a tolerance that parts 0.1 + 0.2 from 0.3 joins 2.0 and the float below it."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    if a != a or b != b:
        return a != a and b != b
    if math.copysign(1.0, a) != math.copysign(1.0, b):
        return False
    return math.isclose(a, b, rel_tol=1.5e-16)
