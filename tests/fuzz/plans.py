"""Looks at a memory plan for what must never be, from the order of its steps alone."""

import numpy as np


def plan_faults(plan, results):
    """What is wrong with a plan whose `results` are fetched or stored nodes, as sentences."""
    return [
        *order_faults(plan.order),
        *overlaps(plan),
        *wrong_figures(plan),
        *misplaced(plan, results),
    ]


def wrong_figures(plan):
    """What the plan says of itself, where counting its values says otherwise."""
    own = [n for n in plan.order if plan.values[n.order].space == "plan" and is_whole(plan, n)]
    naive = sum(int(np.prod(n.shape)) * n.dtype.itemsize for n in own)
    return [f"naive {plan.naive_bytes} B, which are {naive}"] if plan.naive_bytes != naive else []


def misplaced(plan, results):
    """Arrays that lie elsewhere than in the arena, or, when they are results, in it."""
    own = [n for n in plan.order if n.inputs and not n.op.view and n.shape and None not in n.shape]
    return [
        f"{n!r} has its place in {place}"
        for n, place in ((n, plan.values[n.order].space) for n in own)
        if place != ("result" if n.order in results else "plan")
    ]


def is_whole(plan, node):
    """True for a value of its own, which is no view of another."""
    value = plan.values[node.order]
    return value.base == node.order or value.in_place


def order_faults(order):
    """Operands that are computed after they are read."""
    place = {node.order: step for step, node in enumerate(order)}
    return [
        f"step {place[node.order]} reads {x!r}, which is computed later"
        for node in order
        for x in node.inputs
        if place.get(x.order, -1) >= place[node.order]
    ]


def overlaps(plan):
    """Values that are alive together and share bytes without being views of each other."""
    ends, found = {}, []
    values = plan.values
    for step, node in enumerate(plan.order):
        for x in (node, *node.inputs):
            ends[values[x.order].base] = step
    owned = [
        (step, node)
        for step, node in enumerate(plan.order)
        if values[node.order].space == "plan" and values[node.order].base == node.order
    ]
    lives = []
    for step, node in owned:
        size = int(np.prod(node.shape)) * node.dtype.itemsize
        start = plan.offsets[node.order]
        lives.append((step, ends[node.order], start, start + size, node))
    for i, (first, last, start, stop, node) in enumerate(lives):
        for later, _, begin, end, other in lives[i + 1 :]:
            if later <= last and begin < stop and start < end:
                found.append(
                    f"{node!r}, alive in steps {first} to {last}, shares bytes with {other!r}"
                )
    return found
