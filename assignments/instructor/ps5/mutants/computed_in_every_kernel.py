"""Loses q5: what two use is computed by both."""
# %% q5
def fuse(fetches, fed=()):
    """The pass that absorbs every op that is not fetched into each of its users."""
    listed, new, inner = [], {node: node for node in fed}, {}
    rebuild(fetches, lambda node: listed.append(node) or node, fed)
    for node in listed:
        if not node.inputs:
            new[node] = node
            continue
        parts = [one for x in node.inputs for one in inner.get(x, [])]
        inner[node] = list(dict.fromkeys([*parts, node]))
        if node in fetches:
            new[node] = kernel(inner.pop(node), new)
    return [new[node] for node in fetches]


def kernel(members, new):
    outer = {}
    for member in members:
        for x in member.inputs:
            if x in new:
                outer.setdefault(new[x], len(outer))
    at, steps = {}, []
    for member in members:
        places = (outer[new[x]] if x in new else at[x] for x in member.inputs)
        steps.append((member.op, *places))
        at[member] = len(outer) + len(steps) - 1
    return Node("fused", outer, value=tuple(steps))
