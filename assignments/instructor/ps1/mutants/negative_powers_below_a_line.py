"""Loses q1: x ** -n is 1 / x ** n, which overflows where 10.0 ** -400 is 0."""

# %% q1 after the key
power = Value.__pow__


def below_a_line(x, n):
    z = power(x, n) if n > 0 else power(x, -n)
    z.exponent = n
    z.data = z.data if n > 0 else 1 / z.data
    return z


Value.__pow__ = below_a_line
