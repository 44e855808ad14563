"""Loses q5: f takes numbers for those inputs alone that the fetches lead to."""
# %% q5 after the key
def compiled(fetches, inputs, compiled=compiled):
    below, todo = set(), list(fetches)
    while todo:
        node = todo.pop()
        if node not in below:
            below.add(node)
            todo.extend(() if node in inputs else node.inputs)
    return compiled(fetches, [node for node in inputs if node in below])
