"""Computing a planned program step by step, with a look into its loops; nothing is stored."""

from typing import NamedTuple

import numpy as np

from minigrad.interpret import blamed, computed
from minigrad.draw.trace.turns import bodies, looked_into
from minigrad.statements import Print


class Values(NamedTuple):
    """What was computed: {order: array}, and {order: Inner steps, number of turns} of loops."""

    arrays: dict
    inner: dict


def played(program, plan, feeds, session):
    """The Values of a program, for what is fed and what the session's variables are now."""
    arrays = {node.order: feeds[order] for order, node in program.feeds.items()}
    for order, node in program.variables.items():
        now = session.stored.get(order, session.graph.nodes[order].initial)
        arrays[node.order] = np.array(now)  # runs to come may write over it
    values = Values(arrays, {})
    for node in plan.order:
        if node.order not in arrays:
            arrays[node.order] = one(node, values, session.runs)
    return values


def one(node, values, index):
    """The value of one node. What prints in a Session says nothing here."""
    if node.op is Print:
        return values.arrays[node.inputs[0].order]
    if not bodies(node):
        return computed(node, values.arrays, index)
    try:
        value, *inner = looked_into(node, [values.arrays[x.order] for x in node.inputs])
    except Exception as error:
        raise blamed(error, node) from None
    values.inner[node.order] = inner
    return value
