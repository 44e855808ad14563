"""Painting passes as rows: at the left what a pass is called and why, at the right its marks."""

from functools import cached_property
from html import escape
from typing import NamedTuple

from minigrad.draw.layout.boxes import Box, name_width, round_even, text_width, wrap_text
from minigrad.draw.layout.grid import (
    BELOW,
    EQUAL,
    HIGH,
    LINE,
    NAMED,
    OVER,
    PAD,
    WIDEST_GAP,
    WRAP,
    MarkGrid,
    mark_width,
    place_grid,
)
from minigrad.draw.look import SIGN, SIZE, SMALL, TITLE, WORDS
from minigrad.draw.paint import card, document
from minigrad.draw.paint.key import SAMPLE, frame_sample, key_rows
from minigrad.draw.paint.marks import BASE, name_svg, num, open_head, rectangle, text_svg

MARGIN, LEFT, TEXT = 20, 206, 164  # around all; where the graphs begin; the width of the words
HEAD, TOP, BOTTOM = 62, 11, 6  # above the first row; above and below the marks of a row
LEAST = 64  # the height that words have in any case
WIDTH, NARROW, ROWS, HEIGHT = 940, 560, 8, 300  # a page: at most so wide, so many rows so high
GAPS = (WIDEST_GAP, 38, 30, 22)  # between columns, as wide as there is room for
ENTER = 6  # between lines that come into one mark
SAYS = (
    "Each row is one pass of the compiler. Every node keeps its place; only what the pass changes "
    "stands out."
)


class Band(NamedTuple):
    """A PassRow on the sheet: its number, its MarkGrid (None without marks), from where to where it
    reaches, and how far below its top the marks begin."""

    number: int
    row: object
    grid: MarkGrid | None
    top: float
    height: float
    shift: float


class RowSheet:
    """The picture of lists of PassRows, one list for each graph, and of what runs in the end."""

    def __init__(self, title, graphs, grids, last=()):
        self.title, self.last = title, last
        self.bands, y = [], HEAD
        for rows, grid in [*zip(graphs, grids), (last, None)]:
            shift = max(0.0, (LEAST - grid.height) / 2) if grid else 0.0
            for row in rows:
                height = band_height(row, grid, shift)
                self.bands.append(Band(len(self.bands), row, grid, y, height, shift))
                y += height
        self.foot = y

    @property
    def width(self):
        """The width of the picture."""
        right = max((band.grid.width + PAD for band in self.bands if band.grid), default=0)
        return max(round_even(LEFT + right + MARGIN), NARROW)

    def fits(self):
        """Whether a page has room for it, and every kernel has its own place."""
        return (
            self.width <= WIDTH
            and all(band.height <= HEIGHT for band in self.bands)
            and len(self.bands) - len(self.last) <= ROWS
            and not any(band.grid.holds_others(band.row) for band in self.bands if band.grid)
        )

    @cached_property
    def svg(self):
        """The SVG text."""
        wide = self.width - 2 * MARGIN
        key = key_rows(list(self.key_items()), wide)
        keys = [
            f'<g transform="translate({MARGIN} {num(self.foot + 10 + 20 * at)})">{items}</g>'
            for at, items in enumerate(key)
        ]
        height = self.foot + 14 + 20 * len(key)
        parts = [
            card(self.width, height),
            *self.head(),
            f"<g>{''.join(part for band in self.bands for part in self.band_parts(band))}</g>",
            *keys,
        ]
        return document(self.width, height, self.alt, parts)

    @property
    def alt(self):
        """The picture in a sentence."""
        said = (f"{band.row.title}: {band.row.counts}{with_part(band.row)}" for band in self.bands)
        return f"{self.title}. {'; '.join(said)}."

    @property
    def text(self):
        """The rows as plain text, with all that each pass changed."""
        return "\n".join(
            [self.title, *(line for band in self.bands for line in row_as_text(band.row))]
        )

    def head(self):
        """The title, and how to read what is below it."""
        wide = text_width(self.title, TITLE, "bold")
        yield text_svg(self.title, MARGIN, 30, "title bold start", wide)
        for at, line in enumerate(wrap_text(SAYS, self.width - 2 * MARGIN, SIZE)):
            yield text_svg(line, MARGIN, 49 + 15 * at, "start muted", text_width(line, SIZE))

    def key_items(self):
        """(words, sample) of the marks that are there."""
        marks = [mark for band in self.bands for mark in band.row.marks]
        samples = {
            "changed, or used instead": ("ring", any(mark.state == "ring" for mark in marks)),
            "removed, and why": ("gone ghost", any(mark.state == "gone" for mark in marks)),
        }
        for words, (look, there) in samples.items():
            if there:
                yield words, rectangle(Box(SAMPLE / 2, 7, 20, 13), look, 6)
        if any(mark.role == "port" for mark in marks):
            yield "carried to the next iteration", rectangle(Box(SAMPLE / 2, 7, 20, 13), "port", 6)
        if any(mark.kernel for mark in marks):
            yield "one kernel", frame_sample("fused")

    # one row -------------------------------------------------------------------------------------

    def band_parts(self, band):
        """The words of a row, its frames, its lines and its marks."""
        if band.number:
            way = f"M{MARGIN} {num(band.top)}H{num(self.width - MARGIN)}"
            yield f'<path class="edge quiet" d="{way}"/>'
        yield from row_words_svg(band, self.width)
        if band.grid:
            painter = RowPainter(band)
            shift = f"translate({LEFT} {num(band.top + TOP + band.shift)})"
            yield f'<g transform="{shift}">{"".join(painter.parts())}</g>'


