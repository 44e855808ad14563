"""Loses q4: slopes are built from a copy of y's graph: who feeds an op of y does not reach them."""
# %% q4 after the key
def gradients(y, xs, gradients=gradients):
    order, copies = inputs_first(y), {}
    for node in order:
        inputs = [copies[x] for x in node.inputs]
        copies[node] = Node(node.op, inputs) if inputs else node
    return gradients(copies[y], [copies.get(x, x) for x in xs])
