"""Loses q4: each node goes down to the leaves to learn whether an x is there: twice the nodes, four
times the work."""
# %% q4 after the key
def gradients(y, xs):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y)):
        below = inputs_first(z)
        if z.inputs and any(x in below for x in xs):
            for x, share in zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs)):
                adjoints[x] = adjoints[x] + share if x in adjoints else share
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]
