"""Loses q4: the adjoint is kept in an attribute of each node, and stays there after the call:
vars(x) has an entry more. No node is changed."""

# %% q4
RULES = {
    "add": lambda z, g: (g, g),
    "sub": lambda z, g: (g, -g),
    "mul": lambda z, g: (g * z.inputs[1], g * z.inputs[0]),
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
    order = inputs_first(y)
    for node in order:
        node.adjoint = None
    y.adjoint = constant(1.0)
    for node in reversed(order):
        for x, share in zip(node.inputs, RULES[node.op](node, node.adjoint)):
            x.adjoint = share if x.adjoint is None else x.adjoint + share
    reached = set(order)
    return [x.adjoint if x in reached else constant(0.0) for x in xs]
