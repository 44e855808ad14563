"""Loses q2: the caller's list of fetches is used up."""
# %% q2
def run(fetches, feeds):
    several = isinstance(fetches, list)
    results = dict(feeds)
    waiting = fetches if several else [fetches]
    wanted = list(waiting)
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
    return [results[node] for node in wanted] if several else results[wanted[0]]
