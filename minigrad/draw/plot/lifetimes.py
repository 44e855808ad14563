"""The plot of lives: live memory by step above a row for every buffer."""

from typing import Any, NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw.layout.boxes import text_width
from minigrad.draw.look import BUFFERS
from minigrad.draw.modes.plan import buffer_words
from minigrad.draw.plot.axes import INK, SMALL, name_rows, paper, without_number
from minigrad.draw.plot.memory import levels_of, panel

ROW = 0.28  # inches
NAMED = 40  # rows: above it they are thin and bear no names


class LifeRow(NamedTuple):
    """One row: its label, its colours, its bars as (first step, last step, text)."""

    label: str
    stroke: str
    fill: str
    bars: list


def lifetimes(plan: Any, title: str = "", turn: int | None = None) -> tuple:
    """Plot live bytes by step, and below it what lives from which step to which.

    `plan` is a memory plan, or an Executable that has one: a row per buffer, where the values of
    one bar overwrite each other in place; `turn` as in `memory`. Returns (fig, [ax, ax]).

    >>> with mg.Graph() as graph:
    ...     y = mg.sum(mg.exp(mg.placeholder("x", (9,))) @ np.ones((9, 9)))
    >>> executable = mg.Session(graph).compile(y, graph.nodes[:1])
    >>> fig, axes = mg.plot.lifetimes(executable.plan)
    """
    rows = rows_of(getattr(plan, "plan", plan))
    with paper([1.9, 0.7 + min(ROW * len(rows), 5.5)]) as (fig, axes):
        panel(axes[0], levels_of(plan, turn))
        axes[0].set_title(title)
        small = len(rows) > NAMED
        thin = 0.4 if small else 1.2
        for at, row in enumerate(rows):
            spans = [(first, last + 1 - first) for first, last, _ in row.bars]
            style = {"facecolor": row.fill, "edgecolor": row.stroke}
            axes[1].broken_barh(spans, (at - 0.38, 0.76), linewidth=thin, **style)
        label_rows(axes[1], rows, small)
        fig.draw_without_rendering()  # the layout, so that names know how wide their bars are
        if not small:
            name_bars(axes[1], rows)
    return fig, axes


def rows_of(plan):
    """The Rows of a plan's buffers. Raises ArgumentError for something else."""
    if not hasattr(plan, "buffers"):
        raise ArgumentError(
            f"plot.lifetimes: {type(plan).__name__} has no buffers",
            "pass executable.plan, from session.compile(fetches, feeds)",
        )
    if not plan.buffers:
        raise ArgumentError(
            "plot.lifetimes: no buffers, because all values are fed, fetched or single numbers",
            "plan a computation on arrays",
        )
    return [buffer_row(buffer) for buffer in plan.buffers]


def buffer_row(buffer):
    """The Row of a buffer, in the colours of the drawings."""
    bars = [
        (life.first, life.last, " → ".join(map(without_number, life.values)))
        for life in buffer.lives
    ]
    colours = BUFFERS[buffer.number % len(BUFFERS)]
    return LifeRow(buffer_words(buffer.number, buffer.bytes), *colours, bars)


def label_rows(ax, rows, small):
    """A label per row, or their number."""
    ax.set(ylim=(len(rows) - 0.4, -0.6), xlabel="step")
    ax.grid(visible=False)
    if small:
        ax.set_ylabel(f"{len(rows):,} rows")
        ax.set_yticks([])
    else:
        name_rows(ax, [row.label for row in rows])


def name_bars(ax, rows):
    """The words in each bar, shortened to fit, or left out."""
    per_step = abs(ax.transData.transform((1, 0)) - ax.transData.transform((0, 0)))[0]
    points = per_step * 72 / ax.figure.dpi
    style = {"color": INK, "fontsize": SMALL, "clip_on": True}
    for at, row in enumerate(rows):
        for first, last, text in row.bars:
            text = fit_bar(text, (last + 1 - first) * points - 6)
            ax.text((first + last + 1) / 2, at, text, ha="center", va="center", **style)


def fit_bar(text, room):
    """The text, cut with an ellipsis to `room` points; nothing where not even two letters fit."""
    wide = 1.15 * SMALL  # matplotlib's letters are wider than the drawings'
    while text and text_width(text, wide) > room:
        text = text[:-2] + "…" if len(text) > 3 else ""
    return text
