"""Loses q5: what two use is computed by both."""
# %% q5
def fuse(fetches, fed=()):
    """The pass that absorbs every op that is not fetched into each of its users."""
    listed, keep = [], set(fetches)
    rebuild(fetches, lambda node: listed.append(node) or node, fed)
    new = {node: node for node in [*fed, *listed] if node in set(fed) or not node.inputs}
    inner = {}
    for node in listed:
        if node in new:
            continue
        inputs, steps = [], []
        places = {}

        def place(x, steps=steps, inputs=inputs, places=places):
            if x in new:
                return ("in", new[x])
            return ("op", x)

        parts = []
        for x in node.inputs:
            parts += inner.get(x, []) if x not in new else []
        inner[node] = list(dict.fromkeys([*parts, node]))
        if node in keep:
            members, outer = inner.pop(node), {}
            for member in members:
                for x in member.inputs:
                    if x in new:
                        outer.setdefault(new[x], len(outer))
            at = {}
            for number, member in enumerate(members):
                steps.append((member.op, *(outer[new[x]] if x in new else at[x] for x in member.inputs)))
                at[member] = len(outer) + number
            new[node] = Node("fused", outer, value=tuple(steps))
            inner[node] = []
    return [new[node] for node in fetches]
