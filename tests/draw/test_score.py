"""The score: lanes, systems and stubs, checked as a reader would: nothing lost, nothing crossed."""

import itertools

import numpy as np
import pytest
from draw.seeds import printed_under_two_seeds
from draw.training_steps import STEPS, outline_of, random_step

import minigrad as mg
from minigrad.draw.layout.boxes import text_width
from minigrad.draw.layout.columns import CardSize
from minigrad.draw.layout.score import LANES, place_score
from minigrad.draw.layout.systems import break_columns
from minigrad.draw.read.cards import read_cards
from minigrad.draw.read.formulas import card_formulas
from minigrad.draw.read.outline import outline
from minigrad.draw.read.source import list_results

SERIF = 0.92  # how wide letters with serifs are, beside those without
FORMULAS = ("gradient", "update", "shared", "run")


def measure_by(formulas):
    """A measure of cards as the pictures of the design have them."""

    def measure(card):
        name = text_width(card.name, 16) * SERIF
        rows = formulas[card.id].texts() if card.id in formulas else ()
        wide = [text_width(row, 13) * SERIF for row in rows]
        if card.same_as:
            return CardSize(2 * name + 44, 26)
        if card.kind == "adjoint":
            first = name + 10 + wide[0] if len(rows) > 1 else name
            return CardSize(max([58, first + 24, *(width + 24 for width in wide)]), 44)
        if card.kind in FORMULAS:
            return CardSize(max([58, *(width + 24 for width in wide)]), 14 + 16 * len(rows))
        shape = text_width(card.shape, 11) + 12 if card.shape else 0
        if not card.is_operation:
            return CardSize(name + shape + 26, 30)
        sign = text_width(card.sign, 12, "bold")
        if len(card.sign) > 5:
            return CardSize(max(name + shape + 33, sign + 30), 34, 0, 12)
        return CardSize(max(name + shape + 33, 56), 30, 11 if len(card.sign) == 1 else sign + 3)

    return measure


def name_width(text):
    """The width of a name beside a stub."""
    return text_width(text, 14) * SERIF


def place(found, room=900):
    """(CardSet, Score) of an Outline."""
    cards = read_cards(found)
    formulas = card_formulas(cards)
    return cards, place_score(cards, measure_by(formulas), name_width, formulas, room)


@pytest.fixture(scope="module")
def scores():
    """{name: (Outline, CardSet, Score)} of all training steps."""
    found = {name: outline_of(name) for name in STEPS}
    return {name: (each, *place(each)) for name, each in found.items()}


# geometry ----------------------------------------------------------------------------------------


def segments(points):
    """The straight pieces of a line."""
    return list(itertools.pairwise(points))


def cross(a, b):
    """Whether two straight pieces cross, not only touch."""
    (p, q), (r, s) = a, b

    def side(o, x, y):
        turn = (x[0] - o[0]) * (y[1] - o[1]) - (x[1] - o[1]) * (y[0] - o[0])
        return (turn > 1e-6) - (turn < -1e-6)

    return side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0


def crossings(lines):
    """How often lines cross one another."""
    pieces = [segments(points) for points in lines]
    pairs = itertools.combinations(pieces, 2)
    return sum(cross(a, b) for x, y in pairs for a in x for b in y)


def edges_of(box, less=1):
    """(left, top, right, bottom) of a box, made a little smaller."""
    return box.left + less, box.top + less, box.right - less, box.bottom - less


def meets(piece, rectangle):
    """Whether a straight piece, along an axis, runs through a rectangle."""
    (x1, y1), (x2, y2) = piece
    left, top, right, bottom = rectangle
    across = min(x1, x2) < right and max(x1, x2) > left
    return across and min(y1, y2) < bottom and max(y1, y2) > top


