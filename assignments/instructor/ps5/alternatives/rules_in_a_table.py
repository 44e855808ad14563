"""Full points: simplify by a list of small functions that each know one rule."""
# %% q4
def simplify(fetches, fed=()):
    fed = list(fed)

    def known(node, op):
        return node.op == op and not any(node is one for one in fed)

    def exactly(node, text):
        return known(node, "constant") and repr(node.value) == text

    def double_minus(op, a, b=None):
        if op == "neg" and known(a, "neg"):
            return a.inputs[0]

    def plus_minus(op, a, b=None):
        if op == "add":
            for one, other in ((a, b), (b, a)):
                if known(other, "neg"):
                    return one - other.inputs[0]

    def minus_minus(op, a, b=None):
        if op == "sub" and known(b, "neg"):
            return a + b.inputs[0]

    def nothing(op, a, b=None):
        if op == "sub" and exactly(b, "0.0") or op in ("mul", "div") and exactly(b, "1.0"):
            return a
        if op == "mul" and exactly(a, "1.0"):
            return b

    rules = [double_minus, plus_minus, minus_minus, nothing]

    def change(node):
        for _ in range(1000):
            if not node.inputs or any(node is one for one in fed):
                return node
            found = [made for rule in rules if (made := rule(node.op, *node.inputs)) is not None]
            if not found:
                return node
            node = found[0]
        return node

    return rebuild(fetches, change, fed)
