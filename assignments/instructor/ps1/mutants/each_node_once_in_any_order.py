"""Loses q6: each node delivers once, but before it is complete."""
# %% q6
def mended_backward(root):
    root.grad, todo, seen = 1.0, [root], {id(root)}
    while todo:
        node = todo.pop()
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)
            if id(source) not in seen:
                seen.add(id(source))
                todo.append(source)
