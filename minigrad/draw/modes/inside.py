"""What a card of a training step holds: its nodes and their operands, as a small graph."""

from minigrad.draw.modes.primal import Primal
from minigrad.draw.read.fold import fold_outline
from minigrad.draw.read.outline import Outline
from minigrad.draw.scene import Scene

MOST, ROOM = 24, 96  # pictures of a page, and nodes in all of them
LARGEST, ACROSS = 40, 3  # nodes in one of them; up to so many from left to right, others down
LEAVES = ("input", "variable", "constant")
WORDS = {"adjoint": "the adjoint of ", "gradient": "the gradient of ", "update": "the update of "}


def inside_scenes(step):
    """(id of a card, Scene) of the cards of StepCards that hold several operations, as far as a
    page has room: first what one call computed, then the rest from left to right."""
    room, found = ROOM, []
    cards = [card for card in step.cards.cards if holds_several(step, card)]
    for card in sorted(cards, key=lambda card: not card.is_operation):
        scene = inside_scene(step.cards, card)
        if len(found) < MOST and len(scene.nodes) <= min(room, LARGEST):
            room -= len(scene.nodes)
            found.append((card.id, scene))
    return found


def holds_several(step, card):
    """Whether a card holds several operations, of which its formula does not say all."""
    ops = [at for at in card.members if step.cards.outline.roles[at] == "op"]
    formula = step.formulas.get(card.id)
    is_said = card.kind == "update" and formula is not None and not formula.is_cut
    return len(ops) > 1 and card.count == 1 and not is_said


def inside_scene(cards, card):
    """The Scene of what a card holds."""
    whole, members = cards.outline, {*card.members}
    places = sorted(members.union(*(whole.inputs[at] for at in members)))
    graph = part_of(whole, places, members, cards)
    primal = Primal(graph, fold_outline(graph, LARGEST))
    title = f"inside {WORDS.get(card.kind, '')}{card.name}"
    upright = len(primal.nodes) > ACROSS
    scene = primal.fill(Scene("inside", (), (), title, total=len(members), upright=upright))
    names = adjoint_names(cards)
    return scene._replace(nodes=tuple(as_adjoint(node, names) for node in scene.nodes))


def part_of(whole, places, members, cards):
    """The Outline of some positions of another one; what is no member comes from outside."""
    new = {at: number for number, at in enumerate(places)}
    outer = {at: whole.roles[at] if whole.roles[at] in LEAVES else "port" for at in places}
    values = [whole.values[at] for at in places]
    return Outline(
        values=values,
        inputs=[tuple(new[x] for x in whole.inputs[at]) if at in members else () for at in places],
        ops=[whole.ops[at] for at in places],
        roles=[whole.roles[at] if at in members else outer[at] for at in places],
        names=[inner_label(cards, at) for at in places],
        scopes=[""] * len(places),
        results=(),
        ids=[whole.ids[at] for at in places],
        place={id(value): at for at, value in enumerate(values)},
        frames=[],
    )


def inner_label(cards, at):
    """What a value is called; "" of a constant that nobody named."""
    plain = cards.outline.roles[at] == "constant" and not cards.outline.names[at]
    return "" if plain else cards.names[at]


def adjoint_names(cards):
    """{id of a node: the name of the value whose adjoint it is}; of several the last one."""
    pairs = sorted(cards.roles.adjoints.items())
    ids, names = cards.outline.ids, cards.names
    return {ids[at]: names[value] for value, parts in pairs for at in parts}


def as_adjoint(node, names):
    """The node with the colour and the name of an adjoint, where it is one."""
    if node.id not in names:
        return node
    return node._replace(role="adjoint", label=names[node.id], name=names[node.id])
