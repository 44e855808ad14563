"""What a comparison of functions found: seconds per call, ratios to one of them, crossovers."""

import math
import statistics
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw import plot
from minigrad.draw.plot.axes import about, seconds_text, three_digits
from minigrad.measure.winners import Winners, find_winners

RUNS = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)  # of a map


class Spread(NamedTuple):
    """A median between its quartiles."""

    low: float
    median: float
    high: float

    def holds(self, number: float) -> bool:
        """Whether a number lies between the quartiles: of a ratio 1, where nothing differs."""
        return self.low <= number <= self.high


def spread_of(values: Sequence[float]) -> Spread:
    """The Spread of at least two numbers."""
    return Spread(*statistics.quantiles(values, n=4, method="inclusive"))


class Comparison(NamedTuple):
    """Seconds per call of several contenders, taken by turns in one process.

    `seconds` maps a name to one list per size (one list when there are no sizes), each of one
    number per round; `load` is how busy the machine was at the start, as running programs per
    core, or None where the system does not tell; `first` maps a name to the seconds from preparing
    its work to its first result, a median for each size (none when there are no sizes). All of it
    is plain data: `_asdict()` can be written as JSON, and Comparison(**data) reads it again.
    """

    reference: str
    sizes: tuple
    seconds: dict[str, list[list[float]]]
    load: float | None
    first: dict[str, list[float]] = {}

    def time(self, name: str, at: int = 0) -> Spread:
        """The Spread of seconds per call, at the size of that place."""
        return spread_of(self.seconds[name][at])

    def ratio(self, name: str, at: int = 0) -> Spread:
        """The Spread of time / time of the reference, taken round by round: load cancels out."""
        pairs = zip(self.seconds[name][at], self.seconds[self.reference][at], strict=True)
        return spread_of([own / other for own, other in pairs])

    def crossovers(self, name: str) -> list[float]:
        """The sizes at which `name` becomes faster or slower than the reference.

        A size where 1 lies between the quartiles of the ratio decides nothing: no difference was
        measured. Between two measured sizes the ratio is taken as a power of the size.
        """
        ratios = [self.ratio(name, at) for at in range(len(self.sizes))]
        decided = [at for at, ratio in enumerate(ratios) if not ratio.holds(1)]
        logs = [(math.log(n), math.log(r.median)) for n, r in zip(self.sizes, ratios, strict=True)]
        return [
            math.exp(middle_zero(logs[i : j + 1]))
            for i, j in pairwise(decided)
            if (ratios[i].median < 1) != (ratios[j].median < 1)
        ]

    def winners(self, runs: Sequence[int] = RUNS, among: Sequence[str] | None = None) -> Winners:
        """The map of size and number of runs: who has all results first, compiling counted.

        Only the contenders in `among` take part; None: all. Raises ArgumentError for a
        comparison without sizes, or with one contender alone.
        """
        if among is not None:
            kept = {name: self.seconds[name] for name in self.seconds if name in among}
            return self._replace(seconds=kept).winners(runs)
        if not self.sizes or not self.first or len(self.seconds) < 2:
            message = "winners: the map needs two contenders, and sizes"
            raise ArgumentError(message, "compare({...}, sizes=[10, 1000, 100_000]).winners()")
        if not runs or runs[0] < 1 or any(a >= b for a, b in pairwise(runs)):
            raise ArgumentError(f"winners: runs={runs!r}", "give rising numbers: [1, 100, 10_000]")
        return find_winners(self, tuple(runs))

    def figure(self, title: str = "") -> tuple[Any, Any]:
        """(fig, axes): the plot of this comparison; see mg.plot.speed."""
        return plot.speed(self, title=title)

    @property
    def table(self) -> str:
        """The comparison as text: a row per contender and size, then how it was measured."""
        rows = [self.row(name, at) for at in range(len(self.sizes) or 1) for name in self.seconds]
        head = ["size"] * bool(self.sizes) + ["", "median", "quartiles", "ratio", "quartiles"]
        lines = align_rows([head, *rows])
        lines += [
            f"{name} takes as long as {self.reference} at a size of about {about(n)}"
            for name in self.seconds
            for n in self.crossovers(name)
        ]
        return "\n".join([*lines, self.note()])

    def row(self, name: str, at: int) -> list[str]:
        """The cells of one row."""
        time, ratio = self.time(name, at), self.ratio(name, at)
        size = [f"{self.sizes[at]:,}"] if self.sizes else []
        around = f"{three_digits(ratio.low)} – {three_digits(ratio.high)}"
        measured = (
            seconds_text(time.median),
            f"{seconds_text(time.low)} – {seconds_text(time.high)}",
        )
        last = "reference" if name == self.reference else around
        return [*size, name, *measured, three_digits(ratio.median), last]

    def note(self) -> str:
        """How many rounds, and the load."""
        rounds = len(self.seconds[self.reference][0])
        load = "not known" if self.load is None else f"{self.load:.2f} per core"
        return f"{rounds} rounds by turns, ratios round by round; load of the machine {load}"

    def __repr__(self) -> str:
        return self.table


def middle_zero(points):
    """Where the line through points (x, y) meets y = 0; of several places the middle one."""
    zeros = [
        x + (z - x) * y / (y - w)
        for (x, y), (z, w) in pairwise(points)
        if y != w and min(y, w) <= 0 <= max(y, w)
    ]
    return zeros[len(zeros) // 2]


def align_rows(rows: Sequence[Sequence[str]], words: int | None = None) -> list[str]:
    """Lines with the columns below one another; those behind the first `words` end together."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if words is None or at < words else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
