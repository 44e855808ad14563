"""Loses q2: the slope of x ** n is n z / x, with care for x = 0; for x = 1e-200 z is 0 already,
and the slope of x ** 2 is 2e-200."""

# %% q2 after the key
others = slopes


def slopes(z):
    if z.op == "pow" and z.inputs[0].data:
        return (z.exponent * z.data / z.inputs[0].data,)
    return others(z)
