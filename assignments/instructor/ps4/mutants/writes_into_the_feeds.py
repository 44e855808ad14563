"""Loses q2: the results go into the caller's dict."""
# %% q2
def run(fetches, feeds):
    several = isinstance(fetches, list)
    results = feeds
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
