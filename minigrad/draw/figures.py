"""The figures of the course: one script each in `figures/`, whose picture lies beside it.

A script's first sentence is the caption, ALT says in words what the picture shows, make() returns
a drawing, a plot or SVG text. What must be measured is measured by measure(), once, and stored
beside the script; make() draws what is stored.
"""

import json
import re
import runpy
from html import escape
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw.paint.bare import spell_out
from minigrad.draw.plot.axes import figure_svg

HEAD = """# Figures

Each figure is made by the script of the same name, and `minigrad figures` makes all of them again.
Measured times come from one machine and are stored in a JSON file beside the script. `minigrad
figures --measure` measures them again on your machine.
"""


class Figure(NamedTuple):
    """A figure as it is published."""

    name: str
    caption: str
    alt: str
    svg: str


def scripts(folder):
    """The figure scripts of a folder, by name."""
    return sorted(path for path in Path(folder).glob("*.py") if not path.name.startswith("_"))


def make_figure(script):
    """The Figure that a script makes. Raises ArgumentError where something of it is missing."""
    names = runpy.run_path(str(script))
    figure = figure_of_names(script, names)
    return figure._replace(svg=label_picture(svg_of(names["make"]()), figure.alt))


def describe_figure(script):
    """The Figure of a script, not drawn: its caption and its words."""
    return figure_of_names(script, runpy.run_path(str(script)))


def figure_of_names(script, names):
    """The Figure that the names of a script describe, without its picture."""
    caption, alt = (names.get("__doc__") or "").strip(), names.get("ALT", "")
    for what, there in (("make()", "make" in names), ("ALT", alt), ("caption", caption)):
        if not there:
            raise ArgumentError(f"{Path(script).name} has no {what}", "see the other figures")
    return Figure(Path(script).stem, " ".join(caption.split()), alt, "")


def svg_of(thing):
    """The SVG text of what make() returned: SVG text, a (fig, axes), or a drawing.

    It is itself without its style sheet, too, which some viewers take away.
    """
    if isinstance(thing, tuple):
        return figure_svg(thing[0])
    return spell_out(thing if isinstance(thing, str) else thing.svg)


def label_picture(text, alt):
    """The SVG text with the figure's own words for readers who do not see it."""
    head, rest = text.split(">", 1)
    head = re.sub(r' (role|aria-label)="[^"]*"', "", head)
    return f'{head} role="img" aria-label="{escape(alt)}">{rest}'


def store_measurement(script):
    """Runs a script's measure() and stores what it returns; False where it has none."""
    names = runpy.run_path(str(script))
    if "measure" not in names:
        return False
    text = json.dumps(names["measure"](), indent=1)
    Path(script).with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    return True


def read_measurement(script):
    """What was measured for a script, as measure() returned it."""
    path = Path(script).with_suffix(".json")
    if not path.exists():
        raise ArgumentError(
            f"{path.name} is missing: nothing was measured yet",
            f"minigrad figures --measure {path.stem}",
        )
    return json.loads(path.read_text(encoding="utf-8"))


def gallery(figures):
    """The page that shows all figures with their captions, in Markdown."""
    parts = (
        f"## {one.name.replace('_', ' ').capitalize()}\n\n![{one.alt}]({one.name}.svg)\n\n"
        f"{one.caption} ([{one.name}.py]({one.name}.py))\n"
        for one in figures
    )
    return "\n".join([HEAD, *parts])