def band_height(row, grid, shift):
    """How high a row is: room for its words and its marks."""
    words = 30 + sum(step for *_, step in word_lines(row))
    if grid is None:
        return max(words, 52)
    depths = [grid.box(mark).bottom + 4 + depth_of_reason(mark) for mark in row.marks]
    depths += [grid.spots[stop][1] for pair in row.edges() for stop in grid.stops[pair]]
    frames = [frame.bottom for frame in grid.frames(row).values()]
    return round_even(max(words, TOP + shift + max([*depths, *frames, 0.0]) + BOTTOM))


def depth_of_reason(mark):
    """How far a reason reaches below its mark."""
    lines = len(wrap_text(mark.reason, WRAP))
    return (BELOW + LINE * (lines - 1)) * bool(lines)


def word_lines(row):
    """(text, classes, size, font, how far to the next line) of what stands at the left."""
    for line in wrap_text(row.title, TEXT, WORDS, "bold"):
        yield line, "middling start", WORDS, "bold", 17
    for words in filter(None, (row.counts, row.part)):
        for line in wrap_text(words, TEXT, SIZE):
            yield line, "start muted", SIZE, "sans", 17
    for line in wrap_text(row.why, TEXT) if row.marks else ():
        yield line, "small start muted", SMALL, "sans", 14


def row_words_svg(band, width):
    """The words of a row; the reason of one without marks at the right."""
    y = band.top + 26
    for line, classes, size, font, step in word_lines(band.row):
        yield text_svg(line, MARGIN, y, classes, text_width(line, size, font))
        y += step
    if not band.row.marks:
        for at, line in enumerate(wrap_text(band.row.why, width - LEFT - MARGIN)):
            y = band.top + 26 + 14 * at
            yield text_svg(line, LEFT, y, "small start muted", text_width(line, SMALL))


def with_part(row):
    """Which body a row is of, behind its counts."""
    return f" ({row.part})" if row.part else ""


def row_as_text(row):
    """A row as lines of text."""
    yield f"{row.title}: {row.counts}{with_part(row)}. {row.why}".strip()
    survivors = {mark.survivor for mark in row.marks}
    for mark in row.marks:
        if mark.state == "gone":
            yield f"  {mark.tip} removed: {mark.reason.replace('= ', 'equal to ', 1)}"
        elif mark.state == "ring":
            words = "used instead" if mark.id in survivors else "changed"
            yield f"  {mark.tip} {words}" + f": {mark.reason}" * bool(mark.reason)


