"""Loses q6: the recursion without order, as it was found."""
# %% q6
def mended_backward(root, gradient=1.0):
    root.grad += gradient
    for source, push in zip(root.inputs, root.pushes):
        mended_backward(source, push(root.grad))
