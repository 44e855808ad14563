"""A drawing's SVG as PNG: resvg renders it, with the fonts that matplotlib brings and no others."""

import re
from html import escape
from xml.etree import ElementTree

from minigrad.core.errors import ArgumentError
from minigrad.draw.look import SIZE
from minigrad.draw.paint.bare import spell_out
from minigrad.draw.paint.fonts import (
    FONTS,
    MONO,
    SANS,
    face_of,
    fit_factor,
    font_path,
    run_starts,
    split_runs,
)

PNG_SCALE = 2  # pixels of a PNG for each of the drawing's, for sharp print
FIT = re.compile(r' textLength="[^"]*"')
TEXT = re.compile(r"<text\b([^<>]*)>.*?</text>", re.DOTALL)


def png_bytes(svg, zoom):
    """The light picture of an SVG text of ours, with `zoom` pixels for each of its own."""
    renderer()  # what is missing is said before anything is computed
    font_path(SANS)
    return render(TEXT.sub(name_fonts, spell_out(svg)), zoom)


def render(svg, zoom=1.0):
    """The PNG of any SVG text, the same on every machine."""
    return bytes(
        renderer()(
            svg_string=svg,
            zoom=zoom,
            skip_system_fonts=True,
            font_files=[str(font_path(font)) for font in FONTS],
            font_family=SANS.family,
            serif_family=SANS.family,
            sans_serif_family=SANS.family,
            monospace_family=MONO.family,
        )
    )


def renderer(suffix=".png"):
    """The function of resvg. Raises ArgumentError where it is missing for files that end so."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise ArgumentError(
            f"save: {suffix} needs the package resvg-py, which is not installed",
            "pip install resvg-py matplotlib, or save as .svg",
        ) from None
    return svg_to_bytes


def name_fonts(match):
    """A text element whose parts name the fonts that have their letters, as wide as its room.

    Every part has a place of its own: in a text that goes on, resvg takes all letters from the
    font that helps out with one, and takes `textLength` for the first part alone.
    """
    element = ElementTree.fromstring(match[0])
    size, x = float(element.get("font-size", SIZE)), float(element.get("x"))
    pieces = list(text_pieces(element))
    runs = split_runs(pieces)
    factor, begin = (
        fit_factor(pieces, runs),
        run_starts(runs, element.get("text-anchor", "middle")),
    )
    inside = "".join(tspan(run, x + size * start) for run, start in zip(runs, begin))
    around = f' transform="matrix({factor:.4f} 0 0 1 {x * (1 - factor):.2f} 0)"'
    said = FIT.sub("", match[1])
    return f"<text{said}{around if factor < 1 else ''}>{inside}</text>"


def text_pieces(element):
    """(text, face, attributes) of the parts of a text element that is spelled out."""
    face = face_of(element.attrib)
    yield element.text or "", face, {}
    for part in element:
        attributes = {name: value for name, value in part.items() if name != "class"}
        yield part.text or "", face_of(element.attrib | part.attrib), attributes
        yield part.tail or "", face, {}


def tspan(run, x):
    """A part of a text, in its font, from there on."""
    font = {
        "font-family": run.font.family,
        "font-weight": run.font.weight,
        "font-style": run.font.style,
    }
    attributes = run.more | font | {"text-anchor": "start", "x": f"{x:.2f}"}
    said = "".join(f' {name}="{escape(str(value))}"' for name, value in attributes.items())
    return f"<tspan{said}>{escape(run.text)}</tspan>"
