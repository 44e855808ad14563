"""Fusion: elementwise nodes of one shape become one kernel, with the sums of their entries."""

import heapq
import math

import numpy as np

from minigrad.compiler.kernel import Kernel, KernelResult, KernelSteps
from minigrad.compiler.layout import depends_on_target, is_contiguous
from minigrad.compiler.rewrite import Note, move_program
from minigrad.compiler.schedule import dependencies
from minigrad.core.ops.reduce import Sum
from minigrad.static.graph import Graph
from minigrad.static.program import copy_node, emit

TILE = 16_384  # doubles: with a handful of operands, this stays within a second-level cache
# Doubles, or as many bytes. Smaller arrays stay in the cache from op to op: at 0.8 MiB ten ops in a
# kernel took 1.1 times as long as ten calls, at 1.6 MiB 0.8 times.
SMALLEST = 8 * TILE
WIDEST = 16  # bytes of an entry, at most


def fuse(program, options=None):
    """(program, notes): each group of connected elementwise nodes of one shape is a Kernel.

    A group may span forward and backward and have several results; it is convex: no path leaves
    it and comes back, so it can be computed at once.
    """
    nodes, graph, new, notes = program.nodes(), Graph(program.graph.name), {}, []
    if not any(is_large(n) for n in nodes):
        return program, notes
    users = {n.order: [program] for n in program.roots()}  # a root is used outside any group
    for n in nodes:
        for x in n.inputs:
            users.setdefault(x.order, []).append(n)
    before = dependencies(program, nodes)
    for unit in sort_groups(group_nodes(nodes, is_large, before), before):
        if len(unit) == 1:
            (node,) = unit
            new[node.order] = copy_node(graph, node, [new[x.order] for x in node.inputs])
        else:
            own = {id(n) for n in unit}
            results = [n for n in unit if any(id(u) not in own for u in users[n.order])]
            results.sort(key=lambda n: n.op is Sum)
            place_kernel(graph, unit, results, new)
            verbs = " → ".join(n.op.verb for n in unit)
            notes.append(Note(unit[-1], f"{len(unit)} ops in one kernel: {verbs}", "fused"))
    return move_program(program, graph, new), notes


def place_kernel(graph, unit, results, new):
    """Emits the node of a group, and one for each of its results."""
    own, last = {n.order for n in unit}, unit[-1]
    outer = list({x.order: x for n in unit for x in n.inputs if x.order not in own}.values())
    body = KernelSteps(unit, outer, results, TILE)
    made = emit(graph, Kernel, [new[x.order] for x in outer], {"body": body}, body.spec, last)
    for i, (n, spec) in enumerate(zip(results, body.specs)):
        one = len(results) == 1
        new[n.order] = made if one else emit(graph, KernelResult, [made], {"index": i}, spec, n)


def group_nodes(nodes, fusible, before):
    """The nodes in groups of what is `fusible`, other nodes alone.

    A node's level is the largest number of times that a path to it leaves a group; so nodes of
    one level that are joined by edges form a convex group. A path goes over all that must come
    `before` a node, the effect before an effect included.
    """
    level, leader, members = {}, {}, {}
    for n in nodes:
        level[n.order] = max(
            (
                level[x.order] + (fusible(x) and not is_joined(x, n, fusible))
                for x in before[n.order]
            ),
            default=0,
        )
        leader[n.order], members[n.order] = n.order, [n]
        for x in n.inputs:
            a, b = leader[x.order], leader[n.order]
            if is_joined(x, n, fusible) and level[x.order] == level[n.order] and a != b:
                small, large = sorted((a, b), key=lambda k: len(members[k]))
                for m in members[small]:
                    leader[m.order] = large
                members[large] += members.pop(small)
    for n in nodes:  # a sum ends a group: what needs it lies on a higher level
        group = leader[n.inputs[0].order] if n.inputs else None
        if is_fusible_sum(n) and all(is_even(m, n.inputs[0].shape) for m in members[group]):
            members[group] += members.pop(n.order)
    return [sorted(group, key=lambda n: n.order) for group in members.values()]


def is_fusible_sum(n):
    """True for the sum of all entries of an elementwise node, in the order of NumPy's own sum."""
    return (
        n.op is Sum
        and n.shape == ()
        and is_large(n.inputs[0])
        and n.dtype == n.inputs[0].dtype
        and n.dtype in (np.float32, np.float64)
    )


def is_even(n, shape):
    """True for a sum, or a node whose operands are arrays of its shape and single numbers.

    They must lie row by row where that decides about bits: beside a sum, operands are copied so.
    """
    return n.op is Sum or all(
        (x.shape == shape or math.prod(x.shape) == 1)
        and (n.op.layout_invariant or is_contiguous(x))
        for x in n.inputs
    )


def is_joined(x, n, fusible):
    """True when an edge lies within a group."""
    return fusible(x) and fusible(n) and x.shape == n.shape


def sort_groups(groups, before):
    """The groups, each after what must come before its nodes, else by their oldest node."""
    of = {n.order: i for i, group in enumerate(groups) for n in group}
    needs = [
        {of[x.order] for n in group for x in before[n.order]} - {i}
        for i, group in enumerate(groups)
    ]
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


def is_large(node):
    """True for a pure elementwise op on arrays large enough to gain from tiles."""
    return (
        node.op.elementwise
        and len(node.shape) > 0
        and None not in node.shape
        and (size := math.prod(node.shape)) * WIDEST >= SMALLEST * 8
        and size * widest_bytes(node) >= SMALLEST * 8
        and node.op.pure
        and not node.op.effect
        and not depends_on_target(node)
    )


def widest_bytes(node):
    """Bytes of an entry of the widest among a node's operands and result."""
    return max(x.dtype.itemsize for x in (node, *node.inputs))
