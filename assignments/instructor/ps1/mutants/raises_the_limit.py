"""Loses q4: recursion, with a larger limit."""
# %% q3
import sys


def backward(root):
    sys.setrecursionlimit(1_000_000)
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
