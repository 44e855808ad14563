"""Loses q2: placeholders are told apart by their names."""
# %% q2
def run(fetches, feeds):
    several = isinstance(fetches, list)
    results, names = dict(feeds), {x.name: number for x, number in feeds.items() if x.name}
    waiting = list(fetches) if several else [fetches]
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in results]
        if node in results:
            waiting.pop()
        elif node.op == "placeholder":
            results[node] = names[node.name]
        elif missing:
            waiting.extend(missing)
        elif node.op == "constant":
            results[node] = node.value
        else:
            results[node] = COMPUTE[node.op](*(results[x] for x in node.inputs))
    return [results[node] for node in fetches] if several else results[fetches]
