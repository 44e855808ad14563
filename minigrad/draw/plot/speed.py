"""The plot of a comparison: time against size with its ratios below, or a row per contender."""

from math import log10

from minigrad.draw.plot.axes import (
    CARD,
    INK,
    QUIET,
    SERIES,
    SMALL,
    about,
    digits,
    line_labels,
    log_ticks,
    note,
    paper,
    seconds_text,
)
from minigrad.errors import ArgumentError


def speed(*comparisons, title=""):
    """Plot measure.compare's results: medians and quartiles; returns (fig, axes).

    With sizes: time against size, log-log, above time / reference, where a ring marks the size at
    which both take as long. Without: a row per contender. Of several comparisons, one per
    process, all rounds are taken together, and whiskers span the processes' medians.
    """
    check(comparisons)
    names = list(comparisons[0].seconds)
    colours = dict(zip(names, (SERIES[at % len(SERIES)] for at in range(len(names))), strict=True))
    draw = by_size if comparisons[0].sizes else by_name
    return draw(comparisons, colours, title)


def check(comparisons):
    """Refuse what is no comparison, or comparisons of different things."""
    if not comparisons or not all(
        hasattr(c, "seconds") and hasattr(c, "sizes") for c in comparisons
    ):
        raise ArgumentError("plot.speed: nothing compared", "speed(measure.compare({...}))")
    first = comparisons[0]
    for other in comparisons[1:]:
        same = list(other.seconds) == list(first.seconds) and other.reference == first.reference
        if not same or list(other.sizes) != list(first.sizes):
            raise ArgumentError(
                "plot.speed: the comparisons differ in names, sizes or reference",
                "repeat the same comparison in each process",
            )


def pooled(comparisons):
    """All rounds of all processes as one comparison."""
    first = comparisons[0]
    places = range(len(first.sizes) or 1)
    seconds = {
        name: [[s for c in comparisons for s in c.seconds[name][at]] for at in places]
        for name in first.seconds
    }
    return first._replace(seconds=seconds)


def key(comparisons, quartiles):
    """What the marks mean, and how busy the machine was."""
    more = f"; whiskers: {len(comparisons)} processes" if len(comparisons) > 1 else ""
    loads = [c.load for c in comparisons if c.load is not None]
    busy = f"; load {digits(max(loads))} per core" if loads else ""
    return f"median, {quartiles}: quartiles{more}{busy}"


# against size ------------------------------------------------------------------------------------


def by_size(comparisons, colours, title):
    """Two panels over the sizes."""
    whole = pooled(comparisons)
    with paper([2.8, 1.7]) as (fig, (ax, below)):
        ax.set(xscale="log", yscale="log", ylabel="time per call", title=title)
        below.set(
            xscale="log",
            yscale="log",
            xlabel=f"size · line: {key(comparisons, 'band')}",
            ylabel=f"time / {whole.reference}",
        )
        below.axhline(1, color=QUIET, linewidth=1.1, linestyle=(0, (4, 3)))
        for name, colour in colours.items():
            places = range(len(whole.sizes))
            band(ax, whole.sizes, [whole.time(name, at) for at in places], colour, name)
            whiskers(
                ax,
                whole.sizes,
                [[c.time(name, at).median for c in comparisons] for at in places],
                colour,
            )
            if name != whole.reference:
                band(below, whole.sizes, [whole.ratio(name, at) for at in places], colour, name)
                whiskers(
                    below,
                    whole.sizes,
                    [[c.ratio(name, at).median for c in comparisons] for at in places],
                    colour,
                )
                crossings(below, whole, name, colour)
        ends = [
            (whole.sizes[-1], whole.time(name, -1).median, name, colour)
            for name, colour in colours.items()
        ]
        fig.draw_without_rendering()
        line_labels(ax, ends)
        log_ticks(ax.yaxis, seconds_text, decades(ax))
        log_ticks(below.yaxis, digits, decades(below))
        log_ticks(below.xaxis, "{:,.0f}".format, 9)
    return fig, [ax, below]


def band(ax, sizes, spreads, colour, name):
    """A line of medians with its quartiles around it."""
    ax.fill_between(
        sizes,
        [s.low for s in spreads],
        [s.high for s in spreads],
        color=colour,
        alpha=0.2,
        linewidth=0,
    )
    ax.plot(sizes, [s.median for s in spreads], color=colour, marker="o", markersize=3, label=name)


def whiskers(ax, sizes, medians, colour):
    """From the lowest to the highest median of the processes, where there are several."""
    for size, found in zip(sizes, medians, strict=True):
        if len(found) > 1:
            ax.plot(
                [size, size],
                [min(found), max(found)],
                color=colour,
                linewidth=1,
                marker="_",
                markersize=5,
            )


def crossings(ax, whole, name, colour):
    """A ring and the size wherever both take as long; the words stand beside the line."""
    rises = whole.ratio(name, -1).median > whole.ratio(name, 0).median
    for size in whole.crossovers(name):
        ax.plot(size, 1, "o", color=colour, markerfacecolor=CARD, markersize=6)
        note(ax, f"equal at {about(size)}", (size, 1), xytext=(6, -12 if rises else 5))


def decades(ax):
    """How many powers of ten the height of an axis spans."""
    low, high = ax.get_ylim()
    return log10(high / low)


# without sizes -----------------------------------------------------------------------------------


def by_name(comparisons, colours, title):
    """A row per contender: its median, its quartiles, its ratio in words."""
    whole, names = pooled(comparisons), list(colours)
    with paper([0.9 + 0.34 * len(names)]) as (fig, (ax,)):
        for row, (name, colour) in enumerate(colours.items()):
            time, ratio = whole.time(name), whole.ratio(name)
            medians = [c.time(name).median for c in comparisons]
            if len(medians) > 1:
                ax.plot(
                    [min(medians), max(medians)],
                    [row, row],
                    color=colour,
                    linewidth=1,
                    marker="|",
                    markersize=7,
                )
            ax.plot(
                [time.low, time.high],
                [row, row],
                color=colour,
                linewidth=7,
                alpha=0.35,
                solid_capstyle="butt",
            )
            ax.plot(time.median, row, "o", color=colour, markersize=5, label=name)
            words = "reference" if name == whole.reference else f"{digits(ratio.median)} ×"
            ax.annotate(
                f"{seconds_text(time.median)} · {words}",
                (1, row),
                (6, 0),
                va="center",
                xycoords=ax.get_yaxis_transform(),
                textcoords="offset points",
                color=INK,
                fontsize=SMALL,
                annotation_clip=False,
            )
        ax.set(
            xscale="log",
            ylim=(len(names) - 0.5, -0.5),
            title=title,
            xlabel=f"time per call · dot: {key(comparisons, 'bar')}",
        )
        ax.set_yticks(range(len(names)), names)
        ax.tick_params(axis="y", length=0)
        low, high = ax.get_xlim()
        log_ticks(ax.xaxis, seconds_text, log10(high / low))
    return fig, ax
