"""Loses q1: works out what is constant at once, where log(0) goes wrong."""
# %% q1
def placeholder(name):
    return Node("placeholder", name=name)


def constant(value):
    return Node("constant", value=value)


def apply(op, *operands):
    nodes = [x if isinstance(x, Node) else constant(x) for x in operands]
    if all(x.op == "constant" for x in nodes):
        return constant(COMPUTE[op](*(x.value for x in nodes)))
    return Node(op, nodes)


def exp(x):
    return apply("exp", x)


def log(x):
    return apply("log", x)


def sin(x):
    return apply("sin", x)


def cos(x):
    return apply("cos", x)
