"""Loses q3: the same user twice in a row is counted once, and each use struck off, first come
first served: of b * b and c * b the one that is met first lets b go."""

# %% q3
from collections import Counter, deque


def backward(root):
    """Set .grad of every Value that root was made from."""
    left, met, todo = Counter(), {root}, deque([root])
    while todo:
        value = todo.popleft()
        value.grad = 0.0
        for source in set(value.inputs):
            left[source] += 1
            if source not in met:
                met.add(source)
                todo.append(source)
    root.grad, ready = 1.0, deque([root])
    while ready:
        value = ready.popleft()
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)
