"""Pictures of stored outputs, as large as a slide allows, with letters of at least 18 points.

A drawing knows its letters: the small ones are made higher within the widths that they have. A plot
is an image, so its letters grow with it alone: it is shown as large as its slide allows.
"""

import base64
import re
import struct
from html import escape
from itertools import accumulate
from typing import NamedTuple

from minigrad.course.lessons.films import DPI
from minigrad.course.publishing.cards import drawing_size
from minigrad.draw.plot.axes import SMALL

LETTER = 24  # CSS pixels, which are 18 points on a page 13.33 inches wide
PLOT_LETTER, FILM_LETTER = SMALL * 100 / 72, 10 * DPI / 72  # pixels of the smallest letters
MARGIN = 7  # pixels of a stored plot that matplotlib leaves empty at each side
PADDING = 24  # pixels of a slide at each side of a drawing; a plot has all of its width
IMAGE = re.compile(r'<img[^>]*src="data:image/(svg\+xml|gif);base64,([^"]+)"')
FONT = re.compile(r"(font(?:-size)?: (?:bold )?)([\d.]+)px")
MARK = re.compile(r'<text class="small(?: halo)?" x="[\d.-]+" y="[\d.-]+">\d</text>\n?')
LEGEND = re.compile(
    r'<g transform="[^"]*">(?:<path[^>]*/>)+(?:<text class="small"[^>]*>1</text>)?'
    r"<text[^>]*>first operand</text></g>"
)
KINDS = {"svg": "svg+xml"}  # of an image; the others are called as they end


class Room(NamedTuple):
    """The room for a picture on a slide, in CSS pixels."""

    width: int
    height: int


WHOLE = Room(1280, 610)  # below one line
WIDE, ANSWER, ASKED, TOLD = (WHOLE._replace(height=high) for high in (540, 506, 440, 420))
SIDE = Room(800, 610)
UPRIGHT = 1.6  # a picture that is less than so many times as wide as high stands beside its text


class StoredPicture(NamedTuple):
    """A picture that a cell has stored."""

    kind: str  # svg, png or gif
    data: bytes
    alt: str
    cell: str
    margin: int = 0  # pixels that are not shown, at each side

    @property
    def size(self):
        """The (width, height) of what is shown of it."""
        if self.kind == "svg":
            return drawing_size(self.data)
        form, place = (">II", 16) if self.kind == "png" else ("<HH", 6)
        sides = struct.unpack_from(form, self.data, place)
        return tuple(side - 2 * self.margin for side in sides)

    @property
    def is_upright(self):
        """Whether it stands beside its text."""
        width, height = self.size
        return width < UPRIGHT * height

    def scale(self, box):
        """Return how many times as large a box shows it."""
        width, height = self.size
        room = box.width - 2 * PADDING * (self.kind == "svg")
        return min(room / width, box.height / height)

    def letter_points(self, box):
        """Return the points of its smallest letters on a slide."""
        if self.kind == "svg":
            return 18
        letter = PLOT_LETTER if self.margin else FILM_LETTER
        return letter * self.scale(box) * 18 / LETTER

    def html(self, box):
        """Return it as an element that fits into a box."""
        scale, data = self.scale(box), self.data
        if self.kind == "svg":
            data = raise_letters(without_marks(data.decode()), LETTER / scale).encode()
        width, height = (round(scale * side) for side in self.size)
        code = base64.b64encode(data).decode()
        address = f"data:image/{KINDS.get(self.kind, self.kind)};base64,{code}"
        cut = f' style="object-view-box: inset({self.margin}px)"' if self.margin else ""
        size = f'width="{width}" height="{height}"{cut}'
        return f'<img {size} alt="{escape(self.alt)}" src="{address}">'


def without_marks(svg):
    """Return a drawing without the numbers of operands at its arrows, and without their legend."""
    return LEGEND.sub("", MARK.sub("", svg))


def raise_letters(svg, least):
    """Return a drawing whose letters have at least so many pixels; words that were measured keep
    their widths."""
    raised = FONT.sub(lambda found: f"{found[1]}{max(float(found[2]), least):.4g}px", svg)
    return raised.replace(" textLength=", ' lengthAdjust="spacingAndGlyphs" textLength=')


def find_pictures(cell):
    """Return the pictures that a code cell has stored, in their order."""
    found = []
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        alt = data.get("text/plain", "")
        if "image/png" in data:
            found.append(
                StoredPicture("png", base64.b64decode(data["image/png"]), alt, cell.id, MARGIN)
            )
        for kind, code in IMAGE.findall(data.get("text/html", ""))[:1]:
            found.append(StoredPicture(kind[:3], base64.b64decode(code), alt, cell.id))
    return found


def choose_fitting(pictures, box):
    """Return the first pictures that fit below each other, as wide as a box; at least one."""
    heights = accumulate(p.size[1] * box.width / p.size[0] for p in pictures)
    return pictures[: max(1, sum(height <= box.height for height in heights))]
