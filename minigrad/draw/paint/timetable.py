"""Painting a memory plan: cards and lanes above, blocks of time and addresses below."""

from html import escape

from minigrad.draw.layout.boxes import name_width, text_width
from minigrad.draw.layout.labels import place_labels
from minigrad.draw.layout.timetable import LEFT, SIGN
from minigrad.draw.look import SMALL, TERM, numbered_fill
from minigrad.draw.paint.marks import Corners, card_outline, name_svg, num, rectangle, text_svg
from minigrad.draw.paint.score import head_of, way_of
from minigrad.draw.read import bytes_text

TINTS = {"forward": "input", "backward": "adjoint", "update": "variable"}
INKS = {look: f" {look}-ink" for look in ("result", "adjoint", "variable")}
THIN = 8  # columns narrower than this have no line down to the axis


def timetable_parts(grid):
    """The picture of a Grid, as SVG elements from the ground up."""
    labels = place_labels(grid)
    yield from (lane_ground(grid, *lane) for lane in grid.lanes)
    yield from ruler_parts(grid)
    yield from (read_line(grid, track) for track in grid.tracks())
    yield from (column_svg(grid, at, labels) for at in range(len(grid.table.columns)))
    yield from (block_rim(grid, block) for block in grid.table.blocks)
    yield from (leader_svg(*label.leader) for label in labels.values() if label.leader)
    yield from peak_parts(grid)


# columns -----------------------------------------------------------------------------------------


def lane_ground(grid, lane, start, stop):
    """The ground of a lane, and its word where there is room."""
    box, tint = grid.lane_box(start, stop), TINTS[lane]
    wide = text_width(lane, SMALL, "bold")
    words = text_svg(lane, box.left + 6, 16, f"small bold start {tint}-ink", wide)
    return rectangle(box, f"{tint}-lane", min(12, box.w / 3)) + words * (wide + 10 <= box.w)


def read_line(grid, track):
    """The line from one column to another; where none is drawn, what the page lights them by."""
    source, target = (grid.table.columns[end] for end in (track.source, track.target))
    ends = f'data-from="{source.id}" data-to="{target.id}"'
    if not track.points:
        return f"<g {ends}/>"
    kind = "adjoint" if source.look == "adjoint" else "data"
    path = f'<path class="edge {kind}" d="{way_of(track.points)}"/>'
    return f"<g {ends}>{path}{head_of(track.points, kind)}</g>"


def column_svg(grid, at, labels):
    """A column: its card with its sign below, and its part of a block with its name."""
    column = grid.table.columns[at]
    opens = f' data-box="{escape(column.opens)}"' if column.opens else ""
    parts = "".join([*column_card(grid, at, column), *held_parts(grid, at, labels)])
    tip = f"<title>{escape(column.tip)}</title>"
    return f'<g id="{column.id}" class="node"{opens}>{tip}{parts}</g>'


def column_card(grid, at, column):
    """The card of a column, its name, and its sign below."""
    box, ink = grid.card_box(at), INKS.get(column.look, "")
    radius = 9 if grid.has_cards else min(6, box.w / 3)
    if grid.has_cards:
        yield rectangle(box.translate(0, 2), "shade", radius)
    yield rectangle(box, f"rim {column.look}", radius)
    if column.look == "variable" and grid.has_cards:
        way = f"M{num(box.left + 5)} {num(box.top + 8)} V{num(box.bottom - 8)}"
        yield f'<path class="store variable-bar" d="{way}"/>'
    if name := grid.card_name(at):
        x = box.x - name_width(name, grid.name_size) / 2
        yield from name_svg(name, x, box.y + 5, ink, column.role, grid.name_size)
    if at in grid.signs:
        yield from sign_parts(grid, at, *grid.signs[at])


def sign_parts(grid, at, text, row):
    """The sign below a card; where cards bear no names, the name."""
    x, y = grid.middle(at), grid.card_top + grid.card_height + SIGN * (row + 1)
    if grid.has_names:
        yield text_svg(text, x, y, "small bold muted", text_width(text, SMALL, "bold"))
    else:
        left = x - name_width(text, TERM) / 2
        yield from name_svg(text, left, y, "", grid.table.columns[at].role, TERM)


