"""How wide a text is, how large each node's card, and which leaves sit on top of their user."""

import unicodedata
from collections import Counter, defaultdict
from typing import NamedTuple
from unicodedata import normalize

from minigrad.draw.look import LINE, NAME, SIGN, SIZE, SMALL, SUB, TERM, WORDS

ARROW, SIDE = 12, 0.8  # from one arrow that comes in to the next; on so much of a side
BARS = str.maketrans("", "", "\u0304\u0305")  # the marks over a name, as text
DOTS = dict.fromkeys(map(ord, "\u0307\u02d9"))
PLAIN = ("text", "number", "words")  # kinds of Terms that are no names: these are small
FEW = 3  # arrows for which there is always room
OTHER, FULL = 620, 1000  # a letter outside the table; an East Asian one


def widths(table):
    """The numbers of a table of widths."""
    return tuple(map(int, table.split()))


# Thousandths of the font size, for the characters from space to "~", and in serif those from α to
# ω. Read with fontTools from the fonts Liberation Sans and Serif (`hmtx` advances, scaled from
# 2048 units), whose widths are those of Arial and Times by design. A table, so that cards do not
# depend on the fonts installed.
REGULAR = widths("""
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556
556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778
667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556
556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584
""")
BOLD = widths("""
278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556
556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778
667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611
611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584
""")
ITALIC = widths("""
250 333 420 500 500 833 778 214 333 333 500 675 250 333 250 278 500 500 500 500 500 500 500 500
500 500 333 333 675 675 675 500 920 611 611 667 722 611 611 722 722 333 444 667 556 833 667 722
611 722 611 500 556 722 611 833 611 556 556 389 278 389 422 500 333 500 500 444 500 444 278 500
500 278 278 444 278 722 500 500 500 500 389 389 278 500 444 667 444 444 389 400 275 400 541
525 498 394 465 394 405 496 491 278 480 433 502 444 428 500 501 480 406 493 358 459 553 440 621 706
""")
ROMAN = widths("""
250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500
500 500 278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722
556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500
500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541
524 509 442 471 420 414 523 479 269 504 485 536 452 446 500 505 499 396 539 402 495 577 444 626 658
""")
FONTS = {"sans": REGULAR, "bold": BOLD, "math": ITALIC, "roman": ROMAN}  # by the word for each
SIGNS = {
    "−": 584,
    "×": 584,
    "÷": 549,
    "·": 278,
    "Σ": 600,
    "√": 549,
    "…": 1000,
    "→": 1000,
    "′": 219,
    "←": 1000,
    "²": 333,
    "³": 333,
    "ᵀ": 420,
    "≤": 549,
    "≥": 549,
    "≠": 549,
}


def text_width(text, size, font="sans"):
    """The width of `text` in pixels at `size` pixels, in a font of FONTS."""
    return sum(char_width(char, FONTS[font]) for char in text) * size / 1000


def wrap_text(text, width, size=SMALL, font="sans"):
    """A text in lines that are no wider than this, if its words are not."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, font) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines if text else []


def char_width(char, table):
    """The width of one character in thousandths of the font size."""
    if " " <= char <= "~":
        return table[ord(char) - 32]
    if "α" <= char <= "ω" and len(table) > 95:
        return table[ord(char) - ord("α") + 95]
    if unicodedata.combining(char):
        return 0
    if char in SIGNS:
        return SIGNS[char]
    return FULL if unicodedata.east_asian_width(char) in "WF" else OTHER


class Box(NamedTuple):
    """A rectangle by its centre and its size, in pixels."""

    x: float
    y: float
    w: float
    h: float

    left = property(lambda box: box.x - box.w / 2)
    right = property(lambda box: box.x + box.w / 2)
    top = property(lambda box: box.y - box.h / 2)
    bottom = property(lambda box: box.y + box.h / 2)

    def transpose(self):
        """The box with the two axes exchanged."""
        return Box(self.y, self.x, self.h, self.w)

    def translate(self, dx, dy):
        """The box elsewhere."""
        return self._replace(x=self.x + dx, y=self.y + dy)


def box_of(points):
    """The Box around points."""
    (left, *_, right), (top, *_, bottom) = map(sorted, zip(*points))
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def touches(one, other, apart=0.0):
    """Whether two boxes are less than so far apart."""
    across = abs(one.x - other.x) - (one.w + other.w) / 2
    return across < apart and abs(one.y - other.y) - (one.h + other.h) / 2 < apart


class CardMeasure(NamedTuple):
    """The measures of a node's card: its body, and how far its sign reaches beyond that."""

    w: float
    h: float
    left: float = 0  # of the sign on the left rim
    top: float = 0  # of the sign on the upper rim

    @property
    def size(self):
        """Width and height of all, the sign included."""
        return self.w + self.left, self.h + self.top

    def body(self, box):
        """The Box of the body in the Box of all."""
        return Box(box.x + self.left / 2, box.y + self.top / 2, box.w - self.left, box.h - self.top)


