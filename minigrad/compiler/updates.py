"""Which variables a program may update where they lie, instead of in a second array.

Such an update moves a third less memory, and the second array is never made.
"""

import numpy as np

from minigrad.compiler.kernel import KernelResult
from minigrad.compiler.memory import can_overwrite, last_uses, nbytes
from minigrad.core.op import Elementwise

LARGE = 65_536  # bytes: a smaller second array costs less than finding out that none is needed


def find_overwritten(program, plan, least=LARGE, infallible=True):
    """{index of a store: order of its variable}, where the new value may go over the present one.

    Nothing may read the present value afterwards. It has `least` bytes, and where `infallible` is
    asked for, from there on no step may fail, since a run that fails changes no variable.
    """
    if not program.stores:
        return {}
    steps = {node.order: step for step, node in enumerate(plan.order)}
    safe_from = first_safe_step(plan.order) if infallible else 0
    last = last_uses(plan.order, {n.order for n in program.roots()}, plan.values)
    found = {}
    for i, (variable, new) in enumerate(program.stores):
        old, step = program.variables.get(variable.order), steps[step_node(new).order]
        large, safe = nbytes(new) >= least, step >= safe_from
        if old is not None and large and safe and is_read_before(old, new, step, last, plan.values):
            found[i] = variable.order
    return found


def step_node(node):
    """The node whose step computes a value: for one of several results of a kernel, the kernel."""
    return node.inputs[0] if node.op is KernelResult else node


def first_safe_step(order):
    """The first step from which on none may fail."""
    return max((step + 1 for step, node in enumerate(order) if not cannot_fail(node)), default=0)


def is_read_before(old, new, step, last, values):
    """True when nothing reads `old` after `new` is written over it in a step; `last` says where
    each value is read for the last time."""
    read = last.get(old.order, -1)
    return read < step or read == step and reads_before_writing(new, old, values)


def reads_before_writing(new, old, values):
    """True when the step that computes `new` has read `old` wherever it writes its result."""
    if any(x is old and can_overwrite(new, x, values) for x in new.inputs):
        return True
    return new.op is KernelResult and is_written_late(new, old, values)


def is_written_late(new, old, values):
    """True for a kernel's result of the form of its operand `old` that is written, in each tile,
    when that has been read for the last time."""
    (kernel,), body = new.inputs, new.inputs[0].params["body"]
    places = [
        i for i, x in enumerate(kernel.inputs) if values[x.order].base == values[old.order].base
    ]
    if (new.shape, new.dtype) != (old.shape, old.dtype) or len(places) != 1:
        return False
    return kernel.inputs[places[0]] is old and all(
        body.writes_late(body.results[new.params["index"]], places[0], calls)
        for calls in (body.calls, body.native)
        if calls
    )


def cannot_fail(node):
    """True for a step that cannot fail once shapes are checked: no index, no code of others."""
    if any(x.dtype.kind not in "fb" for x in (node, *node.inputs)):
        return False  # as for integers to a negative power
    builtin = node.op.builtin and (
        issubclass(node.op, Elementwise) or node.op.view and len(node.inputs) == 1
    )
    return builtin or not node.inputs or node.op.infallible


def can_raise() -> bool:
    """True while NumPy was told to raise errors: then what cannot fail else does."""
    return not {"raise", "call"}.isdisjoint(np.geterr().values())
