"""A small program of single numbers as instructions: its values, adjoints or tangents.

The rules of the ops run once, on slots instead of values; what they compute is written down. So
whoever can compute the ops can compute the derivatives, without a rule of their own.
"""

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from minigrad.core.autodiff import contributions, fit_tangent
from minigrad.core.operators import Operand
from minigrad.core.spec import spec_of
from minigrad.draw.read import peek
from minigrad.static.graph import Group
from minigrad.static.statements import Assign, Print

FLOAT = np.dtype("float64")


class Instructions(NamedTuple):
    """A program: slots hold the leaves, then the constants, then what each instruction computes.

    `leaves` are (id, name, number) and numbers are texts, as JSON has no inf; `code` lists
    (op, slot, slot, …); `signs` says how some ops are written between their operands; `steps`
    gives for each event of the trace the slot of its result, `amounts` for each contribution that
    of its amount.
    """

    leaves: list
    constants: list
    code: list
    signs: dict
    steps: list
    amounts: list


class Unable(Exception):
    """What is computed is more than ops of single numbers."""


def replay_trace(trace, supported_ops):
    """The Instructions of a trace; None where the name of an op is not in `supported_ops`."""
    try:
        return Recorder(trace, supported_ops).record()
    except Exception:
        return None


class Slot(Operand):
    """The place of a number that an instruction computes, in the place of a value."""

    __slots__ = ("recorder", "at", "shape", "dtype")
    priority = 3  # above every engine

    def __init__(self, recorder, at, spec):
        self.recorder, self.at = recorder, at
        self.shape, self.dtype = spec

    def extend(self, op, inputs, params):
        """The slot of op(inputs)."""
        return self.recorder.add(op, inputs, params)

    def lift(self, x):
        """x as a slot."""
        return x if isinstance(x, Slot) else self.recorder.constant(x)


