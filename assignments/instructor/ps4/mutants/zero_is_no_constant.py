"""Loses q2: a constant is known by its value being true; constant(0.0) is not, and is looked up in
COMPUTE: run(x + 0.0, {x: 1.0}) raises KeyError('constant')."""

# %% q2
def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    wanted = list(fetches) if isinstance(fetches, list) else [fetches]
    results, waiting = dict(feeds), list(wanted)
    while waiting:
        node = waiting[-1]
        if node in results:
            waiting.pop()
        elif node.value:
            results[node] = node.value
        elif node.op == "placeholder":
            raise KeyError(node.name)
        else:
            missing = [x for x in node.inputs if x not in results]
            if missing:
                waiting.extend(missing)
            else:
                results[node] = COMPUTE[node.op](*(results[x] for x in node.inputs))
    numbers = [results[node] for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]
