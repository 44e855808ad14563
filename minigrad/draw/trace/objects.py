"""The trace of a learner's own engine: objects that know their op and inputs, and perhaps more."""

import numpy as np

from minigrad.draw.read import ABSENT, has, op_name, peek
from minigrad.draw.trace.event import TraceRecord
from minigrad.draw.trace.labels import Labels, line_of
from minigrad.draw.trace.summary import summary

NAME = {"reverse": "grad", "forward": "tangent"}
PHASE = {"reverse": ("backward", "adjoint", "bar"), "forward": ("tangent", "tangent", "dot")}


def trace_objects(results, mode, names):
    """The Trace of what the objects say of themselves: values first, then gradients backwards, or
    in forward mode tangents.

    How shares come about is the learner's code and not known: a derivative is one step.
    """
    labels = Labels(results, names)
    record, values = TraceRecord(labels, line_of), labels.graph.values
    for value in (v for v in values if labels.role(v) != "constant"):
        array = array_of(value, "array", "data", "value")
        if array is not None:
            record.hold(array, value, "value")
        said = None if array is None else summary(array)
        record.add("forward", value, f"{labels.name(value)} {how_made(labels, value)}", value=said)
    for value, array in derivatives(results[0], values, mode):
        phase, kind, symbol = PHASE[mode]
        record.hold(array, value, kind)
        sentence = f"{getattr(labels, symbol)(value)} is known"
        record.add(phase, value, sentence, derivative=summary(array))
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


def how_made(labels, value):
    """ "= Mul(a, b)", or "is given" for a leaf."""
    inputs = ", ".join(labels.texts[at] for at in labels.graph.inputs[labels.place(value)])
    return f"= {op_name(value) or '?'}({inputs})" if inputs else "is given"
