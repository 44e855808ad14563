"""Loses q6: what is in grad is made 0 by `*= 0`: an infinite gradient becomes nan."""

# %% q6 after the key
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
    ordered, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for source in node.inputs:
                visit(source)
            ordered.append(node)

    visit(root)
    for node in ordered:
        node.grad *= 0
    root.grad = 1.0
    for node in reversed(ordered):
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)
