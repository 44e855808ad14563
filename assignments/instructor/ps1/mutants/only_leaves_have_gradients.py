"""Loses q3: gradients in the middle are thrown away."""
# %% q3 after the key
whole = backward


def backward(root):
    whole(root)
    todo, seen = list(root.inputs), set()
    while todo:
        value = todo.pop()
        if value not in seen:
            seen.add(value)
            todo.extend(value.inputs)
            value.grad = None if value.inputs else value.grad
