"""All values of a long training step, a small square each, below the blocks that are drawn."""

from collections import Counter

from minigrad.draw.layout.boxes import Box, text_width
from minigrad.draw.look import SMALL
from minigrad.draw.modes.step import LANES
from minigrad.draw.paint.marks import num, rectangle, text_svg

MOST = 5_000  # values that are drawn so
PITCHES = ((15, 10), (12, 8), (9, 6), (6, 4))  # from one square to the next, and its side
INSET, HEAD = 14, 28  # around the squares, and for the words above them
NAMES = 92  # at the left, for the names of the lanes
LANE_GAP = 5
INKS = {"parameters": "variable", "forward": "muted", "update": "variable"}  # others: adjoint


def squares_of(cards, width):
    """(SVG text, height) of the squares of a CardSet, in lanes and columns; of one with piles."""
    if not cards.piles or len(cards.whole.outline.values) > MOST:
        return "", 0
    whole, room = cards.whole, width - NAMES - INSET
    columns = sorted({card.column for card in whole.cards})
    pitch, side = next((p for p in PITCHES if len(columns) * p[0] <= room), PITCHES[-1])
    share = -(-len(columns) * pitch // room)  # columns that stand on one another
    place = {column: at // share for at, column in enumerate(columns)}
    top, parts = HEAD, []
    for lane in LANES:
        ways, high = lane_squares(whole.cards, lane, place, pitch, side)
        if high:
            ink = INKS.get(lane, "adjoint")
            look = ink if ink == "muted" else f"{ink}-ink"
            parts.append(f'<path class="{look}" transform="translate(0 {top})" d="{ways}"/>')
            words = f"small start {look}", text_width(lane, SMALL)
            parts.append(text_svg(lane, INSET, top + side / 2 + 4, *words))
            top += max(high * pitch, SMALL + 2) + LANE_GAP
    ground = Box(width / 2, (top + INSET) / 2, width, top + INSET)
    total, title = len(whole.outline.values), cards.piles.title
    words = f"All {total:,} nodes, one square each; the frame shows what {title} holds"
    frame = rectangle(opened_box(cards, place, pitch, side, top), "open-block", 6)
    head = text_svg(words, INSET, 18, "small bold start", text_width(words, SMALL, "bold"))
    text = "".join([rectangle(ground, "input-lane", 12), head, *parts, frame])
    return text, round(top + INSET, 1)


def lane_squares(cards, lane, place, pitch, side):
    """(path of a lane's squares, how many stand on one another at most)."""
    heights, ways = Counter(), []
    for card in cards:
        if card.lane == lane:
            at = place[card.column]
            for row in range(heights[at], heights[at] + len(card.members)):
                x, y = NAMES + at * pitch, row * pitch
                ways.append(f"M{num(x)} {num(y)}h{side}v{side}h-{side}z")
            heights[at] += len(card.members)
    return "".join(ways), max(heights.values(), default=0)


def opened_box(cards, place, pitch, side, bottom):
    """The box around the squares of the block that is open."""
    columns = [place[c.column] for c in cards.whole.cards if c.id in cards.piles.open_ids]
    left = NAMES + min(columns) * pitch - 3
    right = NAMES + max(columns) * pitch + side + 3
    return Box((left + right) / 2, (HEAD + bottom) / 2 - 2, right - left, bottom - HEAD + 6)
