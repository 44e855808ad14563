"""A stored picture as the frames of a film: a player's steps, a graph node by node, or a plot.

Nothing is drawn again. A frame of a graph is the stored drawing in which everything is hidden that
is not computed yet.
"""

import io
import json
import re
from html import unescape
from typing import NamedTuple

from minigrad.course.slides.pictures import StoredPicture, find_pictures

SPEC = re.compile(r"<minigrad-player\S* spec='([^']*)'")
TABLE_ROW = re.compile(r"<tr>((?:<td>[^<]*</td>)+)</tr>")
CELL = re.compile(r"<td>([^<]*)</td>")
NODE = re.compile(r'<g id="([^"]+)" class="node"')
EDGE = re.compile(r'data-from="([^"]+)" data-to="([^"]+)"')
GROWS = re.compile("(forward|split|mirror|tangent|loop|step) graph:")  # nothing stands beside it
MARKS = "svg > g > text.small"  # at ends of edges: which operand it is
MINUS = re.compile(r"(?<![\w)\]-])-(?=\.?\d)")
FORWARD = "The forward pass computes all values, at the end the result"
MOST = 10  # frames of a picture that is no player


class StepFrame(NamedTuple):
    """A picture, and the words for its step."""

    picture: StoredPicture
    words: str


def make_frames(cell):
    """Return the frames of what a cell shows: of its last picture."""
    picture = find_pictures(cell)[-1]
    if spec := next(filter(None, map(find_spec, cell.outputs)), None):
        return player_frames(picture, *spec)
    if picture.kind == "gif":
        return film_frames(picture)
    if GROWS.match(picture.alt):
        return graph_frames(picture)
    return [StepFrame(picture, "")]


def find_spec(output):
    """Return (what a player tells its script, the rows of its table), or None."""
    text = output.get("data", {}).get("text/html", "")
    found = SPEC.search(text)
    rows = [[unescape(one) for one in CELL.findall(row)] for row in TABLE_ROW.findall(text)]
    return (json.loads(unescape(found[1])), rows) if found else None


# a player -----------------------------------------------------------------------------------------


def player_frames(picture, spec, rows):
    """Return a frame for each step of a player that computes something: its leaves are there from
    the beginning."""
    steps, ending = spec["steps"], spec["ending"]
    last = {id: at for at, step in enumerate(steps) for id, _ in step["texts"]}
    sent = {(f"{user}{ending}", f"{to}{ending}"): at for at, user, to, _ in spec["contributions"]}
    forward, then = [], []
    for at, (step, row) in enumerate(zip(steps, rows)):
        late = {part for part, done in (last | sent).items() if done > at}
        if "leaf" not in step["say"]:
            formula = f"{row[3]} = {row[4]}" if row[3] and not row[3].endswith(row[4]) else row[3]
            say = f"{FORWARD}: {formula}." if row[1] == "forward" else f"{step['say']} {formula}"
            frame = StepFrame(hide_parts(picture, late, sent), with_minus(say.strip()))
            (forward if row[1] == "forward" else then).append(frame)
    return join_forward(forward, then)


def join_forward(forward, then):
    """Return the frames of the forward pass as one, where others follow."""
    return [*forward[-1:], *then] if then else forward


def with_minus(text):
    """Return a text with the sign − before its negative numbers."""
    return MINUS.sub("−", text)


def hide_parts(picture, late, sent=()):
    """Return a drawing without some parts: nodes, with the edges at them, and of the edges `sent`
    (from, to) those that are late themselves."""
    svg = picture.data.decode()
    ids = {part for part in late if isinstance(part, str)}
    edges = {e for e in EDGE.findall(svg) if (e in late if e in sent else ids & {*e})}
    rules = [f"#{id}" for id in sorted(ids)]
    rules += [f'[data-from="{start}"][data-to="{end}"]' for start, end in sorted(edges)]
    if not rules:
        return picture
    rules.append(MARKS)
    css = f"{', '.join(rules)} {{ visibility: hidden }}\n</style>"
    return picture._replace(data=svg.replace("</style>", css, 1).encode())


# other pictures -----------------------------------------------------------------------------------


def graph_frames(picture):
    """Return the frames in which a graph grows: its leaves, then one result after the other, and
    the adjoints from the result back."""
    svg = picture.data.decode()
    ids, ends = NODE.findall(svg), {end for _, end in EDGE.findall(svg)}
    forward = [id for id in ids if not id.endswith("_bar")]
    order = [*forward, *(id for id in reversed(ids) if id.endswith("_bar"))]
    grown = [id for id in order if id in ends]
    late, frames = {*grown}, ([], [])
    for id in grown:
        late.discard(id)
        frames[id.endswith("_bar")].append(StepFrame(hide_parts(picture, late), ""))
    return spread(join_forward(*frames))


def film_frames(picture):
    """Return some frames of an animated plot, in order; it begins with its last one."""
    from PIL import Image

    film, found = Image.open(io.BytesIO(picture.data)), []
    for at in range(1, film.n_frames):
        film.seek(at)
        file = io.BytesIO()
        film.convert("RGB").save(file, "png")
        found.append(StepFrame(picture._replace(kind="png", data=file.getvalue()), ""))
    return spread(found)


def spread(frames):
    """Return at most MOST of the frames, evenly chosen, with the last one."""
    count = min(len(frames), MOST)
    return [frames[(at + 1) * len(frames) // count - 1] for at in range(count)]
