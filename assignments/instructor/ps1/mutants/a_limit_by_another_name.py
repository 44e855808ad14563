"""Loses q4: recursion, with a larger limit for a while, by a name that was imported before."""

# %% q3
from sys import getrecursionlimit, setrecursionlimit


def backward(root):
    """Set .grad of every Value that root was made from."""
    limit = getrecursionlimit()
    setrecursionlimit(1_000_000)
    ordered, seen = [], set()

    def visit(value):
        if value not in seen:
            seen.add(value)
            for source in value.inputs:
                visit(source)
            ordered.append(value)

    try:
        visit(root)
    finally:
        setrecursionlimit(limit)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
