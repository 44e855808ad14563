"""What an SVG text draws: shapes and runs of text, each with its place in the picture.

It reads what we write, and refuses what it does not know, so that nothing is overlooked.
"""

import re
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
from draw.svg_geometry import (
    NUMBER,
    Extent,
    Pen,
    affine,
    apply_matrix,
    ellipse,
    extent_of,
    matrix_of,
)

from minigrad.draw.layout import boxes

# style sheets ------------------------------------------------------------------------------------

FONT = {"font-size": "16", "font-weight": "normal", "font-style": "normal", "font-family": ""}
INHERITED = (*FONT, "text-anchor", "visibility")
READ = (*INHERITED, "display", "opacity")
LOOKS = {"font-weight": "bold", "font-style": "italic"}
HIDDEN = {("display", "none"), ("visibility", "hidden"), ("opacity", "0")}


class Rule(NamedTuple):
    """A rule of a style sheet: its last selector is of the element, the others are of groups
    around it, from the outside in."""

    selectors: tuple  # of (tag or "", classes)
    said: dict

    def fits(self, source, around):
        """Whether the rule speaks of an element."""
        *outer, own = self.selectors
        groups = iter(around)
        return is_selected(source, own) and all(
            any(is_selected(group, selector) for group in groups) for selector in outer
        )

    def weight(self):
        """Of the rules that fit, the heaviest decides; of equal ones the last."""
        tags, classes = zip(*self.selectors)
        return sum(map(len, classes)), sum(map(bool, tags))


def is_selected(source, selector):
    """Whether a selector without blanks fits an element."""
    tag, classes = selector
    return tag in ("", source.tag) and classes <= classes_of(source)


def classes_of(source):
    """The classes of an element."""
    return set(source.get("class", "").split())


def rules_of(sheet):
    """The Rules of a style sheet that hold in any case, the heaviest last."""
    plain = re.sub(r"@[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}|/\*.*?\*/", "", sheet, flags=re.DOTALL)
    rules = [
        Rule(tuple(map(selector_of, selector.split())), declarations(body))
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", plain)
        for selector in selectors.split(",")
        if ":" not in selector  # which is of a state, as under a pointer
    ]
    return sorted(rules, key=Rule.weight)


def selector_of(text):
    """(tag or "", classes) of a selector as "text.small"."""
    if not re.fullmatch(r"[\w.-]+", text):
        raise ValueError(f"cannot read the selector {text!r}")
    tag, *classes = text.split(".")
    return tag, set(classes)


def declarations(text):
    """{property: value} of what is read here, a font as its parts."""
    found = {}
    for part in text.split(";"):
        name, _, value = (word.strip() for word in part.partition(":"))
        if name == "font" and (said := re.match(rf"(.*?)({NUMBER})px\S*\s(.*)", value)):
            found |= FONT | {"font-size": said[2], "font-family": said[3]}
            found |= {name: word for name, word in LOOKS.items() if word in said[1].split()}
        elif name in READ:
            found[name] = value.removesuffix("px")
    return found


# elements ----------------------------------------------------------------------------------------

SILENT = {"style", "title", "desc", "defs", "metadata", "script"}
GROUPS = {"svg", "g", "a"}


class Element(NamedTuple):
    """A shape or a text: the groups around it from the outside in, its matrix and its style."""

    source: ElementTree.Element
    around: tuple
    matrix: np.ndarray
    style: dict
    parts: tuple = ()  # of a text: its tspans

    @property
    def tag(self):
        """The name of the element."""
        return self.source.tag

    @property
    def classes(self):
        """The classes of the element."""
        return classes_of(self.source)

    def outlines(self):
        """The lines of a shape, each as points of the picture."""
        lines = OUTLINES[self.tag](self.source)
        return [apply_matrix(self.matrix, np.array(line, float)) for line in lines]

    def extent(self):
        """The rectangle around a shape."""
        return extent_of(np.concatenate(self.outlines()))

    def group(self, word):
        """The innermost group around the element with this class or attribute, or None."""
        groups = (g for g in reversed(self.around) if word in classes_of(g) or g.get(word))
        return next(groups, None)


def numbers(source, names):
    """Attributes of an element as numbers, 0 where they are missing."""
    return [float(source.get(name, 0)) for name in names.split()]


def rectangle_outline(source):
    """The corners of a rectangle; those that are round reach as far."""
    x, y, width, height = numbers(source, "x y width height")
    return [[(x, y), (x + width, y), (x + width, y + height), (x, y + height)]]


def ellipse_outline(source):
    """Points around an ellipse or a circle."""
    x, y, across, along, radius = numbers(source, "cx cy rx ry r")
    return [ellipse(x, y, across or radius, along or radius)]


def points_outline(source):
    """The corners of a polygon or of a line of straight pieces."""
    return [np.reshape([float(n) for n in re.findall(NUMBER, source.get("points"))], (-1, 2))]


OUTLINES = {
    "rect": rectangle_outline,
    "circle": ellipse_outline,
    "ellipse": ellipse_outline,
    "path": lambda source: Pen(source.get("d")).lines,
    "polygon": points_outline,
    "polyline": points_outline,
    "line": lambda source: [np.reshape(numbers(source, "x1 y1 x2 y2"), (2, 2))],
}


