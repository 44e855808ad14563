"""The chains of `elementwise` on ten million numbers, by one thread and by two.

How many threads a library takes it reads when it is loaded: so each contender runs in a process
of its own.
"""

import functools
import time

import elementwise
import numpy as np
from alone import summed
from gradients import gradients
from registry import Family, Target, Workload, built

ROUNDS = 7

threads = Family()


for name in ("minigrad static", "minigrad numba", "torch.compile", "jax.jit"):
    for count in (1, 2):
        threads.contender(f"{name}, {count}")(gradients.builders[name])


def environment(contender):
    """What the process of a contender is told."""
    return {"BENCH_THREADS": contender.rpartition(", ")[2]}


def median_time(workload, contender, clock):
    """The median of some runs in seconds, and sums that tell the results; compiling is not counted.

    The clock is the wall's, whatever was asked: that is what threads are to save.
    """
    entry = built(workload, contender, workload.problem())
    samples = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        entry.run()
        samples.append(time.perf_counter() - begun)
    return float(np.median(samples)), summed(entry.results)


def workloads():
    """Both formulas; a target is what two threads must save."""
    limits = {"transcendental": ("minigrad static", 1.8), "cheap": ("minigrad numba", 1.5)}
    for name, (ours, times) in limits.items():
        formula, by_hand, _ = elementwise.KINDS[name]
        yield (
            f"{name} 1e7 by threads",
            Workload(
                threads,
                functools.partial(elementwise.problem, formula, by_hand, 10**7),
                (Target(f"{ours}, 2", f"{ours}, 1", 1 / times),),
                alone=median_time,
                environment=environment,
            ),
        )
