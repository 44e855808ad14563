"""Loses q4: the slope of cos is sin."""
# %% q4 after the key
RULES["cos"] = lambda z, g, a: (g * sin(a),)
