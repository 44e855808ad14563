"""Loses q3: 'each once' is taken for each formula: of two nodes with the same op, value and
inputs, as two constants 2.0 or exp(a) written twice, the second is not listed; a run computes
both."""

# %% q3
def needed(fetches, fed=()):
    """The nodes that a run of the fetches computes, inputs before users."""
    order, formulas, done, waiting = [], set(), set(fed), list(fetches)
    while waiting:
        node = waiting[-1]
        missing = [] if node in done else [x for x in node.inputs if x not in done]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        if node in done:
            continue
        done.add(node)
        formula = node.op, node.value, node.inputs
        if node.op != "placeholder" and formula not in formulas:
            formulas.add(formula)
            order.append(node)
    return order