# blocks ------------------------------------------------------------------------------------------


def held_parts(grid, at, labels):
    """What a column writes into a block: its part of that, and the words that stand there."""
    if at not in grid.homes:
        return
    place, part = grid.homes[at]
    block = grid.table.blocks[place]
    is_first, is_last = at == block.holds[0], at == block.holds[-1]
    corners = Corners(is_first, is_last, is_last, is_first)
    look = f"rim part {numbered_fill(block.number)}"
    yield card_outline(part, look, corner_radius(part), corners)
    for word in labels[place].words if place in labels else ():
        if at == (number_home(grid, block, word) if word.column is None else word.column):
            yield from word_svg(grid, word)


def number_home(grid, block, word):
    """The column in whose part of a block its number stands; the first one for one outside."""
    parts = (column for column, part in grid.parts(block) if part.left <= word.x < part.right)
    return next(parts, block.holds[0])


def corner_radius(box):
    """The radius of the corners of a block."""
    return min(6, box.h / 3)


def word_svg(grid, word):
    """The number of a buffer, or the name of what it holds."""
    if word.column is None:
        wide = text_width(word.text, SMALL, "bold")
        yield text_svg(word.text, word.x, word.y, "small bold start", wide)
    else:
        role = grid.table.columns[word.column].role
        yield from name_svg(word.text, word.x, word.y, "", role, word.size)


def block_rim(grid, block):
    """The rim of a block, and a seam wherever a value is written over the one before."""
    box, look = grid.block_box(block), numbered_fill(block.number)
    rim = rectangle(box, f"block {look}-rim", corner_radius(box))
    seams = (part.left for column, part in grid.parts(block) if column != block.holds[0])
    lines = (
        f'<path class="seam {look}-rim" d="M{num(x)} {num(box.top)} V{num(box.bottom)}"/>'
        for x in seams
    )
    return f'<g class="stay">{rim}{"".join(lines)}</g>'


def leader_svg(start, end):
    """The line from a block to the words beside it."""
    (x, y), (to_x, to_y) = start, end
    return f'<path class="ruler" d="M{num(x)} {num(y)} L{num(to_x)} {num(to_y)}"/>'


# rulers ------------------------------------------------------------------------------------------


def ruler_parts(grid):
    """The two axes, the named addresses, and a line down from each card."""
    right, left = grid.right, LEFT - 2
    if grid.column > THIN:
        for at in range(len(grid.table.columns)):
            way = f"M{num(grid.middle(at))} {num(grid.lane_bottom + 4)} V{num(grid.bottom)}"
            yield f'<path class="guide" d="{way}"/>'
    way = f"M{num(left)} {num(grid.top)} V{num(grid.bottom)} H{num(right)}"
    yield f'<path class="ruler" d="{way}"/>'
    for address in grid.ticks():
        y, text = grid.y(address), bytes_text(address)
        yield f'<path class="ruler" d="M{num(left - 4)} {num(y)} H{num(left)}"/>'
        yield text_svg(text, left - 8, y + 4, "small end muted", text_width(text, SMALL))


def peak_parts(grid):
    """A dashed line at the most bytes in use at once; another at the arena's end, if higher."""
    table = grid.table
    levels = [("peak", table.peak)] + [("arena", table.arena)] * (table.arena > table.peak)
    right, low = grid.right, grid.bottom
    for word, size in levels:
        y, text = grid.y(size), bytes_text(size)
        yield f'<path class="{word}-line" d="M{num(LEFT - 2)} {num(y)} H{num(right)}"/>'
        low = y + 4 if word == "peak" else min(y + 4, low - 30)
        words = text_svg(word, right + 6, low, "small bold start", text_width(word, SMALL, "bold"))
        yield words + text_svg(text, right + 6, low + 14, "small start", text_width(text, SMALL))
