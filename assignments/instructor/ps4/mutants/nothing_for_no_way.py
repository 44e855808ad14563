"""Loses q4: an x that y does not depend on is left out of the list."""
# %% q4
RULES = {
    "add": lambda z, g, a, b: (g, g),
    "sub": lambda z, g, a, b: (g, -g),
    "mul": lambda z, g, a, b: (g * b, g * a),
    "div": lambda z, g, a, b: (g / b, -g * z / b),
    "neg": lambda z, g, a: (-g,),
    "exp": lambda z, g, a: (g * z,),
    "log": lambda z, g, a: (g / a,),
    "sin": lambda z, g, a: (g * cos(a),),
    "cos": lambda z, g, a: (-g * sin(a),),
}


def gradients(y, xs):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y)):
        g = adjoints[z]
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs) if z.inputs else ()):
            adjoints[x] = adjoints[x] + x_bar if x in adjoints else x_bar
    return [adjoints[x] for x in xs if x in adjoints]


def inputs_first(y):
    listed, seen, waiting = [], set(), [(y, False)]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in seen:
            seen.add(node)
            waiting.append((node, True))
            waiting.extend((x, False) for x in node.inputs)
    return listed
