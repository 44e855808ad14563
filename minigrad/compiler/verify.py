"""What must hold of every program, looked at in debug mode: a fault here is this package's own."""

import numpy as np

from minigrad.compiler.kernel import KernelResult
from minigrad.compiler.layout import RESHAPED
from minigrad.compiler.memory import nbytes
from minigrad.core.spec import Spec, is_compatible, spec_of
from minigrad.static.graph import Constant


def expect(condition, what, node):
    """Raises AssertionError unless the condition holds."""
    if not condition:
        raise own_fault(what, node)


def own_fault(what, node):
    """The AssertionError to raise; by itself where a text made for every node would take long."""
    return AssertionError(f"{what}: {node!r}\n  at   {node.line}\n  try  report it")


def check_program(program):
    """Operands exist before they are used; every shape and dtype are what infer says."""
    places, last = {}, -1
    for node in program.graph.nodes:
        expect(node.order > last, "a node stands in another's place", node)
        last = node.order
        known = all(places.get(x.order) is x for x in node.inputs)
        expect(known, "an operand is computed after its reader", node)
        places[node.order] = node
        check_node(node)
    for node in (*program.roots(), *program.feeds.values(), *program.variables.values()):
        words = "a result, feed or variable belongs to another graph"
        expect(places.get(node.order) is node, words, node)
    for variable, new in program.stores:
        words = "a variable is assigned a value of another shape or dtype"
        expect(spec_of(new) == spec_of(variable), words, new)


def check_node(node):
    """A constant lies row by row and has its node's Spec; another node has the Spec of its op."""
    if isinstance(node, Constant):
        rows = node.value.flags.c_contiguous and spec_of(node.value) == spec_of(node)
        words = "a constant is not contiguous, or its value has another shape or dtype"
        expect(rows, words, node)
    elif node.inputs:
        said = Spec(*node.op.infer(*map(spec_of, node.inputs), **node.params))
        if said.dtype != node.dtype or not is_compatible(node.shape, said.shape):
            raise own_fault(f"infer says {said}", node)


def check_plan(plan, results):
    """Values that are alive at one step have bytes of their own, found again from the steps alone.

    A value is alive from the step that computes it to the last that reads it or a view of it;
    `results` are read at the end.
    """
    first, last, nodes, steps = {}, {}, {}, {}
    for step, node in enumerate(plan.order):
        base = plan.values[node.order].base
        nodes[node.order], steps[node.order] = node, step
        # a kernel writes its results while it runs, before the steps that stand for them
        first.setdefault(base, steps[node.inputs[0].order] if node.op is KernelResult else step)
        last[base] = max(last.get(base, step), step)
        for x in node.inputs:
            read = plan.values[x.order].base
            last[read] = max(last.get(read, step), step)
        if node.order in results:
            last[base] = len(plan.order)
    owned = [key for key in plan.offsets if nbytes(nodes[key])]
    reach = []
    for start, key in sorted((plan.offsets[key], key) for key in owned):
        stop = start + nbytes(nodes[key])
        reach = [(end, other) for end, other in reach if end > start]
        for _, other in reach:
            if last[other] >= first[key] and last[key] >= first[other]:
                message = f"it shares bytes with {nodes[other]!r} while both are alive"
                raise own_fault(message, nodes[key])
        reach.append((stop, key))
        expect(stop <= plan.arena_bytes, "it reaches beyond the arena", nodes[key])


def check_array(node, array):
    """A value has its shape and dtype and, unless it is a view, lies row by row."""
    fits = array.dtype == node.dtype and is_compatible(array.shape, node.shape)
    expect(fits, f"it is computed as {array.dtype}{list(array.shape)}", node)
    view = node.inputs and node.shape != () and node.op.gives_view(len(node.inputs))
    expect(view or array.flags.c_contiguous, "it is not contiguous", node)


def check_view(node, view, base):
    """A view shares memory with its base. Only one of NumPy's single numbers, which has no memory
    to share, and, for a reshape, an array that does not lie row by row may be copied."""
    single = isinstance(base, np.generic)
    copied = single or not view.size or node.op in RESHAPED and not base.flags.c_contiguous
    expect(copied or np.shares_memory(view, base), "it is not a view of its base", node)


def check_value(node, values):
    """One of the interpreter's values is what it must be."""
    value = values[node.order]
    if isinstance(value, tuple):
        return
    check_array(node, np.asarray(value))
    if node.inputs and node.shape and node.op.gives_view(len(node.inputs)):
        base = values[node.inputs[0].order]
        if not isinstance(base, tuple):
            check_view(node, value, base)
