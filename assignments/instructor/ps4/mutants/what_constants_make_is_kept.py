"""Loses q2: nodes made of constants alone are computed once for all runs; but a constant may be
fed: c = two * three, run(c, {}) and then run(c, {two: 5.0}) gives 6 again instead of 15."""

# %% q2
FIXED = {}


def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    wanted = list(fetches) if isinstance(fetches, list) else [fetches]
    results, waiting = dict(feeds), list(wanted)
    while waiting:
        node = waiting[-1]
        if node in results:
            waiting.pop()
        elif node in FIXED:
            results[node] = FIXED[node]
        elif node.op == "constant":
            results[node] = node.value
        elif node.op == "placeholder":
            raise KeyError(node.name)
        else:
            missing = [x for x in node.inputs if x not in results]
            if missing:
                waiting.extend(missing)
            else:
                results[node] = COMPUTE[node.op](*(results[x] for x in node.inputs))
                if all(x.op == "constant" or x in FIXED for x in node.inputs):
                    FIXED[node] = results[node]
    numbers = [results[node] for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]
