"""Fusion: elementwise nodes of one shape become one kernel, which works through them by tiles.

A tile fits in the processor's cache: what one op writes the next finds there, and values inside
the group never need an array of their own.
"""

import numpy as np

from minigrad.graph import Graph
from minigrad.op import Op, takes_out
from minigrad.program import copied, emit, moved
from minigrad.rewrite import Note, described
from minigrad.spec import Spec

TILE = 16_384  # numbers: with a handful of operands, this stays within a second-level cache
SMALLEST = 4 * TILE  # numbers: smaller arrays are in the cache anyway


class Kernel(Op):
    """z = the last step of `body` on the operands, tile by tile."""

    elementwise = True

    def infer(*xs, body):
        return body.spec

    def compute(*xs, body, out=None):
        return body.run(xs, out)


class Body:
    """The steps of a kernel: each an op's compute, its operands, and the dtype of its result.

    Operands are numbers: i ≥ 0 is the kernel's i-th input, -i-1 the result of its i-th step.
    """

    def __init__(self, nodes, inputs):
        places = {x.order: i for i, x in enumerate(inputs)}
        places.update({n.order: -i - 1 for i, n in enumerate(nodes)})
        self.spec = Spec(nodes[-1].shape, nodes[-1].dtype)
        self.steps = [(n.op, [places[x.order] for x in n.inputs], n.params, n.dtype)
                      for n in nodes]
        self.slots, self.dtypes = slots(self.steps)
        self.outs = [takes_out(op) for op, *_ in self.steps]
        self.native = None  # a compiled form of all steps, which a backend may put here

    def __repr__(self):
        return " → ".join(op.verb for op, *_ in self.steps)

    def run(self, xs, out):
        """The kernel's result, in `out` when it is given."""
        out = np.empty(*self.spec) if out is None else out
        whole = [np.asarray(x) for x in xs]
        flat = all(x.ndim == 0 or x.shape == out.shape and x.flags.c_contiguous for x in whole)
        if flat and out.flags.c_contiguous:
            whole = [x if x.ndim == 0 else x.reshape(-1) for x in whole]
            target = out.reshape(-1)
            if self.native is not None:
                self.native(*[np.broadcast_to(x, target.shape) for x in whole], target)
                return out
        else:
            target = out
        rows = max(1, TILE // max(1, target[:1].size))
        tile = (min(rows, len(target)), *target.shape[1:])
        scratch = [np.empty(tile, dtype) for dtype in self.dtypes]
        for start in range(0, len(target), rows):
            part = slice(start, start + rows)
            pieces = [x[part] if x.ndim == target.ndim and len(x) == len(target) else x
                      for x in whole]
            self.run_tile(pieces, scratch, target[part])
        return out

    def run_tile(self, pieces, scratch, out):
        """All steps on one tile; the last writes into `out`."""
        results, last = [], len(self.steps) - 1
        for i, (op, places, params, _) in enumerate(self.steps):
            operands = [pieces[p] if p >= 0 else results[-p - 1] for p in places]
            if self.outs[i]:
                into = out if i == last else scratch[self.slots[i]][:len(out)]
                results.append(op.compute(*operands, out=into, **params))
            else:
                results.append(op.compute(*operands, **params))
        if not self.outs[last]:
            out[...] = results[last]


def slots(steps):
    """(scratch tile of each step's result, dtype of each tile): tiles are used again when dead."""
    last = {}
    for i, (_, places, _, _) in enumerate(steps):
        for p in places:
            if p < 0:
                last[-p - 1] = i
    free, chosen, dtypes = {}, [], []
    for i, (_, places, _, dtype) in enumerate(steps):
        for j in {-p - 1 for p in places if p < 0}:
            if last[j] == i:  # elementwise: a result may overwrite its operand
                free.setdefault(steps[j][3], []).append(chosen[j])
        if free.get(dtype):
            chosen.append(free[dtype].pop())
        else:
            chosen.append(len(dtypes))
            dtypes.append(dtype)
    return chosen, dtypes


# the pass ----------------------------------------------------------------------------------------


def fuse(program, options=None):
    """(program, notes): each group of elementwise nodes with one result becomes a Kernel.

    A node joins the group of its users when all of them are in that group and have its shape; so
    a group may span forward and backward, and no path leaves it and comes back.
    """
    nodes, graph, new, notes = program.nodes(), Graph(program.graph.name), {}, []
    group = grouped(program, nodes)
    members = {}
    for node in nodes:
        members.setdefault(group.get(node.order, node.order), []).append(node)
    for node in nodes:
        inside = members.get(node.order, ())  # empty for a node within a group
        if len(inside) > 1:
            new[node.order] = kernel(graph, inside, new, notes)
        elif inside:
            new[node.order] = copied(graph, node, [new[x.order] for x in node.inputs])
    return moved(program, graph, new), notes


def kernel(graph, inside, new, notes):
    """The node that stands for a group."""
    own, last = {n.order for n in inside}, inside[-1]
    outer = list({x.order: x for n in inside for x in n.inputs if x.order not in own}.values())
    body = Body(inside, outer)
    notes.append(Note(described(last), f"{len(inside)} ops in one kernel: {body}", last.line))
    return emit(graph, Kernel, [new[x.order] for x in outer], {"body": body}, body.spec, last)


def grouped(program, nodes):
    """{order of a node: order of the last node of its group}."""
    roots = {n.order for n in program.roots()}
    users = {n.order: [] for n in nodes}
    for n in nodes:
        for x in n.inputs:
            users[x.order].append(n)
    group = {}
    for node in reversed(nodes):
        if not fusible(node):
            continue
        group[node.order] = node.order
        targets = {group.get(u.order) for u in users[node.order]}
        same = all(fusible(u) and u.shape == node.shape for u in users[node.order])
        if node.order not in roots and same and len(targets) == 1 and None not in targets:
            group[node.order] = targets.pop()
    return group


def fusible(node):
    """True for a pure elementwise op on arrays large enough to gain from tiles."""
    return (node.op.elementwise and node.op.pure and not node.op.effect
            and len(node.shape) > 0 and int(np.prod(node.shape)) >= SMALLEST)
