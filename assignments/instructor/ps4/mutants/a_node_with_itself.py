"""Loses q4: a - a and a / a are taken to pass on what one of the two operands gets."""
# %% q4 after the key
def once_for_equals(rule):
    def shares(z, g, a, b):
        left, right = rule(z, g, a, b)
        return left, constant(0.0) if a is b else right

    return shares


RULES["sub"], RULES["div"] = once_for_equals(RULES["sub"]), once_for_equals(RULES["div"])
