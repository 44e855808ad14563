"""Where the words of a block stand: in it where there is room, else beside it, with a leader."""

from typing import NamedTuple

from minigrad.draw.layout.boxes import Box, name_width, text_width, touches
from minigrad.draw.layout.timetable import APART, fit_name
from minigrad.draw.look import SMALL, TERM

FLAT, TALL = 15, 38  # a block that is lower has its words outside; a higher one has two rows
BIG = 20  # a block that is lower has small names
INSET = 3  # from a rim to words
CROWD = 60  # columns: of more, blocks have no words beside them
REACH, STRIDE, ASIDE = 72, 6, 8  # how far a label may stand from its block; from try to try
COVER = 60  # pixels further away are as bad as words over another block


class BlockWord(NamedTuple):
    """The name of a column, or where `column` is None the number of a buffer."""

    text: str
    column: int | None
    size: float
    x: float = 0.0
    y: float = 0.0


class Label(NamedTuple):
    """The words of a block; those outside have a leader, as the two ends of a line."""

    words: tuple
    leader: tuple = ()


def place_labels(grid):
    """{place of a block in the Timetable of a Grid: its Label}, of those that have room."""
    blocks = grid.table.blocks
    inside = {at: Label(tuple(words_inside(grid, block))) for at, block in enumerate(blocks)}
    found = {at: label for at, label in inside.items() if label.words}
    taken = [word_box(word) for label in found.values() for word in label.words]
    if len(grid.table.columns) <= CROWD:
        for at, block in enumerate(blocks):
            label = None if at in found else label_beside(grid, block, taken)
            if label:
                found[at] = label
                taken += [*map(word_box, label.words), leader_box(label.leader)]
    return found


# inside ------------------------------------------------------------------------------------------


def words_inside(grid, block):
    """The words of a block where they have room in it, the number above the names or in their row;
    else []."""
    box = grid.block_box(block)
    if box.h < FLAT:
        return []
    is_tall = box.h >= TALL
    low = box.y + (9 if is_tall else 4.5)
    high = box.top + 14 if is_tall else low
    names = list(names_inside(grid, block, low))
    text, row = f"B{block.number}", [None] * len(names) if is_tall else names
    starts = (number_start(part, name, text) for (_, part), name in zip(grid.parts(block), row))
    left = next((start for start in starts if start is not None), None)
    if left is None or grid.has_names and None in names:
        return []
    return [BlockWord(text, None, SMALL, left, high), *filter(None, names)]


def names_inside(grid, block, y):
    """A BlockWord for each value, in its part of a block; None where that is too narrow."""
    size = grid.name_size if grid.block_box(block).h >= BIG else TERM
    for column, part in grid.parts(block):
        text = fit_name(grid.table.columns[column].name, part.w - 2 * INSET, size)
        wide = name_width(text, size)
        x = min(max(grid.middle(column) - wide / 2, part.left + INSET), part.right - wide)
        yield BlockWord(text, column, size, x, y) if text else None


def number_start(part, name, text):
    """Where the number of a buffer begins in a part of its block, beside the name in that; None
    where it has no room."""
    wide = text_width(text, SMALL, "bold")
    if name is None:
        return part.left + max(2, min(6, (part.w - wide) / 2)) if wide + 4 <= part.w else None
    before, behind = part.left + INSET + 1, word_box(name).right + APART
    if before + wide + APART <= name.x:
        return before
    return behind if behind + wide + INSET <= part.right else None


# beside ------------------------------------------------------------------------------------------


def label_beside(grid, block, taken):
    """The Label of a block beside it, where there is room; else None. `taken` are the Boxes of all
    words and leaders that are there."""
    own, (under, over) = grid.block_box(block), neighbours(grid, block)
    names = [BlockWord(grid.table.columns[at].name, at, TERM) for at in block.holds]
    words = [BlockWord(f"B{block.number}", None, SMALL), *names]
    wide = sum(word_box(word).w for word in words) + APART * (len(words) - 1)
    tries = [box for box in places(grid, own, wide) if not any(straddles(box, o) for o in under)]
    for place in sorted(tries, key=lambda place: cost(place, own, under)):
        leader = leader_to(place, own)
        pairs = [(place, other) for other in (*taken, *over)]
        pairs += [(leader_box(leader), other) for other in taken]
        if not any(touches(*pair, 2) for pair in pairs):
            return Label(write_row(words, place), leader)
    return None


def neighbours(grid, block):
    """The Boxes of the other blocks: of those painted before this one, and of all others."""
    found = [], []
    for other in grid.table.blocks:
        if other is not block:
            found[other.holds[-1] > block.holds[0]].append(grid.block_box(other))
    return found


def places(grid, own, wide):
    """Boxes near a block for words so wide, inside of the plot."""
    for away in range(2 * STRIDE, REACH + 1, STRIDE):
        for y in (own.top - away, own.bottom + away):
            for aside in range(-6, 7):
                place = Box(own.left + wide / 2 + ASIDE * aside + INSET, y, wide, 15)
                within = grid.x(0) + 2 <= place.left and place.right <= grid.right - 2
                if within and grid.top + 2 <= place.top and place.bottom <= grid.bottom - 1:
                    yield place


def cost(place, own, boxes):
    """How bad a place for words is: how far from their block, and what they cover."""
    aside = max(0.0, place.left - own.left, own.left - place.left - ASIDE)
    return abs(place.y - own.y) + aside + COVER * sum(touches(place, box) for box in boxes)


def write_row(words, place):
    """BlockWords side by side, in a Box."""
    found, x = [], place.left
    for word in words:
        found.append(word._replace(x=x, y=place.y + 4))
        x += word_box(word).w + APART
    return tuple(found)


def leader_to(place, own):
    """The line from a block to its words in a Box, as two ends."""
    x = min(max(own.left + 4, place.left + 6), own.right - 2, place.right)
    is_above = place.y < own.y
    return (x, own.top if is_above else own.bottom), (x, place.bottom if is_above else place.top)


def leader_box(leader):
    """The Box of a leader."""
    (x, start), (_, end) = leader
    return Box(x, (start + end) / 2, 1, abs(start - end))


def word_box(word):
    """The Box that a BlockWord takes."""
    if word.column is None:
        wide, high = text_width(word.text, SMALL, "bold"), 11
    else:
        wide, high = name_width(word.text, word.size), 14
    return Box(word.x + wide / 2, word.y - 4, wide, high)


def straddles(place, box):
    """Whether words would stand over the rim of a block."""
    across = box.left < place.left and place.right < box.right
    along = box.top < place.top and place.bottom < box.bottom
    return touches(place, box, 1) and not (across and along)
