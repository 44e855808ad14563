"""The marks of a drawing: cards with a sign on their rim, names in italics with drawn bars, chips,
edges and their heads."""

from html import escape
from math import atan2, cos, sin
from typing import NamedTuple

from minigrad.draw.layout.boxes import (
    CELL,
    DOT,
    FORMULA,
    INSET,
    INTO,
    PLAIN,
    ROW,
    SPACE,
    SUM,
    THIN,
    TITLES,
    Box,
    CardMeasure,
    bare_name,
    cell_width,
    has_head,
    indent,
    is_on_top,
    is_phrase,
    label_width,
    name_and_index,
    name_width,
    number_look,
    sign_width,
    term_width,
    text_width,
)
from minigrad.draw.look import INKS, LINE, NAME, SIGN, SIZE, SMALL, SUB, TERM, WORDS
from minigrad.draw.read.signs import LOOP, minus

ROUND = 10  # the radius of a card's corners
BEND = 0.5523  # of a quarter of a circle as one cubic curve
BASE = 0.36  # of a text's size, from its middle down to its base line
TALL = frozenset("bdfhijklt")  # small letters that reach above the others
PILE = ((6, 6), (3, 3))  # how far the cards behind a folded one are drawn in, and up
HEAD, OPEN = 6.0, 2.62  # an arrow's head: its length, and the angle from its line
CHIP, NARROW = 20, 24  # the height of a chip, and its least width
ABSENT = ("gone", "later")  # the marks of what was removed, or is not computed yet
FLAG = ((0, 0), (9, 0), (9, 13), (4.5, 9.4), (0, 13))  # the corners of a bookmark


