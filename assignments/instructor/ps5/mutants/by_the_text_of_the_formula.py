"""Loses q3: the text of a formula doubles with every level."""
# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    first, names = {}, {}

    def text(node):
        if node in fed or node.op in ("placeholder", "random"):
            return f"{node.op}{id(node)}"
        if node.op == "constant":
            return f"{node.value!r}"
        parts = [text(x) for x in node.inputs]
        return f"{node.op}({', '.join(sorted(parts) if node.op in ('add', 'mul') else parts)})"

    return rebuild(fetches, lambda node: first.setdefault(text(node), node), fed)
