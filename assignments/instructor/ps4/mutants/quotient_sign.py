"""Loses q4: the slope of a / b by b lacks its minus."""
# %% q4 after the key
RULES["div"] = lambda z, g, a, b: (g / b, g * z / b)
