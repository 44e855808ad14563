"""Loses q1: a plain number is kept as it is, and is no node."""
# %% q1
def placeholder(name):
    return Node("placeholder", name=name)


def constant(value):
    return Node("constant", value=value)


def apply(op, *operands):
    return Node(op, operands)


def exp(x):
    return apply("exp", x)


def log(x):
    return apply("log", x)


def sin(x):
    return apply("sin", x)


def cos(x):
    return apply("cos", x)
