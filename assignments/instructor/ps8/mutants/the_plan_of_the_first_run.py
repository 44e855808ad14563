"""Loses q7: the order of a run is planned once for the same fetches, by the first feeds."""
# %% q7 after the key
plans = {}


def run_later(fetches, feeds):
    known, key = dict(feeds), tuple(fetches)
    if key not in plans:
        plans[key] = [one for fetch in fetches for one in inputs_first(fetch, known)]
    for node in plans[key]:
        if node not in known:
            values = [known[x] for x in node.inputs]
            known[node] = node.compute(*values) if node.compute else node.value
    return [known[fetch] for fetch in fetches]
