"""The fonts of PNG and PDF: files that matplotlib brings, the same on every machine.

A page draws an SVG with its own fonts; these two never look at the fonts of the machine.
"""

from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw.layout.boxes import text_width
from minigrad.draw.look import CODE, SERIF


class Font(NamedTuple):
    """One font: its file among matplotlib's, and how an SVG names it."""

    file: str
    family: str
    weight: str = "normal"
    style: str = "normal"


SANS = Font("DejaVuSans.ttf", "DejaVu Sans")
BOLD = Font("DejaVuSans-Bold.ttf", "DejaVu Sans", "bold")
MONO = Font("DejaVuSansMono.ttf", "DejaVu Sans Mono")
ROMAN = Font("STIXGeneral.ttf", "STIXGeneral")
ITALIC = Font("STIXGeneralItalic.ttf", "STIXGeneral", style="italic")
FONTS = (SANS, ROMAN, MONO, BOLD, ITALIC)  # in the order in which one helps out another
FACES = {"sans": SANS, "bold": BOLD, "code": MONO, "roman": ROMAN, "math": ITALIC}
CONDENSED = 0.85  # of its width, DejaVu Sans takes in most texts the room of Helvetica
BEFORE = {"middle": 0.5, "end": 1.0}  # the part of a text before the place that it is anchored at


class Run(NamedTuple):
    """A part of a text that is drawn in one font, and what else is said of it."""

    text: str
    font: Font
    more: object


def face_of(style):
    """The key of FACES that an element's font, weight and style ask for."""
    family = style.get("font-family", "") or style.get("font", "")
    if CODE in family:
        return "code"
    if SERIF in family:
        return "math" if style.get("font-style") == "italic" else "roman"
    return "bold" if style.get("font-weight") == "bold" else "sans"


def split_runs(pieces):
    """The Runs of a text's pieces, which are (text, a key of FACES, what else is said of it).

    Each character has the first font that has a glyph for it. Raises ArgumentError where none has.
    """
    found = []
    for text, face, more in pieces:
        first, parts = FACES[face], []
        for char in text:
            font = first if char.isspace() else font_for(char, first, text)
            if parts and parts[-1].font == font:
                parts[-1] = parts[-1]._replace(text=parts[-1].text + char)
            else:
                parts.append(Run(char, font, more))
        found += parts
    return found


def font_for(char, first, text):
    """The first font with a glyph for a character of this text."""
    for font in (first, *FONTS):
        if ord(char) in charmap(font):
            return font
    raise ArgumentError(
        f"save: .png and .pdf have no glyph for {char!r} (U+{ord(char):04X}) in the text {text!r}",
        "save as .svg, which a viewer shows in its own fonts, or use other characters",
    )


def fit_factor(pieces, runs):
    """The factor that makes a text no wider than cards and lines have room for.

    They have room for Arial and Times. All texts in sans are condensed alike, and more only where
    one must be, so that the lines of a card look alike.
    """
    needs = sum(text_advance(run.text, run.font) for run in runs)
    room = sum(room_for(text, face) for text, face, _ in pieces)
    most = CONDENSED if any(face in ("sans", "bold") for _, face, _ in pieces) else 1.0
    return min(most, room / needs) if needs else most


def run_starts(runs, anchor):
    """Where each run begins, counted from the text's anchor in sizes of the font."""
    wide = [text_advance(run.text, run.font) for run in runs]
    return list(accumulate(wide[:-1], initial=-BEFORE.get(anchor, 0.0) * sum(wide)))


def room_for(text, face):
    """The width that a drawing has for a text, in sizes of the font."""
    return len(text) * advance("0", MONO) if face == "code" else text_width(text, 1, face)


def text_advance(text, font):
    """How far a text goes by itself, in sizes of the font."""
    return sum(advance(char, font) for char in text)


# the files ---------------------------------------------------------------------------------------


@cache
def advance(char, font):
    """How far it is from a character to the next one, in sizes of the font."""
    from matplotlib.ft2font import LoadFlags

    loaded = load_font(font)
    return loaded.load_char(ord(char), LoadFlags.NO_SCALE).horiAdvance / loaded.units_per_EM


@cache
def charmap(font):
    """{code point: glyph} of a font."""
    return load_font(font).get_charmap()


@cache
def load_font(font):
    """A font as matplotlib reads it."""
    path = font_path(font)
    from matplotlib.ft2font import FT2Font

    return FT2Font(str(path))


def font_path(font):
    """Where the file of a font is. Raises ArgumentError where it, or matplotlib, is not there."""
    try:
        import matplotlib
    except ImportError:
        raise ArgumentError(
            "save: .png, .pdf and films need the fonts of matplotlib, which is not installed",
            "pip install matplotlib, or save as .svg",
        ) from None
    path = Path(matplotlib.get_data_path(), "fonts", "ttf", font.file)
    if not path.is_file():
        message = f"save: matplotlib's font {font.file} is not in {path.parent}"
        raise ArgumentError(message, "pip install --force-reinstall matplotlib, or save as .svg")
    return path
