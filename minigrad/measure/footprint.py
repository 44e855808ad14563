"""What a function holds in memory: its peak, its level step by step, the Tensors that exist."""

import gc
import sys
import tracemalloc
from array import array
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any, NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.dynamic.tensor import MetaTensor, Tensor


def memory(function: Callable[[], object]) -> int:
    """Measure the peak bytes that function() holds beyond those held before, NumPy's included.

    >>> mg.measure.memory(lambda: np.zeros(1000)) >= 8000
    True
    """
    gc.collect()  # what waits to be freed would else be freed, and its last words said, in between
    with count_traced():
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        function()
        return tracemalloc.get_traced_memory()[1] - before


@contextmanager
def count_traced():
    """Python's own count of allocated bytes, started where it was not on already."""
    nested = tracemalloc.is_tracing()
    if not nested:
        tracemalloc.start()
    try:
        yield
    finally:
        if not nested:
            tracemalloc.stop()


class Timeline(NamedTuple):
    """Live bytes by step, and the (name, first step, last step) of each phase."""

    bytes: list[int]
    phases: list[tuple[str, int, int]]

    @property
    def peak_bytes(self) -> int:
        """The most bytes alive at once."""
        return max(self.bytes)


def timeline(least: int = 1024, **phases: Callable) -> Timeline:
    """Record the Timeline of functions that run in sequence: timeline(forward=f, backward=g).

    Each takes what the one before it returned. A step is a change by at least `least` bytes, seen
    whenever a Python function is called or returns; a peak between two looks is a step as well.

    >>> mg.measure.timeline(forward=lambda: np.zeros(1000)).phases[0][0]
    'forward'
    """
    if not phases or not all(map(callable, phases.values())):
        raise ArgumentError(
            "timeline: the phases are missing or not functions", "timeline(forward=f, backward=g)"
        )
    with count_traced():
        watch, found = Watch(least), []
        value: tuple = ()
        for name, function in phases.items():
            first = len(watch.bytes)
            value = (watch.run(function, value),)
            found.append((name, first, len(watch.bytes) - 1))
    return Timeline(list(watch.bytes), found)


class Watch:
    """Notes changes of the live bytes while functions run."""

    def __init__(self, least):
        self.least, self.bytes = least, array("q", [0])
        self.start = tracemalloc.get_traced_memory()[0]

    def run(self, function, arguments):
        """The function's result."""
        before = sys.getprofile()
        tracemalloc.reset_peak()
        sys.setprofile(self.look)
        try:
            return function(*arguments)
        finally:
            sys.setprofile(before)
            self.look()

    def look(self, *event):
        """Notes what changed since the last look: a peak in between, and what is there now."""
        now, peak = tracemalloc.get_traced_memory()
        for level in (peak - self.start, now - self.start):
            if abs(level - self.bytes[-1]) >= self.least:
                self.bytes.append(level)
        tracemalloc.reset_peak()


class Live(NamedTuple):
    """The Tensors that exist, and the bytes of their arrays; a shared array counts once."""

    tensors: int
    bytes: int


def live() -> Live:
    """Count the Tensors that are alive now. It searches all objects, so use it outside of loops.

    >>> found = mg.measure.live()
    """
    gc.collect()  # an error of some earlier cell, and all that it held, may still wait to be freed
    found: list[Any] = [
        t for t in gc.get_objects() if issubclass(type(t), Tensor) and type(t) is not MetaTensor
    ]
    bases = {}
    for t in found:
        if getattr(t, "pending", None) is None:
            base: Any = t.array
            while getattr(base, "base", None) is not None and hasattr(base.base, "nbytes"):
                base = base.base
            bases[id(base)] = base.nbytes
    return Live(len(found), sum(bases.values()))
