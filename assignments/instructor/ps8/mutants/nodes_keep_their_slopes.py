"""Loses q7: gradients of a second number count those of the first."""
# %% q7 after the key
def nodes_back(y, xs):
    order = inputs_first(y)
    y.bar = as_later(1.0)
    for node in reversed(order):
        for x, rule in zip(node.inputs, OPS.get(node.op, ())[1:]):
            if rule is not None and getattr(node, "bar", None) is not None:
                bar = Later("back", [node.bar, node, *node.inputs], compute=rule)
                x.bar = bar if getattr(x, "bar", None) is None else x.bar + bar
    return [x * 0.0 if getattr(x, "bar", None) is None else x.bar for x in xs]
