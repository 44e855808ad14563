"""Loses q5: a placeholder is an input when its name is: a second "x" that is no input gets the
number of the first, and no KeyError."""
# %% q5 after the key
by_node = compiled


def compiled(fetches, inputs):
    names = {node.name: node for node in inputs if node.op == "placeholder"}
    twins, waiting, seen = [], list(fetches), set(inputs)
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting.extend(node.inputs)
            if node.op == "placeholder" and node.name in names:
                twins.append(node)
    places = [list(inputs).index(names[node.name]) for node in twins]
    f = by_node(fetches, [*inputs, *twins])
    return lambda *numbers: f(*numbers, *(numbers[place] for place in places))
