"""What all plots share: matplotlib's style, axes with units of bytes, labels on the lines."""

from contextlib import contextmanager
from itertools import pairwise

from minigrad.draw.look import BUFFERS, LIGHT
from minigrad.errors import ArgumentError

INK, CARD, RIM, QUIET = LIGHT["ink"], LIGHT["card"], LIGHT["rim"], "#6B7785"
SERIES = tuple(stroke for stroke, _ in BUFFERS)
WIDTH = 6.4  # inches
SMALL = 8  # points
STYLE = {
    "font.family": "DejaVu Sans", "font.size": 9, "text.color": INK, "axes.labelcolor": INK,
    "xtick.color": RIM, "ytick.color": RIM, "xtick.labelcolor": INK, "ytick.labelcolor": INK,
    "xtick.labelsize": SMALL, "ytick.labelsize": SMALL, "axes.edgecolor": RIM,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "axes.titlelocation": "left", "axes.titlesize": 10, "axes.titleweight": "bold",
    "figure.facecolor": CARD, "axes.facecolor": CARD, "grid.color": "#E4E8EC",
    "lines.linewidth": 1.8, "lines.solid_capstyle": "round", "figure.constrained_layout.use": True,
}


@contextmanager
def paper(heights, share_x=True):
    """(fig, list of axes below one another), in the style of the course; heights in inches."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ArgumentError("plot: the package matplotlib is not installed",
                            "pip install matplotlib") from None
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(
            len(heights), figsize=(WIDTH, sum(heights)), height_ratios=heights, squeeze=False,
            sharex=share_x)
        for ax in axes[:, 0]:
            ax.grid(axis="y")
        try:
            yield fig, axes[:, 0]
        except BaseException:
            plt.close(fig)  # else a notebook would show the half of it
            raise


def line_labels(ax, labels, gap=12):
    """Words in ink beside points of an axis, as (x, y, text, colour), pushed apart vertically.

    Each has a short bar of its line's colour before it.
    """
    heights = spaced([ax.transData.transform((x, y))[1] for x, y, *_ in labels], ax, gap)
    for (x, y, text, colour), height in zip(labels, heights, strict=True):
        shift = height - ax.transData.transform((x, y))[1]
        points = shift * 72 / ax.figure.dpi
        ax.annotate("▬", (x, y), (4, points), textcoords="offset points", color=colour,
                    va="center", fontsize=SMALL, annotation_clip=False)
        ax.annotate(text, (x, y), (16, points), textcoords="offset points", color=INK,
                    va="center", fontsize=SMALL, annotation_clip=False)


def spaced(heights, ax, gap):
    """The heights in pixels, moved up and down so that `gap` points lie between any two."""
    least = gap * ax.figure.dpi / 72
    order = sorted(range(len(heights)), key=heights.__getitem__)
    found = list(heights)
    for below, above in pairwise(order):
        found[above] = max(found[above], found[below] + least)
    shift = sum(found[at] - heights[at] for at in order) / max(1, len(order))
    return [height - shift for height in found]


def note(ax, text, point, **where):
    """A small text in ink at a point."""
    style = {"fontsize": SMALL, "color": INK, "textcoords": "offset points", "xytext": (0, 5)}
    return ax.annotate(text, point, **{**style, **where})


def log_ticks(axis, text, decades):
    """Ticks at powers of ten, over few decades at 2 and 5 times them as well, in plain words."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1,) if decades > 2 else (1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, place: text(value)))
    axis.set_minor_formatter(NullFormatter())
