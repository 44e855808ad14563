"""A training step upright, for a narrow page: its formulas in rows that fit there."""

from minigrad.draw.layout.portrait import place_portrait
from minigrad.draw.paint.marks import chip_size, chip_text
from minigrad.draw.paint.score import chip_widths, measure_by, stub_width
from minigrad.draw.read.formulas import card_formulas

PHONE = 372  # pixels of a phone's page between its margins
LIMITS = ((16, 3), (14, 4), (12, 4), (10, 5), (8, 6))  # letters and rows of a formula


def place_upright(step, nodes, amounts=()):
    """The Score of StepCards upright; `nodes` are those of its cards, by id. Adjoints, and then
    gradients, are written in the longest rows with which a phone is wide enough; the Edges in
    `amounts` have chips, those of the widest not where they make it too wide."""
    written = list(break_formulas(step.cards))
    *_, narrow = written
    chosen = {"adjoint": narrow, "gradient": narrow, "update": card_formulas(step.cards)}
    for kind in ("adjoint", "gradient"):
        for formulas in written:
            chosen[kind] = formulas
            score = place_formulas(step.cards, nodes, chosen, chip_widths(amounts))
            if score.width <= PHONE:
                break
    if score.width <= PHONE or not amounts:
        return score
    return place_upright(step, nodes, without_widest(amounts))


def without_widest(amounts):
    """The amounts of all sums but that with the longest one."""
    widest = max(amounts, key=lambda edge: chip_size(chip_text(edge)))
    return [edge for edge in amounts if edge.target != widest.target]


def break_formulas(cards):
    """The formulas of cards in shorter and shorter rows, each also with names above the rows."""
    for limits in LIMITS:
        formulas = card_formulas(cards, limits)
        yield formulas
        yield formulas | dict(lower_rows(cards, formulas))


def lower_rows(cards, formulas):
    """(id, Formula) of adjoints in which the first row goes below the name."""
    for card in cards.cards:
        rows = formulas[card.id].rows if card.id in formulas else ()
        if card.kind == "adjoint" and len(rows) > 1:
            yield card.id, formulas[card.id]._replace(rows=((), *rows))


def place_formulas(cards, nodes, chosen, chips):
    """The Score with the formulas that are chosen for each kind of card."""
    found = {}
    for card in cards.cards:
        formulas = chosen.get(card.kind, chosen["update"])
        if card.id in formulas:
            found[card.id] = formulas[card.id]
    return place_portrait(cards, measure_by(nodes, found), stub_width, found, chips)
