"""Constant folding: what depends on constants alone is computed once, when compiling."""

import math

import numpy as np

from minigrad.compiler.rewrite import Note, rebuild_program
from minigrad.core.op import compute
from minigrad.static.graph import Constant
from minigrad.static.program import copy_node, emit_constant

LIMIT = 64 * 1024  # bytes: larger results are folded only where their inputs were larger still


def fold(program, options=None):
    """(program, notes): pure nodes of constant inputs become constants.

    A node whose computing fails is left alone, so that the error comes when it runs.
    """
    notes = []
    if all(fold_node(n, n.inputs) is None for n in program.nodes()):
        return program, notes

    def visit(graph, node, inputs):
        value = fold_node(node, inputs)
        if value is None:
            return copy_node(graph, node, inputs)
        notes.append(Note(node, "its inputs are constants", "folded"))
        return emit_constant(graph, value, node)

    return rebuild_program(program, visit), notes


def fold_node(node, inputs):
    """The value of a node of constants, or None when it is not to be folded."""
    for x in inputs:
        if type(x) is not Constant:
            return None
    if not inputs or not node.op.pure or node.op.effect or node.op.view:
        return None  # a view costs nothing when it runs, and may be large
    size = math.prod(node.shape) * node.dtype.itemsize
    if size > max(LIMIT, sum(x.value.nbytes for x in inputs)):
        return None
    try:
        with np.errstate(all="ignore"):
            return np.array(compute(node.op, [x.value for x in inputs], node.params))
    except Exception:
        return None
