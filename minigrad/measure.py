"""Time and memory of a piece of code."""

import gc
import statistics
import time as clock
import tracemalloc
from typing import NamedTuple

from minigrad.tensor import Tensor


def time(function, repeat=5):
    """Seconds that function() takes: the median of `repeat` runs."""
    durations = []
    for _ in range(repeat):
        start = clock.perf_counter()
        function()
        durations.append(clock.perf_counter() - start)
    return statistics.median(durations)


def memory(function):
    """Bytes that function() holds at its peak, beyond what was held before; NumPy's included."""
    nested = tracemalloc.is_tracing()
    if not nested:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        function()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not nested:
            tracemalloc.stop()


class Live(NamedTuple):
    """The Tensors that exist, and the bytes of their arrays; a shared array counts once."""

    tensors: int
    bytes: int


def live():
    """How many Tensors are alive now. It looks through all objects: for lessons, not for loops."""
    found = [t for t in gc.get_objects() if type(t) is Tensor]
    bases = {}
    for t in found:
        if not t.pending:
            base = t.data
            while getattr(base, "base", None) is not None and hasattr(base.base, "nbytes"):
                base = base.base
            bases[id(base)] = base.nbytes
    return Live(len(found), sum(bases.values()))
