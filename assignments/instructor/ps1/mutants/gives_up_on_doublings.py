"""Loses q5: goes only a way down where values are used twice, and says nothing."""
# %% q3 after the key
whole = backward


def backward(root):
    value = root
    for _ in range(25):
        if len(set(value.inputs)) == 1 == len(value.inputs) - 1:
            value = value.inputs[0]
        else:
            return whole(root)
    root.grad = 1.0
