"""Computing a planned program step by step, with a look into its loops; nothing is stored."""

from typing import NamedTuple

import numpy as np

from minigrad.draw.trace.formula import formula_of
from minigrad.draw.trace.labels import body_name
from minigrad.draw.trace.summary import summary
from minigrad.static.control.fn import Fn, apply_in_body, locate_error
from minigrad.static.interpret import blame_node, compute_node
from minigrad.static.statements import Print

TURNED = ("body", "condition")  # what runs once in each turn
MOST = 60  # steps inside one loop that are noted; a turn is noted whole or not at all
SHARE = 2  # of a loop inside it: so many times fewer


class InnerStep(NamedTuple):
    """One step of a body, in one turn; `turn` is 0 for the branch of a choice.

    `node` is None where a body computes nothing. The first step of a turn has the operands of the
    body: (formal, Summary). `inner` are the Turns of a node that is a loop or a choice itself.
    """

    turn: int
    node: object
    where: str
    value: object  # its Summary
    given: tuple = ()
    inner: object = None

    def sentence(self, name=body_name):
        """What it computes, in the words of `name`."""
        if self.node is None:
            return f"{self.where}: what comes in goes on"
        return f"{self.where}: {name(self.node)} = {formula_of(self.node, name)}"


class Turns(NamedTuple):
    """The InnerSteps of a loop or a choice that are noted; of how many turns, and which of them
    ran last."""

    steps: list
    count: int
    last: int


class Watched:
    """A body that notes what it computes in a list; for the rest it is the Fn itself."""

    def __init__(self, fn, kind, notes, formals, most):
        self.fn, self.kind, self.notes, self.turns, self.given = fn, kind, notes, 0, ()
        self.formals = formals  # what a drawing has for its operands: those of the body
        self.most = most

    def __getattr__(self, name):
        return getattr(self.fn, name)

    def run(self, arrays):
        """As Fn.run."""
        self.turns += 1
        count = sum(bool(n.inputs) for n in self.fn.nodes)
        full = len(self.notes) + max(count, 1) > self.most
        if self.notes and full:
            return self.fn.run(arrays)
        self.given = tuple((x, summary(array)) for x, array in zip(self.formals, arrays))
        if not count and not full:
            self.notes.append((self.kind, self.turns, None, None, self.given, None))
        return self.fn.run(arrays, self.note)

    def note(self, node, arrays):
        """Computes one node."""
        value, inner = self.apply(node, arrays)
        self.notes.append((self.kind, self.turns, node, summary(value), self.given, inner))
        self.given = ()
        return value

    def apply(self, node, arrays):
        """(value, Turns inside it or None) of a node."""
        if not body_names(node):
            return apply_in_body(node, arrays), None
        try:
            return look_into(node, arrays, self.most // SHARE)
        except Exception as error:
            raise locate_error(error, node) from None


def body_names(node):
    """The names of the params that hold a body: "body", "condition", "then", "otherwise"."""
    return [name for name, param in node.params.items() if isinstance(param, Fn)]


def look_into(node, arrays, most=MOST):
    """(value, Turns) of a loop or a choice."""
    notes, parts = [], {name: node.params[name] for name in body_names(node)}
    formals = parts["body"].inputs if "body" in parts else None
    watched = {n: Watched(fn, n, notes, formals or fn.inputs, most) for n, fn in parts.items()}
    value = node.op.compute(*arrays, **{**node.params, **watched})
    turns = watched["body"].turns if "body" in watched else 0
    back = node.params.get("reverse", False)
    steps = [inner_step(*note, turns + 1 if back else 0) for note in notes]
    return value, Turns(steps, turns, 1 if back else turns)


def inner_step(kind, turn, node, value, given, inner, last):
    """One note as an InnerStep. Turns have the numbers of their places, also backwards, where
    `last` is one more than there are."""
    turn = last - turn if last else turn
    where = {"body": f"turn {turn}", "condition": f"turn {turn}, go on?"}.get(kind, kind)
    return InnerStep(turn if kind in TURNED else 0, node, where, value, given, inner)


def rest_words(steps, turns):
    """What is said of the turns that have none of the steps; "" when all have."""
    told = {step.turn for step in steps}
    left = [turn for turn in range(1, turns + 1) if turn not in told]
    if len(left) < 2:
        return f"turn {left[0]} runs in the same way" if left else ""
    return f"turns {left[0]} to {left[-1]} run in the same way"


class Values(NamedTuple):
    """What was computed: {order: array}, and {order: Turns} of loops."""

    arrays: dict
    inner: dict


def play_program(program, plan, feeds, session):
    """The Values of a program, for what is fed and what the session's variables are now."""
    arrays = {node.order: feeds[order] for order, node in program.feeds.items()}
    for order, node in program.variables.items():
        now = session.stored.get(order, session.graph.nodes[order].initial)
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
        value, inner = look_into(node, [values.arrays[x.order] for x in node.inputs])
    except Exception as error:
        raise blame_node(error, node) from None
    values.inner[node.order] = inner
    return value
