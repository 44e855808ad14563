"""Checkpoints: which forward values reverse mode keeps, and how it computes the others again."""

import math
from typing import Any

from minigrad.core.errors import ArgumentError
from minigrad.core.op import bind
from minigrad.static.graph import Node


class Recompute:
    """Gives reverse rules the values of a path: kept ones as they are, others computed again.

    It keeps checkpoints, everything after the last one, and what cannot be repeated. A value
    computed again is a new node that carries the number of its `segment`, so that it is not
    merged with the first one. Source: Chen et al., 2016, "Training deep nets with sublinear
    memory cost".
    """

    def __init__(self, path: dict[int, Any], checkpoints: Any) -> None:
        self.path, self.twins = dict(path), {}
        self.checkpoints = {v.order for v in choose_kept(self.path, checkpoints)}
        self.last = max(self.checkpoints, default=0)
        self.borders = sorted(self.checkpoints)

    def __call__(self, v):
        """The value itself, or its twin."""
        waiting = [v]
        while waiting:
            u = waiting[-1]
            missing = [x for x in u.inputs if not self.is_kept(x) and x.order not in self.twins]
            if self.is_kept(u) or u.order in self.twins:
                waiting.pop()
            elif missing:
                waiting.extend(missing)
            else:
                self.twins[waiting.pop().order] = self.twin(u)
        return v if self.is_kept(v) else self.twins[v.order]

    def is_kept(self, v):
        """True for what is not computed again."""
        return (
            v.order in self.checkpoints
            or v.order > self.last
            or v.order not in self.path
            or not v.inputs
            or not v.op.pure
            or v.op.effect
        )

    def twin(self, v):
        """A node that computes v once more, from what is kept before it."""
        inputs = [x if self.is_kept(x) else self.twins[x.order] for x in v.inputs]
        with v.at_version():
            new = bind(v.op, *inputs, **v.params)
        new.segment = sum(border < v.order for border in self.borders)
        new.graph.ledger.note("copy", new, v)
        return new


def choose_kept(path, checkpoints):
    """The values of a path that are kept: the given ones, or for "sqrt" every √n-th of those n
    that reverse rules read."""
    if checkpoints == "sqrt":
        needed = {
            (v if place == "z" else v.inputs[place]).order
            for v in path.values()
            if v.inputs
            for place in v.op.values_read([x.order in path for x in v.inputs])
        }
        steps = [v for v in path.values() if v.inputs and v.order in needed]
        stride = max(1, math.isqrt(len(steps)))
        return steps[stride - 1 :: stride][:-1]
    listed = isinstance(checkpoints, (list, tuple, set, frozenset))
    if not listed or not all(isinstance(v, Node) for v in checkpoints):
        message = f"checkpoints is {checkpoints!r}"
        raise ArgumentError(message, 'give a list of the nodes to keep, or "sqrt"')
    return checkpoints
