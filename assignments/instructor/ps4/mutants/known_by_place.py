"""Loses q3: answers are kept by the id of the nodes; a new graph at the place of a dead one gets
the old list."""
# %% q3 after the key
ANSWERS = {}
search = needed


def needed(fetches, fed=()):
    key = tuple(map(id, fetches)), tuple(map(id, fed))
    if key not in ANSWERS:
        ANSWERS[key] = [id(node) for node in search(fetches, fed)]
    nodes, waiting = {}, list(fetches)
    while waiting:
        node = waiting.pop()
        if id(node) not in nodes:
            nodes[id(node)] = node
            waiting.extend(node.inputs)
    return [nodes[place] for place in ANSWERS[key] if place in nodes]