class Reader:
    """All shapes and texts that an SVG text draws, in order, and its size."""

    def __init__(self, svg):
        root = ElementTree.fromstring(re.sub(r'\sxmlns="[^"]*"', "", svg, count=1))
        self.rules = rules_of("".join(part.text or "" for part in root.iter("style")))
        self.width, self.height = numbers(root, "width height")
        left, top, width, height = map(float, root.get("viewBox").split())
        scale = affine(self.width / width, 0, 0, self.height / height, 0, 0)
        plain = FONT | {"text-anchor": "start"}
        self.elements = list(self.walk(root, (), scale @ affine(1, 0, 0, 1, -left, -top), plain))

    def walk(self, source, around, matrix, inherited):
        """The shapes and texts in an element, with all that the groups say of them."""
        style = self.style_of(source, around, inherited)
        if source.tag in SILENT or HIDDEN & style.items():
            return
        matrix = matrix @ matrix_of(source.get("transform", ""))
        element = Element(source, around, matrix, style)
        if source.tag in GROUPS:
            for child in source:
                yield from self.walk(child, (*around, source), matrix, element.style)
        elif source.tag == "text":
            inside = (part for part in source if part.tag not in SILENT)
            yield element._replace(parts=tuple(self.spans(element, inside)))
        elif source.tag in OUTLINES:
            yield element
        else:
            raise ValueError(f"cannot read <{source.tag}>")

    def spans(self, text, inside):
        """The tspans of a text."""
        around = (*text.around, text.source)
        for part in inside:
            if part.tag != "tspan" or len(part):
                raise ValueError(f"cannot read <{part.tag}> in a text")
            yield Element(part, around, text.matrix, self.style_of(part, around, text.style))

    def style_of(self, source, around, inherited):
        """The style of an element: of its groups, its attributes, the rules, its own, the last of
        which decides."""
        style = {name: inherited[name] for name in INHERITED if name in inherited}
        style |= declarations(";".join(f"{name}:{value}" for name, value in source.items()))
        for rule in self.rules:
            style |= rule.said if rule.fits(source, around) else {}
        return style | declarations(source.get("style", ""))


# texts -------------------------------------------------------------------------------------------

TABLES = {"code": [602] * 128, "bold": boxes.BOLD, **getattr(boxes, "FONTS", {})}
ABOVE, BELOW = 0.74, 0.22  # how far letters reach from their base line, in parts of their size


class Run(NamedTuple):
    """A text in one place: its words, the room that it takes, its smallest letters."""

    words: str
    extent: Extent
    size: float
    element: Element


def words_width(words, style):
    """The width of words that have no `textLength`: by a table of their letters, as cards are
    measured; by that of the plain letters, where a font has none."""
    table, size = TABLES.get(font_word(style), boxes.REGULAR), float(style["font-size"])
    return sum(boxes.char_width(letter, table) for letter in words) * size / 1000


def font_word(style):
    """What the table of a font is called."""
    family = style["font-family"].rpartition(",")[2].strip()
    if family == "monospace":
        return "code"
    if family == "serif":
        return "math" if style["font-style"] == "italic" else "roman"
    return "bold" if style["font-weight"] == "bold" else "sans"


class Piece:
    """Words of one style within a text; `place` is where they start, where that is said."""

    def __init__(self, words, element, said):
        self.words, self.element = words or "", element
        self.size = float(element.style["font-size"])
        self.place = tuple(None if said(name) is None else float(said(name)) for name in "xy")
        self.shift = tuple(float(said(name) or 0) for name in ("dx", "dy"))
        self.width = float(said("textLength") or words_width(self.words, element.style))

    def extent(self, x, y):
        """The rectangle around the words from there on."""
        return Extent(x, y - ABOVE * self.size, x + self.width, y + BELOW * self.size)


def text_pieces(text):
    """The Pieces of a text element, in order."""
    own = dict(text.source.items())
    length = own.pop("textLength", None) if text.parts else None
    pieces = [Piece(text.source.text, text, own.get)]
    for part in text.parts:
        pieces.append(Piece(part.source.text, part, part.source.get))
        pieces.append(Piece(part.source.tail, text, {}.get))
    if length:  # of all parts together
        stretch = float(length) / sum(piece.width for piece in pieces)
        for piece in pieces:
            piece.width *= stretch
    return pieces


def text_runs(text):
    """The Runs of a text element: one for each place that it or a tspan names."""
    pieces, x, y = text_pieces(text), 0.0, 0.0
    starts = sorted({0, *(at for at, piece in enumerate(pieces) if piece.place != (None, None))})
    for start, stop in zip(starts, [*starts[1:], len(pieces)]):
        x, y = (was if new is None else new for was, new in zip((x, y), pieces[start].place))
        some = pieces[start:stop]
        if any(piece.words.strip() for piece in some):
            yield run_at(text, some, x, y)


def run_at(text, pieces, x, y):
    """The Run of Pieces that begin at a place, end there or have it in their middle."""
    width = sum(piece.width + piece.shift[0] for piece in pieces)
    x -= {"start": 0, "middle": width / 2, "end": width}[pieces[0].element.style["text-anchor"]]
    corners, sizes = [], []
    for piece in pieces:
        x, y = x + piece.shift[0], y + piece.shift[1]
        if piece.words.strip():
            corners += piece.extent(x, y).corners()
            sizes.append(piece.size)
        x += piece.width
    extent = extent_of(apply_matrix(text.matrix, np.array(corners)))
    scale = np.sqrt(abs(np.linalg.det(text.matrix)))
    words = "".join(piece.words for piece in pieces)
    return Run(words, extent, float(scale * min(sizes)), text)
