"""Loses q3: backward of a leaf does nothing."""
# %% q3 after the key
whole = backward


def backward(root):
    if root.inputs:
        whole(root)
