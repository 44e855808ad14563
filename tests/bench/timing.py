"""Alternating rounds in one process: every contender once per round, in turning order."""

import gc
import os
import time
from typing import NamedTuple

import numpy as np
from registry import Unable, built, disagreement

CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
LEAST = 0.004  # seconds in one sample: shorter work is repeated


class Outcome(NamedTuple):
    """What was measured of a workload: samples by contender (one per round), seconds until
    each was ready (built, compiled and run once), who is absent, and the machine's load."""

    workload: object
    samples: dict
    ready: dict
    absent: dict
    load: tuple

    def ratios(self, ours, than):
        """ours / than, round by round."""
        return np.array(self.samples[ours]) / np.array(self.samples[than])


def compare(workload, contenders, asked):
    """The Outcome of a workload: contenders are checked against the first one, then timed."""
    ready, absent = prepared(workload, contenders)
    before = load()
    samples = rounds(
        {n: b.run for n, b in ready.items()}, asked.rounds, asked.seconds, CLOCKS[asked.clock]
    )
    return Outcome(
        workload, samples, {n: b.seconds for n, b in ready.items()}, absent, (before, load())
    )


def prepared(workload, contenders):
    """Contenders that are ready and agree with the first one; and the reasons of the others."""
    problem, ready, absent = workload.problem(), {}, {}
    for name in contenders:
        try:
            ready[name] = built(workload, name, problem)
        except ImportError as error:
            absent[name] = f"not installed ({error.name})"
        except Unable as error:
            absent[name] = str(error)
        else:
            expected = next(iter(ready.values())).results
            wrong = disagreement(expected, ready[name].results, workload.tolerance)
            if wrong:
                raise SystemExit(f"{workload.name}: {name} computes something else: {wrong}")
    return ready, absent


def load():
    """How many programs the machine runs, over the last minute."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")


def rounds(runs, most, seconds, clock):
    """Seconds per call, by contender, one number per round; at least five rounds."""
    gc.collect()
    gc.freeze()  # what was loaded is no business of the collections that the work causes
    repeats = {name: calls(run, clock) for name, run in runs.items()}
    samples, names, begin = {name: [] for name in runs}, list(runs), time.perf_counter()
    for turn in range(most):
        if turn >= 5 and time.perf_counter() - begin > seconds:
            break
        first = turn % max(len(names), 1)
        for name in names[first:] + names[:first]:
            samples[name].append(once(runs[name], repeats[name], clock))
    gc.unfreeze()
    return samples


def once(run, repeats, clock):
    """Seconds per call of run()."""
    start = clock()
    for _ in range(repeats):
        run()
    return (clock() - start) / repeats


def calls(run, clock):
    """How many calls one sample holds so that it takes at least LEAST seconds."""
    run()
    count = 1
    while (taken := once(run, count, clock) * count) < LEAST:
        count = max(count * 2, int(count * LEAST / max(taken, 1e-6)))
    return count
