"""Loses q1: names are tidied: " Speed " becomes "speed", and "" becomes "unnamed"."""
# %% q1 after the key
def placeholder(name):
    return Node("placeholder", name=name.strip().lower() or "unnamed")
