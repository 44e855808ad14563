"""Loses q5: a kernel takes over the steps of each operand: of a · a those of a come twice."""

# %% q5
def fuse(fetches, fed=()):
    """The pass that absorbs each op with one user into this user's kernel."""
    order, users = [], {}
    rebuild(fetches, lambda node: order.append(node) or node, fed)
    for node in order:
        for x in set(node.inputs):  # x * x is one user of x
            users[x] = users.get(x, 0) + 1
    stays = set(fetches) | set(fed)
    plans, new = {}, {node: node for node in fed}
    for node in order:
        if not node.inputs:
            new[node] = node
            continue
        waiting = [plans[x] for x in node.inputs if x in plans]
        waiting.sort(key=len)
        plan = waiting.pop() if waiting else []
        for other in waiting:  # only the short one is copied
            plan.extend(other)
        plan.append(node)
        if users.get(node) == 1 and node not in stays:
            plans[node] = plan
            continue
        inside, inputs = set(plan), {}
        for op in plan:
            for x in op.inputs:
                if x not in inside:
                    inputs.setdefault(new[x], len(inputs))
        place, steps = {}, []
        for op in plan:
            places = [place[x] if x in inside else inputs[new[x]] for x in op.inputs]
            place[op] = len(inputs) + len(steps)
            steps.append((op.op, *places))
        new[node] = Node("fused", inputs, value=tuple(steps))
    return [new[node] for node in fetches]
