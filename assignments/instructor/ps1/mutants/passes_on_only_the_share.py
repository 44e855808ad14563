"""Loses q6: recursion that passes on only what just came: right numbers, exponential time."""
# %% q6
def mended_backward(root, gradient=1.0):
    root.grad += gradient
    for source, push in zip(root.inputs, root.pushes):
        mended_backward(source, push(gradient))
