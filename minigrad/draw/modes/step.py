"""A training step as a scene: a node for each card, which `layout/score.py` places in lanes."""

from collections import Counter, defaultdict
from typing import NamedTuple

from minigrad.draw.modes.strips import known_loops
from minigrad.draw.read import form_of, single_text
from minigrad.draw.read.bodies import loop_of
from minigrad.draw.read.cards import LEAVES, CardSet, read_cards
from minigrad.draw.read.formulas import Term, card_formulas
from minigrad.draw.read.loops import closed_rows, formal_terms
from minigrad.draw.read.opened import ITEMS
from minigrad.draw.read.roles import BACKWARD, read_sweeps
from minigrad.draw.scene import DrawnNode, Edge, Scene

ROLES = {
    "loop": "op",
    "result": "op",
    "pile": "folded",
    "gradient": "adjoint",
    "update": "variable",
}
LANES = ("parameters", "forward", "backward", "gradients", "update")  # from top to bottom
MOST_WORDS = 6  # of what a card holds
BACK = ("adjoint", "gradient")
CALLS = {"adjoint": "adjoint of", "gradient": "gradient of", "update": "update of"}


class StepCards(NamedTuple):
    """The cards of a training step, and what is written on them by id; the numbers that are known,
    the KnownLoops, and `amounts`, {ids of two adjoints: what passes from the one to the other}."""

    cards: CardSet
    formulas: dict
    numbers: dict = {}
    loops: dict = {}
    amounts: dict = {}


def read_step(graph):
    """The StepCards that an Outline shows in lanes; None and the reason where these do not fit a
    training step; None and "" where it shows none: neither a gradient nor an update."""
    if not read_sweeps(graph):
        return None, ""
    cards = read_cards(graph)
    kinds = {card.kind for card in cards.cards}
    if "update" in kinds and cards.tier != "score":
        return None, cards.reason
    is_higher = cards.roles.is_higher() and "update" not in kinds  # of a derivative alone
    if cards.tier != "score" or is_higher or not kinds & {"gradient", "adjoint"}:
        return None, ""
    return StepCards(cards, card_formulas(cards)), ""


def add_numbers(step, numbers, compute):
    """The StepCards with what numbers at positions tell: of cards, of contributions, of loops.

    `compute` is trace.history.loop_history.
    """
    graph, adjoints = step.cards.outline, step.cards.roles.adjoints
    bars = {at: numbers.get(parts[-1]) for at, parts in adjoints.items()}
    known = {at: bar for at, bar in bars.items() if bar is not None}
    places = {card.id: told_on(graph, card) for card in step.cards.cards if card.members}
    return step._replace(
        numbers={id: single_text(numbers.get(at)) for id, at in places.items()},
        loops=known_loops(graph, numbers, known, compute),
        amounts=known_amounts(step.cards, lambda made: sum_known(numbers, made)),
    )


def told_on(graph, card):
    """The position of what the number on a card is of: in an update, of its own variable."""
    if card.kind != "update":
        return card.head
    assigns = [at for at in reversed(card.members) if graph.ops[at] == "Assign"]
    targets = (graph.ids[graph.inputs[at][0]] for at in assigns)
    return next((at for at, id in zip(assigns, targets) if f"{id}_update" == card.id), None)


def known_amounts(cards, number_of):
    """{ids of two adjoints: the single number that the first contributes to the second}, where the
    second is a sum of several contributions and all are known: `number_of` positions of what passes
    between two cards."""
    owner, backs = cards.card_of(), {card.of: card.id for card in cards.cards if card.kind in BACK}
    found = defaultdict(list)  # of a pair of cards: the positions of what passes between them
    backward = {*cards.roles.lane(BACKWARD)}
    for sweep in cards.roles.sweeps:
        if backward.isdisjoint(sweep.nodes):  # its adjoints are values of the forward pass
            continue
        for (user, operand), made in sweep.flows.items():
            ends = owner[user], owner[operand]
            if ends[0] != ends[1] and backs.keys() >= {*ends}:
                found[backs[ends[0]], backs[ends[1]]] += made
    texts = {pair: single_text(number_of(made)) for pair, made in found.items() if made}
    count = Counter(operand for _, operand in found)
    known = Counter(operand for (_, operand), text in texts.items() if text)
    return {pair: text for pair, text in texts.items() if 1 < count[pair[1]] == known[pair[1]]}


def sum_known(numbers, made):
    """The sum of the single numbers at these positions; None where it is not known."""
    found = [numbers.get(at) for at in made]
    if len(found) == 1:
        return found[0]
    known = all(single_text(number) and not isinstance(number, str) for number in found)
    return sum(found) if known else None


def step_scene(step, title):
    """The scene of a StepCards."""
    cards, owners = step.cards, step.cards.card_of()
    ids = cards.outline.ids
    nodes = tuple(card_node(step, card) for card in list_in_order(cards.cards))
    return Scene(
        "step",
        nodes,
        tuple(step_edges(cards, step.amounts)),
        title,
        tuple(step_notes(cards, len(ids), len(nodes))),
        len(ids),
        tuple(dict.fromkeys(owners[at] for at in cards.outline.results)),
        owners={ids[at]: owner for at, owner in owners.items()},
        step=step,
    )


