"""Full points: recursion written as generators, driven by a stack; few names in common."""
# %% q3
def descend(value, seen, ordered):
    for source in value.inputs:
        if id(source) not in seen:
            seen.add(id(source))
            yield source
    ordered.append(value)


def backward(root):
    ordered, seen = [], {id(root)}
    calls = [descend(root, seen, ordered)]
    while calls:
        deeper = next(calls[-1], None)
        if deeper is None:
            calls.pop()
        else:
            calls.append(descend(deeper, seen, ordered))
    total = {id(root): 1.0}
    for value in ordered[::-1]:
        value.grad = total[id(value)]
        for source, slope in zip(value.inputs, slopes(value)):
            total[id(source)] = total.get(id(source), 0.0) + slope * value.grad
# %% q6
def mended_backward(root):
    backward_of = {}
    nodes = [root]
    for node in nodes:
        if id(node) not in backward_of:
            backward_of[id(node)] = node
            nodes.extend(source for source in node.inputs if id(source) not in backward_of)
    depth = dict.fromkeys(backward_of, 0)
    changed = True
    while changed:
        changed = False
        for key, node in backward_of.items():
            for source in node.inputs:
                if depth[id(source)] <= depth[key]:
                    depth[id(source)], changed = depth[key] + 1, True
    for node in backward_of.values():
        node.grad = 0.0
    root.grad = 1.0
    for key in sorted(depth, key=depth.get):
        for source, push in zip(backward_of[key].inputs, backward_of[key].pushes):
            source.grad += push(backward_of[key].grad)
