"""Loses q2: computes the slopes of all functions and picks one, so exp and tanh fail at 0."""
# %% q2 after the key
rules = slopes


def slopes(z):
    if z.op in ("exp", "log", "tanh"):
        a = z.inputs[0].data
        return ({"exp": z.data, "log": 1 / a, "tanh": 1 - z.data**2}[z.op],)
    return rules(z)
