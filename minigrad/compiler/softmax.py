"""Shared parts: softmax and cross-entropy of the same scores exponentiate them once."""

from minigrad.compiler.rewrite import Note, apply_op, rebuild_program
from minigrad.core.op import Op
from minigrad.core.ops.elementwise import Cast, Div, Exp, Sub
from minigrad.core.ops.nn import CrossEntropy, Softmax, same_float
from minigrad.core.ops.precision import working_dtype
from minigrad.core.ops.reduce import Max, Sum
from minigrad.static.program import copy_node

ROWS = {"axis": (1,), "keepdims": True}


class LossOfExponentials(Op):
    """z = mean over i of ln totals[i] - x[i, label i]: the rest of a cross-entropy."""

    builtin = True
    says = "{z} is the mean of log {y} minus the score of the right label, over the {rows} rows."

    def infer(x, totals, labels):
        return CrossEntropy.infer(x, labels)

    def compute(x, totals, labels):
        CrossEntropy.check(x, labels)
        return CrossEntropy.loss(x, totals.reshape(-1), labels)


def merge_softmax(program, options=None):
    """(program, notes): a loss and its gradient, softmax - one-hot, share what they compute.

    Both are opened into the steps that their own `compute` makes, so no bit changes.
    """
    users, opened, notes = {}, {}, []
    for node in program.nodes():
        if can_share(node):
            users.setdefault(node.inputs[0].order, set()).add(node.op)
    if all(len(ops) < 2 for ops in users.values()):
        return program, notes

    def visit(graph, node, inputs):
        if not can_share(node) or len(users[node.inputs[0].order]) < 2:
            return copy_node(graph, node, inputs)
        if inputs[0].order not in opened:
            opened[inputs[0].order] = add_exponentials(graph, inputs[0], node)
        scores, powers, totals = opened[inputs[0].order]
        notes.append(Note(node, "shares its exponentials"))
        if node.op is Softmax:
            z = apply_op(graph, Div, [powers, totals], {}, node)
        else:
            z = apply_op(graph, LossOfExponentials, [scores, totals, inputs[1]], {}, node)
        return add_cast(graph, z, node.dtype, node)

    return rebuild_program(program, visit), notes


def can_share(node):
    """True for a cross-entropy, and for a softmax of rows."""
    rows = node.op is Softmax and node.params["axis"] == 1 and len(node.shape) == 2
    return rows or node.op is CrossEntropy


def add_exponentials(graph, x, origin):
    """Nodes for x less its largest entry in each row, exp of that, and the sums of the rows."""
    x = add_cast(graph, x, working_dtype(same_float(x).dtype), origin)
    scores = apply_op(graph, Sub, [x, apply_op(graph, Max, [x], ROWS, origin)], {}, origin)
    powers = apply_op(graph, Exp, [scores], {}, origin)
    return scores, powers, apply_op(graph, Sum, [powers], ROWS, origin)


def add_cast(graph, x, dtype, origin):
    """x in `dtype`."""
    return x if x.dtype == dtype else apply_op(graph, Cast, [x], {"dtype": dtype}, origin)
