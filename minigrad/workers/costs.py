"""What a task and a byte cost on a pool, and what follows from that for more workers: a model."""

import heapq
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minigrad.core.errors import ArgumentError
from minigrad.workers.pool import Pool

REPEATS = 15
LARGE = 2**23  # bytes with which the way through the client is timed


class Costs(NamedTuple):
    """Seconds for a task alone, for one more at the same time, for a byte there, and back."""

    task: float
    more: float
    byte_out: float
    byte_back: float


def measure_costs(pool: Pool) -> Costs:
    """Measure the Costs of a pool: medians of several tries, for tasks that compute nothing.

    >>> costs = mg.workers.measure_costs(pool)  # doctest: +SKIP
    """
    address = pool.addresses()[0]
    block = np.random.default_rng(0).random(LARGE // 8)

    def timed(count: int, function: Callable, *arguments: Any) -> float:
        found = []
        for _ in range(REPEATS):
            begun = time.perf_counter()
            pool.call([(address, function, arguments)] * count)
            found.append(time.perf_counter() - begun)
        return statistics.median(found)

    timed(1, np.size, block)  # what only the first one pays
    one, many = timed(1, np.size, 0), timed(21, np.size, 0)
    there, both = timed(1, np.size, block), timed(1, np.positive, block)
    byte_out, byte_back = max(0.0, there - one) / LARGE, max(0.0, both - there) / LARGE
    return Costs(one, (many - one) / 20, byte_out, byte_back)


# the model ----------------------------------------------------------------------------------------


def server_seconds(costs: Costs, work: float, size: float, workers: int) -> float:
    """T = W/n + a + n·(t + B·(b + c)): the time of a step with a parameter server.

    W is the work of a step in seconds on one worker, n the workers, a the cost of a task, t that
    of one more, B the bytes of the gradients, b and c the costs of a byte out and back: all go
    through one link.
    """
    each = costs.more + size * (costs.byte_out + costs.byte_back)
    return work / workers + costs.task + workers * each


def ring_seconds(costs: Costs, work: float, size: float, workers: int) -> float:
    """T = W/n + a + 2·(n - 1)·(t + B/n·c): the time of a step with a ring all-reduce.

    Each worker speaks to the next one alone, all at once; a message has B/n bytes.
    Source: Patarasuk and Yuan, Bandwidth Optimal All-reduce Algorithms, 2009, section 3.
    """
    rounds = 2 * (workers - 1)
    return work / workers + costs.task + rounds * (costs.more + size / workers * costs.byte_back)


def simulate(
    scheme: str,
    costs: Costs,
    work: float,
    size: float,
    workers: int,
    jitter: float = 0.0,
    seed: int = 0,
) -> float:
    """Simulate one step of workers of unequal speed, event by event; returns its seconds.

    Each computes its part of `work` in W/n·(1 + jitter·|z|) seconds, z normal, then hands its
    gradients on by the `scheme`, "server" or "ring". Without jitter it is what the formula says.
    A model: links are never shared with others, nothing is lost, and a worker has one link.

    >>> costs = mg.workers.Costs(task=0.01, more=0.0, byte_out=0.0, byte_back=0.0)
    >>> round(mg.workers.simulate("server", costs, work=1.0, size=0.0, workers=2), 6)
    0.51
    """
    if scheme not in SCHEMES:
        raise ArgumentError(f"{scheme!r} is not a scheme", f"use one of {', '.join(SCHEMES)}")
    if workers < 1:
        raise ArgumentError(f"{workers} workers", "simulate 1 or more")
    slow = 1 + jitter * np.abs(np.random.default_rng(seed).normal(size=workers))
    ready = costs.task + work / workers * slow
    return float(SCHEMES[scheme](costs, size, ready))


def simulate_server(costs: Costs, size: float, ready: np.ndarray) -> float:
    """Messages queue for the server's one link: gradients in, then, when all are there, out."""
    waiting = [float(moment) for moment in ready]
    heapq.heapify(waiting)
    link = 0.0
    while waiting:
        link = max(link, heapq.heappop(waiting)) + costs.more + size * costs.byte_back
    for _ in ready:
        link += size * costs.byte_out
    return link


def simulate_ring(costs: Costs, size: float, ready: np.ndarray) -> float:
    """In each round a worker takes a piece from the one before it, when both are ready."""
    message = costs.more + size / len(ready) * costs.byte_back
    for _ in range(2 * (len(ready) - 1)):
        ready = np.maximum(ready, np.roll(ready, 1)) + message
    return ready.max()


SCHEMES = {"server": simulate_server, "ring": simulate_ring}
