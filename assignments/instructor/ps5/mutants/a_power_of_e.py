"""Loses q2: e ** x has other last bits than exp(x)."""
# %% q2
RESULT = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "exp": lambda a: math.e ** a,
    "log": lambda a: math.log(a),
}


def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown = set(fed)

    def change(node):
        if node.op not in RESULT:
            return node
        if any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(RESULT[node.op](*(x.value for x in node.inputs)))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, unknown)
