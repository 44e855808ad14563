"""The Player: a trace that shows itself step by step in a notebook, and saves itself to a file."""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from html import escape
from operator import index
from os import PathLike
from pathlib import Path
from typing import Any, SupportsIndex

from minigrad.core.errors import ArgumentError
from minigrad.draw.drawing import Drawing
from minigrad.draw.explore import explore
from minigrad.draw.look import LANES, PHASES, ROLES
from minigrad.draw.modes.notes import quote_option
from minigrad.draw.paint.album import album_attribute, quote_data
from minigrad.draw.paint.element import Shown, script_of, squeeze_code, view_script, web_page
from minigrad.draw.paint.listing import align_columns
from minigrad.draw.paint.saving import (
    FILMS,
    WRITERS,
    check_scale,
    check_suffix,
    save_film,
    save_slides,
    suffix_of,
    write_file,
)
from minigrad.draw.player.frames import FilmStrip
from minigrad.draw.player.lanes import LanesPicture
from minigrad.draw.player.picture import Picture
from minigrad.draw.player.spec import (
    describe_trace,
    kept_events,
    left_out_note,
    other_page,
    page_data,
)
from minigrad.draw.read import clean
from minigrad.draw.read.options import check_handles, list_handles
from minigrad.draw.read.outline import outline
from minigrad.draw.trace import Trace, make_trace

__all__ = ["Player", "player"]

TITLES = {
    "reverse": "forward, then backward",
    "forward": "values, then tangents",
    "run": "a compiled program runs",
    "step": "one training step",
}
WHAT_IF = "what if"
SMALL = 30  # values in the body of a loop that is opened at first
PAGE = " h1 { position: absolute; clip-path: inset(50%) }"


def player(
    fetches: Any,
    feed: Mapping | None = None,
    wrt: Any = None,
    mode: str = "reverse",
    names: Mapping | None = None,
    title: str = "",
    session: Any = None,
    expand: str | Iterable[str] = (),
    collapse: str | Iterable[str] = (),
    at: int | str = 1,
    memory: bool = True,
) -> "Player":
    """Play the computation of `fetches`, and then its derivative, one operation at a time.

    Each step has a sentence, a formula with names and with numbers, and its place in the graph: a
    value in the forward pass, a contribution `w̄ += ȳ ∂y/∂w` in the backward pass.

    fetches    Tensors, Nodes, or values of your own engine; a Graph or a Session, for all its
               results; or a function of Tensors, which is called with `feed`: then each step shows
               its source line. The first is differentiated
    feed       {placeholder: value}; for a function {"x": 2.0}, by the names of its arguments
    wrt        what is differentiated for: values, a function's arguments by name; in forward mode
               also {x: tangent}. Nodes without wrt: the compiled program, with its buffers; a
               loss with gradients and updates lane by lane, as it was written
    mode       "reverse": adjoints from the result back; "forward": tangents on from wrt
    names      locals(): nodes get the learner's variable names
    session    the Session whose variables Nodes are computed with; a player stores nothing
    expand     name scopes, or ids such as "n12" of loops, that are opened at first; by default the
               loops whose iterations are played
    collapse   name scopes that are closed at first
    at         the step that is shown first, counted from 1; "what if": the last one, with its
               inputs ready to be dragged
    memory     whether it tells the bytes that are alive at each step, and the buffers of a program

    Returns a Player, which a notebook shows and `save(path)` writes, also as a film. Raises
    ArgumentError where there is nothing to play, or no such step, argument or mode.

    >>> steps = mg.player(lambda x, w: x * w, {"x": 2.0, "w": 1.0}, wrt="w")
    >>> type(steps).__name__  # steps.save("steps.gif") writes a film
    'Player'
    """
    opened, closed = (
        list_handles(expand, "expand", "player"),
        list_handles(collapse, "collapse", "player"),
    )
    lanes = not opened and not closed
    trace = make_trace(fetches, feed, wrt, mode, names, session, lanes)
    trace = trace if memory else trace.without_buffers()
    title = clean(title or TITLES["step" if trace.lanes else trace.mode], 120)
    if opened or closed:
        bodies = outline(trace.results, trace.learner_names, lambda id, value: True)
        check_handles((*opened, *closed), {*bodies.ids, *trace.inner}, bodies, "player")
    opened = opened or tuple(loop for loop in played_loops(trace) if loop not in closed)
    found = Player(trace, title, opened, closed, at, memory)
    found.check_start()
    return found


