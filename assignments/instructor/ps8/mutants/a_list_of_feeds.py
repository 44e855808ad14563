"""Loses q7: what was fed in an earlier run is still fed."""
# %% q7 after the key
FED = {}


def run_later(fetches, feeds):
    FED.update(feeds)
    known = dict(FED)
    for fetch in fetches:
        for node in inputs_first(fetch, known):
            values = [known[x] for x in node.inputs]
            known[node] = node.compute(*values) if node.compute else node.value
    return [known[fetch] for fetch in fetches]
