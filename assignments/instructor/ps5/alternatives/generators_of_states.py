"""Full points: q2 and q6 in the style of someone who likes generators and sets."""
# %% q2
def fold(fetches, fed=()):
    fed = tuple(fed)
    is_known = lambda x: x.op == "constant" and x not in fed

    def change(node):
        if node.inputs and all(map(is_known, node.inputs)):
            try:
                return Node("constant", value=compute(node, [x.value for x in node.inputs]))
            except ArithmeticError:
                return node
            except ValueError:
                return node
        return node

    return rebuild(fetches, change, fed)
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    def states(nodes):
        for _ in range(rounds):
            new = nodes
            for each in passes:
                new = each(new, fed)
            yield new
            if list(map(id, new)) == list(map(id, nodes)):
                return
            nodes = new

    last = fetches
    for last in states(list(fetches)):
        pass
    return list(last)
