"""Loses q2: a power keeps its slope as a generator, which gives it to the first who asks."""

# %% q1 after the key
power = Value.__pow__


def with_slope(self, n):
    z = power(self, n)
    z.local = (n * x.data ** (n - 1) if n else 0.0 for x in z.inputs)
    return z


Value.__pow__ = with_slope


# %% q2 after the key
others = slopes


def slopes(z):
    return tuple(z.local) if z.op == "pow" else others(z)
