"""Loses q5: a sweep of its own, breadth first: a number with a near user and a far one passes on
before the far one has given."""
# %% q5
def hvp(f, xs, vs):
    leaves = [Node(Dual(x, v)) for x, v in zip(xs, vs)]
    root = f(leaves)
    shares, queue, met = {root: 1.0}, [root], {root}
    for node in queue:
        for below, push in zip(node.inputs, node.pushes):
            share = push(shares[node])
            shares[below] = shares[below] + share if below in shares else share
            if below not in met:
                met.add(below)
                queue.append(below)
    slopes = [shares.get(leaf, 0.0) for leaf in leaves]
    return [slope.tangent if isinstance(slope, Dual) else 0.0 for slope in slopes]
