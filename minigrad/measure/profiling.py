"""A profile of a run: how long each node took, and what it holds, by the learner's own lines."""

import contextlib
import io
import statistics
from time import perf_counter
from typing import NamedTuple

import numpy as np

from minigrad.compiler.codegen import Generated
from minigrad.compiler.memory import Plan, nbytes
from minigrad.core.errors import ArgumentError
from minigrad.measure.clock import check_count
from minigrad.measure.comparison import align_rows
from minigrad.static.control.bundle import Bundle
from minigrad.static.feeds import read_feeds
from minigrad.static.program import name_node
from minigrad.static.session import Executable

ROUNDS = 5
ROWS = 20  # of a printed table
AROUND = "feeds, results, new values of variables"


class ProfileRow(NamedTuple):
    """One node of a run: its op and name, the learner's line, how often it was computed (more than
    once in a loop), seconds in all, bytes of memory of its own, seconds from the run's begin, the
    `order` of the program's node that it belongs to, a loop for what it holds, or -1."""

    node: str
    line: str
    calls: int
    seconds: float
    bytes: int
    begun: float
    order: int = -1


class Profile:
    """Rows in the order of running, and `seconds`: how long a run takes that nobody looks at.

    `plan` is the memory plan of the program that ran.
    """

    def __init__(self, rows: list[ProfileRow], seconds: float, plan: Plan | None = None) -> None:
        self.rows, self.seconds, self.plan = rows, seconds, plan

    @property
    def together(self) -> float:
        """The seconds of all rows."""
        return sum(row.seconds for row in self.rows)

    def by_line(self) -> dict[str, float]:
        """{the learner's line: seconds of all that it made}, the slowest first."""
        found: dict[str, float] = {}
        for row in self.rows:
            found[row.line] = found.get(row.line, 0.0) + row.seconds
        return dict(sorted(found.items(), key=lambda pair: -pair[1]))

    def __str__(self) -> str:
        slowest = sorted(self.rows, key=lambda row: -row.seconds)
        cells = [("node", "line", "times", "ms", "share", "KiB")]
        for row in slowest[:ROWS]:
            share = f"{row.seconds / max(self.together, 1e-12):.0%}"
            ms, kib = f"{row.seconds * 1e3:.3f}", f"{row.bytes / 1024:,.1f}" if row.bytes else "·"
            cells.append((row.node, row.line, f"{row.calls:,}", ms, share, kib))
        lines = align_rows(cells, words=2)
        if len(slowest) > ROWS:
            lines.append(f"… and {len(slowest) - ROWS} more: see .rows")
        whole = f"{self.together * 1e3:.3f} ms in all; a run without clocks: "
        return "\n".join([*lines, f"{whole}{self.seconds * 1e3:.3f} ms"])

    __repr__ = __str__


