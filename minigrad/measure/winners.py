"""Who is first: the quickest contender for each size and number of runs, compiling counted."""

from collections import Counter
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from minigrad.draw import plot

NOBODY = "no difference"
CLOSE = 1.1  # times the quickest: what takes less than that is not told apart


class Winners(NamedTuple):
    """The map of a Comparison by size: who has all results of so many runs first.

    The time of r runs is that to the first result, in which compiling is counted, and r - 1 times
    that of a later call. `rows` holds for each number of `runs` a name per size, or NOBODY where
    another takes less than a tenth more, or where the quartiles of two of them meet.
    """

    sizes: tuple
    runs: tuple
    rows: tuple

    def at(self, size: float, runs: int) -> str:
        """Who is first with so many runs at a size, both of them among those of the map."""
        return self.rows[self.runs.index(runs)][self.sizes.index(size)]

    @property
    def names(self) -> list[str]:
        """Those who are first somewhere, the most frequent one first; NOBODY is none of them."""
        found = Counter(name for row in self.rows for name in row if name != NOBODY)
        return [name for name, _ in found.most_common()]

    @property
    def sentences(self) -> list[str]:
        """Who is first with the fewest runs, who with the most, and where nobody is."""
        last, since = self.rows[-1], map(self.since, range(len(self.sizes)))
        led = [
            f"{runs:,} at {size_text(size)}"
            for name, runs, size in zip(last, since, self.sizes, strict=True)
            if name != NOBODY
        ]
        nobody = sum(row.count(NOBODY) for row in self.rows)
        return [
            f"One run: {self.words_of(self.rows[0])}."
            if self.runs[0] == 1
            else f"{self.runs[0]:,} runs: {self.words_of(self.rows[0])}.",
            f"{self.runs[-1]:,} runs: {self.words_of(last)}"
            + (f", and so from this number of runs on: {', '.join(led)}." if led else "."),
            f"No difference in {nobody} of {len(self.rows) * len(self.sizes)} fields: "
            f"two are within {100 * (CLOSE - 1):.0f} %, or their quartiles meet.",
        ]

    def words_of(self, row: tuple) -> str:
        """A row in words: each name with its range of sizes."""
        parts = []
        for name, group in groupby(zip(row, self.sizes), key=lambda pair: pair[0]):
            found = [size for _, size in group]
            ends = dict.fromkeys(map(size_text, (found[0], found[-1])))
            verb = "" if name == NOBODY else " is first"
            parts.append(f"{name}{verb} at {' to '.join(ends)}")
        return ", ".join(parts)

    def since(self, at: int) -> int:
        """The number of runs of the map from which the last row's name stays, at a size's place."""
        column = [row[at] for row in self.rows]
        after = [i + 1 for i, (a, b) in enumerate(pairwise(column)) if a != b]
        return self.runs[after[-1] if after else 0]

    def figure(self, title: str = "") -> tuple[Any, Any]:
        """(fig, ax): the map as a picture; see mg.plot.winners."""
        return plot.winners(self, title=title)

    def __repr__(self) -> str:
        return "\n".join(self.sentences)


def find_winners(comparison: Any, runs: tuple) -> Winners:
    """The Winners of a Comparison for rising numbers of runs."""
    places = range(len(comparison.sizes))
    rows = tuple(tuple(find_winner(comparison, at, count) for at in places) for count in runs)
    return Winners(tuple(comparison.sizes), tuple(runs), rows)


def find_winner(comparison, at, runs):
    """Who has the results of so many runs first at a size's place, or NOBODY."""
    totals = {}
    for name in comparison.seconds:
        first, later = comparison.first[name][at], comparison.time(name, at)
        totals[name] = [first + (runs - 1) * seconds for seconds in later]
    best = min(totals, key=lambda name: totals[name][1])
    _, median, high = totals.pop(best)
    meets = any(low <= high or other < CLOSE * median for low, other, _ in totals.values())
    return NOBODY if meets else best


def size_text(size):
    """A size as words: "10,000"."""
    return f"{size:,}"
