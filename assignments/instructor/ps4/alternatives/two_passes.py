"""Full points: first an order for everything, then one pass over it; lists with positions."""
# %% q2
def order(fetches, cut):
    listed, state, stack = [], {}, list(reversed(fetches))
    while stack:
        node = stack.pop()
        if node in cut or state.get(node) == "listed":
            continue
        if state.get(node) == "open":
            state[node] = "listed"
            listed.append(node)
        else:
            state[node] = "open"
            stack.append(node)
            stack += node.inputs
    return listed


def run(fetches, feeds):
    wanted = fetches if isinstance(fetches, list) else [fetches]
    numbers = {}
    for node, number in feeds.items():
        numbers[node] = number
    for node in order(wanted, feeds):
        if node.op == "constant":
            numbers[node] = node.value
        elif node.op in COMPUTE:
            numbers[node] = COMPUTE[node.op](*map(numbers.get, node.inputs))
        else:
            raise KeyError(node.name)
    answers = [numbers[node] for node in wanted]
    return answers if isinstance(fetches, list) else answers[0]
# %% q3
def needed(fetches, fed=()):
    fed = set(fed)
    users, found, stack = {}, set(), [x for x in fetches if x not in fed]
    while stack:
        node = stack.pop()
        if node in found or node.op == "placeholder":
            continue
        found.add(node)
        for x in node.inputs:
            if x not in fed and x.op != "placeholder":
                users.setdefault(x, []).append(node)
                stack.append(x)
    left = {node: 0 for node in found}
    for lists in users.values():
        for node in lists:
            left[node] += 1
    ready, result = [node for node in found if not left[node]], []
    while ready:
        node = ready.pop()
        result.append(node)
        for user in users.get(node, ()):
            left[user] -= 1
            if not left[user]:
                ready.append(user)
    return result
