"""Loses q2: the n of x ** n is kept in the word, with six digits: 1 / 3 is not 0.333333."""

# %% q2 after the key
power = Value.__pow__


def with_a_word(x, n):
    z = power(x, n)
    z.exponent = float(f"{n:g}")
    return z


Value.__pow__ = with_a_word
