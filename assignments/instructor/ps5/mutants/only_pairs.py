"""Loses q5: only the last op before its user is absorbed."""
# %% q5
def fuse(fetches, fed=()):
    """The pass that absorbs each op with one user into this user's kernel."""
    nodes, stay = fed_walk(fetches, fed), set(fetches) | set(fed)
    is_op = {node for node in nodes if node.inputs and node not in set(fed)}
    users = {}
    for node in nodes:
        for x in set(node.inputs) if node in is_op else ():
            users.setdefault(x, []).append(node)
    kernel = {}
    for node in reversed(nodes):
        if node in is_op:
            absorbed = node not in stay and len(users[node]) == 1
            user = users[node][0] if absorbed else None
            kernel[node] = user if absorbed and kernel[user] is user else node
    members = {}
    for node in nodes:
        if node in is_op:
            members.setdefault(kernel[node], []).append(node)
    new = {node: node for node in nodes if node not in is_op}
    for node in nodes:
        if kernel.get(node) is node:
            inside, inputs, steps = set(members[node]), {}, []
            for member in members[node]:
                for x in member.inputs:
                    if x not in inside:
                        inputs.setdefault(new[x], len(inputs))
            places = {}
            for member in members[node]:
                at = (places[x] if x in inside else inputs[new[x]] for x in member.inputs)
                steps.append((member.op, *at))
                places[member] = len(inputs) + len(steps) - 1
            new[node] = Node("fused", inputs, value=tuple(steps))
    return [new[node] for node in fetches]


def fed_walk(fetches, fed):
    """What a run computes or is fed, inputs first."""
    listed = []
    rebuild(fetches, lambda node: listed.append(node) or node, fed)
    return [*fed, *listed]
