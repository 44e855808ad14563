"""Loses q1: gives the same placeholder twice: a table of names outlives the graph."""
# %% q1
named = {}


def placeholder(name):
    return named.setdefault(name, Node("placeholder", name=name))


def constant(value):
    return Node("constant", value=value)


def apply(op, *operands):
    return Node(op, [x if isinstance(x, Node) else constant(x) for x in operands])


def exp(x):
    return apply("exp", x)


def log(x):
    return apply("log", x)


def sin(x):
    return apply("sin", x)


def cos(x):
    return apply("cos", x)
