"""Loses q5: each share goes down to the inputs at once, so that a number used twice, thirty times
over, is passed 2**30 times."""

# %% q5
def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    leaves = [Node(Dual(x, v)) for x, v in zip(xs, vs)]
    speeds = {leaf.born: 0.0 for leaf in leaves}
    todo = [(f(leaves), 1.0)]
    while todo:
        node, share = todo.pop()
        if node.born in speeds and isinstance(share, Dual):
            speeds[node.born] += share.tangent
        for below, push in zip(node.inputs, node.pushes):
            todo.append((below, push(share)))
    return [speeds[leaf.born] for leaf in leaves]
