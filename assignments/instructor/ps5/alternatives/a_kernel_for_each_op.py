"""Full points: every op is a kernel of its own, then kernels are joined."""
# %% q5
def fuse(fetches, fed=()):
    everything, fed = [], set(fed)
    rebuild(fetches, lambda node: everything.append(node) or node, fed)
    computed = [node for node in everything if node.inputs]
    who = {node: set() for node in [*everything, *fed]}
    for node in computed:
        for x in node.inputs:
            who[x].add(node)
    roots = [node for node in computed if node in fetches or len(who[node]) != 1]
    home = {node: node for node in roots}
    for node in reversed(computed):
        if node not in home:
            (user,) = who[node]
            home[node] = home[user]
    groups = {root: [] for root in roots}
    for node in computed:
        groups[home[node]].append(node)
    made = {}
    for root in roots:
        inputs, place, steps = [], {}, []
        for node in groups[root]:
            for x in node.inputs:
                if home.get(x) is not root and x not in place:
                    place[x] = len(inputs)
                    inputs.append(made.get(x, x))
        for number, node in enumerate(groups[root], len(inputs)):
            steps.append((node.op, *(place[x] for x in node.inputs)))
            place[node] = number
        made[root] = Node("fused", inputs, value=tuple(steps))
    return [made.get(node, node) for node in fetches]
