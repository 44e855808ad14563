"""Loses q4: recursion, with a larger limit that is put back afterwards."""
# %% q3
import sys


def backward(root):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    ordered, seen = [], set()

    def visit(value):
        if id(value) not in seen:
            seen.add(id(value))
            for source in value.inputs:
                visit(source)
            ordered.append(value)

    visit(root)
    sys.setrecursionlimit(before)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
