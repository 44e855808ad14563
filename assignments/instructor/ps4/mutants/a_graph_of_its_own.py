"""Loses q5: compiled copies the graph and f looks for its way through the copy in every call: the
looking is not done once."""

# %% q5
class Copy:
    """What a node says, where nobody changes it."""

    def __init__(self, node, inputs):
        self.op, self.value, self.inputs = node.op, node.value, inputs


def compiled(fetches, inputs):
    """A function of the inputs' numbers that returns the list of the fetches' numbers."""
    copies, waiting = {node: Copy(node, ()) for node in inputs}, list(fetches)
    own = [copies[node] for node in inputs]
    while waiting:
        node = waiting[-1]
        lacking = [x for x in node.inputs if x not in copies] if node not in copies else []
        if lacking:
            waiting.extend(lacking)
            continue
        waiting.pop()
        if node not in copies:
            if node.op == "placeholder":
                raise KeyError(node.name)
            copies[node] = Copy(node, tuple(copies[x] for x in node.inputs))
    wanted = [copies[node] for node in fetches]

    def f(*numbers):
        found, todo = dict(zip(own, numbers)), list(wanted)
        while todo:
            node = todo[-1]
            lacking = [x for x in node.inputs if x not in found] if node not in found else []
            if lacking:
                todo.extend(lacking)
                continue
            todo.pop()
            if node not in found:
                if node.op == "constant":
                    found[node] = node.value
                else:
                    found[node] = COMPUTE[node.op](*(found[x] for x in node.inputs))
        return [found[node] for node in wanted]

    return f
