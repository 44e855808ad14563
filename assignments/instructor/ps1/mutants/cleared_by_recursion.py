"""Loses q4: grads that another call has left are cleared by recursion, so a second call for a
deep graph ends in a RecursionError."""

# %% q3 after the key
first_time = backward


def clear(value):
    if value.grad != 0.0:
        value.grad = 0.0
        for source in value.inputs:
            clear(source)


def backward(root):
    clear(root)
    first_time(root)
