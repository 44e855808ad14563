"""Loses q2: a node that is in the waiting list twice (as z for z * z, or fetched twice) is
computed again when its second entry comes up; the text says at most once in a run. Count what
COMPUTE does."""

# %% q2
def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    wanted = list(fetches) if isinstance(fetches, list) else [fetches]
    results, waiting = dict(feeds), list(wanted)
    while waiting:
        node = waiting.pop()
        if node in feeds:
            continue
        if node.op == "constant":
            results[node] = node.value
        elif node.op == "placeholder":
            raise KeyError(node.name)
        else:
            missing = [x for x in node.inputs if x not in results]
            if missing:
                waiting += [node, *missing]
            else:
                results[node] = COMPUTE[node.op](*[results[x] for x in node.inputs])
    numbers = [results[node] for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]