def step_notes(cards, nodes, shapes):
    """What stands below a training step in lanes."""
    if shapes < nodes:
        yield f"{nodes:,} nodes in {shapes:,} shapes."
    if cards.roles.is_higher():
        yield "The forward lane holds a first backward pass too: it was differentiated again."
    if cards.piles:
        others, title = cards.piles.blocks, cards.piles.title
        yield f"{others} more blocks have the graph of {title}, so they are drawn as one pile."


def list_in_order(cards):
    """The cards lane by lane, in each from the first column to the last, and derivatives in the
    order of their values."""
    place = {card.id: at for at, card in enumerate(cards)}
    return sorted(
        cards, key=lambda c: (LANES.index(c.lane), c.column, c.row, place.get(c.of or c.id, 0))
    )


def card_node(step, card):
    """The node of a card."""
    role = ROLES.get(card.kind, "folded" if card.kind in ("shared", "run") else card.kind)
    rows = step.formulas[card.id].texts() if card.id in step.formulas else ()
    value, strip = step.cards.outline.values[card.head], strip_of_card(step, card)
    number = "" if card.same_as or strip or rows == ("1",) else step.numbers.get(card.id, "")
    told = ["" if card.is_operation else " ".join(rows), inner_words(step.cards.outline, card)]
    return DrawnNode(
        card.id,
        role,
        sign=card.sign,
        label=card.name,
        number=number,
        form=card.shape,
        formula=loop_formula(step, card) if card.kind == "loop" else (),
        strip=strip,
        lines=() if card.is_operation else rows,
        call=card_call(step, card),
        name=card.name,
        spec=str(form_of(value)) if card.members else "",
        value=number,
        more=" · ".join(filter(None, told)),
        result=card.kind == "result",
        inside=len(card.members) if says_count(card) else 0,
        count=card.count,
        same=bool(card.same_as),
    )


def says_count(card):
    """Whether a card says how many values it holds: not a sign with its constant, nor an update,
    whose formula says it."""
    if card.is_operation:
        return len(card.members) > 2 and (card.count > 1 or card.sign[:1].isalpha())
    return len(card.members) > 1 and card.kind not in (*LEAVES, "update")


def inner_words(outline, card):
    """The operations on a card that holds several: "holds Mul, Sub, 2 × Transpose"."""
    count = Counter(outline.ops[at] for at in card.members if outline.roles[at] == "op")
    if sum(count.values()) < 2:
        return ""
    words = [op if n == 1 else f"{n} × {op}" for op, n in count.items()]
    return f"holds {', '.join(words[:MOST_WORDS])}{', …' * (len(words) > MOST_WORDS)}"


def loop_formula(step, card):
    """What an iteration of a loop computes, and how often, on its card."""
    graph, at = step.cards.outline, loop_on(step.cards.outline, card)
    if at is None:
        return ()
    loop, xs = loop_of(graph.values[at]), [graph.values[x] for x in graph.inputs[at]]
    terms = [Term(name, kind="value") for name in outer_names(step.cards, at)]
    known = step.loops.get(id(graph.values[at]))
    return closed_rows(loop, xs, formal_terms(loop, terms), known and known.count)


def strip_of_card(step, card):
    """What a loop carried, after each iteration, and the adjoints of that; None where it is not
    known."""
    graph, at = step.cards.outline, loop_on(step.cards.outline, card)
    known = None if at is None else step.loops.get(id(graph.values[at]))
    strip = known and known.strip(outer_names(step.cards, at))
    return strip and strip._replace(now=None)


def loop_on(graph, card):
    """The position of the loop that stands on a card; None of others."""
    found = (at for at in card.members if card.kind == "loop" and runs_loop(graph, at))
    return next(found, None)


def outer_names(cards, at):
    """What is called by name in the body of a loop, and comes from outside."""
    graph, loop = cards.outline, loop_of(cards.outline.values[at])
    return [cards.names[x] for x in graph.inputs[at][loop.carries + loop.slices :]]


def runs_loop(graph, at):
    """Whether a loop stands there, and not one of its results."""
    return graph.ops[at] not in ITEMS and loop_of(graph.values[at]) is not None


def card_call(step, card):
    """What a card is, as the listing says it: "@ of X, W1", "adjoint of v2"."""
    if card.kind in CALLS:
        return f"{CALLS[card.kind]} {card.name}"
    if not card.sign:
        return card.kind
    names = {one.id: one.name for one in step.cards.cards}
    edges = sorted((edge.slot, edge.source) for edge in step.cards.edges if edge.target == card.id)
    return f"{card.sign} of {', '.join(names[source] for _, source in edges)}"


def step_edges(cards, amounts):
    """The edges between cards: values, adjoints with their amounts, and what leads to updates."""
    backs = {card.of: card for card in cards.cards if card.kind in BACK}
    for edge in cards.edges:
        yield Edge(edge.source, edge.target)
    for user, operand in sorted(cards.flows()):
        if user != operand and user in backs and operand in backs:
            pair = backs[user].id, backs[operand].id
            yield Edge(*pair, "adjoint", label=amounts.get(pair, ""))
    for card in cards.cards:
        if card.kind == "update" and card.of in backs:
            yield Edge(backs[card.of].id, card.id, "update")