def played_loops(trace):
    """The ids of the loops whose iterations are played, where their bodies are small."""
    if trace.lanes:
        return []
    found = dict.fromkeys(event.node for event in trace.events if event.inner)
    return [id for id in found if sum(one.startswith(f"{id}_") for one in trace.inner) <= SMALL]


def picture_of(trace, title, expand=(), collapse=()):
    """The Picture of a trace."""
    kind = LanesPicture if trace.lanes else Picture
    return kind(trace, title, expand, collapse)


def play_call(expand, collapse):
    """The call of a player that opens and closes these things."""
    sides = {"expand": list(expand), "collapse": list(collapse)}
    told = [f"{name}={quote_option(names)}" for name, names in sides.items() if names]
    return f"player({', '.join(['y', *told])})"


class Player(Shown):
    """What `player` returns: shown by a notebook, or written by save(path)."""

    place = "the player"

    def __init__(
        self,
        trace: Trace,
        title: str,
        expand: tuple = (),
        collapse: tuple = (),
        at: int | str = 1,
        memory: bool = True,
    ) -> None:
        self.trace, self.title, self.expand, self.collapse = trace, title, expand, collapse
        self.at, self.memory = at, memory

    def check_start(self) -> None:
        """Raises ArgumentError where what is to be shown first is not there."""
        if self.at != WHAT_IF:
            if self.at != 1:  # of no steps at all, too, the first is shown
                self.check_step(self.at)
        elif self.data["program"] is None:
            hint = "it takes a few numbers, no arrays and no loops; give `at` the number of a step"
            raise ArgumentError("player: this computation has no What if", hint)

    def check_step(self, step: Any) -> None:
        """Raises ArgumentError where there is no such step, counted from 1."""
        count = len(self.trace.events)
        if not (isinstance(step, SupportsIndex) and 1 <= index(step) <= count):
            hint = f"choose one from 1 to {count}"
            raise ArgumentError(f"player: there is no step {clean(step, 20)}", hint)

    @cached_property
    def data(self) -> dict:
        """What the script is told, but where it begins."""
        return describe_trace(self.trace, self.picture, self.title, self.memory)

    @cached_property
    def picture(self) -> Picture | None:
        """The Picture; None where nothing can be drawn: then there are still the steps."""
        found = self.change((), ())
        return found if found.scene.nodes and found.final_drawing.picture[0] else None

    def change(self, opened: Iterable, closed: Iterable) -> Picture:
        """The Picture with other things opened and closed."""
        expand = [one for one in (*self.expand, *opened) if one not in closed]
        collapse = [one for one in (*self.collapse, *closed) if one not in opened]
        return picture_of(self.trace, self.title, tuple(expand), tuple(collapse))

    def album(self) -> str:
        """The attribute with the pictures that one comes to by opening and closing things."""
        if self.picture is None:
            return ""
        pictures = {}

        def make(opened, closed):
            picture = self.change(opened, closed)
            pictures[picture.final_drawing] = picture
            return picture.final_drawing

        def call(opened, closed):
            found = self.change(opened, closed)
            return play_call(found.expand, found.collapse)

        insides = self.picture.final_drawing.insides
        views = explore(self.picture.final_drawing, make, call)
        first = page_data(self.picture)
        more = [other_page(pictures[view.drawing], first) for view in views[1:]]
        return album_attribute(
            views, [None, *more], self.picture.upright(len(self.trace.events)), insides
        )

    def drawing(self, step: int | None = None) -> Drawing:
        """The Drawing after a step, counted from 1; by default after the last one."""
        step = len(self.trace.events) if step is None else step
        self.check_step(step)
        return self.change((), ()).drawing(step)

    @property
    def text(self) -> str:
        """The steps as a table."""
        return "\n".join([self.title, *align_columns(self.rows())])

    def rows(self) -> list:
        """The steps as a table: a head, and the row of each."""
        rows = self.trace.rows()
        return rows if self.memory else [row[:-1] for row in rows]

    @property
    def body(self) -> str:
        """The element; inside it a picture and a table, for where no script runs."""
        tag = player_script().tag
        told = f"spec='{quote_data(self.data | self.start())}'{self.album()}"
        return f"<{tag} {told}>\n{self.fallback()}\n</{tag}>"

    def start(self) -> dict:
        """Which of the steps shown comes first, from 0, and whether its inputs can be dragged."""
        steps = [event.step for event in kept_events(self.trace.events)]
        if isinstance(self.at, str):
            return {"at": len(steps) - 1, "whatIf": True}
        return {"at": sum(step < index(self.at) - 1 for step in steps), "whatIf": False}

    @property
    def scripts(self) -> list:
        """The viewer's and the player's."""
        return [view_script(), player_script()]

    def fallback(self) -> str:
        """The picture after the last step, and the table of steps."""
        shown = self.picture.final_drawing if self.picture else None
        image = shown.plain.partition("\n")[0] if shown else ""
        return f"{image}\n<details><summary>the steps as a table</summary>{self.table()}</details>"

    def table(self) -> str:
        """The steps as an HTML table."""
        head, *rows = self.rows()
        rows = [rows[event.step] for event in kept_events(self.trace.events)]
        cells = "".join(f"<th>{escape(word)}</th>" for word in head)
        body = "\n".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        left = left_out_note(self.trace.events)
        return f"<table><tr>{cells}</tr>\n{body}</table>" + f"<p>{escape(left)}</p>" * bool(left)

    def save(self, path: PathLike | str, step: int | None = None, scale: float = 1.0) -> Path:
        """Write the player, the picture of one step, or a film of all steps; returns the path.

        .html               a page with the player
        .svg .png .pdf .dot the picture after `step`, counted from 1; by default after the last one
        .gif .mp4 .webm     a film: the finished picture, then each step with its sentence and its
                            formula, for as long as they take to read. A .gif begins again at its
                            end; .mp4 and .webm need ffmpeg: pip install imageio-ffmpeg

        `scale` makes pictures so many times as large. Raises ArgumentError for another suffix, a
        step that is not there, or a missing package, before anything is written.

        >>> player.save("two_paths.gif")
        """
        suffix = suffix_of(path)
        if suffix == ".html":
            check_scale(suffix, scale)
            body = f"<h1>{escape(self.title)}</h1>\n{self.html}"
            return write_file(path, web_page(self.title, body, PAGE).encode())
        if suffix not in FILMS:
            check_suffix(suffix, (*WRITERS, *FILMS))
            return self.drawing(step).save(path, scale)
        if step is not None:
            hint = "leave step out, or save as .png"
            raise ArgumentError(f"save: step={clean(step, 20)}, and {suffix} shows all steps", hint)
        return save_film(path, self.frames, scale)

    def frames(self) -> list:
        """The FilmFrames of a film: the finished picture, then each step under its words."""
        picture = picture_of(self.trace, "", self.expand, self.collapse)
        return list(FilmStrip(self.trace, self.title, picture).frames())

    def slides(self, folder: PathLike | str, suffix: str = ".svg", scale: float = 1.0) -> list:
        """Write the picture of each step into a folder, as 01.svg, 02.svg, … (or .png, .pdf), all
        of one size; returns the paths."""
        picture = picture_of(self.trace, self.title)
        steps = range(1, len(self.trace.events) + 1)
        return save_slides(map(picture.drawing, steps), folder, suffix, scale)


# the script and the style sheets ------------------------------------------------------------------


FOLDER = Path(__file__).parent
PARTS = ("values.js", "whatif.js", "quiz.js", "panels.js", "player.js")


@cache
def player_script():
    """The Script of the element."""
    return script_of("player", [FOLDER / name for name in PARTS], style_sheets())


def style_sheets():
    """The player's own rules: of both themes, and those that depend on the theme."""
    return {
        "base": squeeze_code([FOLDER / "player.css"]),
        "light": "\n".join(phase_rules(dark=False)),
        "dark": "\n".join(phase_rules(dark=True)),
    }


def phase_rules(dark):
    """The colours of the phases of a trace."""
    for role in dict.fromkeys(PHASES.values()):
        names = ",".join(f".{phase}" for phase, own in PHASES.items() if own == role)
        tone, tint = ROLES[role].colours(dark)
        wash = LANES.get(role, (tint, tint))[dark]
        rim = ROLES[role].edge_of_card(dark)
        yield f"{names} {{ --tone: {tone}; --tint: {tint}; --mid: {rim}; --wash: {wash} }}"