class Recorder:
    """Writes down what the rules of a trace's ops compute."""

    def __init__(self, trace, supported_ops):
        self.trace, self.supported_ops = trace, supported_ops
        self.ids = {value.order: f"n{at}" for at, value in enumerate(trace.values)}
        self.leaves, self.constants, self.code, self.signs = [], {}, [], {}
        self.values, self.derivatives, self.shares, self.amounts = {}, {}, {}, []
        self.assignments = defaultdict(list)  # id of a variable → (number of the Assign, slot)

    def record(self):
        """The Instructions."""
        for value in self.trace.values:
            if value.op is Group:
                continue
            if value.shape != () or value.dtype != FLOAT and not is_fixed(value):
                raise Unable
        told = dict(self.trace.lanes.rest) if self.trace.lanes else {}
        told |= {e.node: e.value for e in self.trace.events if e.value and not e.renews}
        for at, value in enumerate(self.trace.values):
            self.take(f"n{at}", value, told.get(f"n{at}"))
        self.waiting_slots = {
            id: [slot for _, slot in each] for id, each in self.assignments.items()
        }
        results = [self.step(event) for event in self.trace.events]
        if not self.leaves or not self.code:
            raise Unable
        return self.finish(results)

    def take(self, id, value, told):
        """The slot of one value: a leaf, a constant, or what its op computes."""
        if value.op is Assign:
            variable, made = value.inputs
            self.values[id] = self.read(made, value)
            self.assignments[self.ids[variable.order]].append((value.order, self.values[id]))
        elif value.inputs:
            if getattr(value, "hooks", None):
                raise Unable
            inputs = [self.read(x, value) for x in value.inputs]
            plain = value.op is Print  # it hands on what it prints
            self.values[id] = inputs[0] if plain else self.add(value.op, inputs, value.params)
        elif told is not None and value.dtype != FLOAT:  # between whole numbers nothing can be
            self.values[id] = self.constant(told.numbers)
        elif told is not None:
            name = self.trace.names[int(id[1:])]
            self.values[id] = Slot(self, ("leaf", len(self.leaves)), spec_of(value))
            self.leaves.append((id, name, repr(float(told.numbers))))
        else:
            self.values[id] = self.constant(peek(value, "array", "data", "value"))

    def read(self, x, reader):
        """The slot of an operand: of a variable, what was last assigned before its reader."""
        id = self.ids[x.order]
        before = [slot for at, slot in self.assignments.get(id, ()) if at < reader.read_version]
        return before[-1] if before else self.values[id]

    def add(self, op, inputs, params):
        """The slot of one more instruction; parameters come as operands behind the others."""
        name = self.name_on_page(op)
        spec = op.infer(*map(spec_of, inputs), **params)
        if name not in self.supported_ops or spec.shape != ():
            raise Unable
        operands = [x if isinstance(x, Slot) else self.constant(x) for x in inputs]
        settings = () if name == "Cast" else params.values()
        if name == "Cast" and spec.dtype != FLOAT:
            raise Unable
        operands += [self.constant(setting) for setting in settings]
        self.code.append((name, *(x.at for x in operands)))
        if op.sign:
            self.signs[name] = op.sign.replace("*", "×") if op.sign != "**" else op.sign
        return Slot(self, ("code", len(self.code) - 1), spec)

    def name_on_page(self, op):
        """The name under which the page knows an op: its own, or that of one which computes so."""
        alike = [c.__name__ for c in op.__mro__ if getattr(c, "compute", None) is op.compute]
        return next((name for name in alike if name in self.supported_ops), op.__name__)

    def constant(self, number):
        """The slot of a number that stays the same."""
        array = np.asarray(getattr(number, "array", number))
        if array.shape != () or array.dtype.kind not in "biuf":
            raise Unable
        text = repr(float(array))
        self.constants.setdefault(text, len(self.constants))
        return Slot(self, ("constant", self.constants[text]), spec_of(number))

    # derivatives ---------------------------------------------------------------------------------

    def step(self, event):
        """The slot of what an event gives."""
        if event.turn or event.inner:
            raise Unable
        if event.renews:
            return self.waiting_slots[event.node].pop(0)
        if event.phase in ("forward", "run", "update"):
            return self.values[event.node]
        told = event.derivative.numbers
        if event.edge is None and event.node in self.derivatives:  # it is added to what was there
            made = self.derivatives[event.node]
        elif event.edge is None and self.trace.mode == "reverse" or self.is_seed(event):
            made = self.constant(float(told))
        elif event.edge is None:
            made = self.tangent(event.node)
        else:
            made = self.share(event)
        self.derivatives[event.node] = made
        return made

    def is_seed(self, event):
        """Whether a tangent is given, not computed."""
        return event.phase == "tangent" and not self.value(event.node).inputs

    def value(self, id):
        """The value of an id."""
        return self.trace.values[int(id[1:])]

    def number(self, value):
        """The slot that stands for a value in a rule."""
        return self.values[self.ids[value.order]]

    def tangent(self, id):
        """The tangent of a value, from those of its operands."""
        z = self.value(id)
        x_dots = [self.derivatives.get(self.ids[x.order]) for x in z.inputs]
        xs = [self.number(x) for x in z.inputs]
        return fit_tangent(z.op.pushforward(xs, self.number(z), x_dots, z.params), z)

    def share(self, event):
        """The adjoint so far of an operand, with the contribution of one user."""
        user, operand = event.edge
        if user not in self.shares:
            z = self.value(user)
            path = {x.order: x for x in z.inputs if self.is_passed(user, x)}
            found = contributions(z, self.derivatives[user], path, self.number)
            self.shares[user] = [(self.ids[order], share) for order, share in found]
        waiting = self.shares[user]
        at = [id for id, _ in waiting].index(operand)
        _, made = waiting.pop(at)
        self.amounts.append(made)
        so_far = self.derivatives.get(operand)
        return made if so_far is None else so_far + made

    def is_passed(self, user, x):
        """Whether some event passes an adjoint on from a user to x."""
        return any(event.edge == (user, self.ids[x.order]) for event in self.trace.events)

    # the end -------------------------------------------------------------------------------------

    def finish(self, results):
        """The Instructions, with all slots in one row."""
        begins = {
            "leaf": 0,
            "constant": len(self.leaves),
            "code": len(self.leaves) + len(self.constants),
        }

        def at(place):
            return begins[place[0]] + place[1]

        code = [(name, *map(at, places)) for name, *places in self.code]
        steps, amounts = ([at(slot.at) for slot in slots] for slots in (results, self.amounts))
        return Instructions(self.leaves, list(self.constants), code, self.signs, steps, amounts)


def is_fixed(value):
    """Whether a value is a constant of another dtype, or an answer of yes or no."""
    return value.dtype.kind in "biu"
