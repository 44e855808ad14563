"""Loses q5: Shares wait in a queue and are put together only while they wait: in z = z + (-(-z))
they arrive at different times, each value is visited again for each time, and twice the graph
takes four times the lines."""

# %% q3
from collections import deque


def backward(root):
    """Set .grad of every Value that root was made from."""
    found, seen = [root], {id(root)}
    for v in found:
        v.grad = 0.0
        for x in v.inputs:
            if id(x) not in seen:
                seen.add(id(x))
                found.append(x)
    queue, waiting = deque([root]), {id(root): 1.0}
    while queue:
        v = queue.popleft()
        share = waiting.pop(id(v))
        v.grad += share
        for x, slope in zip(v.inputs, slopes(v)):
            if id(x) not in waiting:
                waiting[id(x)] = 0.0
                queue.append(x)
            waiting[id(x)] += slope * share
