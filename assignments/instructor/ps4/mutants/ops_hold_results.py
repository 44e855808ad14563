"""Loses q1: an op of constants holds its result already, in `value`."""
# %% q1 after the key
import operator

AT_ONCE = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg}


def apply(op, *operands):
    nodes = [x if isinstance(x, Node) else constant(x) for x in operands]
    known = op in AT_ONCE and all(node.value is not None for node in nodes)
    return Node(op, nodes, value=AT_ONCE[op](*(x.value for x in nodes)) if known else None)
