"""Loses q5: runs the graph at each call: nothing is paid once."""
# %% q5
def run_once(fetches, feeds):
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


def compiled(fetches, inputs):
    run_once(list(fetches), {**{x: 1.0 for x in inputs}})
    return lambda *numbers: run_once(list(fetches), dict(zip(inputs, numbers)))
