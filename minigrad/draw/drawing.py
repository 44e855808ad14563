"""The Drawing: a scene that shows itself in a notebook and saves itself to a file."""

import re
from collections.abc import Callable
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw.layout import Placement, layout
from minigrad.draw.layout.engine import NoLayout
from minigrad.draw.layout.routes import Route, routes
from minigrad.draw.layout.timetable import has_narrow_form
from minigrad.draw.modes.inside import inside_scenes
from minigrad.draw.paint import step_svg, svg, timetable_svg, workers_svg
from minigrad.draw.paint.album import album_attribute
from minigrad.draw.paint.dot import dot_text
from minigrad.draw.paint.element import Shown, image_and_text, view_script
from minigrad.draw.paint.listing import alt, listing
from minigrad.draw.paint.saving import save_drawing
from minigrad.draw.scene import Frame, Scene

PHONE, HARDLY = 390, 0.7  # pixels; of a width, what is hardly less
SMALL_GRAPH = 24  # nodes, adjoints counted


class Drawing(Shown):
    """What `draw` returns. Values were read when it was made: later changes do not show.

    `room` is a scene with the same nodes, whose labels all boxes have room for; `views` makes of
    this drawing those that one comes to by opening and closing things; `row` are the drawings
    that it has one size with.
    """

    place = "drawing"

    def __init__(
        self,
        scene: Scene,
        room: Scene | None = None,
        views: Callable | None = None,
        row: "PictureRow | None" = None,
    ) -> None:
        self.scene, self.room, self.explore, self.row = scene, room or scene, views, row

    @property
    def text(self) -> str:
        """The listing of nodes and edges."""
        return listing(self.scene)

    @property
    def alt(self) -> str:
        """The drawing in a sentence."""
        return alt(self.scene)

    @property
    def dot(self) -> str:
        """The graph in the DOT language."""
        return dot_text(self.scene)

    @cached_property
    def placement(self) -> Placement:
        """Where everything stands. Raises NoLayout."""
        placed = layout(self.room)
        return placed._replace(whole=self.row.whole) if self.row else placed

    @cached_property
    def picture(self) -> tuple[str, str]:
        """(SVG text, "") or ("", why there is none)."""
        if not self.scene.nodes:
            return "", ""
        try:
            if self.scene.mode == "workers" and self.scene.step:
                return workers_svg(self.scene, self.alt), ""
            if self.scene.step:
                return step_svg(self.scene, self.alt, room=self.room), ""
            if self.scene.timetable:
                return timetable_svg(self.scene, self.alt), ""
            return svg(self.scene, self.placement, self.alt), ""
        except NoLayout as reason:
            return "", str(reason)

    @cached_property
    def portrait(self) -> str:
        """The SVG text for a narrow page: a training step or a small graph upright, a short memory
        plan with its columns closer; "" where it would not fit there, either."""
        if self.scene.mode == "step":
            return step_svg(self.scene, self.alt, True, self.room)
        if self.scene.timetable and has_narrow_form(self.scene.timetable):
            return timetable_svg(self.scene, self.alt, narrow=True)
        return "" if self.scene.step or self.scene.timetable else self.upright()

    def upright(self) -> str:
        """The SVG text of a small graph that runs down; "" where the graph fits on a phone, where
        that is hardly narrower, and where it runs down anyway."""
        if len(self.scene.nodes) > SMALL_GRAPH or self.row or self.scene.upright:
            return ""
        width = picture_width(self.picture[0])
        if width <= PHONE:
            return ""
        narrow = Drawing(self.scene._replace(upright=True)).picture[0]
        return narrow if picture_width(narrow) <= max(PHONE, HARDLY * width) else ""

    @property
    def frames(self) -> list[Frame]:
        """The frames that are drawn."""
        there = self.picture[0] and not self.scene.step and not self.scene.timetable
        return [frame for frame, _ in self.placement.frames] if there else []

    @cached_property
    def views(self) -> list:
        """This drawing and those that clicks lead to, with where each click leads."""
        return self.explore(self) if self.explore and self.picture[0] else []

    @cached_property
    def insides(self) -> dict:
        """{id of a card of a training step: the Drawing of what it holds}; none without a layout
        engine."""
        scenes = inside_scenes(self.scene.step) if self.scene.mode == "step" else []
        drawings = {id: Drawing(scene) for id, scene in scenes}
        return drawings if all(drawing.picture[0] for drawing in drawings.values()) else {}

    @property
    def svg(self) -> str:
        """The SVG text. Raises ArgumentError where there is no picture."""
        text, reason = self.picture
        if not text:
            raise ArgumentError(f"draw: no picture: {reason or 'there is no node'}", self.hint())
        return text

    def with_note(self, note: str) -> "Drawing":
        """The same drawing with a line more below it."""
        self.scene = self.scene._replace(notes=(*self.scene.notes, note))
        return self

    def hint(self) -> str:
        """What to call to get a picture."""
        return self.scene.notes[-1] if self.scene.notes else "print(drawing) lists the graph"

    @property
    def body(self) -> str:
        """The element around what is seen without scripts; that alone where there is no picture."""
        tag = view_script().tag
        views = album_attribute(self.views or [View(self, {})], insides=self.insides)
        return f"<{tag}{views}>\n{self.plain}\n</{tag}>" if self.picture[0] else self.plain

    @property
    def scripts(self) -> list:
        """The viewer's, where there is something to look at."""
        return [view_script()] if self.picture[0] else []

    @property
    def plain(self) -> str:
        """An image with its text below: what a notebook shows, also one that is not trusted."""
        text, reason = self.picture
        rows = f"<pre>{escape(self.text)}</pre>"
        if not text:
            return rows + (f"<p>{escape(reason)}</p>" if reason else "")
        return image_and_text(text, self.alt, self.text, self.portrait)

    def save(self, path: PathLike | str, scale: float = 1.0) -> Path:
        """Write the drawing as .svg, .png, .pdf, .html or .dot, by the suffix; return the path.

        The picture is `scale` times as large, for slides: a PNG has 2 · `scale` pixels for each
        pixel of the drawing. Raises ArgumentError for another suffix or a missing package, and
        FileError where nothing can be written there; the old file then stays.

        >>> drawing.save("graph.png", scale=1.5)
        """
        return save_drawing(self, path, scale)

    def graphviz(self) -> Any:
        """The graph as a `graphviz.Source`, with the engines, formats and methods of that package.

        It has the colours and shapes of the drawing; places and sizes are Graphviz's own.
        """
        try:
            from graphviz import Source
        except ImportError:
            message = "draw: the package graphviz is not installed"
            raise ArgumentError(
                message, "pip install graphviz, or use drawing.dot, its text"
            ) from None
        return Source(self.dot)


def picture_width(picture: str) -> float:
    """The width that an SVG text says in its first tag; 0 of no picture."""
    told = re.search(r' width="([\d.]+)"', picture[:200])
    return float(told[1]) if told else 0.0


class View(NamedTuple):
    """A drawing, and what a click changes it to.

    `moves` maps what can be opened or closed, as `expand` names it, to the place of another view;
    or to the call that draws it, where there was no room.
    """

    drawing: Drawing
    moves: dict


class PictureRow:
    """Scenes in a row, in which every node has its place, as Drawings of one size."""

    def __init__(self, scenes: list[Scene]) -> None:
        self.scenes = scenes

    def drawings(self, views: Callable | None = None) -> list[Drawing]:
        """A Drawing of each scene; `views(at)` are what makes its views, for each place."""
        return [
            Drawing(scene, views=views and views(at), row=self if scene.room else None)
            for at, scene in enumerate(self.scenes)
        ]

    @cached_property
    def whole(self) -> tuple:
        """Boxes around all that any of the scenes draws. Raises NoLayout."""
        placed = [(scene, layout(scene)) for scene in self.scenes]
        ways = [way for pair in placed for way in routes(*pair)]
        return (*placed[0][1].whole, *map(Route.around, ways))
