"""How the values of a program lie in memory: row by row, or as views of what does."""

import math

import numpy as np
from numpy.lib.stride_tricks import as_strided

from minigrad.core.ops.shape import ExpandDims, Reshape, ReshapeLike, Squeeze
from minigrad.static.control.bundle import Item

SAME_ROWS = (ExpandDims, Squeeze)  # views that lie row by row, if their base does
RESHAPED = (Reshape, ReshapeLike)  # views of a base that lies row by row, else such copies


def is_contiguous(node):
    """True for a value that is known to lie row by row in memory: all but some views do."""
    while node.op in SAME_ROWS:
        (node, *_) = node.inputs
    return (
        node.shape == ()
        or node.op is Item
        or node.op in RESHAPED
        or not node.op.gives_view(len(node.inputs))
    )


def strides_of(node):
    """The strides of a value in bytes, as its views are made; None where lengths are unknown."""
    views = []
    while not is_contiguous(node):
        views.append(node)
        node = node.inputs[0]
    if any(None in v.shape for v in (node, *views)):
        return None
    form = contiguous_like(node)
    for view in reversed(views):
        form = view.op.compute(form, *view.inputs[1:], **view.params)
    return form.strides


def contiguous_like(node):
    """An array of a node's shape that lies row by row, without memory: it must not be read."""
    size = node.dtype.itemsize
    steps = [size * math.prod(node.shape[i + 1 :]) for i in range(len(node.shape))]
    return as_strided(np.zeros(1, node.dtype), node.shape, steps)


def has_same_layout(x, y):
    """True for two values of one shape whose entries lie in memory in the same way.

    Along an axis of one entry the sign counts: NumPy takes another way through a single number
    whose stride is negative, and exp, log and powers may differ in a bit.
    """
    if is_contiguous(x) and is_contiguous(y):
        return True
    strides = strides_of(x), strides_of(y)
    return None not in strides and all(
        a == b or n == 1 and (a < 0) == (b < 0) for n, a, b in zip(x.shape, *strides)
    )


def owner_of(node):
    """The node in whose memory a value lies: itself, or what it is a view of."""
    while node.inputs and node.op.gives_view(len(node.inputs)):
        node = node.inputs[0]
    return node


def depends_on_target(node):
    """True for a node whose bits may differ when it is written into an array that is there.

    NumPy walks through an array with negative strides from its end, but not beside a target that
    lies the other way round; and then exp, log and powers may differ in a bit.
    """
    return (
        not node.op.layout_invariant
        and node.op.elementwise
        and any(map(can_be_reversed, node.inputs))
    )


def can_be_reversed(node):
    """True for a view that has negative strides, or may have them."""
    if is_contiguous(node):
        return False
    strides = strides_of(node)
    return strides is None or any(step < 0 for step in strides)


def users_of(program):
    """{order of a node: the nodes that read it}."""
    users = {}
    for node in program.nodes():
        for x in node.inputs:
            users.setdefault(x.order, []).append(node)
    return users


def can_be_view(users):
    """True when the bits of all these readers are the same however what they read lies."""
    return all(u.op.elementwise and u.op.layout_invariant for u in users)
