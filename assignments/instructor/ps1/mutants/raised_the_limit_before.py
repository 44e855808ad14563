"""Loses q4: recursion, the limit raised when the cell ran."""
# %% q3
from sys import setrecursionlimit

setrecursionlimit(1_000_000)


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
