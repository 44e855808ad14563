"""Loses q4: = for +: the adjoint of the last use replaces the others."""
# %% q4 after the key
def gradients(y, xs):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y)):
        g = adjoints[z]
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs) if z.inputs else ()):
            adjoints[x] = x_bar
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]
