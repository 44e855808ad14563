"""Full points: simplify by a step on ops and inputs, repeated, before a node is made."""
# %% q4
ONE, ZERO = struct.pack("<d", 1.0), struct.pack("<d", 0.0)


def simplify(fetches, fed=()):
    hidden = {id(node) for node in fed}

    def bits(node):
        if node.op == "constant" and id(node) not in hidden:
            return struct.pack("<d", node.value)
        return None

    def under(node):
        return node.inputs[0] if node.op == "neg" and id(node) not in hidden else None

    def step(op, inputs):
        if op == "neg":
            return under(inputs[0])
        if len(inputs) < 2:
            return None
        a, b = inputs
        if op == "add":
            if (c := under(b)) is not None:
                return ("sub", (a, c))
            if (c := under(a)) is not None:
                return ("sub", (b, c))
        if op == "sub":
            if (c := under(b)) is not None:
                return ("add", (a, c))
            return a if bits(b) == ZERO else None
        if op == "mul" and bits(a) == ONE:
            return b
        return a if op in ("mul", "div") and bits(b) == ONE else None

    def change(node):
        op, inputs = node.op, node.inputs
        while (found := step(op, inputs)) is not None:
            if isinstance(found, Node):
                return found
            op, inputs = found
        return node if op == node.op and inputs == node.inputs else Node(op, inputs, node.value)

    return rebuild(fetches, change, fed)
