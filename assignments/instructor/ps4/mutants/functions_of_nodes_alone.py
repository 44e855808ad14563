"""Loses q1: of the functions only exp makes a node of a plain number; sin(3) has the input 3."""
# %% q1 after the key
def log(x):
    return Node("log", (x,))


def sin(x):
    return Node("sin", (x,))


def cos(x):
    return Node("cos", (x,))
