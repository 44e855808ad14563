"""Time and memory of a piece of code."""

import statistics
import time as clock
import tracemalloc


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
