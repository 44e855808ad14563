"""Loses q4: exp overflows, and rounds."""
# %% q4
def simplify(fetches, fed=()):
    """The pass of the six rules that keep every bit."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        if node.op == "log" and a.op == "exp" and a not in unknown:
            return a.inputs[0]
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)
