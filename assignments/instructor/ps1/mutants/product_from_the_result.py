"""Loses q2: the slopes of x * y are z / x and z / y, with care for 0: where z is infinite
they are, too."""

# %% q2 after the key
rules = slopes


def slopes(z):
    if z.op != "mul":
        return rules(z)
    x, y = (source.data for source in z.inputs)
    return (z.data / x if x else y, z.data / y if y else x)
