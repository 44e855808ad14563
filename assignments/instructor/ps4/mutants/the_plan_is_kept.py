"""Loses q2: the plan of a run is kept for the next one of the same fetches, with the values of its
constants: one that was changed in between does not show."""

# %% q2
PLANS = {}


def run(fetches, feeds):
    wanted = list(fetches) if isinstance(fetches, list) else [fetches]
    key = tuple(wanted), frozenset(feeds)
    if key not in PLANS:
        PLANS[key] = plan(wanted, feeds)
    constants, steps = PLANS[key]
    results = {**constants, **feeds}
    for node, compute, inputs in steps:
        results[node] = compute(*[results[x] for x in inputs])
    numbers = [results[node] for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]


def plan(wanted, feeds):
    constants, steps, done, waiting = {}, [], set(feeds), list(wanted)
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in done]
        if node in done:
            waiting.pop()
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif missing:
            waiting.extend(missing)
        else:
            done.add(node)
            if node.op == "constant":
                constants[node] = node.value
            else:
                steps.append((node, COMPUTE[node.op], node.inputs))
    return constants, steps
