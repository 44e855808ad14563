"""A drawing's SVG as PDF: lines stay lines, letters stay letters; matplotlib writes it.

It reads only the SVG that this room writes, spelled out: its few elements and their attributes.
"""

import io
import re
from itertools import pairwise
from xml.etree import ElementTree

from minigrad.core.errors import ArgumentError
from minigrad.draw.paint.bare import spell_out
from minigrad.draw.paint.fonts import fit_factor, font_path, run_starts, split_runs, text_advance
from minigrad.draw.paint.png import text_pieces

POINT = 0.75  # points of a pixel
ROUND = 0.5523  # of a quarter of a circle as one cubic curve
STRIKE = 0.29  # of the size of letters, from their base to the line through them


def pdf_bytes(svg, scale=1.0):
    """The PDF of an SVG text of ours, `scale` times as large. Needs matplotlib."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
        from matplotlib.transforms import Affine2D
    except ImportError:
        message = "save: .pdf needs the package matplotlib, which is not installed"
        raise ArgumentError(message, "pip install matplotlib, or save as .svg") from None
    root = ElementTree.fromstring(spell_out(svg))
    size = [float(root.get(name)) * POINT * scale for name in ("width", "height")]
    fig = Figure(figsize=[length / 72 for length in size], dpi=72)
    fig.patch.set_visible(False)
    page = Affine2D().scale(POINT * scale, -POINT * scale).translate(0, size[1])
    buffer = io.BytesIO()
    with rc_context({"pdf.fonttype": 42, "axes.unicode_minus": True}):
        artist = Artist(fig, page, POINT * scale, root.attrib)
        artist.draw(root, 0.0, 0.0)
        fig.savefig(buffer, format="pdf", metadata={"CreationDate": None})
    return buffer.getvalue()


# drawing -----------------------------------------------------------------------------------------


class Artist:
    """Adds the elements of an SVG to a figure of matplotlib."""

    def __init__(self, fig, page, unit, base):
        self.fig, self.page, self.unit, self.base = fig, page, unit, base

    def draw(self, element, x, y):
        """Draws what an element holds, moved by so much."""
        for part in element:
            tag = part.tag.rpartition("}")[2]
            if tag in ("g", "svg"):
                dx, dy = offset_of(part)
                self.draw(part, x + dx, y + dy)
            elif tag == "text":
                self.write(part, self.base | part.attrib, x, y)
            elif tag in OUTLINES:
                self.fill(OUTLINES[tag](part.attrib), part.attrib, x, y)

    def fill(self, steps, style, x, y):
        """One outline: filled, then drawn around."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        points = [(px + x, py + y) for px, py in (point for _, point in steps)]
        codes = [getattr(Path, code) for code, _ in steps]
        drawn = style.get("stroke", "none") != "none"
        width = float(style.get("stroke-width", 1.0))
        dashes = style.get("stroke-dasharray", "none") if drawn else "none"
        ends = "round" if style.get("stroke-linecap") == "round" else "butt"
        patch = PathPatch(
            Path(points, codes),
            facecolor=style.get("fill", "none"),
            edgecolor=style.get("stroke", "none"),
            linewidth=width * self.unit if drawn else 0.0,
            linestyle="-" if dashes == "none" else (0, [float(d) / width for d in dashes.split()]),
            capstyle=ends,
            joinstyle=style.get("stroke-linejoin", "miter"),
            transform=self.page,
        )
        self.fig.add_artist(patch)

    def write(self, element, style, x, y):
        """One text, run after run, no wider than boxes and lines take it to be."""
        pieces = list(text_pieces(element))
        runs = split_runs(pieces)
        size = float(style["font-size"]) * fit_factor(pieces, runs)
        anchor, base = float(element.get("x")) + x, float(element.get("y")) + y
        for run, start in zip(runs, run_starts(runs, style["text-anchor"])):
            self.write_run(run, style | run.more, (anchor + size * start, base), size)

    def write_run(self, run, style, place, size):
        """One run: a halo as the outline of its letters, else the letters; lines at them."""
        from matplotlib.font_manager import FontProperties
        from matplotlib.text import Text
        from matplotlib.textpath import TextPath

        if not run.text.strip():
            return
        font, (left, base) = FontProperties(fname=font_path(run.font)), place
        if style.get("stroke"):  # a halo
            path = TextPath((0, 0), run.text, size=size, prop=font)
            steps = [(CODES[code], (px, -py)) for (px, py), code in zip(path.vertices, path.codes)]
            self.fill(steps, style, left, base)
            return
        font.set_size(size * self.unit)
        words = Text(
            left, base, run.text, fontproperties=font, color=style["fill"], transform=self.page,
            verticalalignment="baseline", parse_math=False,
        )  # fmt: skip
        self.fig.add_artist(words)
        if style.get("text-decoration") == "line-through":
            right, up = left + size * text_advance(run.text, run.font), base - STRIKE * size
            line = {"stroke": style["fill"], "stroke-width": "0.9"}
            self.fill([("MOVETO", (left, up)), ("LINETO", (right, up))], line, 0, 0)


