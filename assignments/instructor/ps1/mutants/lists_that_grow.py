"""Loses q5: each call writes the users of a value into a list that the value keeps, with the
call's number: the tenth call goes through ten times as many."""

# %% q3
import itertools

CALLS = itertools.count()


def backward(root):
    """Set .grad of every Value that root was made from."""
    call, found, seen = next(CALLS), [root], {root}
    for value in found:
        value.grad = 0.0
        for source in value.inputs:
            source.users = getattr(source, "users", [])
            source.users.append(call)
            if source not in seen:
                seen.add(source)
                found.append(source)
    left = {root: 0}
    for value in found[1:]:
        left[value] = 0
        for of_call in value.users:
            left[value] += of_call == call
    root.grad, ready = 1.0, [root]
    while ready:
        value = ready.pop()
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)
