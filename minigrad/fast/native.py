"""The numba backend: plain arithmetic in kernels becomes machine code; the rest is as generated.

numba is optional. It wins where tiles still read and write a cache for each op; it loses on exp,
log, tanh and sin, whose NumPy loops are vectorised: these stay calls of NumPy between the merged
steps of a kernel.
"""

import math

import numpy as np

from minigrad.compiler import BACKENDS
from minigrad.compiler.codegen import Generated
from minigrad.compiler.kernel import Kernel, KernelCall
from minigrad.core.errors import ArgumentError
from minigrad.core.op import FORMULA_CALLS
from minigrad.core.ops.elementwise import Relu
from minigrad.core.ops.reduce import Sum
from minigrad.fast.whole import ARITHMETIC, FORMULAS, why_not_whole, write_whole

FAST = ARITHMETIC | {Relu: FORMULAS[Relu]}  # of max(-0, 0) NumPy gives the one or the other zero


def install():
    """Adds the backend."""
    BACKENDS["numba"] = Native


class Native(Generated):
    """A generated program in whose kernels steps of plain arithmetic are machine code.

    Under rules="fast" a small program is one function as a whole. `fallbacks` says what stays
    with NumPy, and why.
    """

    def __init__(self, program, plan, options):
        self.fallbacks, self.machine = [], None
        formulas = ARITHMETIC if options.rules == "safe" else FAST
        for node in program.nodes():
            if node.op is Kernel:
                body = node.params["body"]
                reason = why_with_numpy(body, formulas)
                if reason:
                    self.fallbacks.append(f"kernel {body}: NumPy, since {reason}")
                else:
                    single = {i for i, x in enumerate(node.inputs) if math.prod(x.shape) == 1}
                    body.native = [
                        call
                        for group in group_steps(body, formulas)
                        for call in merge_calls(body, group, single, formulas)
                    ]
        super().__init__(program, plan, options)
        if options.rules == "fast":
            reason = why_not_whole(program)
            if reason:
                self.fallbacks.append(f"the program stays in parts, since {reason}")
            else:
                self.source, self.machine = write_whole(program, import_numba())
        self.fetches = program.fetches

    def run(self, feeds, variables, back_buffers, index):
        """The fetched arrays; what is refused in machine code is told by the generated program."""
        if self.machine is None:
            return super().run(feeds, variables, back_buffers, index)
        try:
            found = iter(self.machine(*feeds, *variables, *back_buffers))
        except IndexError:
            return super().run(feeds, variables, back_buffers, index)
        except import_numba().core.errors.NumbaError as error:
            self.fallbacks.append(f"the program stays in parts, since numba says: {error}")
            self.machine = None
            return super().run(feeds, variables, back_buffers, index)
        return [
            None if n is None else next(found) if n.shape else np.array(next(found), n.dtype)
            for n in self.fetches
        ]


def why_with_numpy(body, formulas):
    """Why a kernel stays with NumPy; "" when it does not."""
    if len({step.dtype for step in body.steps if step.dtype.kind == "f"}) > 1:
        return "its steps have different float types"
    if not any(arithmetic and len(steps) > 1 for arithmetic, steps in group_steps(body, formulas)):
        ops = {step.op for step in body.steps} - {Sum}
        slow = sorted(op.verb for op in ops if op not in formulas)
        return f"{', '.join(slow)} would be slower in numba, and nothing is left to merge"
    return ""


def group_steps(body, formulas):
    """(True, steps that have formulas) and (False, other steps) by turns, as large as they can be:
    what a group takes from other steps comes from groups before it."""
    waiting = [i for i, step in body.step_of.items() if step.op is not Sum]
    done, found, arithmetic = set(range(len(body.inputs))), [], True
    while waiting:
        group = []
        for i in waiting:
            step, near = body.step_of[i], done.union(group) if arithmetic else done
            if (step.op in formulas) is arithmetic and near.issuperset(step.operands):
                group.append(i)
        waiting = [i for i in waiting if i not in set(group)]
        done.update(group)
        found.append((arithmetic, group))
        arithmetic = not arithmetic
    return [(kind, group) for kind, group in found if group]


def merge_calls(body, group, single, formulas):
    """The Calls of a group: one for arithmetic, else NumPy's; inputs in `single` are one number."""
    arithmetic, steps = group
    if not arithmetic or len(steps) == 1:
        return [call for call in body.calls if call.results[0] in steps]
    operands = [p for i in steps for p in body.step_of[i].operands]
    taken = list(dict.fromkeys(p for p in operands if p not in steps))
    outside = [step.operands for i, step in body.step_of.items() if i not in steps]
    needed = set(body.arrays).union(body.sum_operands, *outside)
    left = [i for i in steps if i in needed]
    return [KernelCall(machine_code(body, steps, taken, left, single, formulas), taken, left)]


def machine_code(body, steps, taken, left, single, formulas):
    """A function (operands `taken`…, results `left`…) that runs steps entry by entry."""
    names = {p: f"x{k}" if p in single else f"x{k}[i]" for k, p in enumerate(taken)}
    names |= {i: f"t{i}" for i in steps}
    arguments = [f"x{k}" for k in range(len(taken))] + [f"z{k}" for k in range(len(left))]
    lines = [f"def kernel({', '.join(arguments)}):"]
    lines += [f"    x{k} = x{k}[()]" for k, p in enumerate(taken) if p in single]
    lines.append("    for i in range(z0.size):")
    for i in steps:
        op, operands, params, dtype = body.step_of[i]
        formula = formulas[op].format(*[names[p] for p in operands], type=dtype, **params)
        lines.append(f"        t{i} = {formula}")
    lines += [f"        z{k}[i] = t{i}" for k, i in enumerate(left)]
    space = {name: getattr(np, name) for name in (*FORMULA_CALLS, "float32", "float64")}
    exec("\n".join(lines), space)
    return import_numba().njit(error_model="numpy", nogil=True)(space["kernel"])


def import_numba():
    """The numba package. Raises ArgumentError when it is not installed."""
    try:
        import numba
    except ImportError:
        hint = 'pip install "minigrad-course[bench]", or use backend="codegen"'
        raise ArgumentError("the numba backend needs numba, which is not installed", hint) from None
    return numba
