"""Loses q4: each node searches all nodes for its users: twice the nodes, four times the work."""
# %% q4 after the key
def gradients(y, xs):
    order, adjoints = inputs_first(y), {y: constant(1.0)}
    for x in reversed(order[:-1]):
        for z in [z for z in order if x in z.inputs]:
            for source, share in zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs)):
                if source is x:
                    adjoints[x] = adjoints[x] + share if x in adjoints else share
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]
