"""A small program as one machine-code function of loops and BLAS calls, under rules="fast".

No NumPy call is left, whose time would outweigh such arithmetic. Its exp, sums and products round
otherwise than NumPy's in the last bits, which is why the safe rules do without it.
"""

import importlib.util
import math

import numpy as np

from minigrad.compiler.fuse import group_nodes, sort_groups
from minigrad.compiler.layout import is_contiguous
from minigrad.compiler.schedule import dependencies
from minigrad.compiler.softmax import LossOfExponentials
from minigrad.core.op import FORMULA_CALLS, OpType
from minigrad.core.ops import FAMILIES
from minigrad.core.ops import elementwise as e
from minigrad.core.ops.linalg import Matmul
from minigrad.core.ops.nn import OneHot
from minigrad.core.ops.reduce import Max, Sum
from minigrad.core.ops.shape import BroadcastTo, ExpandDims, Reshape, Squeeze, Transpose
from minigrad.static.graph import Constant, PlaceholderOp, VariableOp

LARGEST = 32_768  # entries of an array: above it the arithmetic outweighs the calls
MOST = 1_000  # nodes: numba takes seconds to compile more
FORMULAS = {
    op: op.formula
    for family in FAMILIES
    for op in vars(family).values()
    if isinstance(op, OpType) and op.formula
}
APART = (e.Sign, e.SignOfAbs, e.Relu, e.Identity, e.Cast)  # signs of 0 may differ; nothing to merge
ARITHMETIC = {
    op: formula for op, formula in FORMULAS.items() if op.layout_invariant and op not in APART
}
CALLED = (*FORMULA_CALLS, "empty", "dot", "broadcast_to", "inf", "copy")
SPACE = {name: getattr(np, name) for name in CALLED}
OTHERS = (BroadcastTo, ExpandDims, Reshape, Squeeze, LossOfExponentials, PlaceholderOp, VariableOp)


def why_not_whole(program):
    """Why a program does not become one function; "" when it does."""
    nodes = program.nodes()
    if program.effects or len(nodes) > MOST or any(count_entries(n) > LARGEST for n in nodes):
        return "it prints, or it is large"
    strange = sorted({n.op.verb for n in nodes if not can_write(n)})
    if strange:
        return f"{', '.join(strange)} is not written as loops"
    if any(n.op is Matmul for n in nodes) and importlib.util.find_spec("scipy") is None:
        return "numba needs scipy for matrix products"
    return ""


def count_entries(node):
    """How many entries a value has; infinitely many when only a run tells."""
    return math.inf if None in node.shape else math.prod(node.shape)


def is_looped(node):
    """True for an op that is computed entry by entry."""
    return node.op in FORMULAS and node.dtype.kind in "fb"


def can_write(node):
    """True for a node that Loops can write."""
    if node.op in (Sum, Max):  # numba has no float16
        return node.dtype in (np.float32, np.float64) and node.dtype == node.inputs[0].dtype
    if node.op is OneHot:
        return len(node.inputs[0].shape) == 1
    if node.op in (Matmul, Transpose):
        ranks = {2} if node.op is Transpose else {1, 2}
        kinds = {(len(x.shape), x.dtype) for x in node.inputs}
        return node.dtype.kind == "f" and kinds <= {(rank, node.dtype) for rank in ranks}
    return is_looped(node) or isinstance(node, Constant) or node.op in OTHERS


