"""Loses q4: the whole way back is built anew for each x: for 100 of them the graph has 100 nodes
for each node of y."""
# %% q4 after the key
all_at_once = gradients


def gradients(y, xs):
    return [all_at_once(y, [x])[0] for x in xs]
