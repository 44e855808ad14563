"""The Player: a trace that shows itself step by step in a notebook, and saves itself to a file."""

import json
from functools import cached_property
from html import escape
from pathlib import Path

from minigrad.draw.player.picture import Picture
from minigrad.draw.player.sheets import script
from minigrad.draw.player.spec import kept, note, spec
from minigrad.draw.read import clean
from minigrad.draw.trace import make_trace
from minigrad.errors import ArgumentError

TITLES = {
    "reverse": "forward, then backward",
    "forward": "values, then tangents",
    "run": "a compiled program runs",
}


def player(fetches, feed=None, wrt=None, mode="reverse", names=None, title="", session=None):
    """Play the computation of `fetches`, and its derivative, step by step.

    fetches    Tensors, Nodes, or values of your own engine; or a function of Tensors, which is
               called with `feed`: then each step shows its source line. The first is differentiated
    feed       {placeholder: value}; for a function {"x": 2.0}, by the names of its arguments
    wrt        what is differentiated for: values, a function's arguments by name; in forward mode
               also {x: tangent}. Nodes without wrt: the compiled program, with its buffers
    mode       "reverse": adjoints from the result back; "forward": tangents on from wrt
    names      locals(): nodes get the learner's variable names
    session    the Session whose variables Nodes are computed with; a player stores nothing
    """
    trace = make_trace(fetches, feed, wrt, mode, names, session)
    return Player(trace, clean(title or TITLES[trace.mode], 120))


class Player:
    """What `player` returns: shown by a notebook, or written by save(path)."""

    def __init__(self, trace, title):
        self.trace, self.title = trace, title

    @cached_property
    def picture(self):
        """The Picture; None where nothing can be drawn: then there are still the steps."""
        found = Picture(self.trace, self.title)
        return found if found.scene.nodes and found.drawing(1).picture[0] else None

    def drawing(self, step=None):
        """The Drawing after a step, counted from 1; by default after the last one."""
        count = len(self.trace.events)
        step = count if step is None else step
        if not 1 <= step <= count:
            raise ArgumentError(f"player: there is no step {step}", f"choose one from 1 to {count}")
        return Picture(self.trace, self.title).drawing(step)

    @property
    def text(self):
        """The steps as a table."""
        return "\n".join([self.title, str(self.trace)])

    @property
    def html(self):
        """The element with its script; inside it a picture and a table, for where none runs."""
        tag, code = script()
        told = escape(json.dumps(spec(self.trace, self.picture, self.title), ensure_ascii=False))
        return f'<{tag} spec="{told}">\n{self.fallback()}\n</{tag}>\n<script>\n{code}\n</script>'

    def fallback(self):
        """The picture after the last step, and the table of steps."""
        shown = self.picture.drawing(len(self.trace.events)) if self.picture else None
        image = shown.html.partition("\n")[0] if shown else ""
        return f"{image}\n<details><summary>the steps as a table</summary>{self.table()}</details>"

    def table(self):
        """The steps as an HTML table."""
        head, *rows = self.trace.rows()
        rows = [rows[event.step] for event in kept(self.trace.events)]
        cells = "".join(f"<th>{escape(word)}</th>" for word in head)
        body = "\n".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        left = note(self.trace.events)
        return f"<table><tr>{cells}</tr>\n{body}</table>" + f"<p>{escape(left)}</p>" * bool(left)

    def __repr__(self):
        try:
            return self.text
        except Exception as error:  # a repr never raises
            return f"Player ({type(error).__name__} while listing it)"

    def _repr_html_(self):
        try:
            return self.html
        except Exception as error:
            return f"<pre>{escape(repr(self))}</pre><p>{type(error).__name__} in the player</p>"

    def save(self, path, step=None):
        """Write .html (a page with the player) or the picture of a step as .svg or .png."""
        path = Path(path)
        if path.suffix.lower() != ".html":
            return self.drawing(step).save(path)
        path.write_text(page(self), encoding="utf-8")
        return path


def page(shown):
    """A page of its own; its ground follows the reader's system."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(shown.title)}</title>\n"
        "<style>:root { color-scheme: light dark } body { margin: 16px } "
        "h1 { font: bold 20px sans-serif }</style></head>\n"
        f"<body><main>\n<h1>{escape(shown.title)}</h1>\n{shown.html}\n</main></body></html>\n"
    )
