"""Loses q5: placeholders are told apart by their names."""
# %% q5 after the key
of_one = compiled


def compiled(fetches, inputs):
    f = of_one(fetches, inputs)
    last = {node.name: i for i, node in enumerate(inputs)}
    places = [last[node.name] if node.name else i for i, node in enumerate(inputs)]
    return lambda *numbers: f(*(numbers[place] for place in places))