def num(value):
    """A coordinate to 0.1, without a trailing .0 and without -0."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def text_svg(text, x, y, classes, width=0.0):
    """A text at a place; where its `width` is given, it is that wide in any font."""
    fit = f' textLength="{num(width)}"' if width and len(text) > 1 else ""
    words = f' class="{classes}"' if classes else ""
    return f'<text{words} x="{num(x)}" y="{num(y)}"{fit}>{escape(text)}</text>'


# outlines ----------------------------------------------------------------------------------------


def rectangle(box, classes, radius):
    """A box with corners of this radius."""
    return (
        f'<rect class="{classes}" x="{num(box.left)}" y="{num(box.top)}" width="{num(box.w)}" '
        f'height="{num(box.h)}" rx="{num(radius)}"/>'
    )


class Corners(NamedTuple):
    """Which corners of a card are round, from the upper left one clockwise."""

    upper_left: bool = True
    upper_right: bool = True
    lower_right: bool = True
    lower_left: bool = True


WHOLE = Corners()
HALVES = {  # (is it the derivative, does the graph run across): the corners that are its own
    (False, True): Corners(lower_right=False, lower_left=False),
    (True, True): Corners(upper_left=False, upper_right=False),
    (False, False): Corners(upper_right=False, lower_right=False),
    (True, False): Corners(upper_left=False, lower_left=False),
}


def card_outline(box, classes, radius, corners=WHOLE):
    """The outline of a card, or of half of one."""
    if corners == WHOLE:
        return rectangle(box, classes, radius)
    r = [radius if corner else 0 for corner in corners]
    bends = [radius * (1 - BEND) if corner else 0 for corner in corners]
    left, right, top, bottom = box.left, box.right, box.top, box.bottom
    steps = [
        f"M{num(left + r[0])} {num(top)} H{num(right - r[1])}",
        corner((right - bends[1], top), (right, top + bends[1]), (right, top + r[1])) * bool(r[1]),
        f" V{num(bottom - r[2])}",
        corner((right, bottom - bends[2]), (right - bends[2], bottom), (right - r[2], bottom))
        * bool(r[2]),
        f" H{num(left + r[3])}",
        corner((left + bends[3], bottom), (left, bottom - bends[3]), (left, bottom - r[3]))
        * bool(r[3]),
        f" V{num(top + r[0])}",
        corner((left, top + bends[0]), (left + bends[0], top), (left + r[0], top)) * bool(r[0]),
        "Z",
    ]
    return f'<path class="{classes}" d="{"".join(steps)}"/>'


def corner(*points):
    """A round corner, as one cubic curve."""
    return " C" + " ".join(f"{num(x)} {num(y)}" for x, y in points)


# names -------------------------------------------------------------------------------------------


def name_svg(label, x, y, ink, role="", size=NAME, strike=False):
    """A name in italics, its digits as an index; over it a drawn bar (adjoint) or dot (tangent)."""
    stem, digits = name_and_index(label)
    struck, look = " strike" if strike else "", "name" if size == NAME else "term"
    if is_phrase(label):
        wide = text_width(label, SIZE, "bold")
        yield text_svg(label, x, y - 1, f"bold start{ink}{struck}", wide)
        return
    wide = text_width(stem, size, "math")
    yield text_svg(stem, x, y, f"{look} start{ink}{struck}", wide)
    if digits:
        more = text_width(digits, SUB, "roman")
        yield text_svg(digits, x + wide + 1, y + size * 0.22, f"sub start{ink}{struck}", more)
    high = any(char in TALL or char.isupper() for char in stem)
    top = y - size * (0.76 if high else 0.56)
    if role == "adjoint":
        bar = f"M{num(x + 1)} {num(top)} H{num(x + wide + 0.7)}"
        look = "result" if ink == " result-ink" else "adjoint"
        yield f'<path class="over {look}-bar" d="{bar}"/>'
    elif role == "tangent":
        spot = f'cx="{num(x + wide * 0.55)}" cy="{num(top - 1.6)}" r="1.6"'
        yield f'<circle class="tangent-ink" {spot}/>'


# formulas ----------------------------------------------------------------------------------------


def row_svg(row, x, y):
    """A row of Terms from there on: names in italics, adjoints in their colour."""
    for term in row:
        if term.kind in PLAIN:
            yield from plain_term(term, x, y)
        else:
            role = term.kind if term.kind in ("adjoint", "tangent") else ""
            yield from name_svg(bare_name(term), x, y, f" {role}-ink" if role else "", role, TERM)
        x += term_width(term)


def plain_term(term, x, y):
    """A Term that is no name: signs and numbers, or small words."""
    quiet = term.kind == "words"
    size, look = (SMALL, "small start muted") if quiet else (WORDS, "formula start")
    words = term.text.strip()
    lead = len(term.text) - len(term.text.lstrip())
    if words:
        at, wide = x + text_width(term.text[:lead], size), text_width(words, size)
        yield text_svg(words, at, y, look, wide)


# cards -------------------------------------------------------------------------------------------


def ink_of(node):
    """The class of a card's texts, with a space before it; "" for ink."""
    role = "result" if is_inverted(node) else node.role
    if node.mark == "later":
        return " muted"
    return f" {role}-ink" if role in INKS and not node.fill else ""


def is_loop_card(node):
    """Whether a card is of a closed loop, and of nothing else that its rim says."""
    return bool(node.formula) and node.mark != "gone" and not node.fill and not node.of


def is_inverted(node):
    """Whether a card is drawn white on ink: a result that is no leaf."""
    plain = not node.fill and node.mark != "later"
    return node.result and node.role in ("op", "folded") and plain


class Place(NamedTuple):
    """Where one card stands: the box of all of it, its measures, and which corners are round."""

    box: Box
    card: CardMeasure
    across: bool
    corners: Corners = WHOLE

    @property
    def body(self):
        """The box of the card without its sign."""
        return self.card.body(self.box)


def node_svg(node, place, tip):
    """One node: its card with its texts; `tip` is said where one points at it."""
    parts = "".join(card_parts(node, place))
    opens = f' data-box="{escape(node.opens)}"' if node.opens else ""
    return f'<g id="{node.id}" class="node"{opens}><title>{escape(tip)}</title>{parts}</g>'


