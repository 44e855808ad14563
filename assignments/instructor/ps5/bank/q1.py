"""Wrong answers to q1 of ps5."""


# %% any_nan_will_do | loses q1: NaN beside a number counts as NaN.
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return struct.pack("d", a) == struct.pack("d", b) or a != a or b != b


# %% equal_is_the_same | loses q1: == takes the zeros for one, and NaN for none.
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return a == b


# %% fifteen_digits | loses q1: fifteen digits do not tell all floats apart.
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return f"{a:.15g}" == f"{b:.15g}"


# %% half_a_neighbour | loses q1: a tolerance that parts 0.1 + 0.2 from 0.3 joins 2.0 and the float
# below it.
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    if a != a or b != b:
        return a != a and b != b
    if math.copysign(1.0, a) != math.copysign(1.0, b):
        return False
    return math.isclose(a, b, rel_tol=1.5e-16)


# %% infinity_less_itself | loses q1: inf - inf is no 0.0: infinity is not itself.
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a - b == 0.0 and math.copysign(1.0, a) == math.copysign(1.0, b)


# %% nan_is_alone | loses q1: zeros are told apart, but NaN is not NaN.
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return a == b and math.copysign(1, a) == math.copysign(1, b)


# %% nearly_the_same | loses q1: what is close is not the same.
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return math.isclose(a, b) and math.copysign(1, a) == math.copysign(1, b) or (a != a and b != b)


# %% one_over_zero | loses q1: 1 / x tells the zeros apart in hardware; in Python it raises.
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return (a != a and b != b) or (a == b and 1 / a == 1 / b)


# %% single_precision | loses q1: half of the bits are not looked at.
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return struct.pack("f", a) == struct.pack("f", b) or (a != a and b != b)


# %% two_kinds_of_nan | loses q1: the bits of NaN differ by a sign.
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return struct.pack("d", a) == struct.pack("d", b)
