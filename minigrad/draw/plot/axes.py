"""What all plots share: units, matplotlib's style, labels on the lines, a figure as SVG."""

import io
import re
from collections import Counter
from contextlib import contextmanager
from html import unescape
from typing import Any

from minigrad.core.errors import ArgumentError
from minigrad.draw.layout.boxes import text_width
from minigrad.draw.look import (
    BUFFERS,
    DARK,
    DARK_BUFFERS,
    ENGINES,
    FONT,
    HEAT,
    LIGHT,
    ROLES,
    engine_of,
    line_looks,
)
from minigrad.draw.read import SECONDS as SECONDS
from minigrad.draw.read import seconds_text as seconds_text
from minigrad.draw.read import three_digits as three_digits

INK, CARD, RIM, QUIET = (LIGHT[name] for name in ("ink", "card", "rim", "muted"))
GRID = "#E4E8EC"  # lines behind all others
WIDTH = 6.4  # inches
SMALL = 9.6  # points: 13 pixels, which a slide shows 1.8 times as large, as 18 points
PALE = 0.3  # of the way from a colour to its ground
SAMPLE = 18  # points of a short line before its name
STYLE = {
    **dict.fromkeys(("text.color", "axes.labelcolor"), INK),
    **dict.fromkeys(("xtick.labelcolor", "ytick.labelcolor"), QUIET),
    **dict.fromkeys(("xtick.color", "ytick.color", "axes.edgecolor"), RIM),
    **dict.fromkeys(("xtick.labelsize", "ytick.labelsize"), SMALL),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right"), False),
    **dict.fromkeys(("figure.facecolor", "axes.facecolor"), CARD),
    "font.family": "DejaVu Sans",
    "font.size": SMALL,
    "grid.color": GRID,
    "axes.axisbelow": True,
    "axes.titlelocation": "left",
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "lines.linewidth": 1.8,
    "lines.solid_capstyle": "round",
    "figure.constrained_layout.use": True,
}
FAMILY = "font-family: 'DejaVu Sans'[^;\"]*; "  # as matplotlib writes it


def about(size):
    """A size to two digits: "1,300"."""
    return f"{float(f'{size:.2g}'):,.0f}"


