"""Full points: orders by counting users; rules in an if-chain; a program in Python source."""
# %% q4
def gradients(y, xs):
    users, todo = {y: 0}, [y]
    for z in todo:
        for x in z.inputs:
            if x not in users:
                users[x] = 0
                todo.append(x)
            users[x] += 1
    shares, done, ready = {y: [constant(1)]}, {}, [y]
    while ready:
        z = ready.pop(0)
        g = shares[z][0]
        for share in shares[z][1:]:
            g = share + g
        done[z] = g
        for x, x_bar in zip(z.inputs, slopes(z, g)):
            shares.setdefault(x, []).append(x_bar)
            users[x] -= 1
            if not users[x]:
                ready.append(x)
    return [done.get(x, constant(0)) for x in xs]


def slopes(z, g):
    if z.op == "add":
        return g, g
    if z.op == "sub":
        return g, 0 - g
    if z.op == "neg":
        return [g * -1.0]
    if z.op in ("placeholder", "constant"):
        return ()
    a, b = z.inputs[0], z.inputs[-1]
    if z.op == "mul":
        return b * g, a * g
    if z.op == "div":
        return 1 / b * g, a * g / (b * b) * -1
    if z.op == "log":
        return [1 / a * g]
    if z.op == "exp":
        return [exp(a) * g]
    return [cos(a) * g] if z.op == "sin" else [sin(a) * g * -1]
# %% q5
def compiled(fetches, inputs):
    names = {node: f"x{i}" for i, node in enumerate(inputs)}
    lines, known, stack = [], {}, list(fetches)[::-1]
    while stack:
        node = stack.pop()
        if node in names:
            continue
        waiting = [x for x in node.inputs if x not in names]
        if waiting:
            stack += [node, *waiting]
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        names[node] = f"v{len(names)}"
        if node.op == "constant":
            known[names[node]] = node.value
        else:
            call = ", ".join(names[x] for x in node.inputs)
            lines.append(f"    {names[node]} = {node.op}_({call})")
    head = "def f(" + ", ".join(names[x] for x in inputs) + "):"
    tail = "    return [" + ", ".join(names[x] for x in fetches) + "]"
    space = {f"{name}_": function for name, function in COMPUTE.items()} | known
    exec("\n".join([head, *lines, tail]), space)
    return space["f"]
