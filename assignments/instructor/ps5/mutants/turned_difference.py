"""Loses q4: -(a - b) is -0.0 where b - a is 0.0."""
# %% q4
def simplify(fetches, fed=()):
    """The pass of the six rules that keep every bit."""
    unknown = set(fed)

    def is_number(node, value):
        return (node.op == "constant" and node not in unknown
                and struct.pack("d", node.value) == struct.pack("d", value))

    def minus(node):
        return node.inputs[0] if node.op == "neg" and node not in unknown else None

    def rule(node):
        if node.op == "neg" and minus(node.inputs[0]) is not None:
            return minus(node.inputs[0])
        if node.op == "neg" and node.inputs[0].op == "sub" and node.inputs[0] not in unknown:
            a, b = node.inputs[0].inputs
            return b - a
        if len(node.inputs) != 2:
            return node
        a, b = node.inputs
        if node.op == "add" and minus(b) is not None:
            return a - minus(b)
        if node.op == "add" and minus(a) is not None:
            return b - minus(a)
        if node.op == "sub" and minus(b) is not None:
            return a + minus(b)
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return node

    def change(node):
        while node not in unknown and rule(node) is not node:
            node = rule(node)
        return node

    return rebuild(fetches, change, unknown)
