"""Loses q5: keeps what the first call computed."""
# %% q5
def compiled(fetches, inputs):
    places = {node: place for place, node in enumerate(inputs)}
    constants, steps, waiting = [], [], list(fetches)
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in places]
        if node in places:
            waiting.pop()
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif missing:
            waiting.extend(missing)
        else:
            places[node] = len(places)
            if node.op == "constant":
                constants.append((places[node], node.value))
            else:
                steps.append((places[node], COMPUTE[node.op], [places[x] for x in node.inputs]))
    size, wanted = len(places), [places[node] for node in fetches]

    kept = []

    def f(*numbers):
        if kept:
            return [numbers[p] if p < len(numbers) else kept[0][p] for p in wanted]
        held = list(numbers) + [None] * (size - len(numbers))
        kept.append(held)
        for place, value in constants:
            held[place] = value
        for place, compute, operands in steps:
            held[place] = compute(*[held[x] for x in operands])
        return [held[place] for place in wanted]
    return f
