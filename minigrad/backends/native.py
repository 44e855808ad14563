"""The numba backend: kernels of plain arithmetic become machine code; the rest is as generated.

numba is optional. It wins where tiles still read and write a cache for each op; it loses on exp,
log, tanh and sin, whose NumPy loops are vectorised: a kernel with one of those stays with NumPy.
"""

import numpy as np

from minigrad.backends.codegen import Generated
from minigrad.errors import ArgumentError
from minigrad.ops import elementwise as e
from minigrad.passes.fuse import Kernel

FORMULAS = {
    e.Add: "{0} + {1}", e.Sub: "{0} - {1}", e.Mul: "{0} * {1}", e.Div: "{0} / {1}",
    e.Neg: "-{0}", e.Abs: "abs({0})", e.Sqrt: "sqrt({0})", e.Maximum: "maximum({0}, {1})",
    e.Minimum: "minimum({0}, {1})", e.Where: "({1} if {0} else {2})", e.Equal: "{0} == {1}",
    e.NotEqual: "{0} != {1}", e.Less: "{0} < {1}", e.LessEqual: "{0} <= {1}",
    e.Greater: "{0} > {1}", e.GreaterEqual: "{0} >= {1}",
}


class Native(Generated):
    """A generated program whose kernels run as machine code where that wins; `fallbacks` says,
    for each other kernel, why not."""

    def __init__(self, program, plan, debug=False):
        self.fallbacks = []
        for node in program.nodes():
            if node.op is Kernel:
                body = node.params["body"]
                reason = unfit(body)
                if reason:
                    self.fallbacks.append(f"kernel {body}: NumPy, since {reason}")
                else:
                    body.native = machine_code(body)
        super().__init__(program, plan, debug)


def unfit(body):
    """Why a kernel stays with NumPy; "" when it does not."""
    slow = sorted({op.verb for op, *_ in body.steps if op not in FORMULAS})
    if slow:
        return f"{', '.join(slow)} would be slower in numba"
    if len({dtype for *_, dtype in body.steps if dtype.kind == "f"}) > 1:
        return "its steps have different float types"
    return ""


def machine_code(body):
    """A function (inputs…, results…) that computes the kernel entry by entry, made when called."""
    numba = imported()
    count = max([p for _, places, *_ in body.steps for p in places], default=-1) + 1
    names = [f"x{i}" for i in range(count)]
    outs = [f"z{i}" for i in range(len(body.results))]
    lines = [f"def kernel({', '.join([*names, *outs])}):", "    for i in range(z0.size):"]
    for step, (op, places, _, _) in enumerate(body.steps):
        operands = [f"x{p}[i]" if p >= 0 else f"t{-p - 1}" for p in places]
        lines.append(f"        t{step} = {FORMULAS[op].format(*operands)}")
    lines += [f"        {out}[i] = t{step}" for out, step in zip(outs, body.results)]
    space = {"maximum": np.maximum, "minimum": np.minimum, "sqrt": np.sqrt}
    exec("\n".join(lines), space)
    return numba.njit(error_model="numpy")(space["kernel"])


def imported():
    """The numba package. Raises ArgumentError when it is not installed."""
    try:
        import numba
    except ImportError:
        raise ArgumentError("the numba backend needs numba, which is not installed",
                            'pip install "minigrad[bench]", or use backend="codegen"') from None
    return numba