def card_parts(node, place):
    """What a card is made of, from the ground up."""
    body, look = place.body, node.fill or rim_class(node)
    radius = radius_of(node, body)
    if node.mark == "ring":
        yield rectangle(body._replace(w=body.w + 9, h=body.h + 9), "ring", radius + 4)
    if node.mark not in ABSENT and place.corners == WHOLE:
        yield rectangle(body.translate(0, 2), "shade", radius)
    if node.role == "folded" or node.count > 1 or is_loop_card(node):
        yield from pile_parts(body, "body" if is_loop_card(node) else look)
    yield card_outline(body, f"rim {look}", radius, place.corners)
    if node.role == "variable":
        way = f"M{num(body.left + 5)} {num(body.top + 8)} V{num(body.bottom - 8)}"
        yield f'<path class="store variable-bar" d="{way}"/>'
    if node.sign:
        yield sign_svg(node, body, place.across)
    yield from words_of_card(node, body, place.across)
    if node.saved:
        yield bookmark(body.right - 23, body.top - 9)
    if node.inside > 1:
        yield count_svg(node.inside, body)


def pile_parts(body, look):
    """The cards behind a folded one."""
    for inset, up in PILE:
        yield rectangle(Box(body.x, body.top - up + 10, body.w - 2 * inset, 20), look, 8)


def bookmark(x, y):
    """The mark of what is saved for the backward pass."""
    way = " L".join(f"{num(x + dx)} {num(y + dy)}" for dx, dy in FLAG)
    return f'<path class="bookmark" d="M{way}Z"/>'


def rim_class(node):
    """The classes of a card's rim and ground; a closed loop's rim is that of an open one."""
    if is_loop_card(node):
        return "port"
    if node.mark in ABSENT:
        return "gone ghost"
    if is_inverted(node):
        return "result"
    return f"{node.role} tangent-rim" if node.role == "tangent" else node.role


def radius_of(node, body):
    """The radius of a card's corners: an input's ends are round, a constant's nearly square."""
    return {"input": min(body.h, ROW) / 2, "constant": 6, "folded": ROUND}.get(node.role, ROUND)


def words_of_card(node, body, across):
    """Name, value and shape in the first row, then the lines below it."""
    left, right = body.left + INSET + indent(node), body.right - INSET
    lines, strike = node.lines, node.mark == "gone"
    above = is_on_top(node, across)
    first = body.y - (LINE * len(lines) + 4 * bool(lines)) / 2 + (4 if above else 0)
    if node.formula and node.of:
        first = body.y - FORMULA * (len(node.formula) - 1) / 2
        yield from loop_card_words(node, left, first)
    elif node.formula or node.strip:
        first = body.top + (23 if above else 15)
        yield from loop_card_words(node, left, first + FORMULA * has_head(node))
    ink, side = ink_of(node), bool(node.number or node.form)
    if node.label:
        x = left if side or node.formula else (left + right - name_width(node.label)) / 2
        yield from name_svg(node.label, x, first + 5, ink, node.role, strike=strike)
    if side:
        yield side_svg(node, (left, right), first, strike)
    for at, line in enumerate(lines):
        y = first + 18 + LINE * at + 2
        quiet = ink if is_inverted(node) else " muted"
        yield text_svg(line, left, y, f"small start{quiet}", text_width(line, SMALL))


def loop_card_words(node, left, middle):
    """What a closed loop computes, and its iterations, from there down."""
    for at, row in enumerate(node.formula):
        yield from row_svg(row, left, middle + FORMULA * at + 5)
    if node.strip:
        yield from strip_svg(node.strip, left, middle + FORMULA * (len(node.formula) - 0.5) + 1)


