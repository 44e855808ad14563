"""Loses q4: the other factor as z / a, which 0 / 0 ends where a is 0."""
# %% q4 after the key
RULES["mul"] = lambda z, g, a, b: (g * z / a, g * z / b)
