"""The frames of a player's film: the picture at each step, and above it what the step tells."""

import re

from minigrad.draw.layout.boxes import Box, round_even
from minigrad.draw.look import LIGHT, ROLES
from minigrad.draw.paint import document
from minigrad.draw.paint.marks import num, rectangle
from minigrad.draw.paint.movie import REST, FilmFrame, reading_time
from minigrad.draw.player.banner import BANNER_RULES, Banner
from minigrad.draw.player.spec import kept_events
from minigrad.draw.trace.tokens import tokens_text

LEAST_WIDTH = 640  # pixels of a frame
NODE = re.compile(r'<g id="([^"]+)" class="node"')
LINE = re.compile(r'<g (?:class="(chip)" )?data-from="([^"]+)" data-to="([^"]+)"')
FRAME_RULES = f"""{BANNER_RULES}\
.node.waiting {{ opacity: 0.55 }}
[data-from].waiting {{ opacity: 0.4 }}
.node.now > .rim {{ stroke: {LIGHT["ink"]}; stroke-width: 2.6 }}
.node.now > .rim.result {{ stroke: {ROLES["input"].stroke} }}
.node.now > .rim.adjoint {{ stroke: {ROLES["adjoint"].stroke} }}
.node.now > .rim.tangent {{ stroke: {ROLES["tangent"].stroke} }}
[data-from].now > .edge {{ stroke-width: 3.2 }}
[data-from].chip.now {{ visibility: visible }}
[data-from].chip.now > rect {{ stroke-width: 2.4 }}
"""


class FilmStrip:
    """The frames of a player: all of one size, drawn for the light theme."""

    def __init__(self, trace, title, picture):
        self.trace, self.title, self.picture = trace, title, picture
        self.events, count = kept_events(trace.events), len(trace.events)
        self.last = picture.final_drawing.svg
        wide, tall = (float(re.search(rf'{side}="([\d.]+)"', self.last)[1]) for side in SIDES)
        self.width = round_even(max(wide, LEAST_WIDTH))
        self.left = (self.width - wide) / 2
        self.banner = Banner(self.events, count, title, self.width)
        self.height = round_even(self.banner.bottom + tall)
        self.changing = self.known_at(count)

    def frames(self):
        """The FilmFrames: the finished picture, then the picture at each step."""
        yield FilmFrame(self.compose(self.banner.opening(), self.last), REST)
        for event in self.events:
            words = event.sentence + tokens_text((*event.formula, *event.substitution))
            text = self.compose(self.banner.parts(event), self.mark_step(event))
            yield FilmFrame(text, reading_time(words))

    def compose(self, above, picture):
        """The SVG text of a frame: what stands above, and a picture below it."""
        body = picture.partition("</style>\n")[2].partition("\n")[2].rpartition("</svg>")[0]
        ground = Box(self.width / 2, self.height / 2, self.width, self.height)
        place = f"translate({num(self.left)} {num(self.banner.bottom)})"
        parts = [rectangle(ground, "card", 0), *above, f'<g transform="{place}">{body}</g>']
        text = document(self.width, self.height, self.title, parts)
        return text.replace("</style>", f"{FRAME_RULES}</style>", 1)

    def mark_step(self, event):
        """The picture at a step; classes tell what is computed now, and what waits for its turn."""
        waiting = self.changing - self.known_at(event.step + 1)
        picture = self.picture
        own, ending = picture.place_of(event), picture.ending if event.derivative else ""
        edge = [picture.node_with(id, ending) for id in event.edge or ()]

        def node(match):
            look = "node" + state_class(match[1] == own, match[1] in waiting)
            return f'<g id="{match[1]}" class="{look}"'

        def line(match):
            kind, *ends = match.groups()
            used = ends == edge if edge else ends[1] == own
            look = (kind or "line") + state_class(used, ends[1] in waiting)
            return f'<g class="{look}" data-from="{ends[0]}" data-to="{ends[1]}"'

        return LINE.sub(line, NODE.sub(node, self.picture.drawing(event.step + 1).svg))

    def known_at(self, step):
        """The ids of the nodes that say something when so many steps are done."""
        events = self.trace.events[:step]
        return {id for event in events for id, _ in self.picture.texts_of(event)}


SIDES = ("width", "height")


def state_class(now, waiting):
    """The class of what is computed now, or waits, with a space before it."""
    return " now" if now else " waiting" if waiting else ""