def pyplot():
    """matplotlib's module; only plots need it. Raises ArgumentError where it is missing."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        message = "plot: the package matplotlib is not installed"
        raise ArgumentError(message, "pip install matplotlib") from None
    return plt


@contextmanager
def paper(heights, share=True, columns=1):
    """(fig, list of axes below one another), in the style of the course; heights in inches.

    With `columns`, of one height, axes beside one another. What is next to another axis has the
    same x, or y beside it, unless `share` is False.
    """
    plt = pyplot()
    plt.draw_if_interactive()  # set up the backend here: a style would undo part of that
    with plt.rc_context(STYLE):
        sizes = {"figsize": (WIDTH, sum(heights)), "height_ratios": heights}
        shared = {"sharex" if columns == 1 else "sharey": share}
        fig, axes = plt.subplots(len(heights), columns, squeeze=False, **shared, **sizes)
        for ax in axes.flat:
            ax.grid(axis="y")
        try:
            yield fig, axes.ravel()
        except BaseException:
            plt.close(fig)  # else a notebook would show the half of it
            raise
        for ax in axes.flat:
            write_powers(ax.xaxis)
            write_powers(ax.yaxis)


def write_powers(axis):
    """Write the powers of ten of a logarithmic axis as 1e-6: an exponent is a small letter."""
    from matplotlib.ticker import FuncFormatter, LogFormatterSciNotation

    if isinstance(axis.get_major_formatter(), LogFormatterSciNotation):
        axis.set_major_formatter(FuncFormatter(lambda value, place: power_text(value)))


def power_text(value):
    """A power of ten: 1e-6, 0.001, 1000, 1e6."""
    return re.sub(r"e([+-])0*", lambda found: f"e{found[1].strip('+')}", f"{value:.4g}")


# lines -------------------------------------------------------------------------------------------


def style_of(name: str, **more: Any) -> dict:
    """Return matplotlib's keywords for the line of an engine, the same in all plots.

    `name` is "dynamic", "static", "by hand", "torch", "tensorflow", "jax", "reverse" or "forward",
    or begins with one of them, as in "static, planned"; `more` are keywords in place of these.

    >>> sorted(mg.plot.style_of("static"))
    ['color', 'linestyle', 'marker', 'markersize']
    """
    if engine_of(name) is None:
        message = f"plot.style_of: no engine is called {name!r}"
        raise ArgumentError(message, f"use one of {', '.join(ENGINES)}")
    return line_style(ENGINES[engine_of(name)]) | more


def styles_of(names):
    """{name: matplotlib's keywords for its line} of all lines of one plot."""
    return {name: line_style(look) for name, look in line_looks(list(names)).items()}


def line_style(look):
    """matplotlib's keywords for a LineLook."""
    dash = "-" if look.dash == "none" else (0, tuple(map(float, look.dash.split())))
    return {"color": look.colour, "linestyle": dash, "marker": look.marker, "markersize": 4}


def paler(colour, ground=CARD):
    """A colour on its way to the ground: that of a second line of one engine."""
    pairs = ((int(colour[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in range(1, 7, 2))
    return "#" + "".join(f"{round(own + PALE * (to - own)):02X}" for own, to in pairs)


def line_labels(ax, labels):
    """Words in ink beside points of an axis, as (x, y, text, style), pushed apart vertically.

    Each has a piece of its line before it, with its colour, dash and marker.
    """
    points = [ax.transData.transform((x, y))[1] * 72 / ax.figure.dpi for x, y, *_ in labels]
    tall = [1.3 * SMALL * (1 + text.count("\n")) for *_, text, _ in labels]
    for (x, y, text, style), at, to in zip(labels, points, space_labels(points, tall), strict=True):
        sample_line(ax, (x, y), (4, to - at), style)
        beside(ax, text, (x, y), (SAMPLE + 8, to - at))


def sample_line(ax, point, offset, style):
    """A short piece of a line beside a point, also outside the axes."""
    from matplotlib.lines import Line2D
    from matplotlib.offsetbox import AnnotationBbox, DrawingArea

    area = DrawingArea(SAMPLE, 8)
    line = {"linewidth": 1.6, "marker": "", **style, "markevery": [1]}
    area.add_artist(Line2D([0, SAMPLE / 2, SAMPLE], [4, 4, 4], **line))
    where = {"xycoords": "data", "boxcoords": "offset points", "box_alignment": (0, 0.5)}
    look = {"frameon": False, "pad": 0, "annotation_clip": False}
    ax.add_artist(AnnotationBbox(area, point, xybox=offset, **where, **look))


def space_labels(centres, tall):
    """The centres of labels moved up so that none overlaps another, then all down by the mean."""
    found, end = list(centres), float("-inf")
    for at in sorted(range(len(centres)), key=centres.__getitem__):
        found[at] = max(centres[at], end + tall[at] / 2)
        end = found[at] + tall[at] / 2
    shift = (sum(found) - sum(centres)) / max(1, len(found))
    return [centre - shift for centre in found]


def without_number(value):
    """What a plan calls a value, without the number that it has in the program's text."""
    return re.sub(r"^%\d+ ", "", value)


def note(ax, text, point, **where):
    """A small text in ink at a point."""
    style = {"fontsize": SMALL, "color": INK, "textcoords": "offset points", "xytext": (0, 5)}
    return ax.annotate(text, point, **{**style, **where})


def beside(ax, text, point, offset, colour=INK, **where):
    """A small text beside a point, in the middle of its height, also outside the axes."""
    where |= {"xytext": offset, "color": colour, "va": "center", "annotation_clip": False}
    return note(ax, text, point, **where)


def ring(ax, point, colour):
    """A ring around a point of a line of that colour."""
    ax.plot(*point, "o", color=colour, markerfacecolor=CARD, markersize=6)


def name_rows(ax, names):
    """A row per name, the first on top."""
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0)


def log_ticks(axis, text, decades):
    """Ticks at powers of ten, over few decades at 2 and 5 times them as well, in plain words."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1,) if decades > 2 else (1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, place: text(value)))
    axis.set_minor_formatter(NullFormatter())


def figure_svg(fig):
    """The SVG text of a figure, without dates and random names; closes the figure.

    Its letters are those of drawings: in the reader's fonts, and as wide as in ours.
    """
    import matplotlib

    buffer = io.StringIO()
    settings = {"svg.hashsalt": "minigrad", "svg.fonttype": "none"}
    with matplotlib.rc_context(settings):
        fig.savefig(buffer, format="svg", metadata={"Date": None})
    pyplot().close(fig)
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", buffer.getvalue(), flags=re.DOTALL)
    text = texts_as_drawn(text[text.index("<svg") :])
    made = f'font-family="{FONT}" data-made-with="matplotlib {matplotlib.__version__}"'
    text = text.replace('version="1.1"', made)
    return text.replace("</style>", f"\n{dark_rules(text)}  </style>", 1)


def texts_as_drawn(text):
    """The SVG text of a plot whose texts are as wide as in the fonts of drawings.

    Lines of several, and what is turned, have no anchor. They begin at one x where they are flush.
    """
    from minigrad.draw.paint.fonts import FACES, text_advance  # only a saved figure needs them

    flush = Counter(re.findall(r"transform=\"translate\(([-\d.]+) [-\d.]+\)\"", text))

    def drawn(found):
        written, words = found.groups()
        size = float(re.search(r"([\d.]+)px", written)[1])
        face = "bold" if re.search(r"\b(?:bold|[67]00)\b", written) else "sans"
        plain = unescape(words)
        wide = text_width(plain, size, face)
        place = re.search(r"translate\(([-\d.]+)", written)
        if place:
            ours = size * text_advance(plain, FACES[face])
            written += f' x="{(ours - wide) / 2 if flush[place[1]] < 2 else 0:.1f}"'
        fit = f' textLength="{wide:.1f}"' if len(plain) > 1 else ""
        return f"<text {re.sub(FAMILY, '', written)}{fit}>{words}</text>"

    return re.sub(r"<text ([^>]*)>([^<]*)</text>", drawn, text)


def dark_rules(text):
    """The CSS that exchanges the colours of a plot where the reader's system is dark."""
    rules = [
        f'    [style*="{what}: {light}"] {{ {what}: {dark} !important }}\n'
        for light, dark in dark_colours().items()
        for what in ("fill", "stroke")
        if f"{what}: {light}" in text
    ]
    return f"   @media (prefers-color-scheme: dark) {{\n{''.join(rules)}   }}\n"


def dark_colours():
    """Light colour → dark colour, as matplotlib writes them."""
    pairs = [(GRID, DARK["rim"]), *((heat.fill, heat.dark_fill) for heat in HEAT)]
    for role in ROLES.values():
        pairs += zip(role.colours(), role.colours(dark=True))
    for light, dark in zip(BUFFERS, DARK_BUFFERS, strict=True):
        pairs += zip(light, dark, strict=True)
    pairs += [(paler(light), paler(dark, DARK["card"])) for light, dark in pairs[1:]]
    pairs += [(LIGHT[name], DARK[name]) for name in LIGHT]
    return {light.lower(): dark.lower() for light, dark in pairs}
