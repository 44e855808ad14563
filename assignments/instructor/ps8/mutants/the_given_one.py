"""Loses q7: right, along every path."""
# %% q7 after the key
def own_engine():
    return given
