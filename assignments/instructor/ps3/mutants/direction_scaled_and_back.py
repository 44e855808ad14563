"""Loses q5: the direction is divided by its length and the product multiplied by it, which is more
than any float for speeds of 1e200."""
# %% q5 after the key
def hvp(f, xs, vs, hvp=hvp):
    length = sum(v * v for v in vs) ** 0.5 or 1.0
    return [number * length for number in hvp(f, xs, [v / length for v in vs])]
