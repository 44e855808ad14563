"""All cores: the tiles of a large kernel are shared out among threads, since NumPy lets go of the
interpreter's lock while it computes.

Tiles are larger where threads share them, but each entry is computed alone, and sums are added up
in the order of NumPy's own, whatever the tiles: so no bit depends on the number of threads.
MINIGRAD_THREADS says how many; without it, as many as there are cores.
"""

import contextvars
import functools
import os
import time
from collections import deque

from minigrad.core.errors import ArgumentError

LEAST_TILES = 8  # tiles: below, waking a thread takes longer than it saves
WIDER = 4  # times as large: a thread asks for the interpreter's lock less often, after longer calls
SHARES_PER_THREAD = 4  # for each thread: a thread that finishes early takes another one


def plan_tiles(count):
    """(how many times as large so many tiles may be, the function that runs them)."""
    enough = count >= LEAST_TILES * WIDER and count_threads() > 1
    return (WIDER, run_apart) if enough else (1, run_one_by_one)


def run_one_by_one(new_tile, pieces):
    """What a tile returns for each piece (start, stop)."""
    tile = new_tile()
    return [tile(start, stop) for start, stop in pieces]


def run_apart(new_tile, pieces):
    """What a tile returns for each piece (start, stop). The first are run by one thread, as many
    for each by all threads, and the rest by whoever was quicker."""
    threads = count_threads()
    size = max(2, len(pieces) // (8 * LEAST_TILES * threads))
    first, rest = pieces[:size], pieces[size * (1 + threads) :]
    tile = new_tile()
    found, alone = time_call(lambda: [tile(*piece) for piece in first])
    shared, together = time_call(share_out, new_tile, pieces[size : size * (1 + threads)], threads)
    found += shared
    if together < alone * threads:
        return found + share_out(new_tile, rest, threads)
    return found + [tile(*piece) for piece in rest]


def time_call(function, *arguments):
    """(what function(*arguments) returns, seconds it took)."""
    begun = time.perf_counter()
    return function(*arguments), time.perf_counter() - begun


def share_out(new_tile, pieces, threads):
    """What a tile returns for each piece, by so many threads: this one and others."""
    size = max(1, -(-len(pieces) // (threads * SHARES_PER_THREAD)))
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
    from concurrent.futures import ThreadPoolExecutor  # which loads the package of logging, too

    return ThreadPoolExecutor(count, thread_name_prefix="minigrad")


if hasattr(os, "register_at_fork"):  # a pool's threads stay in the process that was forked
    os.register_at_fork(after_in_child=pool_of.cache_clear)


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
