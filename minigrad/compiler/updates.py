"""Which variables a program may update where they lie, instead of in a second array.

Such an update moves a third less memory, and the second array is never made.
"""

import numpy as np

from minigrad.compiler.kernel import KernelResult
from minigrad.compiler.memory import can_go_over, last_uses, nbytes
from minigrad.core.op import Elementwise

LARGE = 65_536  # bytes: a smaller second array costs less than finding out that none is needed


def find_overwritten(program, plan, least=LARGE, firm=True):
    """{index of a store: order of its variable}, where the new value may go over the present one.

    Nothing may read the present value afterwards. It has `least` bytes, and where `firm` is asked
    for, from there on no step may fail, since a run that fails changes no variable.
    """
    if not program.stores:
        return {}
    steps, root, firm_from = {}, plan.storage.root, 0
    for step, node in enumerate(plan.order):
        steps[node.order] = step
        if firm and not cannot_fail(node):
            firm_from = step + 1
    last = last_uses(plan.order, {n.order for n in program.roots()}, root)
    found = {}
    for i, (variable, new) in enumerate(program.stores):
        old = program.variables.get(variable.order)
        step = steps[(new.inputs[0] if new.op is KernelResult else new).order]
        if old is not None and nbytes(new) >= least and step >= firm_from:
            read = last.get(old.order, -1)
            over = any(x is old and can_go_over(new, x, root) for x in new.inputs)
            over = over or new.op is KernelResult and is_written_late(new, old, root)
            if read < step or read == step and over:
                found[i] = variable.order
    return found


def is_written_late(new, old, root):
    """True for a kernel's result of the form of its operand `old` that is written, in each tile,
    when that has been read for the last time."""
    (kernel,), body = new.inputs, new.inputs[0].params["body"]
    places = [i for i, x in enumerate(kernel.inputs) if root[x.order] == root[old.order]]
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
    ours = node.op.ours and (
        issubclass(node.op, Elementwise) or node.op.view and len(node.inputs) == 1
    )
    return ours or not node.inputs or node.op.firm


def can_raise():
    """True while NumPy was told to raise errors: then even firm steps fail."""
    return not {"raise", "call"}.isdisjoint(np.geterr().values())
