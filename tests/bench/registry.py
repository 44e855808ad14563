"""Workloads and contenders: a contender is one function, registered in a family of workloads.

    @family.contender("PyTorch eager")
    def eager(problem):
        ...             # load the library, prepare inputs: not timed
        return run      # run() does the work once and returns its results: timed

The function raises ImportError when its library is missing and Unable when it cannot do this work.
A contender whose results need work of their own returns a pair (run, results).
"""

import time
from typing import NamedTuple

import numpy as np


class Unable(Exception):
    """A contender cannot do a workload; the text says why."""


class Target(NamedTuple):
    """`ours` should take at most `limit` times as long as `than`; without `than`, `limit` units."""

    ours: str
    than: str | None
    limit: float


class Family:
    """Contenders for one kind of work, by name, in the order of the table."""

    def __init__(self, unit="s"):
        self.unit, self.builders = unit, {}

    def contender(self, name):
        """Registers a function problem → run under a name."""

        def register(build):
            self.builders[name] = build
            return build

        return register


class Workload(NamedTuple):
    """Work that every contender of a family does in its way, from the same numbers.

    `problem()` makes the numbers; `slow` names contenders that need minutes to compile this.
    With `alone` each contender runs in a process of its own, and this function measures it, after
    a first run on the `small` problem; `environment(contender)` is what that process is told.
    """

    family: Family
    problem: object
    targets: tuple = ()
    slow: tuple = ()
    tolerance: float = 1e-9
    alone: object = None
    small: object = None
    environment: object = None
    name: str = ""

    def contenders(self, slow):
        """Their names, with the slow ones only when asked for."""
        return [n for n in self.family.builders if slow or n not in self.slow]


class Built(NamedTuple):
    """A contender that is ready: what is timed, its first results, and the seconds until then."""

    run: object
    results: list
    seconds: float


def built(workload, contender, problem, clock=time.perf_counter):
    """A contender, made ready and run once."""
    begin = clock()
    made = workload.family.builders[contender](problem)
    run, results = made if isinstance(made, tuple) else (made, None)
    first = run()
    seconds = clock() - begin
    return Built(run, [np.asarray(r) for r in (results() if results else first)], seconds)


def disagreement(expected, got, tolerance):
    """How the results differ, in words; "" when they agree within the relative tolerance."""
    if len(expected) != len(got):
        return f"gives {len(got)} results, not {len(expected)}"
    for i, (e, g) in enumerate(zip(expected, got)):
        if e.shape != g.shape:
            return f"result {i} has shape {g.shape}, not {e.shape}"
        apart = np.max(np.abs(e - g), initial=0) / (np.max(np.abs(e), initial=0) or 1)
        if not apart <= tolerance:
            return f"result {i} is {apart:.1e} away"
    return ""