def side_svg(node, ends, middle, strike):
    """The value of a card, else its shape: at the right of its name, or in the middle."""
    x, anchor = (ends[1], " end") if node.label else (sum(ends) / 2, "")
    struck = " strike" if strike else ""
    if not node.number:
        ink = ink_of(node) if is_inverted(node) else " muted"
        classes = f"small{anchor}{ink}{struck}"
        return text_svg(node.form, x, middle + 4, classes, text_width(node.form, SMALL))
    size, font = number_look(node.number)
    word = {15: "number", 13: "middling"}.get(size, "plain")
    ink = ink_of(node) if node.role in ("adjoint", "tangent") or is_inverted(node) else ""
    text, wide = minus(node.number), text_width(minus(node.number), size, font)
    classes = f"value {word}{anchor}{ink}{struck}"
    return text_svg(text, x, middle + size * BASE, classes, wide)


def sign_svg(node, body, across):
    """The sign of an operation in a dark dot or pill, on the left or the upper rim."""
    wide, sign = sign_width(node.sign), node.sign
    if is_on_top(node, across):
        dot = Box(body.x, body.top - 1, wide, 2 * DOT)
    else:
        dot = Box(body.left + DOT - wide / 2, body.y, wide, 2 * DOT)
    rim = dot._replace(w=dot.w + SPACE, h=dot.h + SPACE)  # half of its line lies outside
    if sign == LOOP:
        path = "".join(loop_sign(dot.x, dot.y))
        return f'<g class="badge">{rectangle(rim, "badge-dot", DOT + 1)}{path}</g>'
    single = len(sign) == 1
    look, size = ("dot-sign", 15) if single else ("bold", SIGN)
    text = text_svg(
        sign,
        dot.x,
        dot.y + size * BASE,
        f"{look} sign",
        0.0 if single else text_width(sign, SIGN, "bold"),
    )
    return f'<g class="badge">{rectangle(rim, "badge-dot", DOT + 1)}{text}</g>'


def loop_sign(x, y):
    """An arrow that turns in a circle."""
    left, right, top, low = x - 5, x + 5, y - 5, y + 5
    bend = 5 * BEND
    quarters = (
        ((right, y + bend), (x + bend, low), (x, low)),
        ((x - bend, low), (left, y + bend), (left, y)),
        ((left, y - bend), (x - bend, top), (x, top)),
    )
    way = f"M{num(right)} {num(y)}" + "".join(corner(*points) for points in quarters)
    yield f'<path class="turning" d="{way}"/>'
    tip = f"M{num(x - 1)} {num(top - 3)} L{num(x + 2)} {num(top)} L{num(x - 1)} {num(top + 3)}"
    yield f'<path class="turning" d="{tip}"/>'


def count_svg(count, body):
    """How many values are inside, in a small box at the corner of a card."""
    text = f"{count:,}"
    wide = text_width(text, SMALL, "bold") + 9
    box = Box(body.right + 5 - wide / 2, body.top + 0.5, wide, 15)
    words = text_svg(text, box.x, box.y + 4, "small bold", wide - 9)
    return f'<g class="inside">{rectangle(box, "op", 5)}{words}</g>'


# strips ------------------------------------------------------------------------------------------

LOOKS = {"value": ("strip", ""), "adjoint": ("adjoint-strip", " adjoint-ink")}


def strip_svg(strip, x, y):
    """The iterations of a loop as columns, from there on: titles, then a row for each quantity."""
    wide, first = cell_width(strip), x + label_width(strip)
    top = y + (TITLES if strip.part != "adjoint" else 0)
    if strip.part != "adjoint":
        yield from strip_titles(strip, first, top - 7)
    for at, row in enumerate(strip.drawn_rows()):
        yield from strip_row(row, (x, first, top + CELL * at), wide)
    if strip.now is not None:
        high = TITLES + CELL * len(strip.drawn_rows())
        box = Box(first + wide * (strip.now + 0.5), top - TITLES + high / 2, wide - 4, high)
        yield rectangle(box, "edge next", 8)


def strip_titles(strip, x, y):
    """What the columns are called; the one that is drawn above in bold."""
    wide = cell_width(strip)
    for at, text in enumerate(strip.columns):
        look = "bold" if at == strip.now else "muted"
        yield text_svg(text, x + wide * (at + 0.5), y, f"small {look}", text_width(text, SMALL))


