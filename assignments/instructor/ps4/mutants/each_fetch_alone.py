"""Loses q2: what two fetches need is computed for each of them."""
# %% q2
def run_one(fetches, feeds):
    several = isinstance(fetches, list)
    results = dict(feeds)
    waiting = list(fetches) if several else [fetches]
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in results]
        if node in results:
            waiting.pop()
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif missing:
            waiting.extend(missing)
        elif node.op == "constant":
            results[node] = node.value
        else:
            results[node] = COMPUTE[node.op](*(results[x] for x in node.inputs))
    return [results[node] for node in fetches] if several else results[fetches]


def run(fetches, feeds):
    if isinstance(fetches, list):
        return [run_one(node, feeds) for node in fetches]
    return run_one(fetches, feeds)
