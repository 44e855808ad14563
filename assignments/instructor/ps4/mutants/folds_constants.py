"""Loses q1: arithmetic on two constants is done at once: constant(2.0) + constant(3.0) is a
constant, not a node with the op "add"."""
# %% q1 after the key
FOLD = {"add": float.__add__, "sub": float.__sub__, "mul": float.__mul__}
wait = apply


def apply(op, *operands):
    node = wait(op, *operands)
    if op in FOLD and all(x.op == "constant" for x in node.inputs):
        return constant(FOLD[op](*(float(x.value) for x in node.inputs)))
    return node