ROW, TALL = 30, 38  # the height of a card; of one with a sign on its upper rim
PILE = 6  # how far the cards behind a folded one reach up
INSET, ASIDE = 13, 14  # from the rim to the text; from a name to what stands at its right
LEAST = 56  # the width of a card
DOT = 11  # half of a sign's dot
COUNT = 26  # beside a long sign, for the number of values inside
SPACE = 2  # around a sign
LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
WORD = 5  # letters of a sign that may stand on the left rim


def card_of(node, across=True):
    """The CardMeasure of a node in a graph that runs across or down: even, so centres are exact."""
    above = is_on_top(node, across)
    height = (TALL if above else ROW) + LINE * len(node.lines) + 4 * bool(node.lines)
    if node.formula or node.strip:
        height += FORMULA * (has_head(node) + len(node.formula) - 1)
        height += strip_size(node.strip)[1] if node.strip else 0
    if not node.sign:
        return CardMeasure(round_even(body_width(node)), height)
    wide = sign_width(node.sign)
    if above:
        beside = 2 * COUNT if node.inside > 1 else 12
        width = round_even(max(body_width(node), wide + beside))
        return CardMeasure(width, height, 0, DOT + SPACE + 1)
    pile = PILE if node.formula and not node.of else 0
    return CardMeasure(round_even(body_width(node)), height, round_even(wide - DOT + SPACE), pile)


def has_head(node):
    """Whether the first row of a card is its name, its value or its shape."""
    return bool(node.label or node.number or node.form)


FORMULA = 18  # from one row of a formula to the next
CELL, THIN = 28, 26  # from one row of a strip to the next; the height of a row
TITLES, LABEL, SUM = 24, 14, 12  # its columns' titles; from a name to the cells, to a sum
INTO = "into "  # before the name of what the iterations add to


def strip_size(strip):
    """Width and height of what is drawn of a strip: its adjoints stand below its values."""
    rows = strip.drawn_rows()
    titles = TITLES if strip.part != "adjoint" else 0
    cells = cell_width(strip) * len(strip.columns)
    return label_width(strip) + cells + total_width(strip), titles + CELL * len(rows)


def cell_width(strip):
    """The width of a cell: the same in all rows."""
    texts = [text for row in strip.rows for text in row.cells]
    widest = max(text_width(text, WORDS, "bold") for text in texts)
    return round_even(max(CELL + 6, widest + 14, text_width("start", SMALL) + 8))


def label_width(strip):
    """The width of the names before the cells."""
    into = text_width(INTO, SIZE) if any(row.kind == "share" for row in strip.rows) else 0
    return LABEL + max(name_width(row.name) + into * (row.kind == "share") for row in strip.rows)


def total_width(strip):
    """The width of the sums behind the cells."""
    return max((SUM + row_width(row.total) for row in strip.drawn_rows() if row.total), default=0)


def is_on_top(node, across):
    """Whether the sign stands on the upper rim: a long word, or one in a graph that runs down."""
    return bool(node.sign) and (not across or len(node.sign) > WORD)


def box_size(node):
    """Width and height of a node's card with its sign."""
    return card_of(node).size


def body_width(node):
    """The width that the texts of a card need."""
    name, side = name_width(node.label), side_width(node)
    head = name + side + ASIDE * bool(name and side)
    lines = max((text_width(line, SMALL) for line in node.lines), default=0)
    rows = max(map(row_width, node.formula), default=0)
    strip = strip_size(node.strip)[0] if node.strip else 0
    room = max(head, lines, rows, strip) + 2 * INSET + indent(node)
    return max(room, LEAST)


def indent(node):
    """How far the text begins behind the inset: behind a sign, or the bar of a variable; the
    adjoints of a strip stand under its values."""
    behind_sign = node.strip or node.sign and len(node.sign) <= WORD
    return 6 if behind_sign else 4 * (node.role == "variable")