CODES = {1: "MOVETO", 2: "LINETO", 3: "CURVE3", 4: "CURVE4", 79: "CLOSEPOLY"}


def offset_of(element):
    """How far a group, or a picture in the picture, is moved."""
    moved = re.search(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)", element.get("transform", ""))
    return tuple(
        map(float, moved.groups() if moved else (element.get("x", 0), element.get("y", 0)))
    )


# outlines: lists of (code, point) ----------------------------------------------------------------


def lengths_of(attributes, names):
    """Some attributes as numbers."""
    return [float(attributes.get(name, 0)) for name in names.split()]


def outline_rect(attributes):
    """A rectangle, its corners round where it has a radius."""
    x, y, w, h, r = lengths_of(attributes, "x y width height rx")
    r, bend = min(r, w / 2, h / 2), min(r, w / 2, h / 2) * (1 - ROUND)
    steps = [("MOVETO", (x + r, y))]
    for (cx, cy), (ax, ay), (bx, by) in (
        ((x + w, y), (-1, 0), (0, 1)),
        ((x + w, y + h), (0, -1), (-1, 0)),
        ((x, y + h), (1, 0), (0, -1)),
        ((x, y), (0, 1), (1, 0)),
    ):
        steps.append(("LINETO", (cx + r * ax, cy + r * ay)))
        curve = ((bend * ax, bend * ay), (bend * bx, bend * by), (r * bx, r * by))
        steps += [("CURVE4", (cx + px, cy + py)) for px, py in curve]
    return [*steps, ("CLOSEPOLY", (x + r, y))]


def outline_circle(attributes):
    """A circle: a square whose corners are as round as can be."""
    x, y, r = lengths_of(attributes, "cx cy r")
    return outline_rect({"x": x - r, "y": y - r, "width": 2 * r, "height": 2 * r, "rx": r})


def outline_path(attributes):
    """A path of the commands that our drawings use, all with absolute places."""
    steps, at = [], (0.0, 0.0)
    for command, rest in re.findall(r"([MLHVCQZ])([^MLHVCQZ]*)", attributes["d"]):
        found = [float(number) for number in re.findall(r"-?[\d.]+", rest)]
        if command == "Z":
            steps.append(("CLOSEPOLY", at))
        else:
            if command in "HV":
                found = [found[0], at[1]] if command == "H" else [at[0], found[0]]
            code = {"M": "MOVETO", "C": "CURVE4", "Q": "CURVE3"}.get(command, "LINETO")
            steps += [(code, point) for point in list(pairwise(found))[::2]]
        at = steps[-1][1]
    return steps


OUTLINES = {
    "rect": outline_rect,
    "circle": outline_circle,
    "path": outline_path,
}
