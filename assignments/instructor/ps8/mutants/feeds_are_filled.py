"""Loses q7: the caller's dict holds all results afterwards."""
# %% q7 after the key
def run_later(fetches, feeds):
    for fetch in fetches:
        for node in inputs_first(fetch, feeds):
            values = [feeds[x] for x in node.inputs]
            feeds[node] = node.compute(*values) if node.compute else node.value
    return [feeds[fetch] for fetch in fetches]