class Loops:
    """Writes the function (feeds…, variables…, back buffers…) → fetched values.

    A value is named as in codegen: x, v, s, c, b for arrays; t for a number, or an entry.
    """

    def __init__(self, program):
        self.program, self.space, self.lines = program, dict(SPACE), []
        self.names, self.local = {}, set()
        self.names |= {n.order: f"x{i}" for i, n in enumerate(program.feeds.values())}
        self.names |= {n.order: f"v{i}" for i, n in enumerate(program.variables.values())}
        self.back_buffers = [f"s{i}" for i in range(len(program.stores))]
        arguments = ", ".join([*self.names.values(), *self.back_buffers])
        self.lines.append(f"def whole({arguments}):")
        before = dependencies(program, program.nodes())
        groups = list(sort_groups(group_nodes(program.nodes(), is_looped, before), before))
        self.users = {}
        for at, group in enumerate(groups):
            for n in group:
                for x in n.inputs:
                    self.users.setdefault(x.order, set()).add(at)
        for at, group in enumerate(groups):
            self.write(group, at)
        self.finish()

    def line(self, text, depth=0):
        """Adds a line inside `depth` loops."""
        self.lines.append("    " * (depth + 1) + text)

    def write(self, group, at):
        """The lines of a group of looped nodes, or of one other node."""
        node = group[0]
        if node.order in self.names:
            return
        if is_looped(node):
            self.loop(group, at)
        elif isinstance(node, Constant):
            self.names[node.order] = f"c{node.order}"
            self.space[f"c{node.order}"] = node.value if node.shape else node.value[()]
            if not node.shape:
                self.local.add(node.order)
        else:
            self.WRITERS[node.op](self, node, *[self.names[x.order] for x in node.inputs])

    def loop(self, group, at):
        """All nodes of a group in one nest of loops; only what others use gets an array."""
        roots = {n.order for n in self.program.roots()}
        left = [n for n in group if n.order in roots or self.users.get(n.order, set()) - {at}]
        shape, depth, own = group[0].shape, len(group[0].shape), {n.order for n in group}
        for n in left if shape else ():
            self.new(n)
        self.over(shape)
        for n in group:
            entries = [f"t{x.order}" if x.order in own else self.entry(x, depth) for x in n.inputs]
            self.space[str(n.dtype)] = n.dtype.type
            formula = FORMULAS[n.op].format(*entries, type=n.dtype, **n.params)
            self.line(f"t{n.order} = {formula}", depth)
        for n in left:
            if shape:
                self.line(f"{self.entry(n, depth)} = t{n.order}", depth)
            else:
                self.number(n)

    def over(self, shape):
        """The heads of loops over all entries of a shape."""
        for axis, length in enumerate(shape):
            self.line(f"for i{axis} in range({length}):", axis)

    def entry(self, x, depth):
        """An entry of x, broadcast into `depth` loops."""
        if x.order in self.local:
            return self.names[x.order]
        first = depth - len(x.shape)
        places = ["0" if n == 1 else f"i{first + axis}" for axis, n in enumerate(x.shape)]
        return f"{self.names[x.order]}[{', '.join(places) or '()'}]"

    def new(self, node):
        """A new array for a node."""
        self.names[node.order] = name = f"b{node.order}"
        self.space[str(node.dtype)] = node.dtype.type
        self.line(f"{name} = empty({node.shape}, {node.dtype})")
        return name

    def number(self, node):
        """Notes that a node is a number of its own."""
        self.names[node.order] = f"t{node.order}"
        self.local.add(node.order)

    def product(self, node, x, y):
        """z = x y, by BLAS."""
        pieces = [
            name if is_contiguous(a.inputs[0] if a.op is Transpose else a) else f"copy({name})"
            for name, a in zip((x, y), node.inputs)
        ]
        if node.shape:
            self.names[node.order] = f"b{node.order}"
        else:
            self.number(node)
        self.line(f"{self.names[node.order]} = dot({', '.join(pieces)})")

    def view(self, node, x):
        """x in another shape."""
        if node.inputs[0].order in self.local:  # a number becomes an array
            self.line(f"{self.new(node)}[...] = {x}")
            return
        self.names[node.order] = f"b{node.order}"
        if node.op is BroadcastTo:
            form = f"broadcast_to({x}, {node.shape})"
        elif node.op is Transpose and node.params["axes"] == (1, 0):
            form = f"{x}.T"
        else:
            piece = x if is_contiguous(node.inputs[0]) else f"copy({x})"
            form = f"{piece}.reshape({node.shape})"
        self.line(f"b{node.order} = {form}")

    def reduce(self, node, x):
        """z = Σ x, or the largest x, over some axes."""
        (operand,), axis = node.inputs, node.params["axis"]
        depth, gone = len(operand.shape), ["0"] * node.params["keepdims"]
        places = [p for a in range(depth) for p in ([f"i{a}"] if a not in axis else gone)]
        name = self.new(node)
        self.line(f"{name}[...] = {'0' if node.op is Sum else '-inf'}")
        self.over(operand.shape)
        value = self.entry(operand, depth)
        target = f"{name}[{', '.join(places) or '()'}]"
        if node.op is Sum:
            self.line(f"{target} += {value}", depth)
        else:
            self.line(f"if {value} > {target} or {value} != {value}:", depth)  # NaN stays
            self.line(f"{target} = {value}", depth + 1)

    def one_hot(self, node, labels, like):
        """z[i,k] = 1 where k is the label of i."""
        name = self.new(node)
        self.over(node.shape)
        self.line(f"{name}[i0, i1] = 1 if {labels}[i0] == i1 else 0", 2)

    def loss(self, node, scores, totals, labels):
        """z = mean of ln total - score of the label; a wrong label ends the run."""
        count, classes = node.inputs[0].shape
        self.number(node)
        self.line(f"t{node.order} = 0.0")
        self.line(f"for i0 in range({count}):")
        self.line(f"k = {labels}[i0]", 1)
        self.line(f"if k < 0 or k >= {classes}:", 1)
        self.line("raise IndexError", 2)
        self.line(f"t{node.order} += log({totals}[i0, 0]) - {scores}[i0, k]", 1)
        self.line(f"t{node.order} /= {count}")

    WRITERS = {
        Matmul: product,
        BroadcastTo: view,
        Transpose: view,
        Reshape: view,
        ExpandDims: view,
        Squeeze: view,
        Sum: reduce,
        Max: reduce,
        OneHot: one_hot,
        LossOfExponentials: loss,
    }

    def finish(self):
        """Stores new values, and returns the fetched ones, shared arrays as copies."""
        for back_buffer, (_, node) in zip(self.back_buffers, self.program.stores):
            self.line(f"{back_buffer}[...] = {self.names[node.order]}")
        found, seen = [], set()
        for n in self.program.fetches:
            if n is not None:
                name = self.names[n.order]
                fresh = name[0] == "b" and not n.op.view and n.order not in seen
                found.append(name if fresh or n.order in self.local else f"copy({name})")
                seen.add(n.order)
        self.line(f"return ({', '.join([*found, '0'])},)")


def write_whole(program, numba):
    """(source, the function) of a program for which why_not_whole says nothing."""
    loops = Loops(program)
    source = "\n".join(loops.lines)
    exec(source, loops.space)
    return source, numba.njit(error_model="numpy")(loops.space["whole"])
