"""Equal loops run once: one that records its carries also serves those that need only results."""

from minigrad.compiler.rewrite import Note, rebuild_program
from minigrad.core.spec import spec_of
from minigrad.static.control.loop import Loop
from minigrad.static.program import copy_node, emit


def merge_loops(program, options=None):
    """(program, notes): equal loops become one; it records when one of them did.

    A value and its reverse derivative then run their loop forward once. The results of a loop
    have the same places with and without the recorded stacks.
    """
    recording = {}
    for node in program.nodes():
        if is_loop(node) and node.params["record"]:
            recording.setdefault(loop_key(node, node.inputs), node)
    made, notes = {}, []
    if not recording:
        return program, notes

    def visit(graph, node, inputs):
        twin = recording.get(loop_key(node, node.inputs)) if is_loop(node) else None
        if twin is None:
            return copy_node(graph, node, inputs)
        key = loop_key(node, inputs)
        if key in made:
            notes.append(Note(node, "the same loop runs already", "merged", made[key]))
        else:
            made[key] = emit(graph, node.op, inputs, twin.params, spec_of(twin), node)
        return made[key]

    return rebuild_program(program, visit), notes


def is_loop(node):
    """True for a While or a Scan."""
    return issubclass(node.op, Loop)


def loop_key(node, inputs):
    """What two loops share when they differ at most in what they record."""
    params = tuple((k, v) for k, v in sorted(node.params.items()) if k != "record")
    return node.op, tuple(x.order for x in inputs), node.segment, params
