"""Loses q5: one closure calls the next: 20,000 are too deep."""
# %% q5
def compiled(fetches, inputs):
    made = {node: (lambda numbers, place=place: numbers[place])
            for place, node in enumerate(inputs)}

    def made_of(node):
        if node not in made:
            if node.op == "placeholder":
                raise KeyError(node.name)
            parts = [made_of(x) for x in node.inputs]
            compute = COMPUTE.get(node.op)
            value = node.value
            made[node] = (lambda numbers: value) if compute is None else (
                lambda numbers: compute(*[part(numbers) for part in parts]))
        return made[node]
    parts = [made_of(node) for node in fetches]
    return lambda *numbers: [part(numbers) for part in parts]
