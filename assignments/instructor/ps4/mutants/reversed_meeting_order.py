"""Loses q3: the order of meeting, turned round: near and far users come wrong."""
# %% q3
def needed(fetches, fed=()):
    met, waiting = {}, list(fetches)
    while waiting:
        node = waiting.pop(0)
        if node not in met and node not in fed and node.op != "placeholder":
            met[node] = True
            waiting.extend(node.inputs)
    return list(met)[::-1]
