"""Full points: each pass walks by itself, users of a node beside its inputs."""
# %% q2
def fold(fetches, fed=()):
    new = {node: node for node in fed}
    for node in walk(fetches, set(fed)):
        inputs = [new[x] for x in node.inputs]
        made = node if all(a is b for a, b in zip(inputs, node.inputs)) else Node(
            node.op, inputs, node.value, node.name)
        if inputs and all(x.op == "constant" and x not in fed for x in inputs):
            numbers = [x.value for x in inputs]
            try:
                made = Node("constant", (), compute(node, numbers))
            except Exception:
                pass
        new[node] = made
    return [new[node] for node in fetches]


def walk(fetches, fed):
    listed, seen, stack = [], set(fed), [(node, 0) for node in fetches]
    while stack:
        node, place = stack.pop()
        if place == 0 and node in seen:
            continue
        seen.add(node)
        if place < len(node.inputs):
            stack.append((node, place + 1))
            if node.inputs[place] not in seen:
                stack.append((node.inputs[place], 0))
        else:
            listed.append(node)
    return listed
# %% q5
def fuse(fetches, fed=()):
    order, closed = [], set(fed)
    stack = list(fetches)
    while stack:
        node = stack[-1]
        open_ones = [x for x in node.inputs if x not in closed]
        if node in closed:
            stack.pop()
        elif open_ones:
            stack += open_ones
        else:
            closed.add(node)
            order.append(node)
    users = {}
    for node in order:
        for x in dict.fromkeys(node.inputs):
            users[x] = users.get(x, 0) + 1
    pending, done = {}, {node: node for node in fed}
    for node in order:
        if not node.inputs:
            done[node] = node
            continue
        plan = None  # the longest plan of its inputs takes the others in
        parts = [pending.pop(x) for x in dict.fromkeys(node.inputs) if x in pending]
        parts.sort(key=len)
        plan = parts.pop() if parts else []
        for part in parts:
            plan += part
        plan.append(node)
        if users.get(node, 0) == 1 and node not in fetches:
            pending[node] = plan
        else:
            done[node] = kernel(plan, done)
    return [done[node] for node in fetches]


def kernel(plan, done):
    outer = dict.fromkeys(done[x] for node in plan for x in node.inputs if x in done)
    spots = {node: number for number, node in enumerate(outer)}
    steps = []
    for node in plan:
        steps.append((node.op, *(spots[done[x]] if x in done else spots[x] for x in node.inputs)))
        spots[node] = len(outer) + len(steps) - 1
    return Node("fused", tuple(outer), tuple(steps))
