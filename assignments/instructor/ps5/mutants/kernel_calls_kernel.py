"""Loses q5: the kernel of each storey calls for the one below."""
# %% q5
def fuse(fetches, fed=()):
    """The pass that absorbs each op with one user into this user's kernel."""
    ops = []
    rebuild(fetches, lambda node: (ops.append(node) if node.inputs else None) or node, fed)
    users = {}
    for node in ops:
        for x in set(node.inputs):
            users.setdefault(x, []).append(node)
    kept = set(fetches) | set(fed)
    home, members = {}, {}
    for node in reversed(ops):
        alone = node not in kept and len(users.get(node, ())) == 1
        home[node] = home[users[node][0]] if alone else node
    for node in ops:
        members.setdefault(home[node], []).append(node)
    made = {}

    def stand_in(node):
        if node not in home:
            return node
        if node not in made:
            for member in members[node]:
                for x in member.inputs:
                    if home.get(x, x) is x:
                        made[x] = stand_in(x)
            made[node] = kernel(node, members[node], made)
        return made[node]

    return [stand_in(node) for node in fetches]


def kernel(root, members, new):
    """The node that stands for all members, the last of which is root."""
    inside, inputs = set(members), []
    for node in members:
        inputs += [x for x in node.inputs if x not in inside]
    inputs = list(dict.fromkeys(inputs))
    outer = [new.get(x, x) for x in inputs]
    if len(members) == 1:
        if all(a is b for a, b in zip(inputs, outer)):
            return root
        return Node(root.op, [new.get(x, x) for x in root.inputs], root.value, root.name)
    place, steps = {x: at for at, x in enumerate(inputs)}, []
    for node in members:
        given = [place[x] for x in node.inputs]
        steps.append((node.op, *given))
        place[node] = len(inputs) + len(steps) - 1
    return Node("fused", outer, tuple(steps))
