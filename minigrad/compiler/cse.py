"""Common subexpressions: equal computations are made once."""

from minigrad.compiler.rewrite import Note, describe_in_note, rebuild_program
from minigrad.static.graph import Constant
from minigrad.static.program import copy_node


def cse(program, options=None):
    """(program, notes): nodes of equal op, inputs and parameters become one, the oldest.

    Constants are equal by their bytes, so that -0.0 and 0.0, or two NaNs, are told apart as bits.
    Random ops, effects and custom ops are never merged, nor is what is computed again after a
    checkpoint merged with the first time.
    """
    seen, notes = {}, []
    keys = [k for k in (merge_key(n, n.inputs) for n in program.nodes()) if k is not None]
    if len(set(keys)) == len(keys):
        return program, notes

    def visit(graph, node, inputs):
        key = merge_key(node, inputs)
        if key is not None and key in seen:
            kept = seen[key]
            notes.append(Note(node, f"the same as {describe_in_note(kept)}", "merged", kept))
            return kept
        new = copy_node(graph, node, inputs)
        if key is not None:
            seen[key] = new
        return new

    return rebuild_program(program, visit), notes


def as_bits(parameter):
    """A parameter as a key that tells 0.0 from -0.0, 1 from 1.0 and True."""
    if isinstance(parameter, tuple):
        return tuple(map(as_bits, parameter))
    return type(parameter), repr(parameter) if isinstance(parameter, float) else parameter


def merge_key(node, inputs):
    """What two nodes share when one can stand for both; None for a node that must stay."""
    if isinstance(node, Constant):
        return node.dtype, node.shape, node.value.tobytes()
    if not inputs or not node.op.pure or node.op.effect:
        return None
    orders = [x.order for x in inputs]
    orders = tuple(sorted(orders) if node.op.commutative else orders)
    if not node.params:
        return node.op, orders, node.segment
    params = tuple((name, as_bits(p)) for name, p in sorted(node.params.items()))
    key = node.op, orders, node.segment, params
    try:
        hash(key)
    except TypeError:
        return None
    return key
