"""Loses q5: a constant keeps its value, though it is an input."""
# %% q5 after the key
of_one = compiled


def compiled(fetches, inputs):
    f = of_one(fetches, inputs)
    fixed = {i: node.value for i, node in enumerate(inputs) if node.op == "constant"}

    def g(*numbers):
        return f(*(fixed.get(i, n) for i, n in enumerate(numbers)))
    return g
