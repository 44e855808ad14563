"""All cores: the tiles of a large kernel are shared out among threads, since NumPy lets go of the
interpreter's lock while it computes.

Which tiles there are, and in which order their sums are added up, does not depend on the number of
threads: so no bit does. MINIGRAD_THREADS says how many; without it, as many as there are cores.
"""

import contextvars
import functools
import os
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor

from minigrad.compiler import kernel
from minigrad.errors import ArgumentError

LEAST = 16  # tiles: below, waking a thread takes longer than it saves
BRIEF = 20e-6  # seconds: after shorter calls, waiting for the lock costs more than it saves
SHARES = 4  # for each thread: who is done early takes another one
one_after_another = kernel.run_tiles


def install():
    """Takes the place of the function that runs tiles one after another."""
    kernel.run_tiles = run_tiles_apart
    if hasattr(os, "register_at_fork"):  # a pool's threads stay in the process that was forked
        os.register_at_fork(after_in_child=pool_of.cache_clear)


def run_tiles_apart(new_tile, pieces, calls):
    """What a tile returns for each piece (start, stop). Two of them show whether its calls are
    long enough for threads, each of which has a tile of its own."""
    threads = count_threads() if len(pieces) >= LEAST else 1
    if threads == 1:
        return one_after_another(new_tile, pieces, calls)
    tile, seconds, first = new_tile(), [], []
    for start, stop in pieces[:2]:
        begun = time.perf_counter()
        first.append(tile(start, stop))
        seconds.append(time.perf_counter() - begun)
    if min(seconds) < BRIEF * calls:
        return first + [tile(start, stop) for start, stop in pieces[2:]]
    return first + share_out(new_tile, pieces[2:], threads)


def share_out(new_tile, pieces, threads):
    """What a tile returns for each piece, by so many threads: this one and others."""
    size = -(-len(pieces) // (threads * SHARES))
    waiting = deque(range(0, len(pieces), size))
    found = [None] * len(pieces)

    def work():
        tile = new_tile()
        while waiting:
            try:
                first = waiting.popleft()
            except IndexError:  # another thread was quicker
                return
            share = slice(first, first + size)
            found[share] = [tile(start, stop) for start, stop in pieces[share]]

    helpers = start_helpers(work, threads - 1)
    try:
        work()
    finally:
        waiting.clear()
        failures = [helper.exception() for helper in helpers if not helper.cancel()]
    for failure in filter(None, failures):
        raise failure
    return found


def start_helpers(work, count):
    """Futures of `work` in threads that see what this one sees, as np.errstate; none where the
    system gives no thread: then the caller does all of it."""
    try:
        pool = pool_of(count)
        return [pool.submit(contextvars.copy_context().run, work) for _ in range(count)]
    except RuntimeError:
        return []


@functools.cache
def pool_of(count):
    """The threads of this process beside those that call."""
    return ThreadPoolExecutor(count, thread_name_prefix="minigrad")


def count_threads():
    """How many threads run the tiles of one kernel. Raises ArgumentError for a setting that is no
    number from 1 on."""
    asked = os.environ.get("MINIGRAD_THREADS")
    if asked is None:
        return available_cores()
    if not asked.isdecimal() or not int(asked):
        raise ArgumentError(f"MINIGRAD_THREADS is {asked!r}", "set it to a number of threads, as 2")
    return int(asked)


@functools.cache
def available_cores():
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
