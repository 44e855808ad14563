"""Painting a training step: lanes, cards with formulas, lines of right angles, stubs."""

from itertools import pairwise
from math import atan2, dist

from minigrad.draw.layout.boxes import (
    card_of,
    name_width,
    number_look,
    round_even,
    row_width,
    text_width,
)
from minigrad.draw.layout.columns import CardSize
from minigrad.draw.layout.score import ROOM, place_score
from minigrad.draw.look import SMALL, TERM, WORDS
from minigrad.draw.paint.marks import (
    HEAD,
    PILE,
    Place,
    chip_size,
    chip_svg,
    chip_text,
    count_svg,
    name_svg,
    node_svg,
    num,
    open_head,
    pile_parts,
    rectangle,
    row_svg,
    text_svg,
)
from minigrad.draw.read.formulas import Term
from minigrad.draw.read.signs import minus

GIVES, SPACE, BAR = "=    ", 4, 4  # before a number, with the room between; before and behind it
EQUALS, INSET = 16, 10  # from a name to its formula, with "=" between; from a rim to the text
SHORT = 76  # the width of a name and a formula that stand in one row
LINE = 18  # from one row of a formula to the next
CORNER = 8  # the radius where a line turns
FORMULA, SAME = 30, 26  # the height of a card of one row; of one that names an equal adjoint
STUB = 14  # the size of a name beside a stub
LOOKS = {"adjoint": "adjoint", "gradient": "adjoint", "update": "variable"}
KINDS = {"value": "data", "gradient": "adjoint"}  # kinds of lines that look as others
TINTS = {"parameters": "variable", "forward": "input", "update": "variable"}  # others: adjoint


# sizes -------------------------------------------------------------------------------------------


def place_step(step, nodes, room=0, amounts=()):
    """The Score of StepCards whose nodes these are, by id; no system is wider than the `room`, and
    the Edges in `amounts` have chips."""
    measure, chips = measure_by(nodes, step.formulas), chip_widths(amounts)
    return place_score(step.cards, measure, stub_width, step.formulas, room or ROOM, chips)


def chip_widths(amounts):
    """{(source, target): width of the chip} of some Edges."""
    return {(edge.source, edge.target): chip_size(chip_text(edge))[0] for edge in amounts}


def measure_by(nodes, formulas):
    """The function that gives the CardSize of a card."""

    def measure(card):
        if card.is_operation or card.id not in formulas:
            body = card_of(nodes[card.id]._replace(lines=()))
            return CardSize(body.w, body.h, body.left, max(body.top, pile_height(card)))
        size = formula_size(card, formulas[card.id])
        number = number_width(nodes[card.id]) if tells_one(card) else 0
        return size._replace(
            width=max(size.width, number), height=size.height + LINE * bool(number),
            above=pile_height(card),
        )  # fmt: skip

    return measure


def pile_height(card):
    """How far the cards behind a pile are seen above it."""
    return max(up for _, up in PILE) if card.count > 1 else 0


def formula_size(card, formula):
    """The CardSize of a card that a formula is written on."""
    rows = [row_width(row) for row in named_rows(card, formula)]
    if card.same_as:
        return CardSize(round_even(rows[0] + 2 * INSET), SAME)
    if is_tall(card, formula):
        first = name_width(card.name) + EQUALS + (rows[0] if len(rows) > 1 else 0)
        below = max(0, len(rows) - 2) * LINE
        return CardSize(round_even(max(first, *rows) + 2 * INSET), FORMULA + 14 + below)
    extra = 4 * (card.kind == "update")
    return CardSize(round_even(max(rows) + 2 * INSET + extra), FORMULA + LINE * (len(rows) - 1))


def is_tall(card, formula):
    """Whether the formula of an adjoint goes on below its name: all but a short one."""
    if card.kind != "adjoint" or card.same_as or card.count > 1:
        return False
    return len(formula.rows) > 1 or name_width(card.name) + row_width(formula.rows[0]) > SHORT


def named_rows(card, formula):
    """The rows of a formula; of a gradient, and of a short adjoint, behind the name and "=";
    of an update of several variables, with all but the first below."""
    _, _, others = card.name.partition(", ")
    if card.kind == "update" and others:
        return (*formula.rows, (Term(f"likewise {others}"),))
    plain = card.kind not in ("gradient", "adjoint") or card.count > 1
    if plain or is_tall(card, formula):
        return formula.rows
    row, *more = formula.rows
    name = Term(card.name, card.of, "adjoint"), Term(" = ")
    return ((*name, *row), *more)


