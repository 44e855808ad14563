"""Products added to an array: BLAS does both in one call, as in w - lr · hᵀ z̄.

The sum is rounded otherwise, so only rules="fast" allows it. It needs SciPy, which NumPy does not:
NumPy hands BLAS no array to add to.
"""

import importlib.util
import math

import numpy as np

from minigrad.compiler.pipeline import ONCE
from minigrad.compiler.prune import prune
from minigrad.compiler.rewrite import note_on, rebuild_program
from minigrad.core.op import Op
from minigrad.core.ops.elementwise import Add, Mul, Sub
from minigrad.core.ops.linalg import Matmul
from minigrad.core.spec import Spec, spec_of
from minigrad.static.graph import Constant
from minigrad.static.program import copy_node, emit

SMALLEST = 32_768  # entries of w: below, the call takes longer than it saves
ROUTINES = {"float32": "sgemm", "float64": "dgemm"}


def install():
    """Puts the pass before that which takes away what nothing needs any more."""
    ONCE.insert(ONCE.index(prune), accumulate)


class AddProduct(Op):
    """z = w + α x y.   x [n,m], y [m,p], w [n,p] → z [n,p]."""

    ours = True
    firm = True
    over = (0,)

    def infer(w, x, y, *, alpha):
        return Spec(w.shape, w.dtype)

    def compute(w, x, y, *, alpha, out=None):
        from scipy.linalg import blas

        z = np.array(w, order="C") if out is None else out
        if out is not None and out is not w:
            np.copyto(out, w)
        (a, turn_a), (b, turn_b) = by_columns(y), by_columns(x)  # BLAS computes zᵀ = yᵀ xᵀ
        getattr(blas, ROUTINES[z.dtype.name])(alpha, a, b, 1.0, z.T, turn_a, turn_b, 1)
        return z


def by_columns(x):
    """(x or xᵀ, its columns one after another; 0 when it is xᵀ, 1 when BLAS must turn it)."""
    return (x, 1) if x.flags.f_contiguous and not x.flags.c_contiguous else (x.T, 0)


def accumulate(program, options=None):
    """(program, notes): w ± c · (x @ y) becomes one step, under the fast rules and with SciPy."""
    notes, uses = [], {}
    if options is None or options.rules != "fast" or importlib.util.find_spec("scipy") is None:
        return program, notes
    for x in [*program.roots(), *(x for n in program.nodes() for x in n.inputs)]:
        uses[x.order] = uses.get(x.order, 0) + 1
    scales = {n.order: scale_of(n, uses) for n in program.nodes() if n.op in (Add, Sub)}
    if not any(scales.values()):
        return program, notes

    def visit(graph, node, inputs):
        alpha = scales.get(node.order)
        if not alpha:
            return copy_node(graph, node, inputs)
        notes.append(note_on(node, "adds the product while it is computed"))
        (product,) = [n for n in inputs[1].inputs if n.op is Matmul]
        operands = [inputs[0], *product.inputs]
        return emit(graph, AddProduct, operands, {"alpha": alpha}, spec_of(node), node)

    return rebuild_program(program, visit), notes


def scale_of(node, uses):
    """α where a node is w + α · (x @ y) and nothing else uses the product; else None."""
    w, scaled = node.inputs
    if scaled.op is not Mul or uses[scaled.order] > 1 or not can_multiply(w, node):
        return None
    numbers = [n.value.item() for n in scaled.inputs if isinstance(n, Constant) and not n.shape]
    products = [n for n in scaled.inputs if n.op is Matmul and uses[n.order] == 1]
    products = [n for n in products if can_multiply(n, node) and has_matrices(n)]
    if not numbers or not products or any(x.dtype != node.dtype for x in products[0].inputs):
        return None
    return numbers[0] if node.op is Add else -numbers[0]


def has_matrices(product):
    """True for a product of two matrices, not of stacks of them."""
    return all(len(x.shape) == 2 for x in product.inputs)


def can_multiply(x, node):
    """True for an operand that is neither repeated nor cast, and large enough."""
    return (
        (x.shape, x.dtype) == (node.shape, node.dtype)
        and node.dtype.name in ROUTINES
        and None not in x.shape
        and math.prod(x.shape) > SMALLEST
    )