class RowPainter:
    """Paints the marks of one row on its MarkGrid."""

    def __init__(self, band):
        self.row, self.grid, self.number = band.row, band.grid, band.number
        self.marks = {mark.id: mark for mark in band.row.marks}
        self.news = band.row.news()
        self.ghosts = {mark.id for mark in band.row.marks if mark.state == "gone"}
        states = {mark.state for mark in band.row.marks} - {""}
        self.is_first = not (self.news or states or band.row.bright)

    def parts(self):
        """Frames, lines, then marks."""
        for number, box in self.grid.frames(self.row).items():
            yield kernel_frame(number, box)
        lines = self.lines()
        yield from (line for line, is_dark in lines if not is_dark)
        yield from (line for line, is_dark in lines if is_dark)
        yield from map(self.mark_svg, self.row.marks)

    # lines ---------------------------------------------------------------------------------------

    def lines(self):
        """(SVG, whether it is dark) of each edge, those into one mark one below the other."""
        found, edges = [], self.row.edges()
        for target in dict.fromkeys(end for _, end in edges):
            sources = sorted((x for x, end in edges if end == target), key=self.entry(target))
            for at, source in enumerate(sources):
                enter = (at - (len(sources) - 1) / 2) * min(ENTER, 16 / len(sources))
                found.append(self.line_svg(source, target, enter))
        return found

    def entry(self, target):
        """A function that gives the height from which a line comes into a mark."""

        def height(source):
            return self.height([source, *self.stops(source, target)][-1])

        return height

    def stops(self, source, target):
        """What a line passes on its way; nothing where the straight way is free."""
        grid, stops = self.grid, self.grid.stops[source, target]
        (_, y), (_, z) = grid.spots[source], grid.spots[target]
        inside = set(map(grid.column, stops))
        free = abs(y - z) <= 4 and not any(
            abs(grid.spots[mark.id][1] - y) < HIGH + depth_of_reason(mark)
            for mark in self.row.marks
            if grid.columns[mark.id] in inside
        )
        return [] if free else stops

    def height(self, stop):
        """The height at which a line passes something: above a mark that goes in this row."""
        y = self.grid.spots[stop][1]
        return y - HIGH / 2 - OVER + 4 if stop in self.ghosts else y

    def line_svg(self, source, target, enter):
        """(SVG, whether it is dark) of one edge."""
        grid, stops = self.grid, self.stops(source, target)
        (x, y), (end, z) = grid.spots[source], grid.spots[target]
        start, tip = x + self.half(source) + 1, end - self.half(target) - 3
        steps, right = [f"M{num(start)} {num(y)}"], grid.slots[grid.columns[source]][1]
        for stop in stops:
            left, after = grid.slots[grid.column(stop)]
            steps.append(bow(right, y, left, self.height(stop)))
            y, right = self.height(stop), after
        left = grid.slots[grid.columns[target]][0]
        if abs(y - z - enter) <= 1:
            z, enter = y, 0.0
        else:
            steps.append(bow(right, y, min(left, tip - 4), z + enter))
        steps.append(f"H{num(tip)}")
        new = {source, target} & self.news
        is_dark = self.is_first or bool(new) or (source, target) in self.row.bright
        kind = "data" if is_dark else "quiet"
        way = f'<path class="edge {kind}" d="{" ".join(steps)}"/>'
        ends = f'data-from="{self.id(source)}" data-to="{self.id(target)}"'
        return f"<g {ends}>{way}{open_head(tip, z + enter, 0.0, kind)}</g>", is_dark

    def half(self, id):
        """Half of the width of a mark with its ring."""
        mark = self.marks[id]
        return mark_width(mark) / 2 + 5 * (mark.state == "ring")

    # marks ---------------------------------------------------------------------------------------

    def id(self, id):
        """The id of a mark, which is in one row alone."""
        return f"r{self.number}_{id}"

    def mark_svg(self, mark):
        """A mark: its shape and its text, a ring, a reason."""
        box, is_dark = self.grid.box(mark), self.is_first or mark.id in self.news
        radius = {"variable": 8, "constant": 6}.get(mark.role, HIGH / 2)
        parts = [rectangle(box, f"rim {look_of(mark, is_dark)}", radius)]
        if mark.state == "ring":
            ring = box._replace(w=box.w + 8, h=box.h + 8)
            parts.insert(0, rectangle(ring, "ring", radius + 4))
        if mark.role == "variable":
            way = f"M{num(box.left + 5)} {num(box.top + 7)} V{num(box.bottom - 7)}"
            parts.append(f'<path class="store variable-bar" d="{way}"/>')
        parts += text_of_mark(mark, box, is_dark)
        for at, line in enumerate(wrap_text(self.reason(mark), WRAP)):
            y = box.bottom + BELOW + LINE * at
            parts.append(text_svg(line, box.x, y, "small muted", text_width(line, SMALL)))
        tip = escape(f"{mark.tip}{f': {mark.reason}' if mark.reason else ''}")
        return f'<g id="{self.id(mark.id)}" class="node"><title>{tip}</title>{"".join(parts)}</g>'

    def reason(self, mark):
        """Why a mark is gone: "same as above", where the mark that stays is in its column."""
        if mark.survivor:
            (x, y), (own_x, own_y) = (self.grid.spots[id] for id in (mark.survivor, mark.id))
            if x == own_x:
                return f"{EQUAL} {'above' if y < own_y else 'below'}"
        return mark.reason


