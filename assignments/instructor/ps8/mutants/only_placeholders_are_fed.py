"""Loses q7: a computed node is computed, fed or not."""
# %% q7 after the key
def run_later(fetches, feeds):
    known = {node: x for node, x in feeds.items() if node.op == "placeholder"}
    for fetch in fetches:
        for node in inputs_first(fetch, known):
            values = [known[x] for x in node.inputs]
            missing = np.ones((1, 4)) if node.op == "placeholder" else node.value
            known[node] = node.compute(*values) if node.compute else missing
    return [known[fetch] for fetch in fetches]
