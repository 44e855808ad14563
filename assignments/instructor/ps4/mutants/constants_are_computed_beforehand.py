"""Loses q5: compiled computes what hangs on constants alone, and raises what f should."""
# %% q5 after the key
wait = compiled


def compiled(fetches, inputs):
    known, waiting = dict.fromkeys(inputs), list(fetches)
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in known]
        if node in known:
            waiting.pop()
        elif missing:
            waiting.extend(missing)
        else:
            numbers = [known[x] for x in node.inputs]
            ready = node.inputs and None not in numbers
            known[node] = COMPUTE[node.op](*numbers) if ready else node.value
    return wait(fetches, inputs)
