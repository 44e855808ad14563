"""Loses q3: nodes get their place in the list as an attribute, which stays."""
# %% q3 after the key
def needed(fetches, fed=(), needed=needed):
    listed = needed(fetches, fed)
    for place, node in enumerate(listed):
        node.place = place
    return listed
