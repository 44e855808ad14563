"""Loses q4: an x that y does not depend on is left out of the list."""
# %% q4 after the key
def gradients(y, xs):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y)):
        g = adjoints[z]
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs) if z.inputs else ()):
            adjoints[x] = adjoints[x] + x_bar if x in adjoints else x_bar
    return [adjoints[x] for x in xs if x in adjoints]
