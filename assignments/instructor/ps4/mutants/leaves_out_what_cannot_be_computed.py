"""Loses q3: runs the nodes to see whether they are needed."""
# %% q3 after the key
listed_by_the_key = needed


def needed(fetches, fed=()):
    listed = listed_by_the_key(fetches, fed)
    for node in listed:
        if node.op == "log" and node.inputs[0].op == "constant" and node.inputs[0].value <= 0:
            listed.remove(node)
    return listed
