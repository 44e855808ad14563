"""The plot of a profile: a bar for each node, from where it began in the run."""

from typing import Any

from minigrad.core.errors import ArgumentError
from minigrad.draw.modes.profile import heat_of
from minigrad.draw.plot.axes import QUIET, beside, name_rows, paper, seconds_text
from minigrad.draw.read import bytes_text

MOST = 24  # rows
WORDS = 34  # letters of a row's name

AGAIN = (0, (5, 3))  # the dashes of what is computed again and again


def profile(found: Any, title: str = "") -> tuple:
    """Plot what `executable.profile(feeds)` found: time from left to right, the nodes that took
    longest from top to bottom in the order of running, with the bytes of their own.

    Of what a loop computes again and again, a bar is all turns together. Returns (fig, ax).

    >>> with mg.Graph() as graph:
    ...     x = mg.placeholder("x", (2,))
    ...     y = mg.exp(x)
    >>> executable = mg.Session(graph).compile(y, [x])
    >>> fig, ax = mg.plot.profile(executable.profile({x: [1.0, 2.0]}))
    """
    if not hasattr(found, "rows") or not hasattr(found, "together"):
        message = f"plot.profile: {type(found).__name__} is not a profile"
        raise ArgumentError(message, "pass what executable.profile(feeds) returns")
    least = sorted((row.seconds for row in found.rows), reverse=True)[:MOST][-1]
    rows = [row for row in found.rows if row.seconds >= least][:MOST]
    unit, word = (1e-3, "ms") if found.together >= 1e-3 else (1e-6, "µs")
    with paper([0.9 + 0.24 * len(rows)]) as (fig, (ax,)):
        for at, row in enumerate(rows):
            span = (row.begun / unit, row.seconds / unit)
            ax.broken_barh(
                [span], (at - 0.38, 0.76), **bar_style(row, row.seconds / found.together)
            )
            beside(ax, words_of(row), (sum(span), at), (4, 0))
        name_rows(ax, [row_name(row) for row in rows])
        ax.set(ylim=(len(rows) - 0.4, -0.6), xlabel=f"{word} since the run began")
        ax.margins(x=0.25)
        ax.set_xlim(left=0)
        ax.set_title(title or f"{seconds_text(found.together)}, {len(rows)} of {len(found.rows)}")
        ax.grid(visible=False)
    return fig, ax


def row_name(row):
    """What a row is called, cut where that is long."""
    return row.node if len(row.node) <= WORDS else f"{row.node[: WORDS - 1]}…"


def bar_style(row, share):
    """matplotlib's keywords for a bar, as dark as in the drawing of the program.

    What a loop computes again and again is dashed.
    """
    look = {"facecolor": heat_of(share).fill, "edgecolor": QUIET, "linewidth": 0.9}
    return {**look, "linestyle": AGAIN if row.calls > 1 else "-"}


def words_of(row):
    """What stands beside a bar: its time, its turns, its memory."""
    words = [seconds_text(row.seconds)]
    words += [f"{row.calls:,} times"] if row.calls > 1 else []
    words += [bytes_text(row.bytes)] if row.bytes else []
    return " · ".join(words)