def overlap(a, b):
    """Whether two rectangles have a point in common."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def bodies_of(cards, score):
    """{id of a card: its rectangle with its sign}."""
    measure, found = measure_by(card_formulas(cards)), {}
    for card in score.cards:
        size = measure(cards.card(card.id))
        left, top, right, bottom = edges_of(card.box, 0)
        found[card.id] = left - size.left, top - size.above, right, bottom
    return found


def label(stub):
    """The rectangle of the names of a stub."""
    width = name_width(", ".join(name for name, _ in stub.names))
    left = {"start": stub.x, "middle": stub.x - width / 2, "end": stub.x - width}[stub.anchor]
    return left, stub.y - 10, left + width, stub.y + 2


def word_of(lane):
    """The rectangle of the word in the corner of a lane."""
    x, y = lane.box.left + 14, lane.box.top
    return x, y + 4, x + text_width(lane.word, 11, "bold"), y + 17


def lines_of(score):
    """The points of all edges and stubs."""
    return [e.points for e in score.edges] + [stub.points for stub in score.stubs]


def arcs(score):
    """The values that pass over others."""
    return [edge for edge in score.edges if edge.kind == "value" and len(edge.points) == 4]


# tests -------------------------------------------------------------------------------------------

every = pytest.mark.parametrize("name", STEPS)


@every
def test_nothing_is_lost(scores, name):
    found, cards, score = scores[name]
    assert sorted(id for card in score.cards for id in card.members) == sorted(found.ids)
    assert sorted(card.id for card in score.cards) == sorted(card.id for card in cards.cards)
    assert str(len(found.values)) in score.said and str(len(score.cards)) in score.said


@every
def test_a_large_step_has_few_shapes(scores, name):
    found, _, score = scores[name]
    if len(found.values) >= 40 and name != "forward":
        most = 0.65 if name in ("lstm", "autoencoder") else 0.6  # of many small operations
        assert len(score.cards) <= most * len(found.values)


@every
def test_lines_cross_only_where_values_skip(scores, name):
    _, _, score = scores[name]
    assert crossings(lines_of(score)) <= 2 * len(arcs(score))


@every
def test_no_card_lies_on_another(scores, name):
    _, cards, score = scores[name]
    bodies = bodies_of(cards, score).values()
    assert not [pair for pair in itertools.combinations(bodies, 2) if overlap(*pair)]


@every
def test_no_line_runs_through_a_card(scores, name):
    _, cards, score = scores[name]
    bodies = bodies_of(cards, score)
    lines = [((e.source, e.target), e.points) for e in score.edges]
    lines += [((stub.card,), stub.points) for stub in score.stubs]
    through = [
        (ends, id)
        for ends, points in lines
        for piece in segments(points)
        for id, rectangle in bodies.items()
        if id not in ends and meets(piece, rectangle)
    ]
    assert through == []


@every
def test_names_of_stubs_have_room(scores, name):
    _, cards, score = scores[name]
    labels = [label(stub) for stub in score.stubs]
    bodies = bodies_of(cards, score).values()
    assert not [pair for pair in itertools.combinations(labels, 2) if overlap(*pair)]
    assert not [(a, b) for a in labels for b in bodies if overlap(a, b)]
    words = list(map(word_of, score.lanes))
    assert not [(a, b) for a in words for b in [*labels, *bodies] if overlap(a, b)]
    upright = [piece for points in lines_of(score) for piece in segments(points)]
    assert not [(a, piece) for a in words for piece in upright if meets(piece, a)]


@every
def test_an_adjoint_stands_on_the_axis_of_its_value(scores, name):
    _, _, score = scores[name]
    places = {card.id: card.box for card in score.cards}
    backs = [card for card in score.cards if card.of]
    assert backs or name == "forward"
    assert all(abs(card.box.x - places[card.of].x) <= 1 for card in backs)
    assert all(card.box.y > places[card.of].y for card in backs)


@every
def test_a_score_fits_a_page(scores, name):
    _, _, score = scores[name]
    assert score.width <= 940
    for card in score.cards:
        (lane,) = [x for x in score.lanes if (x.lane, x.system) == (card.lane, card.system)]
        left, top, right, bottom = edges_of(lane.box, 0)
        assert left <= card.box.left and card.box.right <= right
        assert top <= card.box.top and card.box.bottom <= bottom


@pytest.mark.parametrize("name", ["mlp", "conv", "deep", "residual", "shared", "adam"])
def test_lines_are_short(scores, name):
    _, _, score = scores[name]
    lines = [edge.points for edge in score.edges if edge.kind != "axis"]
    lengths = [sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in segments(p)) for p in lines]
    assert sum(lengths) / len(lengths) <= 70
    assert max(lengths) <= score.width / 2


@every
def test_every_value_reaches_its_reader(scores, name):
    _, cards, score = scores[name]
    drawn = {(e.source, e.target) for e in score.edges if e.kind in ("value", "parameter")}
    drawn |= {
        (id, stub.card) for stub in score.stubs for _, id in stub.names if stub.kind != "adjoint"
    }
    wanted = {(edge.source, edge.target) for edge in cards.edges}
    assert wanted <= drawn


@every
def test_every_contribution_reaches_its_adjoint(scores, name):
    _, cards, score = scores[name]
    backs = {card.of: card.id for card in score.cards if card.kind in ("adjoint", "gradient")}
    drawn = {(e.source, e.target) for e in score.edges if e.kind in ("adjoint", "gradient")}
    named = {(stub.card, backs.get(id)) for stub in score.stubs for _, id in stub.names}
    named |= {(adjoint, card) for card, adjoint in named}  # at a margin both ends name what comes
    pairs = {(user, operand) for user, operand in cards.flows() if user != operand}
    wanted = {(backs[u], backs[x]) for u, x in pairs if u in backs and x in backs}
    assert wanted <= drawn | named and (wanted or name == "forward")


@every
def test_cards_are_read_lane_by_lane(scores, name):
    _, _, score = scores[name]
    order = [(card.system, LANES.index(card.lane), card.column) for card in score.cards]
    assert order == sorted(order)
    assert 0.5 <= score.width / score.height <= 3 or name in ("forward", "long", "slopes")


def test_a_skip_is_an_arc_within_a_system(scores):
    found, _, _ = scores["residual"]
    _, score = place(found, room=1200)
    assert len(score.systems) == 1 and len(arcs(score)) == 1
    assert crossings(lines_of(score)) == 2
    _, _, broken = scores["residual"]
    assert len(broken.systems) > 1 and broken.stubs


def test_a_value_that_goes_on_is_named_at_both_ends(scores):
    _, _, score = scores["deep"]
    assert len(score.systems) >= 2
    for first, last in itertools.pairwise(score.systems):
        crossing = [s for s in score.stubs if s.kind == "value" and len(s.names) == 1]
        columns = {card.id: card.column for card in score.cards}
        ends = {columns[s.card] for s in crossing}
        assert {first[-1], last[0]} <= ends


def test_the_sizes_of_the_pictures_are_kept(scores):
    nodes = {name: (len(scores[name][0].values), len(scores[name][2].cards)) for name in STEPS}
    assert nodes["mlp"] == (47, 26) and nodes["conv"] == (61, 30) and nodes["deep"] == (91, 50)
    assert nodes["residual"] == (50, 25)
    assert len(scores["mlp"][2].systems) == 1


def lie_on(a, b):
    """Whether two straight pieces share more than a point."""
    for along, across in ((0, 1), (1, 0)):
        level = {a[0][across], a[1][across], b[0][across], b[1][across]}
        if len(level) == 1:
            (c, d), (e, f) = (sorted(point[along] for point in piece) for piece in (a, b))
            return max(c, e) + 1e-6 < min(d, f)
    return False


def find_doubled(score):
    """The lines that run along another one."""
    pairs = itertools.combinations(lines_of(score), 2)
    return [(x, y) for x, y in pairs for a in segments(x) for b in segments(y) if lie_on(a, b)]


def find_struck(score):
    """The stubs that a line crosses, or whose names it runs through."""
    edges = [piece for edge in score.edges for piece in segments(edge.points)]
    pairs = [(stub, piece) for stub in score.stubs for piece in edges]
    crossed = [s for s, piece in pairs for own in segments(s.points) if cross(own, piece)]
    return crossed + [stub for stub, piece in pairs if meets(piece, label(stub))]


@every
def test_no_line_runs_along_another_or_through_a_stub(scores, name):
    _, _, score = scores[name]
    assert not find_doubled(score) and not find_struck(score)


def chain_score(build):
    """The Score of a chain of values in one system; build(first value, a weight) ends it."""
    with mg.Graph() as graph:
        x, w = mg.placeholder("x", (4, 4)), mg.Variable(np.ones((4, 4)), "w")
        loss = mg.sum(build(mg.tanh(x @ w), w))
        mg.gradients(loss, [w])
    return place(outline(list_results(graph)), 4000)[1]


def ways_of(score):
    """(how many arcs there are, the names of values on stubs)."""
    stubs = [stub for stub in score.stubs if stub.kind != "adjoint"]
    return len(arcs(score)), [name for stub in stubs for name, _ in stub.names]


def test_of_two_arcs_that_would_cross_one_is_a_stub():
    def build(a, w):
        b = mg.sin(a)
        c = mg.cos(b)
        d = c * a
        return d * b

    score = chain_score(build)
    assert ways_of(score)[0] == 1 and len(ways_of(score)[1]) == 1
    assert not find_struck(score) and crossings(lines_of(score)) == 0


def test_an_arc_within_an_arc_has_a_track_of_its_own():
    def build(a, w):
        b = mg.sin(a)
        c = mg.cos(b)
        return mg.exp(c * b) * a

    score = chain_score(build)
    levels = {edge.points[1][1] for edge in arcs(score)}
    assert ways_of(score) == (2, []) and len(levels) == 2
    assert crossings(lines_of(score)) == 0 and not find_doubled(score)


def test_no_arc_passes_over_a_stub():
    def build(a, w):
        return mg.exp(mg.sin(a) @ w) * a

    score = chain_score(build)
    assert ways_of(score)[0] == 0 and len(ways_of(score)[1]) == 2
    assert not find_struck(score)


def test_a_stub_has_a_side_of_a_card_for_itself():
    def build(a, w):
        c = mg.where(mg.sin(a) > 0, a, w)
        return mg.exp(mg.sin(c)) * c

    score = chain_score(build)
    assert not find_struck(score) and not find_doubled(score)
    tops = [stub.points[0] for stub in score.stubs if stub.kind != "adjoint"]
    starts = [edge.points[0] for edge in arcs(score)]
    assert not {x for x, _ in tops} & {x for x, _ in starts}


@pytest.mark.parametrize("room", [900, 4000])
@pytest.mark.parametrize("seed", range(100))
def test_a_random_step_is_as_clear(seed, room):
    found = outline(list_results(random_step(seed)))
    cards, score = place(found, room)
    assert sorted(id for card in score.cards for id in card.members) == sorted(found.ids)
    bodies = bodies_of(cards, score)
    pairs = itertools.combinations([*bodies.values(), *map(label, score.stubs)], 2)
    assert not [pair for pair in pairs if overlap(*pair)]
    assert crossings(lines_of(score)) <= 2 * len(arcs(score))
    assert not find_doubled(score) and not find_struck(score)
    assert score.width <= 1.04 * room
    lines = [((e.source, e.target), e.points) for e in score.edges]
    pieces = [(ends, piece) for ends, points in lines for piece in segments(points)]
    assert not [
        (ends, id)
        for ends, piece in pieces
        for id, rectangle in bodies.items()
        if id not in ends and meets(piece, rectangle)
    ]


def test_systems_are_few_and_even():
    rng = np.random.default_rng(0)
    for _ in range(40):
        sizes = rng.integers(40, 300, size=rng.integers(1, 9)).tolist()

        def width(part, first, last, sizes=sizes):
            return sum(sizes[at] for at in part) + 20 * (not first) + 10 * (not last)

        columns = list(range(len(sizes)))
        parts = break_columns(columns, width, 400)
        assert [at for part in parts for at in part] == columns
        tried = {}
        for count in range(len(sizes)):
            for cuts in itertools.combinations(columns[1:], count):
                split = [columns[a:b] for a, b in zip((0, *cuts), (*cuts, len(sizes)))]
                ends = enumerate(split)
                widest = max(width(p, i == 0, i == count) for i, p in ends)
                tried[count + 1] = min(widest, tried.get(count + 1, widest))
        wanted = next((n for n in tried if tried[n] <= 416), len(sizes))
        assert len(parts) == wanted
        ends = enumerate(parts)
        assert max(width(p, i == 0, i == wanted - 1) for i, p in ends) == tried[wanted]


PRINT = """
from draw.test_score import place
from draw.training_steps import STEPS, outline_of
print([repr(place(outline_of(name))[1]) for name in STEPS])
"""


def test_a_score_is_the_same_in_every_process():
    assert len(set(printed_under_two_seeds(PRINT))) == 1
