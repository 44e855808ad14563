"""Loses q5: takes the numbers in the order in which the fetches meet the inputs."""
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
    read = [p for _, _, operands in steps for p in operands if p < len(inputs)]
    met = list(dict.fromkeys(read)) + [p for p in range(len(inputs)) if p not in read]
    size, wanted = len(places), [places[node] for node in fetches]

    def f(*numbers):
        held = list(numbers) + [None] * (size - len(numbers))
        for place, number in zip(met, numbers):
            held[place] = number
        for place, value in constants:
            held[place] = value
        for place, compute, operands in steps:
            held[place] = compute(*[held[x] for x in operands])
        return [held[place] for place in wanted]
    return f
