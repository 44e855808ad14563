"""Loses q4: users are not all done when a node passes on."""
# %% q4 after the key
def gradients(y, xs):
    adjoints = {y: constant(1.0)}
    for z in met(y):
        g = adjoints[z]
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs) if z.inputs else ()):
            adjoints[x] = adjoints[x] + x_bar if x in adjoints else x_bar
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


def met(y):
    listed = {y: True}
    waiting = [y]
    while waiting:
        for x in waiting.pop(0).inputs:
            if x not in listed:
                listed[x] = True
                waiting.append(x)
    return list(listed)
