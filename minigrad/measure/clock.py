"""Measures of time: of a function, of several by turns, of each step of compiling."""

import math
import os
import statistics
from collections.abc import Callable
from functools import partial
from itertools import repeat as times
from time import perf_counter
from typing import Any

import numpy as np

from minigrad.compiler import BACKENDS, schedule_program
from minigrad.compiler.pipeline import find_pass
from minigrad.core.errors import ArgumentError
from minigrad.core.spec import spec_of
from minigrad.measure.comparison import Comparison
from minigrad.static.program import cut
from minigrad.static.session import Executable

PREPARATIONS = 3  # of each contender, for the median of the times to its first result


def time(function: Callable[[], object], repeat: int = 5) -> float:
    """Measure the seconds that function() takes: the median of `repeat` runs.

    >>> mg.measure.time(lambda: sum([1, 2])) > 0
    True
    """
    if not callable(function):
        message = (
            f"time: the function has the type {type(function).__name__}, which cannot be called"
        )
        raise ArgumentError(message, "pass a function: time(lambda: f(x))")
    return statistics.median([span(function) for _ in range(check_count("time", repeat=repeat))])


def check_count(caller: str, **count: Any) -> int:
    """The one count of runs given by its name. Raises ArgumentError unless it is 1 or more."""
    ((name, given),) = count.items()
    if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or given < 1:
        raise ArgumentError(f"{caller}: {name}={given!r}", "pass a whole number of 1 or more")
    return int(given)


def span(function, calls=1):
    """Seconds that so many calls take together; a call of an empty function is among them."""
    start = perf_counter()
    for _ in times(None, calls):
        function()
    return perf_counter() - start


def compare(
    contenders: dict[str, Callable],
    reference: str | None = None,
    sizes: Any = None,
    rounds: int = 25,
    warmup: int = 2,
    least: float = 0.0005,
) -> Comparison:
    """Measure functions that do the same work, in turn in this process; returns a Comparison.

    contenders  {name: function}; with `sizes`, {name: function of a size}, which prepares the
                work of that size and returns the function to be timed
    reference   the name that the others are divided by; else the first
    rounds      in each every contender has one turn, and another one begins
    warmup      untimed calls before, so that what compiles at first use has done so
    least       seconds that a turn takes at least: a quick function is called many times in it;
                the shorter the turns, the more of them no other program interrupts

    With sizes, each is prepared three times, by turns too; the median of the times from preparing
    to the first result is noted: for `winners`.
    The garbage collector stays on, as in real use. Memory is not looked at: see `memory`.

    >>> found = mg.measure.compare({"one": lambda: sum([1]), "two": lambda: sum([2])}, rounds=3)
    >>> list(found.seconds)
    ['one', 'two']
    """
    reference = check_contenders(contenders, reference, rounds, warmup)
    sizes = () if sizes is None else check_rising(sizes)
    load = machine_load()
    seconds: dict[str, list[list[float]]] = {name: [] for name in contenders}
    first: dict[str, list[float]] = {name: [] for name in contenders} if sizes else {}
    for size in sizes or (None,):
        functions = contenders if size is None else prepare_functions(contenders, size, first)
        for name, found in race(functions, rounds, warmup, least).items():
            seconds[name].append(found)
    return Comparison(reference, sizes, seconds, load, first)


def check_contenders(contenders, reference, rounds, warmup):
    """The reference's name. Raises ArgumentError before anything is run."""
    named = isinstance(contenders, dict) and contenders
    if not named or not all(map(callable, contenders.values())):
        hint = 'compare({"one": f, "other": g})'
        raise ArgumentError("compare: the contenders are not named functions", hint)
    reference = next(iter(contenders)) if reference is None else reference
    if reference not in contenders:
        message = f"compare: no contender is called {reference!r}"
        raise ArgumentError(message, f"choose the reference from {', '.join(contenders)}")
    if rounds < 3 or warmup < 1:
        message = f"compare: rounds={rounds}, warmup={warmup}"
        raise ArgumentError(message, "quartiles need 3 rounds, and one call before them is untimed")
    return reference


def check_rising(sizes):
    """The sizes as a tuple of Python numbers. Raises ArgumentError where they do not rise."""
    found = np.atleast_1d(sizes)
    if found.dtype.kind not in "iuf" or not found.size or found[0] <= 0 or any(np.diff(found) <= 0):
        raise ArgumentError(f"compare: sizes={sizes!r}", "give rising sizes: [10, 100, 1000]")
    return tuple(found.tolist())


def prepare_functions(contenders, size, first):
    """{name: the function to be timed} for one size; `first` gets the time to each first result."""
    functions, seconds = {}, {name: [] for name in contenders}
    for name in by_turns(contenders, PREPARATIONS):
        functions.pop(name, None)  # what the turn before held is given back untimed
        begun = perf_counter()
        functions[name] = contenders[name](size)
        if not callable(functions[name]):
            message = f"compare: {name}({size}) gave {type(functions[name]).__name__}"
            raise ArgumentError(message, "return the function to be timed, when sizes are given")
        functions[name]()
        seconds[name].append(perf_counter() - begun)
    for name, found in seconds.items():
        first[name].append(statistics.median(found))
    return functions


def by_turns(names, rounds):
    """Each name once a round; each round begins with the next name."""
    names = list(names)
    for turn in range(rounds):
        begin = turn % len(names)
        yield from names[begin:] + names[:begin]


def race(functions, rounds, warmup, least):
    """{name: seconds per call, a number per round}, measured by turns."""
    calls = {name: calls_per_turn(f, warmup, least) for name, f in functions.items()}
    found = {name: [] for name in functions}
    for name in by_turns(functions, rounds):
        found[name].append(span(functions[name], calls[name]) / calls[name])
    return found


def calls_per_turn(function, warmup, least):
    """How many calls take `least` seconds, judged by the last and best of the untimed calls."""
    once = [span(function) for _ in range(warmup)]
    best = max(min(once), 1e-9)
    return max(1, math.ceil(least / best))


def machine_load() -> float | None:
    """Return the running programs per core over the last minute, or None where it is unknown.

    >>> load = mg.measure.machine_load()
    """
    return os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else None


def compiling(executable: Executable, repeat: int = 5) -> dict[str, float]:
    """Measure {step: seconds} of compiling an Executable again: cut, passes, plan, code; medians.

    Passes are pure, so each is timed on the program that it was given; rounds are added up.

    >>> with mg.Graph() as graph:
    ...     x = mg.placeholder("x", (2,))
    ...     y = mg.exp(x)
    >>> seconds = mg.measure.compiling(mg.Session(graph).compile(y, [x]))
    >>> "plan" in seconds
    True
    """
    fed, options = executable.program.feeds, executable.session.options
    specs = {n.order: spec_of(fed.get(n.order, n)) for n in executable.feeds}
    program = cut(executable.fetches, specs)
    found = {"cut": time(lambda: cut(executable.fetches, specs), repeat)}
    for report in executable.report:
        seconds = time(partial(find_pass(report.name), program, options), repeat)
        found[report.name] = found.get(report.name, 0.0) + seconds
        program = report.program
    roots = {n.order for n in program.roots()}
    found["plan"] = time(lambda: schedule_program(program, roots), repeat)
    made, backend = (executable.program, executable.plan, options), BACKENDS[options.backend]
    found["code"] = time(lambda: backend(*made), repeat)
    return found
