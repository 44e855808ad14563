"""Loses q5: two random numbers, or two placeholders of one name, are one input."""
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
    new = {}
    for root in ops:
        if home[root] is root:
            new[root] = kernel(root, members[root], new)
    return [new.get(node, node) for node in fetches]


def looks(node):
    """What an input is, in a word."""
    return node if node.inputs else (node.op, node.name, str(node.value))


def kernel(root, members, new):
    """The node that stands for all members, the last of which is root."""
    inside, inputs = set(members), []
    for node in members:
        inputs += [x for x in node.inputs if x not in inside]
    shown = {looks(x): x for x in inputs}
    inputs = list(shown.values())
    outer = [new.get(x, x) for x in inputs]
    if len(members) == 1:
        if all(a is b for a, b in zip(inputs, outer)):
            return root
        return Node(root.op, [new.get(x, x) for x in root.inputs], root.value, root.name)
    place, steps = {}, []
    for node in members:
        given = [place[x] if x in inside else list(shown).index(looks(x)) for x in node.inputs]
        steps.append((node.op, *given))
        place[node] = len(inputs) + len(steps) - 1
    return Node("fused", outer, tuple(steps))
