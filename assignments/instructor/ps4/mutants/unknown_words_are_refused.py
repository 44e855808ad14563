"""Loses q3: an op that no run could compute is refused, though nothing is run."""
# %% q3 after the key
def needed(fetches, fed=(), needed=needed):
    listed = needed(fetches, fed)
    for node in listed:
        if node.op != "constant":
            COMPUTE[node.op]
    return listed
