"""Loses q1: puts a plain number behind the node: 1 - x is x - 1."""
# %% q1
def placeholder(name):
    return Node("placeholder", name=name)


def constant(value):
    return Node("constant", value=value)


def apply(op, *operands):
    operands = sorted(operands, key=lambda x: not isinstance(x, Node))
    return Node(op, [x if isinstance(x, Node) else constant(x) for x in operands])


def exp(x):
    return apply("exp", x)


def log(x):
    return apply("log", x)


def sin(x):
    return apply("sin", x)


def cos(x):
    return apply("cos", x)