class LineClock:
    """Adds up, for each line of a program, the seconds since the line before it was done."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.begin()

    def begin(self) -> None:
        """Set all to zero."""
        self.calls, self.seconds = [0] * self.count, [0.0] * self.count
        self.begun: list[float | None] = [None] * self.count
        self.start = self.last = perf_counter()

    def tick(self, place: int) -> None:
        """The line at `place` is done; what this call itself takes does not count."""
        now = perf_counter()
        if self.begun[place] is None:
            self.begun[place] = self.last - self.start
        self.seconds[place] += now - self.last
        self.calls[place] += 1
        self.last = perf_counter()

    def own_seconds(self) -> float:
        """How much of a call is counted all the same: entering and leaving it."""
        empty = LineClock(1)
        found = []
        for _ in range(200):
            before = empty.seconds[0]
            empty.tick(0)
            found.append(empty.seconds[0] - before)
        return min(found)


def profile(executable: Executable, feeds: dict | None = None, rounds: int = ROUNDS) -> Profile:
    """Run `executable` with fed values, {node: value}, and measure its Profile.

    Runs it 2·`rounds` times, by turns as it is and with a clock after each line of its `source`;
    the rows are those of the middle one. Variables, and the number of runs, are as before
    afterwards; what runs would print is not printed. Raises ArgumentError for a backend whose
    program is not Python's lines.

    >>> with mg.Graph() as graph:
    ...     x = mg.placeholder("x", (2,))
    ...     y = mg.exp(x)
    >>> executable = mg.Session(graph).compile(y, [x])
    >>> len(mg.measure.profile(executable, {x: [1.0, 2.0]}).rows) > 0
    True
    """
    check_count("profile", rounds=rounds)
    runner = executable.runner
    if not isinstance(runner, Generated) or getattr(runner, "machine", None) is not None:
        message = f"profile: backend {executable.session.options.backend!r} runs no lines of Python"
        raise ArgumentError(message, 'use Session(backend="codegen"), with rules="safe"')
    arrays = feeds_in_order(executable, {} if feeds is None else feeds)
    program = {id(node): node.order for node in executable.plan.order}
    places, clock, clocked = clocked_function(runner, program)
    plain, measured = [], []
    with executable.session.lock, contextlib.redirect_stdout(io.StringIO()):
        values, runs = executable.session.state()
        try:
            for _ in range(rounds):
                begun = perf_counter()
                executable(*arrays)
                plain.append(perf_counter() - begun)
                with runner.replace_function(clocked):
                    clock.begin()
                    executable(*arrays)
                    clock.tick(len(places))
                measured.append((sum(clock.seconds), clock.seconds, clock.calls, clock.begun))
        finally:
            executable.session.restore(values, runs)
    middle = sorted(measured, key=lambda one: one[0])[len(measured) // 2][1:]
    rows = rows_of_lines(executable, places, middle, clock.own_seconds())
    return Profile(rows, statistics.median(plain), executable.plan)


def feeds_in_order(executable, feeds):
    """The fed arrays as the Executable takes them. Raises ArgumentError for missing ones."""
    found = read_feeds(feeds, executable.session.graph)
    wanted = [node.order for node in executable.feeds]
    if sorted(found) != sorted(wanted):
        names = ", ".join(map(name_node, executable.feeds))
        raise ArgumentError(
            "profile: the feeds are not those that the program was compiled for",
            f"feed {names or 'nothing'}",
        )
    return [found[order] for order in wanted]


def clocked_function(runner, program):
    """((node, order of the program's node that it is, or is in) of each place, or (None, -1); the
    LineClock; the runner's function with its ticks)."""
    places, lines, order = [], [], -1
    source = runner.source.split("\n")
    for number, text in enumerate(source, 1):
        lines.append(text)
        node, *_ = runner.nodes.get(number, (None,))
        order = program.get(id(node), order)
        after = source[number] if number < len(source) else ""
        indent = text[: len(text) - len(text.lstrip())]
        ends = text.lstrip().startswith(("return", "break", "continue", "def ", "#"))
        if ends or not text.strip() or after.startswith(f"{indent} "):
            continue
        lines.append(f"{indent}tick_({len(places)})")
        places.append((node, -1 if node is None else order))
    clock = LineClock(len(places) + 1)
    space = {**runner.function.__globals__, "tick_": clock.tick}
    exec(compile("\n".join(lines), runner.filename, "exec"), space)
    return places, clock, space["run"]


def rows_of_lines(executable, places, middle, own):
    """A ProfileRow for each node, in the order of running, and one for all that is no node's."""
    found = {}
    for place, seconds, calls, begun in zip([*places, (None, -1)], *middle):
        if calls:
            times = found.setdefault(place, [0.0, 0, begun])
            times[0] += max(0.0, seconds - calls * own)
            times[1] = max(times[1], calls)
    values, rows = executable.plan.values, []
    for (node, order), (seconds, calls, begun) in found.items():
        if node is None:
            rows.append(ProfileRow(AROUND, "", calls, seconds, 0, begun))
        else:
            words = f"{node.op!r} {node.name}" if node.name else f"{node.op!r}"
            place = str(node.line or ""), calls, seconds, own_bytes(node, values), begun
            rows.append(ProfileRow(words, *place, order))
    return sorted(rows, key=lambda row: row.begun)


def own_bytes(node, values):
    """The bytes of a node's value, 0 where it lies in the memory of another one."""
    if isinstance(node.dtype, Bundle) or None in node.shape:
        return 0
    shared = node.order in values and values[node.order].base != node.order
    return 0 if shared or not isinstance(node.dtype, np.dtype) else nbytes(node)
