"""The plot of lives: live memory by step above a row for every buffer, or for every array."""

from typing import Any, NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw.layout.boxes import text_width
from minigrad.draw.look import BUFFERS, ROLES
from minigrad.draw.modes.plan import buffer_words
from minigrad.draw.plot.axes import INK, SMALL, name_rows, paper, without_number
from minigrad.draw.plot.memory import levels_of, panel
from minigrad.draw.read import bytes_text
from minigrad.draw.scene import SIGNS

ROW = 0.28  # inches
NAMED = 40  # rows: above it they are thin and bear no names
KINDS = {"value": BUFFERS[0], "adjoint": BUFFERS[1], "tangent": ROLES["tangent"].colours()}


class LifeRow(NamedTuple):
    """One row: its label, its colours, its bars as (first step, last step, text)."""

    label: str
    stroke: str
    fill: str
    bars: list


def lifetimes(plan: Any, title: str = "", turn: int | None = None) -> tuple:
    """Plot live bytes by step, and below it what lives from which step to which.

    `plan` is a memory plan, or an Executable that has one: a row per buffer, where the values of
    one bar overwrite each other in place; `turn` as in `memory`. Or it is a trace: then a row per
    array that nobody planned. Returns (fig, [ax, ax]).

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


def rows_of(thing):
    """The Rows of a plan's buffers or of a trace's arrays. Raises ArgumentError for others."""
    if hasattr(thing, "buffers"):
        bars = [
            [(x.first, x.last, " → ".join(map(without_number, x.values))) for x in b.lives]
            for b in thing.buffers
        ]
        found = [buffer_row(b.number, b.bytes, bar) for b, bar in zip(thing.buffers, bars)]
    elif hasattr(thing, "lives"):
        found = rows_of_lives(thing.lives)
    else:
        raise ArgumentError(
            f"plot.lifetimes: {type(thing).__name__} has no buffers",
            "pass executable.plan, from session.compile(fetches, feeds), or a trace",
        )
    if not found:
        raise ArgumentError(
            "plot.lifetimes: no buffers, because all values are fed, fetched or single numbers",
            "plan a computation on arrays",
        )
    return found


def rows_of_lives(lives):
    """A Row per buffer where a plan gave them, else a Row per array, in its kind's colours."""
    if any(life.buffer for life in lives):
        bars, size = {}, {}
        for life in lives:
            number = int(life.buffer[1:])
            size[number] = max(size.get(number, 0), life.bytes)
            bars.setdefault(number, []).append((life.first, life.last, life.name))
        return [buffer_row(number, size[number], bars[number]) for number in sorted(bars)]
    names = [f"{SIGNS.get(x.kind, str)(x.name)} · {bytes_text(x.bytes)}" for x in lives]
    bars = [[(life.first, life.last, "")] for life in lives]
    return [LifeRow(name, *KINDS[x.kind], bar) for name, x, bar in zip(names, lives, bars)]


def buffer_row(number, size, bars):
    """The Row of a buffer, in the colours of the drawings."""
    return LifeRow(buffer_words(number, size), *BUFFERS[number % len(BUFFERS)], bars)


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
