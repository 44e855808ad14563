"""Full points: a class for each pass, called like a function."""
# %% q2
class Folder:
    def __init__(self, fed):
        self.fed = frozenset(fed)

    def __call__(self, node):
        values = []
        for x in node.inputs:
            if x.op == "constant" and x not in self.fed:
                values.append(x.value)
        if not values or len(values) < len(node.inputs):
            return node
        try:
            value = compute(node, values)
        except (ZeroDivisionError, OverflowError, ValueError):
            return node
        return constant(value)


def fold(fetches, fed=()):
    return rebuild(fetches, Folder(fed), fed)
# %% q3
class Merger:
    def __init__(self):
        self.nodes, self.numbers = {}, []

    def __call__(self, node):
        if node.op == "constant":
            for other in self.numbers:
                both_nan = other.value != other.value and node.value != node.value
                if both_nan or struct.pack(">d", other.value) == struct.pack(">d", node.value):
                    return other
            self.numbers.append(node)
            return node
        if not node.inputs:
            return node
        if node.op in ("add", "mul"):
            turned = self.nodes.get((node.op, node.inputs[::-1]))
            if turned is not None:
                return turned
        return self.nodes.setdefault((node.op, node.inputs), node)


def merge(fetches, fed=()):
    return rebuild(fetches, Merger(), fed)
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    def one_round(nodes):
        for each in passes:
            nodes = each(nodes, fed)
        return list(nodes)

    nodes, moved = list(fetches), True
    while moved and rounds > 0:
        after = one_round(nodes)
        moved = any(a is not b for a, b in zip(nodes, after))
        nodes, rounds = after, rounds - 1
    return nodes
