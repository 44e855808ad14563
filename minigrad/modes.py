"""Modes of the dynamic engine: whether operations are remembered, and whether put off."""

from contextlib import ContextDecorator
from contextvars import ContextVar
from typing import NamedTuple


class Mode(NamedTuple):
    """What holds: are operations remembered, are they put off.

    `lazy` is what puts an op off now, and `tracing` the tracer that turns a Python function into a
    graph, or None; `lines` keeps where each Tensor was made.
    """

    recording: bool = True
    lazy: object = None
    tracing: object = None
    lines: bool = False


# The usual modes; they are told from all others by `is`, which takes the least time.
REMEMBER, FORGET = Mode(), Mode(recording=False)

current = ContextVar("mode", default=REMEMBER)
mode = current.get  # mode() is the Mode of the running thread


class Switch(ContextDecorator):
    """Sets one entry of the Mode within a `with` block or a decorated function."""

    def __init__(self, entry, value):
        self.entry, self.value, self.before = entry, value, []

    def __enter__(self):
        self.before.append(getattr(mode(), self.entry))
        self.set(self.value)
        return self

    def __exit__(self, *exception):
        self.set(self.before.pop())

    def set(self, value):
        """Changes the one entry; the others stay as they are by now."""
        now = mode()._replace(**{self.entry: value})
        current.set(REMEMBER if now == REMEMBER else FORGET if now == FORGET else now)


def no_grad():
    """`with no_grad():` computes without remembering; also a decorator."""
    return Switch("recording", False)


def enable_grad():
    """`with enable_grad():` remembers again inside a no_grad block; also a decorator."""
    return Switch("recording", True)


def tracing(tracer):
    """`with tracing(tracer):` hands every op on Tensors to the tracer."""
    return Switch("tracing", tracer)


def keep_lines():
    """`with keep_lines():` gives every new Tensor the learner's `line`; also a decorator."""
    return Switch("lines", True)
