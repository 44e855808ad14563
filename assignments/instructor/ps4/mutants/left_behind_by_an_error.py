"""Loses q2: results stand on the nodes and are taken off at the end, which a run that raises never
reaches: the next one uses them."""

# %% q2
def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    many = isinstance(fetches, list)
    waiting, touched = list(fetches) if many else [fetches], []
    while waiting:
        node = waiting[-1]
        if node in feeds or hasattr(node, "result"):
            waiting.pop()
            continue
        lacking = [x for x in node.inputs if x not in feeds and not hasattr(x, "result")]
        if lacking:
            waiting.extend(lacking)
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        if node.op == "constant":
            node.result = node.value
        else:
            numbers = [feeds[x] if x in feeds else x.result for x in node.inputs]
            node.result = COMPUTE[node.op](*numbers)
        touched.append(node)
    numbers = [feeds[x] if x in feeds else x.result for x in (fetches if many else [fetches])]
    for node in touched:
        del node.result
    return numbers if many else numbers[0]
