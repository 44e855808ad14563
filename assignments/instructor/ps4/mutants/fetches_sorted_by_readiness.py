"""Loses q2: gives the results in the order in which they were computed."""
# %% q2
def run(fetches, feeds):
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
    return [n for node, n in results.items() if node in fetches] if several else results[fetches]
