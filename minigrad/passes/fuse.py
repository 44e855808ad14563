"""Fusion: elementwise nodes of one shape become one kernel, which works through them by tiles.

A tile fits in the processor's cache: what one op writes the next finds there, and values inside
the group never need an array of their own.
"""

import heapq
import math

import numpy as np

from minigrad.control.bundle import Item, bundle
from minigrad.graph import Graph
from minigrad.op import Op, takes_out
from minigrad.program import copied, emit, moved
from minigrad.rewrite import Note, described
from minigrad.spec import Spec

TILE = 16_384  # numbers: with a handful of operands, this stays within a second-level cache
SMALLEST = 4 * TILE  # numbers: smaller arrays are in the cache anyway


class Kernel(Op):
    """z = the results of `body` on the operands, tile by tile: one array, or a bundle of them."""

    elementwise = True

    def infer(*xs, body):
        return body.spec

    def compute(*xs, body, out=None):
        return body.run(xs, out)


class Body:
    """The steps of a kernel: each an op's compute, its operands, and the dtype of its result.

    Operands are numbers: i ≥ 0 is the kernel's i-th input, -i-1 the result of its i-th step.
    `results` are the steps whose values leave the kernel.
    """

    def __init__(self, nodes, inputs, results):
        places = {x.order: i for i, x in enumerate(inputs)}
        places.update({n.order: -i - 1 for i, n in enumerate(nodes)})
        self.steps = [(n.op, [places[x.order] for x in n.inputs], n.params, n.dtype)
                      for n in nodes]
        self.results = [-places[n.order] - 1 for n in results]
        self.specs = [Spec(n.shape, n.dtype) for n in results]
        self.spec = self.specs[0] if len(results) == 1 else bundle(self.specs)
        self.slots, self.dtypes = slots(self.steps, self.results)
        self.outs = [takes_out(op) for op, *_ in self.steps]
        self.native = None  # a compiled form of all steps, which a backend may put here

    def __repr__(self):
        return " → ".join(op.verb for op, *_ in self.steps)

    def run(self, xs, out):
        """The kernel's results, in `out` (an array, or a list of them) when it is given."""
        single = len(self.results) == 1
        outs = [np.empty(*spec) for spec in self.specs] if out is None else [out] if single else out
        whole, targets = flattened([np.asarray(x) for x in xs], outs)
        if self.native is not None and targets[0].ndim == 1:
            self.native(*[np.broadcast_to(x, targets[0].shape) for x in whole], *targets)
        else:
            self.run_tiles(whole, targets)
        return outs[0] if single else tuple(outs)

    def run_tiles(self, whole, targets):
        """All steps on one tile after another."""
        first = targets[0]
        rows = max(1, TILE // max(1, first[:1].size))
        tile = (min(rows, len(first)), *first.shape[1:])
        scratch = [np.empty(tile, dtype) for dtype in self.dtypes]
        for start in range(0, len(first), rows):
            part = slice(start, start + rows)
            pieces = [x[part] if x.ndim == first.ndim and len(x) == len(first) else x
                      for x in whole]
            self.run_tile(pieces, scratch, [target[part] for target in targets])

    def run_tile(self, pieces, scratch, outs):
        """All steps on one tile; results go into `outs`, the rest into scratch."""
        into = dict(zip(self.results, outs))
        values = []
        for i, (op, places, params, _) in enumerate(self.steps):
            operands = [pieces[p] if p >= 0 else values[-p - 1] for p in places]
            if self.outs[i]:
                target = into[i] if i in into else scratch[self.slots[i]][:len(outs[0])]
                values.append(op.compute(*operands, out=target, **params))
            else:
                values.append(op.compute(*operands, **params))
                if i in into:
                    into[i][...] = values[-1]


def flattened(xs, outs):
    """Inputs and results as one-dimensional arrays, when all are in one piece; else unchanged."""
    flat = all(out.flags.c_contiguous for out in outs) and all(
        x.ndim == 0 or x.shape == outs[0].shape and x.flags.c_contiguous for x in xs)
    if not flat:
        return xs, outs
    return ([x if x.ndim == 0 else x.reshape(-1) for x in xs], [out.reshape(-1) for out in outs])


def slots(steps, results):
    """(scratch tile of each step, dtype of each tile): tiles are used again when dead.

    A result's step has no tile (None), since its value lies in an array of its own.
    """
    last = {}
    for i, (_, places, _, _) in enumerate(steps):
        for p in places:
            if p < 0:
                last[-p - 1] = i
    free, chosen, dtypes = {}, [], []
    for i, (_, places, _, dtype) in enumerate(steps):
        for j in {-p - 1 for p in places if p < 0}:
            if last[j] == i and chosen[j] is not None:  # a result may overwrite its operand
                free.setdefault(steps[j][3], []).append(chosen[j])
        if i in results:
            chosen.append(None)
        elif free.get(dtype):
            chosen.append(free[dtype].pop())
        else:
            chosen.append(len(dtypes))
            dtypes.append(dtype)
    return chosen, dtypes


# the pass ----------------------------------------------------------------------------------------


def fuse(program, options=None):
    """(program, notes): each group of connected elementwise nodes of one shape is a Kernel.

    A group may span forward and backward and have several results; it is convex: no path leaves
    it and comes back, so it can be computed at once.
    """
    nodes, graph, new, notes = program.nodes(), Graph(program.graph.name), {}, []
    if not any(fusible(n) for n in nodes):
        return program, notes
    users = {n.order: [program] for n in program.roots()}  # a root is used outside any group
    for n in nodes:
        for x in n.inputs:
            users.setdefault(x.order, []).append(n)
    for unit in in_order(units(nodes)):
        if len(unit) == 1:
            (node,) = unit
            new[node.order] = copied(graph, node, [new[x.order] for x in node.inputs])
        else:
            own = {id(n) for n in unit}
            results = [n for n in unit if any(id(u) not in own for u in users[n.order])]
            place_kernel(graph, unit, results, new)
            notes.append(Note(described(unit[-1]), f"{len(unit)} ops in one kernel: "
                              f"{' → '.join(n.op.verb for n in unit)}", unit[-1].line))
    return moved(program, graph, new), notes


def place_kernel(graph, unit, results, new):
    """Emits the node of a group, and one for each of its results."""
    own, last = {n.order for n in unit}, unit[-1]
    outer = list({x.order: x for n in unit for x in n.inputs if x.order not in own}.values())
    body = Body(unit, outer, results)
    made = emit(graph, Kernel, [new[x.order] for x in outer], {"body": body}, body.spec, last)
    for i, n in enumerate(results):
        new[n.order] = made if len(results) == 1 else emit(
            graph, Item, [made], {"index": i}, body.specs[i], n)


def units(nodes):
    """The nodes in groups. A node's level is the largest number of times that a path to it leaves
    a group; so nodes of one level that are joined by edges form a convex group."""
    level, leader, members = {}, {}, {}
    for n in nodes:
        level[n.order] = max((level[x.order] + (fusible(x) and not joined(x, n))
                              for x in n.inputs), default=0)
        leader[n.order], members[n.order] = n.order, [n]
        for x in n.inputs:
            a, b = leader[x.order], leader[n.order]
            if joined(x, n) and level[x.order] == level[n.order] and a != b:
                small, large = sorted((a, b), key=lambda k: len(members[k]))
                for m in members[small]:
                    leader[m.order] = large
                members[large] += members.pop(small)
    return [sorted(group, key=lambda n: n.order) for group in members.values()]


def joined(x, n):
    """True when an edge lies within a group."""
    return fusible(x) and fusible(n) and x.shape == n.shape


def in_order(groups):
    """The groups, each after those it takes values from, else by their oldest node."""
    of = {n.order: i for i, group in enumerate(groups) for n in group}
    needs = [{of[x.order] for n in group for x in n.inputs} - {i}
             for i, group in enumerate(groups)]
    users, missing = [[] for _ in groups], [len(needed) for needed in needs]
    for i, needed in enumerate(needs):
        for j in needed:
            users[j].append(i)
    ready = [(groups[i][0].order, i) for i, count in enumerate(missing) if not count]
    heapq.heapify(ready)
    while ready:
        _, i = heapq.heappop(ready)
        yield groups[i]
        for user in users[i]:
            missing[user] -= 1
            if not missing[user]:
                heapq.heappush(ready, (groups[user][0].order, user))


def fusible(node):
    """True for a pure elementwise op on arrays large enough to gain from tiles."""
    return (node.op.elementwise and node.op.pure and not node.op.effect
            and len(node.shape) > 0 and None not in node.shape
            and math.prod(node.shape) >= SMALLEST)
