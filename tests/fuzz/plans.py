"""Looks at a memory plan for what must never be, from the order of its steps alone."""

import numpy as np


def plan_faults(plan):
    """What is wrong with a plan, as sentences."""
    return [*order_faults(plan.order), *overlaps(plan)]


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
    root, places = plan.storage.root, plan.storage.place
    for step, node in enumerate(plan.order):
        for x in (node, *node.inputs):
            ends[root.get(x.order, x.order)] = step
    owned = [
        (step, node)
        for step, node in enumerate(plan.order)
        if places.get(node.order) == "plan" and root[node.order] == node.order
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
