"""Loses q5: right numbers by one call of f, whose graph is walked once for each input."""
# %% q5
def hvp(f, xs, vs):
    kept = []

    def once(leaves):
        kept.append((leaves, f(leaves)))
        return kept[0][1]

    gradient(once, xs)
    leaves, _ = kept[0]
    total = [0.0] * len(xs)
    for j, v in enumerate(vs):
        column = gradient(lambda nodes: retraced(kept[0][1], dict(zip(leaves, nodes))),
                          [Dual(x, float(i == j)) for i, x in enumerate(xs)])
        for i, g in enumerate(column):
            total[i] += v * (g.tangent if isinstance(g, Dual) else 0.0)
    return total


def retraced(root, known):
    order, stack = [], [root]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(node.inputs)
    for node in sorted(set(order), key=lambda node: node.born):
        if node not in known:
            x, y = (known[source] for source in node.inputs)
            known[node] = getattr(x, f"__{node.op}__")(y)
    return known[root]
