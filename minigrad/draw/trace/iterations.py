"""Computing a planned program step by step, with a log of its loops; nothing is stored."""

from typing import NamedTuple

import numpy as np

from minigrad.draw.trace.summary import summary
from minigrad.static.control.fn import Fn, apply_in_body, locate_error
from minigrad.static.interpret import blame_node, compute_node
from minigrad.static.statements import Print

REPEATED = ("body", "condition")  # what runs once in each iteration
MOST = 60  # steps inside one loop that are logged; an iteration is logged whole or not at all
SHARE = 2  # of a loop inside it: so many times fewer
SMALL = 64  # entries of arrays that are kept in order to be shown


class IterationStep(NamedTuple):
    """One step of a body, in one iteration, whose number is 0 for the branch of a choice.

    `node` is None where a body computes nothing. The first step of an iteration has the operands
    of the body: (formal, Summary). `log` is the IterationLog of a node that is a loop itself.
    `arrays` are the operands of the node, and its value; None for those that are large. It `ends`
    a condition where its value says whether the loop goes on.
    """

    iteration: int
    node: object
    where: str
    value: object  # its Summary
    operands: tuple = ()
    log: object = None
    arrays: tuple = ()
    ends: bool = False


class IterationLog(NamedTuple):
    """The IterationSteps of a loop or a choice that are logged; of how many iterations, and which
    of them ran last."""

    steps: list
    count: int
    last: int


class RecordingBody:
    """A body that appends what it computes to a list; for the rest it is the Fn itself."""

    def __init__(self, fn, kind, records, formals, most):
        self.fn, self.kind, self.records, self.iterations = fn, kind, records, 0
        self.formals = formals  # what a drawing has for its operands: those of the body
        self.operands, self.most = (), most

    def __getattr__(self, name):
        return getattr(self.fn, name)

    def run(self, arrays):
        """As Fn.run."""
        self.iterations += 1
        count = sum(bool(n.inputs) for n in self.fn.nodes)
        full = len(self.records) + max(count, 1) > self.most
        if self.records and full:
            return self.fn.run(arrays)
        self.operands = tuple((x, summary(array)) for x, array in zip(self.formals, arrays))
        if not count and not full:
            self.record(None, None)
        return self.fn.run(arrays, self.compute)

    def compute(self, node, arrays):
        """The value of one node, which is recorded."""
        value, log = self.apply(node, arrays)
        self.record(node, summary(value), log, tuple(map(copy_small, (*arrays, value))))
        self.operands = ()
        return value

    def record(self, node, value, log=None, arrays=()):
        """Appends one step, with the operands of the body where it is the first."""
        ends = self.kind == "condition" and node is self.fn.outputs[0]
        found = self.kind, self.iterations, node, value, self.operands, log, arrays, ends
        self.records.append(found)

    def apply(self, node, arrays):
        """(value, IterationLog or None) of a node."""
        if not body_names(node):
            return apply_in_body(node, arrays), None
        try:
            return compute_with_log(node, arrays, self.most // SHARE)
        except Exception as error:
            raise locate_error(error, node) from None


def body_names(node):
    """The names of the params that hold a body: "body", "condition", "then", "otherwise"."""
    return [name for name, param in node.params.items() if isinstance(param, Fn)]


def compute_with_log(node, arrays, most=MOST):
    """(value, IterationLog) of a loop or a choice."""
    records, bodies = [], {name: node.params[name] for name in body_names(node)}
    formals = bodies["body"].inputs if "body" in bodies else None
    recording = {
        name: RecordingBody(fn, name, records, formals or fn.inputs, most)
        for name, fn in bodies.items()
    }
    value = node.op.compute(*arrays, **{**node.params, **recording})
    count = recording["body"].iterations if "body" in recording else 0
    back = node.params.get("reverse", False)
    steps = [iteration_step(record, count, back) for record in records]
    return value, IterationLog(steps, count, 1 if back else count)


def copy_small(value):
    """A copy of a small array, which runs to come may write over; None of others."""
    array = value if isinstance(value, tuple) else np.asarray(value)
    return None if isinstance(array, tuple) or array.size > SMALL else np.array(array)


def iteration_step(record, count, back):
    """One record as an IterationStep. Iterations have the numbers of their places, also those that
    run `back`, from the last one of `count`."""
    kind, iteration, node, value, *rest = record
    iteration = count + 1 - iteration if back else iteration
    words = {"body": f"Iteration {iteration} of {count}", "condition": before_words(iteration)}
    number = iteration if kind in REPEATED else 0
    return IterationStep(number, node, words.get(kind, f"{kind.capitalize()} branch"), value, *rest)


def before_words(iteration):
    """When a condition is computed."""
    return f"Before iteration {iteration}"


def count_iterations(log):
    """How many iterations a loop had: "3 iterations"."""
    return f"{log.count or 'no'} iteration{'s' * (log.count != 1)}"


def describe_rest(steps, count):
    """What is said of the iterations that have none of the steps; "" when all have."""
    shown = {step.iteration for step in steps}
    left = [number for number in range(1, count + 1) if number not in shown]
    if len(left) < 2:
        return f"Iteration {left[0]} runs in the same way." if left else ""
    return f"Iterations {left[0]:,} to {left[-1]:,} run in the same way."


class Values(NamedTuple):
    """What was computed: {order: array}, and {order: IterationLog} of loops and choices."""

    arrays: dict
    logs: dict


def play_program(program, plan, feeds, session):
    """The Values of a program, for what is fed and what the session's variables are now."""
    arrays = {node.order: feeds[order] for order, node in program.feeds.items()}
    for order, node in program.variables.items():
        now = session.variable_values.get(order, session.graph.nodes[order].initial)
        arrays[node.order] = np.array(now)  # runs to come may write over it
    values = Values(arrays, {})
    for node in plan.order:
        if node.order not in arrays:
            arrays[node.order] = node_value(node, values, session.runs)
    return values


def node_value(node, values, index):
    """The value of one node. What prints in a Session says nothing here."""
    if node.op is Print:
        return values.arrays[node.inputs[0].order]
    if not body_names(node):
        return compute_node(node, values.arrays, np.asarray(index))
    try:
        value, log = compute_with_log(node, [values.arrays[x.order] for x in node.inputs])
    except Exception as error:
        raise blame_node(error, node) from None
    values.logs[node.order] = log
    return value
