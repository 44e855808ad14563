"""Modes of the dynamic engine: whether operations are remembered, and whether put off."""

import threading
from contextlib import ContextDecorator


class Mode(threading.local):
    """What holds for the running thread: are operations remembered, are they put off.

    `tracing` is the tracer that turns a Python function into a graph now, or None.
    """

    recording = True
    lazy = False
    tracing = None


mode = Mode()


class Switch(ContextDecorator):
    """Sets one entry of `mode` within a `with` block or a decorated function."""

    def __init__(self, entry, value):
        self.entry, self.value, self.before = entry, value, []

    def __enter__(self):
        self.before.append(getattr(mode, self.entry))
        setattr(mode, self.entry, self.value)
        return self

    def __exit__(self, *exception):
        setattr(mode, self.entry, self.before.pop())


def no_grad():
    """`with no_grad():` computes without remembering; also a decorator."""
    return Switch("recording", False)


def enable_grad():
    """`with enable_grad():` remembers again inside a no_grad block; also a decorator."""
    return Switch("recording", True)


def lazy():
    """`with lazy():` puts every op off until its numbers are looked at; also a decorator."""
    return Switch("lazy", True)
