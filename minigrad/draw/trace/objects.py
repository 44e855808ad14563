"""The trace of a learner's own engine: objects that know their op and inputs, and perhaps more."""

import numpy as np

from minigrad.draw.read import ABSENT, has, op_name, peek
from minigrad.draw.trace.event import TraceRecord
from minigrad.draw.trace.formula import EQUALS
from minigrad.draw.trace.labels import Labels
from minigrad.draw.trace.sentences import join_names
from minigrad.draw.trace.summary import summary
from minigrad.draw.trace.telling import Telling, tell_given
from minigrad.draw.trace.tokens import Token, name_token
from minigrad.draw.trace.writing import CLOSE, COMMA, OPEN

NAME = {"reverse": "grad", "forward": "tangent"}
PHASE = {"reverse": ("backward", "adjoint"), "forward": ("tangent", "tangent")}
WORDS = {"adjoint": "gradient", "tangent": "tangent"}


def trace_objects(results, mode, names):
    """The Trace of what the objects say of themselves: values first, then gradients backwards, or
    in forward mode tangents.

    How contributions come about is the learner's code and not known: a derivative is one step.
    """
    labels = Labels(results, names)
    record, values = TraceRecord(labels), labels.graph.values
    for value in (v for v in values if labels.role(v) != "constant"):
        array = array_of(value, "array", "data", "value")
        if array is not None:
            record.memory.hold(array)
        said = None if array is None else summary(array)
        record.add("forward", value, tell_value(labels, value, said), value=said)
    for value, array in derivatives(results[0], values, mode):
        phase, kind = PHASE[mode]
        record.memory.hold(array)
        token, said = name_token(labels.name(value), labels.id(value), kind), summary(array)
        template = f"Your engine says that the {WORDS[kind]} of {{z}} is {{value}}."
        record.add(
            phase, value, tell_given(token, labels.name(value), template, said), derivative=said
        )
    return record.trace(mode, results)


def derivatives(result, values, mode):
    """(value, array) of each derivative that is there: gradients from the last value to the
    first, tangents in the values' order."""
    if mode == "forward" or has_gradients(result):
        for value in values if mode == "forward" else reversed(values):
            array = array_of(value, NAME[mode])
            if array is not None:
                yield value, array


def has_gradients(result):
    """True when gradients are there: the result's own is not 0, at which many engines start."""
    grad = array_of(result, "grad")
    return grad is not None and bool(grad.any())


def array_of(value, *names):
    """The first of the attributes as an array; None when there is none, or no number."""
    found = peek(value, *names, default=ABSENT)
    if found is ABSENT or found is None:
        return None
    if has(found, "op"):
        return array_of(found, "array", "data", "value")
    try:
        array = np.asarray(found)
    except Exception:
        return None
    return array if array.dtype.kind in "biuf" else None


def tell_value(labels, value, said):
    """What is told of a value: y = Mul(a, b), or that a leaf is given."""
    name, id = labels.name(value), labels.id(value)
    token, inputs = name_token(name, id), labels.graph.inputs[labels.place(value)]
    if not inputs:
        if said is None:
            return Telling(f"{name} is an input without a number.", (token,))
        return tell_given(token, name, "{z} is an input. Its value is {value}.", said)
    op, names = op_name(value) or "?", [labels.texts[at] for at in inputs]
    operands = [
        name_token(labels.texts[at], f"n{at}")._replace(edge=(id, f"n{at}")) for at in inputs
    ]
    listed = tuple(t for operand in operands for t in (COMMA, operand))[1:]
    formula = (token, EQUALS, Token(op, "word"), OPEN, *listed, CLOSE)
    return Telling(f"{name} is what your op {op} computes from {join_names(names)}.", formula)
