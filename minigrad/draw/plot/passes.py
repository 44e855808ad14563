"""The plot of what compiling costs, step by step, and after how many runs it has paid."""

from collections.abc import Mapping
from math import ceil

from minigrad.core.errors import ArgumentError
from minigrad.draw.plot.axes import (
    INK,
    SECONDS,
    beside,
    line_labels,
    name_rows,
    note,
    paper,
    ring,
    seconds_text,
    style_of,
)
from minigrad.draw.read import unit_of


def passes(compiling: Mapping[str, float], before: float, after: float, title: str = "") -> tuple:
    """Plot the time of each step of compiling above total time by number of runs.

    compiling   {step: seconds}, from measure.compiling(executable)
    before      seconds of a run without compiling, and `after` of one with it
    Returns (fig, [ax, ax]). Where the lines meet, compiling has paid.

    >>> fig, axes = mg.plot.passes({"plan": 1e-3, "code": 2e-3}, before=2e-3, after=1e-3)
    """
    check_times(compiling, before, after)
    total = sum(compiling.values())
    with paper([0.6 + 0.22 * len(compiling), 2.3], share=False) as (fig, (ax, below)):
        plot_bars(ax, compiling, total)
        ax.set_title(title)
        labels = plot_totals(below, total, before, after)
        fig.draw_without_rendering()
        line_labels(below, labels)
    return fig, [ax, below]


def check_times(compiling, before, after):
    """Refuse what is no time."""
    if not hasattr(compiling, "values") or not compiling:
        message, hint = "no steps of compiling", "pass measure.compiling(executable)"
    elif min(*compiling.values(), before, after) < 0 or not before or not after:
        message, hint = "a time is not positive", "pass seconds, such as measure.time(run)"
    else:
        return
    raise ArgumentError(f"plot.passes: {message}", hint)


def plot_bars(ax, compiling, total):
    """A bar per step, in the order in which they are taken, with time and share."""
    unit, word = unit_of(max(compiling.values()), SECONDS)
    names = list(compiling)
    widths = [compiling[name] / unit for name in names]
    ax.barh(range(len(names)), widths, height=0.7, color=style_of("static")["color"])
    for row, (name, width) in enumerate(zip(names, widths)):
        text = f"{seconds_text(compiling[name])} · {compiling[name] / total:.0%}"
        beside(ax, text, (width, row), (4, 0))
    name_rows(ax, [name.replace("_", " ") for name in names])
    ax.grid(visible=False)
    ax.set(ylim=(len(names) - 0.5, -0.5), xlabel=f"{word} of {seconds_text(total)} in all")


def plot_totals(ax, total, before, after):
    """Time by number of runs, without and with compiling; a ring where compiling has paid.

    Returns the names at the ends of the two lines.
    """
    paid = None if after >= before else total / (before - after)
    runs = 2 * total / after if paid is None else 2 * paid
    unit, word = unit_of(runs * before, SECONDS)
    labels = [(runs, runs * before / unit, "without", style_of("dynamic"))]
    labels += [(runs, (total + runs * after) / unit, "compiled", style_of("static"))]
    for start, (_, end, name, style) in zip((0, total / unit), labels):
        ax.plot([0, runs], [start, end], label=name, **style)
    ax.set(xlim=(0, runs), xlabel="runs", ylabel=f"time in all, {word}")
    ax.set_ylim(0)
    if paid is None:
        corner = {"xycoords": "axes fraction", "ha": "right", "xytext": (-6, 6)}
        note(ax, "never paid: a run is not faster", (1, 0), **corner)
    else:
        meet = (paid, paid * before / unit)
        ring(ax, meet, INK)
        note(ax, f"paid after {ceil(paid):,} runs", meet, ha="right", xytext=(-6, 4))
    return labels