def side_width(node):
    """The width of what stands at the right: the value, else the shape."""
    if node.number:
        return text_width(node.number, *number_look(node.number))
    return text_width(node.form, SMALL)


def number_look(number):
    """(size, font) of a number: the longer it is, the smaller."""
    return (15, "bold") if len(number) <= 7 else (13, "bold") if len(number) <= 12 else (12, "sans")


def name_width(label, size=NAME):
    """The width of a name, its digits as an index."""
    if is_phrase(label):
        return text_width(label, SIZE, "bold")
    stem, digits = name_and_index(label)
    return text_width(stem, size, "math") + (1 + text_width(digits, SUB, "roman")) * bool(digits)


def row_width(row):
    """The width of a row of Terms."""
    return sum(map(term_width, row))


def term_width(term):
    """The width of a Term."""
    if term.kind in PLAIN:
        return text_width(term.text, SMALL if term.kind == "words" else WORDS)
    return name_width(bare_name(term), TERM)


def bare_name(term):
    """The name of a Term without the bar or the dot over it."""
    marks = DOTS if term.kind == "tangent" else BARS
    return normalize("NFC", normalize("NFD", term.text).translate(marks))


def is_phrase(label):
    """Whether a label is words, which stand upright, and no name."""
    return " " in label


def name_and_index(label):
    """A name without its index, and the index: W and 1 of "W1", "W_1" and "W₁"."""
    plain = label.translate(LOWERED)
    stem = plain.rstrip("0123456789")
    if not stem or stem == plain:
        return label, ""
    return stem.removesuffix("_") or stem, plain[len(stem) :]


def sign_width(sign):
    """The width of the dot, or of the pill, that an operation's sign stands in."""
    return 2 * DOT if len(sign) == 1 else round_even(text_width(sign, SIGN, "bold") + 14)


def round_even(length):
    """Rounded up to an even whole number."""
    return 2 * int(-(-length // 2))


def cards_of(scene, across):
    """Id → CardMeasure: room for all arrows that come in; a value's as wide as its derivative's.

    Of a scene of stages, room for each node as it is in any of them.
    """
    if scene.stages:
        every = [cards_of(stage, across) for stage in scene.stages]
        return {n.id: largest([one[n.id] for one in every if n.id in one]) for n in scene.nodes}
    found = {node.id: card_of(node, across) for node in scene.nodes}
    arrows = Counter(edge.target for edge in scene.flows())
    for id, count in arrows.items():
        card, room = found[id], round_even(ARROW * count / SIDE) if count > FEW else 0
        more = {"h": max(card.h, room)} if across else {"w": max(card.w, room)}
        found[id] = card._replace(**more)
    for node in scene.nodes:
        if node.of:
            pair = found[node.id], found[node.of]
            for id in (node.id, node.of):
                found[id] = fit_pair(found[id], pair, scene.halves, across)
    return found


def fit_pair(card, pair, halves, across):
    """One CardMeasure of a value and its derivative: as wide as the other one, and as high."""
    sides = ("w", "h") if not halves else ("w",) if across else ("h",)
    return card._replace(**{side: max(getattr(one, side) for one in pair) for side in sides})


def largest(cards):
    """A CardMeasure with room for all of these."""
    return CardMeasure(*(max(side) for side in zip(*cards)))


def riders(scene, home):
    """Leaf id → id of its only user: at most one per user, and never its only input.

    A variable goes before data. `home` says which nodes lie in the same frame: outside, a leaf
    would hang out of it. None rides beside derivatives, whose edges need room for a number.
    """
    if scene.halves:
        return {}
    users, feeds, found = defaultdict(list), defaultdict(list), {}
    piles = {node.id for node in scene.nodes if node.formula}  # nothing rides on a closed loop
    for edge in scene.flows():
        users[edge.source].append(edge.target)
        feeds[edge.target].append(edge.source)
    for node in sorted(scene.nodes, key=lambda node: node.role != "variable"):
        if node.id not in feeds and len(users[node.id]) == 1 and is_light(node):
            (user,) = users[node.id]
            others = {*feeds[user]} - {node.id}
            enough = others if node.role != "input" else others & feeds.keys()
            if enough and home[node.id] == home[user] and user not in piles:
                found.setdefault(user, node.id)
    return {leaf: user for user, leaf in found.items()}


def is_light(node):
    """Whether a leaf may ride: it is neither a result nor an adjoint, nor where a frame begins."""
    return not (node.result or node.of or node.role == "port")
