"""Loses q4: a product with a constant 1 or 0 is simplified by its value today; it may be fed."""
# %% q4 after the key
def product(a, b):
    for one, other in ((a, b), (b, a)):
        if one.op == "constant" and one.value in (0, 1):
            return other if one.value else constant(0.0)
    return a * b


RULES["mul"] = lambda z, g, a, b: (product(g, b), product(g, a))