def stub_width(text):
    """The width of a name beside a stub."""
    return name_width(text, STUB)


# formulas ----------------------------------------------------------------------------------------


def rows_svg(rows, x, y):
    """Rows of Terms, one below the other."""
    for at, row in enumerate(rows):
        yield from row_svg(row, x, y + LINE * at)


# cards -------------------------------------------------------------------------------------------


def score_card(card, node, tip):
    """A card of a Score; `node` is what it says."""
    if is_plain(card, node):
        place = Place(box_with_sign(card, node), card_of(node._replace(lines=())), True)
        return node_svg(node._replace(lines=()), place, tip)
    parts = "".join(formula_parts(card, node))
    return f'<g id="{card.id}" class="node"><title>{tip}</title>{parts}</g>'


def box_with_sign(card, node):
    """The box of a card with its sign."""
    body = card_of(node._replace(lines=()))
    box = card.box
    return box._replace(
        x=box.x - body.left / 2, y=box.y - body.top / 2, w=box.w + body.left, h=box.h + body.top
    )


def is_plain(card, node):
    """Whether a card is painted as in a graph: where no formula stands on it."""
    return not card.formula or node.mark or card.kind in ("op", "result", "loop")


def tells_one(card):
    """Whether a card is that of one value, and not of equal updates."""
    return card.kind != "update" or "," not in card.name


def number_width(node):
    """How wide a card with a formula must be for the number of its node; 0 where it has none."""
    if not node.number:
        return 0
    size, font = number_look(node.number)
    number = text_width(minus(node.number), size, font)
    name = name_width(node.name, TERM) + BAR if node.role == "variable" else 0
    return round_even(name + text_width(GIVES, WORDS) + number + 2 * INSET)


def number_of(card, node):
    """What a card with a formula gives, as a number at its lower right."""
    size, font = number_look(node.number)
    x, y = card.box.right - INSET, card.box.bottom - 9
    word = {15: "number", 13: "middling"}.get(size, "plain")
    text, ink = minus(node.number), LOOKS.get(card.kind, "folded")
    wide, left = text_width(text, size, font), card.box.left + INSET
    if card.kind == "update":
        yield from name_svg(card.name, left + BAR, y, "", "", TERM)
        left += BAR + name_width(card.name, TERM)
    yield text_svg(GIVES.strip(), left + SPACE, y, "formula start")
    yield text_svg(text, x, y, f"value {word} end {ink}-ink", wide)


def formula_parts(card, node):
    """What a card with a formula is made of; its `node` has the number, and how many values it says
    it holds."""
    box, look = card.box, LOOKS.get(card.kind, "folded")
    single = bool(node.number) and tells_one(card)
    alone = card.kind == "gradient" and len(card.formula.rows) == 1 and not single
    round_ends = alone or card.same_as
    radius = min(box.h, 30) / 2 if round_ends else 10
    if card.same_as:
        yield rectangle(box, f"rim same-{look}", radius)
    else:
        yield rectangle(box.translate(0, 2), "shade", radius)
        yield from pile_parts(box, look) if card.count > 1 else ()
        yield rectangle(box, f"rim {look}", radius)
    if card.kind == "update":
        yield (
            f'<path class="store variable-bar" d="M{num(box.left + 5)} {num(box.top + 8)} '
            f'V{num(box.bottom - 8)}"/>'
        )
    upper = box._replace(y=box.y - LINE / 2, h=box.h - LINE) if single else box
    yield from texts_of_formula(card._replace(box=upper))
    if single:
        yield from number_of(card, node)
    if node.inside:
        yield count_svg(node.inside, box)


def texts_of_formula(card):
    """The name of a card, and its formula."""
    box, rows = card.box, named_rows(card, card.formula)
    if not is_tall(card, card.formula):
        first = box.y + 4.5 - LINE * (len(rows) - 1) / 2
        left = box.x - max(map(row_width, rows)) / 2 + 2 * (card.kind == "update")
        yield from rows_svg(rows, left, first)
        return
    top, low = box.top + 17.5, box.bottom - 8
    yield from name_svg(card.name, box.left + INSET, top, " adjoint-ink", "adjoint")
    behind = box.left + INSET + name_width(card.name)
    yield text_svg("=", behind + 4, top, "formula start")
    if len(rows) > 1:
        yield from row_svg(rows[0], behind + EQUALS, top)
        rows = rows[1:]
    for at, row in enumerate(rows):
        y = low - LINE * (len(rows) - 1 - at)
        yield from row_svg(row, box.right - INSET - row_width(row), y)


