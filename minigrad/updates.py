"""Which variables a program may update where they lie, instead of in a second array.

Such an update moves a third less memory, and the second array is never made.
"""

import numpy as np

from minigrad.memory import is_kernel_result, nbytes
from minigrad.op import Elementwise
from minigrad.ops.linalg import Matmul
from minigrad.ops.reduce import Max, Min, Sum
from minigrad.passes.kernel import Kernel

FIRM = (Matmul, Sum, Max, Min, Kernel)
LARGE = 65_536  # bytes: a smaller second array costs less than finding out that none is needed


def written_over(program, plan):
    """{index of a store: order of its variable}, where the new value may go over the present one.

    Nothing may read the present value afterwards, and from there on no step may fail, since a run
    that fails changes no variable.
    """
    steps, root, last, firm_from = {}, plan.storage.root, {}, 0
    for step, node in enumerate(plan.order):
        steps[node.order] = step
        last.update({root[x.order]: step for x in node.inputs})
        if not firm(node):
            firm_from = step + 1
    kept = {root[n.order] for n in program.roots()}
    found = {}
    for i, (variable, new) in enumerate(program.stores):
        old, step = program.variables.get(variable.order), steps[new.order]
        if nbytes(new) >= LARGE and step >= firm_from and old is not None and (
                old.order not in kept and dead(old, last.get(old.order, -1), new, step)):
            found[i] = variable.order
    return found


def dead(old, last, new, step):
    """True when the present value, read last at one step, may go when the new one is computed.

    In that very step it may be read, direct and entry by entry.
    """
    entries = new.op.elementwise and any(x is old for x in new.inputs)
    return last < step or last == step and entries


def firm(node):
    """True for a step that cannot fail once shapes are checked: no index, no code of others."""
    if any(x.dtype.kind not in "fb" for x in (node, *node.inputs)):
        return False  # as for integers to a negative power
    ours = node.op.__module__.startswith("minigrad.ops.") and (
        issubclass(node.op, Elementwise) or node.op.view and len(node.inputs) == 1)
    return ours or not node.inputs or node.op in FIRM or is_kernel_result(node)


def may_raise():
    """True while NumPy was told to raise errors: then even firm steps fail."""
    return not {"raise", "call"}.isdisjoint(np.geterr().values())
