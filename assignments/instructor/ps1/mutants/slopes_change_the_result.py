"""Loses q2: the square of tanh is formed in z.data itself, and left there."""

# %% q2 after the key
others = slopes


def slopes(z):
    if z.op == "tanh":
        z.data *= z.data
        return (1 - z.data,)
    return others(z)