# lanes, lines, stubs -----------------------------------------------------------------------------


def lane_svg(lane):
    """A lane, with its word in the corner."""
    tint = TINTS.get(lane.lane, "adjoint")
    x, y = lane.box.left + 14, lane.box.top + 17
    words = text_svg(
        lane.word, x, y, f"small bold start {tint}-ink", text_width(lane.word, SMALL, "bold")
    )
    return f'<g class="lane">{rectangle(lane.box, f"{tint}-lane", 12)}{words}</g>'


def block_frame(frame):
    """The frame of an open block, with what it is called at its upper right."""
    x, y = frame.box.right - 10, frame.box.top + 15
    words = text_svg(frame.title, x, y, "small bold end", text_width(frame.title, SMALL, "bold"))
    return f'<g class="block">{rectangle(frame.box, "open-block", 12)}{words}</g>'


def line_svg(edge):
    """A line of right angles with round corners, and its arrow's head; dots from a value to its
    adjoint."""
    if edge.kind == "axis":
        return f'<path class="axis" d="{way_of(edge.points)}"/>'
    kind = KINDS.get(edge.kind, edge.kind)
    path = f'<path class="edge {kind}" d="{way_of(edge.points)}"/>{head_of(edge.points, kind)}'
    return f'<g data-from="{edge.source}" data-to="{edge.target}">{path}</g>'


def chips_svg(chips, edges):
    """The chips on lines, of those of the scene's Edges that have an amount."""
    found = {(edge.source, edge.target): edge for edge in edges if edge.label}
    for source, target, x, y in chips:
        if (source, target) in found:
            words = chip_svg(chip_text(found[source, target]), x, y, "adjoint")
            yield f'<g class="chip" data-from="{source}" data-to="{target}">{words}</g>'


def way_of(points):
    """A path through points, with a round corner at each but the ends."""
    (x, y), *_ = points
    parts = [f"M{num(x)} {num(y)}"]
    for before, at, after in zip(points, points[1:], points[2:]):
        r = min(CORNER, dist(before, at) / 2, dist(at, after) / 2)
        if r > 0.5:
            (ax, ay), (bx, by) = toward(at, before, r), toward(at, after, r)
            parts.append(f"L{num(ax)} {num(ay)} Q{num(at[0])} {num(at[1])} {num(bx)} {num(by)}")
    x, y = points[-1]
    return " ".join([*parts, f"L{num(x)} {num(y)}"])


def toward(start, end, length):
    """The point so far from a start on the way to an end."""
    share = length / (dist(start, end) or 1.0)
    return tuple(a + (b - a) * share for a, b in zip(start, end))


def head_of(points, kind, length=HEAD):
    """The head of a line's arrow."""
    *_, ((ax, ay), (x, y)) = (pair for pair in pairwise(points) if pair[0] != pair[1])
    return open_head(x, y, atan2(y - ay, x - ax), kind, length)


def stub_svg(stub):
    """Where a line goes on in another place: a short arrow, and the names of what it is."""
    kind = KINDS.get(stub.kind, stub.kind)
    texts = "".join(stub_names(stub, stub.start_x(stub_width(stub.text))))
    path = f'<path class="edge {kind}" d="{way_of(stub.points)}"/>'
    ends = f'data-card="{stub.card}" data-names="{" ".join(id for _, id in stub.names)}"'
    return f'<g class="stub" {ends}>{path}{head_of(stub.points, kind)}{texts}</g>'


def stub_names(stub, x):
    """The names at a stub, with bars where they are adjoints."""
    role = "adjoint" if stub.kind == "adjoint" else ""
    ink = {"adjoint": " adjoint-ink", "parameter": " variable-ink"}.get(stub.kind, "")
    for at, (name, _) in enumerate(stub.names):
        if at:
            yield text_svg(",", x, stub.y, f"formula start{ink}")
            x += stub_width(", ")
        yield from name_svg(name, x, stub.y, ink, role, STUB)
        x += name_width(name, STUB)
