"""The plot of a comparison: time against size with its ratios below, or a row per contender."""

from math import log10
from typing import Any

from minigrad.core.errors import ArgumentError
from minigrad.draw.plot.axes import (
    QUIET,
    about,
    beside,
    line_labels,
    log_ticks,
    name_rows,
    note,
    paper,
    ring,
    seconds_text,
    styles_of,
    three_digits,
)

ROW = 11  # points between words below one another


def speed(*comparisons: Any, title: str = "") -> tuple:
    """Plot measure.compare's results: medians and quartiles; returns (fig, axes).

    With sizes: time against size, log-log, above time / reference, where a ring marks the size at
    which both take as long. Without: a row per contender. Of several comparisons, one per
    process, all rounds are taken together, and whiskers span the processes' medians.

    >>> work = {"one": lambda: sum([1]), "two": lambda: sum([2])}
    >>> fig, axes = mg.plot.speed(mg.measure.compare(work, rounds=3))
    """
    check_comparisons(comparisons)
    styles = styles_of(comparisons[0].seconds)
    draw = panels_by_size if comparisons[0].sizes else panel_by_name
    return draw(comparisons, styles, title)


def check_comparisons(comparisons):
    """Refuse what is no comparison, or comparisons of different things."""
    known = all(hasattr(c, "seconds") and hasattr(c, "sizes") for c in comparisons)
    if not comparisons or not known:
        raise ArgumentError(
            "plot.speed: the list of comparisons is empty", "speed(measure.compare({...}))"
        )
    if any(subject(c) != subject(comparisons[0]) for c in comparisons):
        raise ArgumentError(
            "plot.speed: the comparisons differ in names, sizes or reference",
            "repeat the same comparison in each process",
        )


def subject(comparison):
    """What a comparison compares."""
    return list(comparison.seconds), comparison.reference, list(comparison.sizes)


def pool_rounds(comparisons):
    """All rounds of all processes as one comparison."""
    first = comparisons[0]
    places = range(len(first.sizes) or 1)
    seconds = {
        name: [[s for c in comparisons for s in c.seconds[name][at]] for at in places]
        for name in first.seconds
    }
    return first._replace(seconds=seconds)


def legend_text(comparisons, quartiles):
    """What the marks mean, and how busy the machine was."""
    more = f"; whiskers: {len(comparisons)} processes" if len(comparisons) > 1 else ""
    loads = [c.load for c in comparisons if c.load is not None]
    busy = f"; load {three_digits(max(loads))} per core" if loads else ""
    return f"median, {quartiles}: quartiles{more}{busy}"


# against size ------------------------------------------------------------------------------------


def panels_by_size(comparisons, styles, title):
    """Two panels over the sizes."""
    whole = pool_rounds(comparisons)
    with paper([2.8, 1.7]) as (fig, (ax, below)):
        ax.set(xscale="log", yscale="log", ylabel="time per call", title=title)
        below.set(xscale="log", yscale="log", ylabel=f"time / {whole.reference}")
        below.set_xlabel(f"size · line: {legend_text(comparisons, 'band')}")
        below.axhline(1, color=QUIET, linewidth=1.1, linestyle=(0, (4, 3)))
        for name, style in styles.items():
            plot_spread(ax, comparisons, "time", name, style)
            if name != whole.reference:
                plot_spread(below, comparisons, "ratio", name, style)
        fig.draw_without_rendering()
        crossings(below, whole, styles)
        ends = ((name, whole.time(name, -1).median) for name in styles)
        line_labels(ax, [(whole.sizes[-1], end, name, styles[name]) for name, end in ends])
        log_ticks(ax.yaxis, seconds_text, decades(ax.get_ylim()))
        log_ticks(below.yaxis, three_digits, decades(below.get_ylim()))
        log_ticks(below.xaxis, "{:,.0f}".format, 9)
    return fig, [ax, below]


def plot_spread(ax, comparisons, what, name, style):
    """A line of medians with its quartiles around it; whiskers where there are several processes.

    They reach from the lowest to the highest median. `what` is "time" or "ratio".
    """
    whole, colour = pool_rounds(comparisons), style["color"]
    sizes, places = whole.sizes, range(len(whole.sizes))
    spreads = [getattr(whole, what)(name, at) for at in places]
    low, high = [s.low for s in spreads], [s.high for s in spreads]
    ax.fill_between(sizes, low, high, color=colour, alpha=0.2, linewidth=0)
    medians = [s.median for s in spreads]
    ax.plot(sizes, medians, label=name, **style)
    for at in places if len(comparisons) > 1 else ():
        found = [getattr(c, what)(name, at).median for c in comparisons]
        ends = [sizes[at]] * 2, [min(found), max(found)]
        ax.plot(*ends, color=colour, linewidth=1, marker="_", markersize=5)


def crossings(ax, whole, styles):
    """A ring and the size wherever one takes as long as the reference, from left to right.

    The words stand beside the line, in further rows where they would meet others.
    """
    others = [name for name in styles if name != whole.reference]
    found = sorted((size, name) for name in others for size in whole.crossovers(name))
    ends = {True: [], False: []}  # of the rows' words, in pixels, below and above
    for size, name in found:
        rises = whole.ratio(name, -1).median > whole.ratio(name, 0).median
        ring(ax, (size, 1), styles[name]["color"])
        text = note(ax, f"equal at {about(size)}", (size, 1))
        box = text.get_window_extent()
        row = free_row(ends[rises], ax.transData.transform((size, 1))[0], box.width)
        text.set_position((6, -12 - ROW * row if rises else 5 + ROW * row))


def free_row(ends, start, width):
    """The first row whose words end left of a start in pixels; new words are put there."""
    row = next((row for row, end in enumerate(ends) if end < start), len(ends))
    ends[row : row + 1] = [start + width]
    return row


def decades(limits):
    """How many powers of ten an axis spans."""
    low, high = limits
    return log10(high / low)


# without sizes -----------------------------------------------------------------------------------


def panel_by_name(comparisons, styles, title):
    """A row per contender: its median, its quartiles, its ratio in words."""
    whole, names = pool_rounds(comparisons), list(styles)
    with paper([0.9 + 0.34 * len(names)]) as (fig, (ax,)):
        for row, (name, style) in enumerate(styles.items()):
            colour = style["color"]
            time, medians = whole.time(name), [c.time(name).median for c in comparisons]
            if len(medians) > 1:
                whisker = {"linewidth": 1, "marker": "|", "markersize": 7}
                ax.plot([min(medians), max(medians)], [row, row], color=colour, **whisker)
            box = {"linewidth": 7, "alpha": 0.35, "solid_capstyle": "butt"}
            ax.plot([time.low, time.high], [row, row], color=colour, **box)
            ax.plot(time.median, row, label=name, **style | {"markersize": 6})
            ratio = f"{three_digits(whole.ratio(name).median)} ×"
            text = (
                f"{seconds_text(time.median)} · {'reference' if name == whole.reference else ratio}"
            )
            beside(ax, text, (1, row), (6, 0), xycoords=ax.get_yaxis_transform())
        ax.set(xscale="log", ylim=(len(names) - 0.5, -0.5), title=title)
        ax.set_xlabel(f"time per call · dot: {legend_text(comparisons, 'bar')}")
        name_rows(ax, names)
        log_ticks(ax.xaxis, seconds_text, decades(ax.get_xlim()))
    return fig, ax
