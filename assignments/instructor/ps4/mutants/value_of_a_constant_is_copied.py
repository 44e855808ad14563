"""Loses q4: where a factor is a constant, its value today goes into the slope instead of the node;
any node may be fed: for y = x * two the slope by x, run with {x: 3.0, two: 5.0}, is 5, and
comes as 2; and its own slope by two is lost."""

# %% q4
def short(x):
    """The number of a constant, else the node."""
    return x.value if x.op == "constant" else x


RULES = {
    "add": lambda z, g: (g, g),
    "sub": lambda z, g: (g, -g),
    "mul": lambda z, g: (g * short(z.inputs[1]), g * short(z.inputs[0])),
    "div": lambda z, g: (g / z.inputs[1], -(g * z / z.inputs[1])),
    "neg": lambda z, g: (-g,),
    "exp": lambda z, g: (g * z,),
    "log": lambda z, g: (g / z.inputs[0],),
    "sin": lambda z, g: (g * cos(z.inputs[0]),),
    "cos": lambda z, g: (-(g * sin(z.inputs[0])),),
    "constant": lambda z, g: (),
    "placeholder": lambda z, g: (),
}


def inputs_first(y):
    """All nodes that y needs, and y."""
    order, seen, todo = [], set(), [(y, False)]
    while todo:
        node, ready = todo.pop()
        if ready:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            todo.append((node, True))
            todo.extend((x, False) for x in node.inputs)
    return order


def gradients(y, xs):
    """A node for each x: the derivative of y by x."""
    adjoints = {y: constant(1.0)}
    for node in reversed(inputs_first(y)):
        for x, share in zip(node.inputs, RULES[node.op](node, adjoints[node])):
            adjoints[x] = adjoints[x] + share if x in adjoints else share
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]
