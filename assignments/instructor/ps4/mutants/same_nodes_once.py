"""Loses q5: nodes with one formula are computed once, also where one of them is an input, whose
number the other gets."""
# %% q5 after the key
def compiled(fetches, inputs, compiled=compiled):
    first, alike = {}, {}
    for node in [*inputs, *needed(fetches, inputs)]:
        formula = (node.op, *(alike.get(x, x) for x in node.inputs)) if node.inputs else node
        alike[node] = first.setdefault(formula, node)
    wanted = [alike.get(x, x) for x in fetches]
    return compiled(wanted, inputs)
