"""Loses q3: sums and products are compared by all their terms, in any grouping: (0.1 + 0.2) + 0.3
and 0.1 + (0.2 + 0.3) differ in the last bit, and come as one number."""

# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    from collections import Counter

    first, terms, fixed = {}, {}, set(fed)

    def key_of(node):
        if node.op == "constant":
            return ("constant", "nan" if math.isnan(node.value) else struct.pack("d", node.value))
        if node.op not in ("add", "mul"):
            return (node.op, node.inputs)
        found = Counter()
        for x in node.inputs:
            within = x.op == node.op and x not in fixed and len(terms.get(x, ())) < 50
            found.update(terms[x] if within else {x: 1})
        terms[node] = found
        return (node.op, frozenset(found.items()))

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        return first.setdefault(key_of(node), node)

    return rebuild(fetches, change, fed)
