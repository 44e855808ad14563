"""Loses q2: nodes with the same op and inputs are one; when one of two exp(x) is fed, the other
gets its number."""

# %% q2
def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    first, alike = {}, {}  # formula -> the node that had it first; node -> that node

    def merge(node):
        formula = (node.op, *(alike[x] for x in node.inputs)) if node.inputs else node
        alike[node] = first.setdefault(formula, node)

    many = isinstance(fetches, list)
    waiting = list(fetches if many else [fetches]) + list(feeds)
    while waiting:
        lacking = [x for x in waiting[-1].inputs if x not in alike]
        if lacking:
            waiting.extend(lacking)
        else:
            merge(waiting.pop())
    found = {alike[node]: number for node, number in feeds.items()}
    waiting = [alike[x] for x in (fetches if many else [fetches])]
    while waiting:
        node = waiting[-1]
        inputs = [alike[x] for x in node.inputs]
        lacking = [x for x in inputs if x not in found]
        if node in found:
            waiting.pop()
        elif lacking:
            waiting.extend(lacking)
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif node.op == "constant":
            found[node] = node.value
        else:
            found[node] = COMPUTE[node.op](*(found[x] for x in inputs))
    numbers = [found[alike[x]] for x in (fetches if many else [fetches])]
    return numbers if many else numbers[0]
