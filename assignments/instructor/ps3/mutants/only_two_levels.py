"""Loses q4: two marks by turns: right for two derivatives, confused by three."""
# %% q4 after the key
OWNERS = itertools.cycle((1, 2))
