"""Loses q4: each factor gets itself."""
# %% q4 after the key
RULES["mul"] = lambda z, g, a, b: (g * a, g * b)
