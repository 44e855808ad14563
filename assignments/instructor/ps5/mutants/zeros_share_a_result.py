"""Loses q2: of 0.0 and -0.0 the results are kept under one key."""
# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown, results = set(fed), {}

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        numbers = tuple(x.value for x in node.inputs)
        key = (node.op, numbers)
        if key not in results:
            try:
                results[key] = constant(compute(node, numbers))
            except (ArithmeticError, ValueError):
                return node
        return results[key]

    return rebuild(fetches, change, unknown)
