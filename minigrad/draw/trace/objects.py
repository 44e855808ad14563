"""The trace of a learner's own engine: objects that know their op and inputs, and perhaps .grad."""

import numpy as np

from minigrad.draw.read import ABSENT, has, op_name, peek
from minigrad.draw.trace.event import Event, Trace
from minigrad.draw.trace.labels import Labels, line_of
from minigrad.draw.trace.memory import Memory
from minigrad.draw.trace.summary import summary


def trace_objects(results, mode, names):
    """The Trace of what the objects say of themselves: values first, then gradients backwards.

    How shares come about is the learner's code and not known: a gradient is one step.
    """
    labels, memory, events = Labels(results, names), Memory(), []

    def add(phase, at, sentence, array, kind, **found):
        value = labels.graph.values[at]
        if array is not None:
            memory.hold(array, labels.texts[at], kind, len(events))
        events.append(Event(len(events), phase, f"n{at}", sentence, line=line_of(value),
                            live=memory.live, **found))

    for at, value in enumerate(labels.graph.values):
        array = read(value, "data", "value")
        if labels.graph.roles[at] != "constant":
            add("forward", at, f"{labels.texts[at]} {how(labels, at)}", array, "value",
                value=None if array is None else summary(array))
    for at in reversed(range(len(labels.graph.values)) if swept(results, mode) else ()):
        grad = read(labels.graph.values[at], "grad")
        if grad is not None:
            add("backward", at, f"{labels.bar(labels.graph.values[at])} is known", grad, "adjoint",
                derivative=summary(grad))
    return Trace(mode, tuple(events), memory.finished(len(events) - 1), tuple(results),
                 tuple(labels.texts), tuple(labels.graph.values), {}, labels.known)


def swept(results, mode):
    """True when gradients are there: the result's own is not 0, at which many engines start."""
    grad = read(results[0], "grad")
    return mode == "reverse" and grad is not None and bool(grad.any())


def read(value, *names):
    """The first of the attributes as an array; None when there is none, or no number."""
    found = peek(value, *names, default=ABSENT)
    if found is ABSENT or found is None:
        return None
    if has(found, "op"):
        return read(found, "data", "value")
    try:
        array = np.asarray(found)
    except Exception:
        return None
    return array if array.dtype.kind in "biuf" else None


def how(labels, at):
    """ "= Mul(a, b)", or "is given" for a leaf."""
    inputs = ", ".join(labels.texts[i] for i in labels.graph.inputs[at])
    return f"= {op_name(labels.graph.values[at]) or '?'}({inputs})" if inputs else "is given"
