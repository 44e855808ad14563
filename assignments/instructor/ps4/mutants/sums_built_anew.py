"""Loses q4: with each share that comes, the sum of all shares so far is built anew: twice the
users, four times the work."""
# %% q4 after the key
def gradients(y, xs):
    shares, adjoints = {}, {y: constant(1.0)}
    for z in reversed(inputs_first(y)):
        for x, share in zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs) if z.inputs else ()):
            first, *others = shares.setdefault(x, []) + [share]
            shares[x].append(share)
            adjoints[x] = sum(others, first)
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]
