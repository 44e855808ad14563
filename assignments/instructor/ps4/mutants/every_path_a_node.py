"""Loses q4: right, but one share after another is passed down each path."""
# %% q4 after the key
def gradients(y, xs):
    adjoints, todo = {}, [(y, constant(1.0))]
    while todo:
        z, g = todo.pop()
        adjoints[z] = adjoints[z] + g if z in adjoints else g
        if z.inputs:
            todo.extend(zip(z.inputs, RULES[z.op](z, g, *z.inputs)))
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]
