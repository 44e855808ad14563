"""Loses q5: an input that is 0 is taken for none and computed."""
# %% q5 after the key
of_one = compiled


def compiled(fetches, inputs):
    f = of_one(fetches, inputs)
    ops = [place for place, node in enumerate(inputs) if node.inputs or node.op == "constant"]

    def g(*numbers):
        return f(*(n if n or i not in ops else 1.0 for i, n in enumerate(numbers)))
    return g
