"""Loses q4: right, but one share after another is passed down each path."""
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
    adjoints, todo = {}, [(y, constant(1.0))]
    while todo:
        z, g = todo.pop()
        adjoints[z] = adjoints[z] + g if z in adjoints else g
        if z.inputs:
            todo.extend(zip(z.inputs, RULES[z.op](z, g, *z.inputs)))
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]
