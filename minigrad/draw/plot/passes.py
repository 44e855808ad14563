"""The plot of what compiling costs, step by step, and after how many runs it has paid."""

from math import ceil

from minigrad.draw.plot.axes import (
    CARD,
    INK,
    SECONDS,
    SERIES,
    SMALL,
    line_labels,
    note,
    paper,
    seconds_text,
)
from minigrad.errors import ArgumentError


def passes(compiling, before, after, title=""):
    """Plot the time of each step of compiling above total time by number of runs.

    compiling   {step: seconds}, from measure.compiling(executable)
    before      seconds of a run without compiling, and `after` of one with it
    Returns (fig, [ax, ax]). Where the lines meet, compiling has paid.
    """
    check(compiling, before, after)
    total = sum(compiling.values())
    with paper([0.6 + 0.22 * len(compiling), 2.3], share_x=False) as (fig, (ax, below)):
        bars(ax, compiling, total)
        ax.set_title(title)
        totals(below, total, before, after)
        fig.draw_without_rendering()
        ends = [
            (line.get_xdata()[-1], line.get_ydata()[-1], line.get_label(), line.get_color())
            for line in below.get_lines()[:2]
        ]
        line_labels(below, ends)
    return fig, [ax, below]


def check(compiling, before, after):
    """Refuse what is no time."""
    if not hasattr(compiling, "values") or not compiling:
        raise ArgumentError(
            "plot.passes: no steps of compiling", "pass measure.compiling(executable)"
        )
    if min(*compiling.values(), before, after) < 0 or not before or not after:
        raise ArgumentError(
            "plot.passes: a time is not positive", "pass seconds, such as measure.time(run)"
        )


def bars(ax, compiling, total):
    """A bar per step, in the order in which they are taken, with time and share."""
    unit, word = next((u for u in SECONDS if max(compiling.values()) >= u[0]), SECONDS[-1])
    names = list(compiling)
    ax.barh(
        range(len(names)), [compiling[name] / unit for name in names], height=0.7, color=SERIES[0]
    )
    for row, name in enumerate(names):
        text = f"{seconds_text(compiling[name])} · {compiling[name] / total:.0%}"
        ax.annotate(
            text,
            (compiling[name] / unit, row),
            (4, 0),
            textcoords="offset points",
            va="center",
            color=INK,
            fontsize=SMALL,
            annotation_clip=False,
        )
    ax.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False)
    ax.set(ylim=(len(names) - 0.5, -0.5), xlabel=f"{word} of {seconds_text(total)} in all")


def totals(ax, total, before, after):
    """Time by number of runs, without and with compiling; a ring where compiling has paid."""
    paid = None if after >= before else total / (before - after)
    runs = 2 * total / after if paid is None else 2 * paid
    unit, word = next((u for u in SECONDS if runs * before >= u[0]), SECONDS[-1])
    ax.plot([0, runs], [0, runs * before / unit], color=SERIES[1], label="without")
    ax.plot(
        [0, runs], [total / unit, (total + runs * after) / unit], color=SERIES[0], label="compiled"
    )
    ax.set(xlim=(0, runs), xlabel="runs", ylabel=f"time in all, {word}")
    ax.set_ylim(0)
    if paid is not None:
        ax.plot(paid, paid * before / unit, "o", color=INK, markerfacecolor=CARD, markersize=6)
        note(
            ax,
            f"paid after {ceil(paid):,} runs",
            (paid, paid * before / unit),
            ha="right",
            xytext=(-6, 4),
        )
    else:
        note(
            ax,
            "never paid: a run is not faster",
            (1, 0),
            xycoords="axes fraction",
            ha="right",
            xytext=(-6, 6),
        )
