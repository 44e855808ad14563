"""Loses q4: the right order by recursion, which ends at a thousand operations."""
# %% q3
def backward(root):
    ordered, seen = [], set()

    def visit(value):
        if id(value) not in seen:
            seen.add(id(value))
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
