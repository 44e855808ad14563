"""Loses q4: a loop along the first operand, recursion along the other."""
# %% q3
def backward(root):
    ordered, seen = [], set()

    def visit(value):
        row = []
        while id(value) not in seen:
            seen.add(id(value))
            row.append(value)
            if not value.inputs:
                break
            value = value.inputs[0]
        for value in reversed(row):
            for source in value.inputs:
                visit(source)
            ordered.append(value)

    visit(root)

    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
