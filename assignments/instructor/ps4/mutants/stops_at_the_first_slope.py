"""Loses q4: slopes are cut off from x: the second derivative is 0."""
# %% q4 after the key
cut = set()


def gradients(y, xs):
    if y in cut:
        return [constant(0.0) for x in xs]
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y)):
        g = adjoints[z]
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs) if z.inputs else ()):
            adjoints[x] = adjoints[x] + x_bar if x in adjoints else x_bar
    cut.update(node for x in xs if x in adjoints for node in inputs_first(adjoints[x]))
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]
