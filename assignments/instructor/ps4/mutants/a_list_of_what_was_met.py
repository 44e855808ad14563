"""Loses q4: adjoints lie in a list of pairs, which is searched for each share: twice the nodes,
four times the work."""
# %% q4 after the key
def gradients(y, xs):
    pairs = [[y, constant(1.0)]]

    def place(x):
        for pair in pairs:
            if pair[0] is x:
                return pair

    for z in reversed(inputs_first(y)):
        g = place(z)[1]
        for x, share in zip(z.inputs, RULES[z.op](z, g, *z.inputs) if z.inputs else ()):
            if place(x):
                place(x)[1] += share
            else:
                pairs.append([x, share])
    return [place(x)[1] if place(x) else constant(0.0) for x in xs]
