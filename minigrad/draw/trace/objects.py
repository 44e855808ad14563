"""The trace of a learner's own engine: objects that know their op and inputs, and perhaps more."""

import numpy as np

from minigrad.draw.read import ABSENT, has, op_name, peek
from minigrad.draw.trace.event import Event, Memory
from minigrad.draw.trace.labels import Labels, line_of
from minigrad.draw.trace.summary import summary

NAME = {"reverse": "grad", "forward": "tangent"}
PHASE = {"reverse": ("backward", "adjoint", "bar"), "forward": ("tangent", "tangent", "dot")}


def trace_objects(results, mode, names):
    """The Trace of what the objects say of themselves: values first, then gradients backwards, or
    in forward mode tangents.

    How shares come about is the learner's code and not known: a derivative is one step.
    """
    labels, memory, events = Labels(results, names), Memory(), []

    def add(phase, at, sentence, array, kind, **found):
        line, step = line_of(labels.graph.values[at]), len(events)
        if array is not None:
            memory.hold(array, labels.texts[at], kind, step)
        events.append(Event(step, phase, f"n{at}", sentence, line, memory.live, **found))

    for at, value in enumerate(labels.graph.values):
        array = array_of(value, "data", "value")
        if labels.graph.roles[at] != "constant":
            said = None if array is None else summary(array)
            sentence = f"{labels.texts[at]} {how_made(labels, at)}"
            add("forward", at, sentence, array, "value", value=said)
    for at, array in derivatives(results[0], labels.graph.values, mode):
        phase, kind, symbol = PHASE[mode]
        text = getattr(labels, symbol)(labels.graph.values[at])
        add(phase, at, f"{text} is known", array, kind, derivative=summary(array))
    return labels.trace(mode, events, memory.finished(len(events) - 1), results, {})


def derivatives(result, values, mode):
    """(position, array) of each derivative that is there: gradients from the last value to the
    first, tangents in the values' order."""
    if mode == "forward" or has_gradients(result):
        order = 1 if mode == "forward" else -1
        for at in range(len(values))[::order]:
            array = array_of(values[at], NAME[mode])
            if array is not None:
                yield at, array


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
        return array_of(found, "data", "value")
    try:
        array = np.asarray(found)
    except Exception:
        return None
    return array if array.dtype.kind in "biuf" else None


def how_made(labels, at):
    """ "= Mul(a, b)", or "is given" for a leaf."""
    inputs = ", ".join(labels.texts[i] for i in labels.graph.inputs[at])
    return f"= {op_name(labels.graph.values[at]) or '?'}({inputs})" if inputs else "is given"
