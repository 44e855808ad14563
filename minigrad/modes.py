"""Modes of the dynamic engine: whether operations are remembered, and whether put off."""

import threading
from contextlib import ContextDecorator

REMEMBER, FORGET, OTHER = range(3)  # an op on Tensors computes and remembers, or only computes,
                                    # or does something else, of which Tensor.extend knows


class Mode(threading.local):
    """What holds for the running thread: are operations remembered, are they put off.

    `tracing` is the tracer that turns a Python function into a graph now, or None; `lines` keeps
    where each Tensor was made. `ops` sums all up, since a look at a thread's own entry takes time.
    """

    recording = True
    lazy = False
    tracing = None
    lines = False
    ops = REMEMBER

    def set(self, entry, value):
        """Changes one entry; returns what it was."""
        before = getattr(self, entry)
        setattr(self, entry, value)
        unusual = self.lazy or self.tracing or self.lines
        self.ops = OTHER if unusual else REMEMBER if self.recording else FORGET
        return before


mode = Mode()


class Switch(ContextDecorator):
    """Sets one entry of `mode` within a `with` block or a decorated function."""

    def __init__(self, entry, value):
        self.entry, self.value, self.before = entry, value, []

    def __enter__(self):
        self.before.append(mode.set(self.entry, self.value))
        return self

    def __exit__(self, *exception):
        mode.set(self.entry, self.before.pop())


def no_grad():
    """`with no_grad():` computes without remembering; also a decorator."""
    return Switch("recording", False)


def enable_grad():
    """`with enable_grad():` remembers again inside a no_grad block; also a decorator."""
    return Switch("recording", True)


def lazy():
    """`with lazy():` puts every op off until its numbers are looked at; also a decorator."""
    return Switch("lazy", True)


def tracing(tracer):
    """`with tracing(tracer):` hands every op on Tensors to the tracer."""
    return Switch("tracing", tracer)


def keep_lines():
    """`with keep_lines():` gives every new Tensor the learner's `line`; also a decorator."""
    return Switch("lines", True)