def strip_row(row, corner, wide):
    """A row of a strip: its name, its cells on a tint, and their sum."""
    x, first, top = corner
    ground, ink = LOOKS["value" if row.kind == "value" else "adjoint"]
    length, low, role = wide * len(row.cells), top + 18, "" if row.kind == "value" else "adjoint"
    yield rectangle(Box(first + length / 2, top + THIN / 2, length, THIN), ground, 6)
    if row.kind == "share":
        into = INTO.strip()
        yield text_svg(into, x, low, f"start{ink}", text_width(into, SIZE))
        x += text_width(INTO, SIZE)
    yield from name_svg(row.name, x, low, ink, role)
    for at, text in enumerate(row.cells):
        look = f"middling{ink}" if text != "…" else "muted"
        place, size = first + wide * (at + 0.5), text_width(text, WORDS, "bold")
        yield text_svg(text, place, low, look, size) if text else ""
    yield from row_svg(row.total, first + length + SUM, low)


# edges -------------------------------------------------------------------------------------------


def path_of(way):
    """The curve of a Route, up to its tip."""
    (x, y), *rest = (*way.points[:-1], way.tip)
    return f"M{num(x)} {num(y)} C" + " ".join(f"{num(x)} {num(y)}" for x, y in rest)


def edge_svg(edge, way, kind, over=(), ground=""):
    """One edge; where it runs `over` other lines, one in the colour of its ground is under it, so
    that one can tell which is which. `ground` is None where there is none."""
    path = path_of(way)
    core = f'<path class="core" d="{path}"/>' if edge.kind == "inplace" else ""
    look = f"{ground}-under" if ground else "under"
    under = "".join(f'<path class="{look}" d="{polyline(spots)}"/>' for spots in over)
    return (
        f'<g data-from="{edge.source}" data-to="{edge.target}">{"" if ground is None else under}'
        f'<path class="edge {kind}" d="{path}"/>{core}{head_svg(way, kind)}</g>'
    )


def polyline(spots):
    """The path through these points."""
    return "M" + " L".join(f"{num(x)} {num(y)}" for x, y in spots)


def head_svg(way, kind):
    """The open head of an arrow."""
    (bx, by), (x, y) = way.points[-1], way.tip
    return open_head(x, y, atan2(y - by, x - bx), kind)


def open_head(x, y, angle, kind, length=HEAD):
    """Two short lines that meet at the tip."""
    turns = (angle + OPEN, angle - OPEN)
    ends = [(x + length * cos(turn), y + length * sin(turn)) for turn in turns]
    (ax, ay), (bx, by) = ends
    way = f"M{num(ax)} {num(ay)} L{num(x)} {num(y)} L{num(bx)} {num(by)}"
    return f'<path class="edge tip {kind}" d="{way}"/>'


def chip_size(text):
    """Width and height of what travels along an edge."""
    return max(text_width(text, SIZE, "bold") + 12, NARROW), CHIP


def chip_svg(text, x, y, kind):
    """What travels along an edge, as a number on it."""
    wide, high = chip_size(text)
    words = text_svg(
        text, x, y + SIZE * BASE, f"bold {kind}-chip-ink", wide - 12 if len(text) > 2 else 0.0
    )
    return rectangle(Box(x, y, wide, high), f"{kind}-chip", high / 2) + words


def chip_text(edge):
    """The words of an edge's chip: of a contribution, with its sign."""
    if edge.kind not in ("adjoint", "tangent") or edge.label[:1] in "-+[·":
        return minus(edge.label)
    return f"+{minus(edge.label)}"


def letter_svg(x, y, role):
    """A letter: its envelope and the fold of its flap."""
    way = (
        f"M{num(x)} {num(y - 5)} H{num(x + 15)} V{num(y + 5)} H{num(x)} Z "
        f"M{num(x)} {num(y - 5)} L{num(x + 7.5)} {num(y + 1)} L{num(x + 15)} {num(y - 5)}"
    )
    return f'<path class="over {role}-bar" d="{way}"/>'