def kernel_frame(number, box):
    """The frame of a kernel, with its name."""
    name = f"kernel {number}"
    wide = text_width(name, SMALL, "bold")
    words = text_svg(name, box.right - 10, box.bottom - 6, "small bold end fused-ink", wide)
    return rectangle(box, "fused fused-frame", 14) + words


def look_of(mark, is_dark):
    """The classes of a mark's rim and ground: what a pass leaves alone is white."""
    if mark.state == "gone":
        return "gone ghost"
    if mark.result and mark.role == "op":
        return "result" if is_dark else "muted"
    return mark.role if is_dark or mark.role in ("constant", "port") else "op"


def text_of_mark(mark, box, is_dark):
    """The text of a mark: a name in the colour of its role, or a sign."""
    struck = " strike" if mark.state == "gone" else ""
    if mark.role in NAMED:
        shift = 2 if mark.role == "variable" else 0
        left = box.x - name_width(mark.text) / 2 + shift
        yield from name_svg(mark.text, left, box.y + 5, f" {mark.role}-ink", strike=bool(struck))
        return
    single = len(mark.text) == 1
    ink = " result-ink" if mark.result and mark.role == "op" and not struck else ""
    quiet = " muted" if struck or not is_dark and not ink else ""
    wide = 0.0 if single else text_width(mark.text, SIGN, "bold")
    size, look = (15, "dot-sign") if single else (SIGN, "bold")
    yield text_svg(mark.text, box.x, box.y + size * BASE, f"{look}{ink}{quiet}{struck}", wide)


def bow(x, y, end, z):
    """A line along to x, then a curve to another height at `end`."""
    middle = (x + end) / 2
    points = ((middle, y), (middle, z), (end, z))
    return f"H{num(x)} C" + " ".join(f"{num(a)} {num(b)}" for a, b in points)


def sheet_of_rows(title, graphs, last=()):
    """The RowSheet that fits a page, with the widest gaps that do; or None."""
    for start in (False, True):
        for gap in GAPS:
            grids = [place_grid(rows, gap, start) for rows in graphs]
            sheet = None not in grids and RowSheet(title, graphs, grids, last)
            if sheet and sheet.fits():
                return sheet
    return None
