"""The plain backend: every node is computed into a new array, freed after its last use."""

import numpy as np

from minigrad.graph import Constant, RunIndex
from minigrad.op import checked_compute, compute, explained
from minigrad.program import Named
from minigrad.spec import spec_of
from minigrad.verify import check_array, check_view


class Stepwise:
    """Runs a program step by step; `source` lists the steps."""

    def __init__(self, program, plan, options):
        self.program, self.order, self.debug = program, plan.order, options.debug
        self.results = [n for n in program.roots()]
        self.dead = deaths(plan.order, {n.order for n in self.results})
        self.source = "\n".join(str(n) for n in plan.order)

    def run(self, feeds, variables, spares, index):
        """The fetched arrays; new values of variables go into `spares`."""
        values = dict(zip((n.order for n in self.program.feeds.values()), feeds))
        values.update(zip((n.order for n in self.program.variables.values()), variables))
        for node, dead in zip(self.order, self.dead):
            if node.order not in values:
                values[node.order] = computed(node, values, index)
                if self.debug:
                    self.check(node, values)
            for order in dead:
                del values[order]
        fetched = [
            None if n is None else np.array(values[n.order], order="C")
            for n in self.program.fetches
        ]
        for (_, node), spare in zip(self.program.stores, spares):
            spare[...] = values[node.order]
        return fetched

    def check(self, node, values):
        """Raises AssertionError when a value is not what it must be."""
        value = values[node.order]
        if isinstance(value, tuple):
            return
        check_array(node, np.asarray(value))
        if node.inputs and node.shape and node.op.gives_view(len(node.inputs)):
            base = values[node.inputs[0].order]
            if not isinstance(base, tuple):
                check_view(node, value, base)


def deaths(order, kept):
    """For each step, the values that no later step reads."""
    dead, seen = [], set(kept)
    for node in reversed(order):
        last = {node.order, *(x.order for x in node.inputs)} - seen
        seen |= last
        dead.append(last)
    return dead[::-1]


def computed(node, values, index):
    """One node's value; an error names the line that made the node."""
    if isinstance(node, Constant):
        return node.value
    if node.op is RunIndex:
        return np.asarray(index)
    arrays = [values[x.order] for x in node.inputs]
    try:
        if not node.op.ours:
            return checked_compute(node.op, spec_of(node), *arrays, **node.params)
        return compute(node.op, arrays, node.params)
    except Exception as error:
        raise blamed(error, node) from None


def blamed(error, node):
    """`error` as an error that shows the node's call and the learner's line."""
    inputs = [Named(x.shape, x.dtype, x.name) for x in node.inputs]
    return explained(error, node.op, inputs, node.params, node.line)
