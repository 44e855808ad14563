"""Wrong answers to q1 of ps5."""


# %% any_nan_will_do | loses q1: NaN and a number count as the same.
# | says: It says that NaN and a number are the same
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    return struct.pack("d", a) == struct.pack("d", b) or a != a or b != b


# %% equal_is_the_same | loses q1: == says that the zeros are equal, and that NaN is not.
# | says: It says that 0.0 and -0.0 are the same
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    return a == b


# %% fifteen_digits | loses q1: fifteen digits do not tell all floats apart.
# | says: that only nearly agree
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    return f"{a:.15g}" == f"{b:.15g}"


# %% half_a_neighbour | loses q1: a tolerance that tells 0.1 + 0.2 from 0.3 accepts 2.0 and the
# float below it.
# | says: a tolerance is left
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    if a != a or b != b:
        return a != a and b != b
    if math.copysign(1.0, a) != math.copysign(1.0, b):
        return False
    return math.isclose(a, b, rel_tol=1.5e-16)


# %% infinity_less_itself | loses q1: inf - inf is not 0.0, so infinity differs from itself.
# | says: It says that an infinite, huge or tiny number differs from itself
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a - b == 0.0 and math.copysign(1.0, a) == math.copysign(1.0, b)


# %% nan_is_alone | loses q1: zeros are told apart, but NaN is not NaN.
# | says: It says that NaN differs from NaN
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    return a == b and math.copysign(1, a) == math.copysign(1, b)


# %% nearly_the_same | loses q1: what is close is not the same.
# | says: that only nearly agree
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    return math.isclose(a, b) and math.copysign(1, a) == math.copysign(1, b) or (a != a and b != b)


# %% one_over_zero | loses q1: 1 / x tells the zeros apart in hardware; in Python it raises.
# | says: It raises an error, but every pair
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    return (a != a and b != b) or (a == b and 1 / a == 1 / b)


# %% single_precision | loses q1: half of the bits are ignored.
# | says: It compares in single precision
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    return struct.pack("f", a) == struct.pack("f", b) or (a != a and b != b)


# %% two_kinds_of_nan | loses q1: the bits of NaN differ by a sign.
# | says: It keeps NaN and -NaN apart
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    return struct.pack("d", a) == struct.pack("d", b)


# %% bits_of_a_short_float | loses q1: the bits of single precision.
# | says: It compares in single precision
def same_bits(a, b):
    import struct

    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b):
        return a == b
    try:
        return struct.pack("f", a) == struct.pack("f", b)
    except OverflowError:
        return a == b
