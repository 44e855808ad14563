"""Painting the lanes of workers, and the messages between them, each with a letter on its pill."""

from html import escape
from math import log2

from minigrad.draw.layout.boxes import Box, name_width, round_even, text_width
from minigrad.draw.layout.workers import place_workers
from minigrad.draw.look import SIZE, SMALL, WIDEST, WIDTHS
from minigrad.draw.paint.marks import letter_svg, name_svg, rectangle, text_svg
from minigrad.draw.paint.score import head_of, measure_by, stub_width, way_of
from minigrad.draw.read import seconds_text

TIP = 10  # the length of an arrow's head
PILL, LETTER = 26, 21  # the height of a pill; the room of a letter on it
ENDS, BETWEEN = 10, 7  # from a pill's end to the letter; from the name to the bytes
NAME = 14  # the size of a name on a pill
SIDE, NAMES = 26, 76  # beside the bars of who works when; from a worker's name to its bars
HEADING, TRACK, BAR = 46, 28, 20  # above them; from one to the next; the height of one
TINTS = ("input", "neutral")  # of lanes, in turns
INKS = ("input", "fused")  # of their words
ROLES = {"message": "input", "parameter": "variable"}  # of pills; others are of their kind


def place_sharing(sharing, nodes):
    """The WorkerPicture of WorkerSteps whose nodes these are, by id."""
    measure, said = measure_by(nodes, sharing.formulas), sharing.said

    def width(at):
        return pill_size(said[at])

    return place_workers(sharing.sharing, measure, stub_width, width, sharing.formulas)


def pill_size(said):
    """The width of the pill of a MessageText."""
    texts = name_width(said.name, NAME) + BETWEEN + text_width(said.size, SIZE, "bold")
    return round_even(2 * ENDS + LETTER + texts)


def times_svg(times, width, top):
    """Who works when: a bar for each piece, at the start of its stage, on a track for a worker."""
    if not times:
        return
    whole, left = max(one.until for one in times), SIDE + NAMES
    unit = (width - SIDE - left) / whole
    yield from plain_text("who works when", SIDE, top + 28, "small bold start")
    workers = sorted({one.worker for one in times})
    for at, worker in enumerate(workers):
        middle = top + HEADING + TRACK * at + BAR / 2
        yield from plain_text(f"worker {worker}", SIDE, middle + 4, "small start")
        yield rectangle(Box(left + unit * whole / 2, middle, unit * whole, BAR), "track", 5)
        for one in (one for one in times if one.worker == worker):
            wide = max(2.0, unit * one.seconds)
            bar = Box(left + unit * one.begun + wide / 2, middle, wide, BAR)
            yield rectangle(bar, "rim input", min(5, wide / 2))
            stage = f"stage {one.stage}"
            if wide > text_width(stage, SMALL) + 8:
                yield from plain_text(stage, bar.x, middle + 4, "small input-ink")
            else:
                yield from plain_text(stage, bar.right + 5, middle + 4, "small start muted")
    end, low = seconds_text(whole), top + times_height(times) - 4
    yield from plain_text("0", left, low, "small start muted")
    yield from plain_text(end, width - SIDE, low, "small end muted")


def plain_text(words, x, y, classes):
    """A small text."""
    face = "bold" if "bold" in classes else "sans"
    yield text_svg(words, x, y, classes, text_width(words, SMALL, face))


def times_height(times):
    """The height of the bars of who works when."""
    return HEADING + TRACK * len({one.worker for one in times}) + 14 if times else 0


def worker_lane_svg(lane):
    """A lane, with its worker in the corner; `lane.lane` is its place among the workers."""
    x, y = lane.box.left + 14, lane.box.top + 17
    ink = INKS[lane.lane % len(INKS)]
    wide = text_width(lane.word, SMALL, "bold")
    words = text_svg(lane.word, x, y, f"small bold start {ink}-ink", wide)
    ground = rectangle(lane.box, f"{TINTS[lane.lane % len(TINTS)]}-lane", 12)
    return f'<g class="lane">{ground}{words}</g>'


def message_line(placed, said):
    """The line of a message, as wide as it is long."""
    wide = said.kind if said.kind == "gone" else f"{said.kind} wide{width_of(said.bytes)}"
    tip = "" if placed.end == "out" else head_of(placed.points, wide, TIP)
    tip = tip.replace("edge tip", "edge")
    return (
        f'<g data-from="{said.source}" data-to="{said.target}">'
        f'<path class="edge {wide}" d="{way_of(placed.points)}"/>{tip}</g>'
    )


def width_of(size):
    """The width of a message's line, by the logarithm of its bytes."""
    steps = log2(max(1, size or 1)) / 4
    return min(WIDEST, WIDTHS[0] + max(0, int(steps)))


def message_pill(placed, said):
    """The pill of a message: a letter, the name of the value, its bytes."""
    wide, role = pill_size(said), ROLES.get(said.kind, said.kind)
    left, y = placed.x - wide / 2, placed.y
    ink = f" {role}-ink"
    bar = "adjoint" if said.bar else ""
    x = left + ENDS + LETTER
    parts = [
        rectangle(Box(placed.x, y, wide, PILL), f"{role}-chip", PILL / 2),
        letter_svg(left + ENDS, y, role),
        *name_svg(said.name, x, y + 4.5, ink, bar, NAME),
        text_svg(
            said.size,
            x + name_width(said.name, NAME) + BETWEEN,
            y + 4.3,
            f"bold start{ink}",
            text_width(said.size, SIZE, "bold"),
        ),
    ]
    return f'<g class="message"><title>{escape(said.says)}</title>{"".join(parts)}</g>'
