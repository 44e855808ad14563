"""A graph on several workers: a lane for each, and the bytes of what travels between them.

What lanes do not hold is drawn as the graph that it is, each node in the colour of its worker.
"""

from collections import defaultdict
from math import prod
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw.look import numbered_fill
from minigrad.draw.modes.step import StepCards, card_node
from minigrad.draw.read import bytes_of, bytes_text, peek, seconds_text
from minigrad.draw.read.formulas import card_formulas
from minigrad.draw.read.homes import BACK, PART, WorkerCards, read_workers
from minigrad.draw.scene import Edge, Scene, with_bar

FED, FED_WORDS = "op", "fed by the caller"  # white, as an operation's box
KINDS = {"variable": "parameter", "adjoint": "adjoint", "gradient": "adjoint"}  # of messages


class Later(int):
    """The number of a worker, at a value that it has not computed yet."""


class MessageText(NamedTuple):
    """What stands on the pill of a message, and the ids of the cards at its ends."""

    kind: str
    source: str
    target: str
    name: str
    bar: bool
    size: str
    bytes: int
    says: str

    def fade(self, late):
        """The same in grey, where what is sent is not computed yet."""
        return self._replace(kind="gone") if self.source in late else self


class SharedStep(NamedTuple):
    """A graph in lanes of workers: its cards, what is written on them, and its MessageTexts."""

    sharing: WorkerCards
    formulas: dict
    said: tuple
    times: tuple = ()  # what each piece took, where that was measured


# in lanes ----------------------------------------------------------------------------------------


def read_sharing(graph, numbers):
    """The SharedStep of an Outline, or None; and why it is not drawn in lanes.

    `numbers` maps positions to the numbers of workers.
    """
    shared, reason = read_workers(graph, numbers)
    if shared is None:
        return None, reason
    formulas = {
        id: formula
        for id, formula in card_formulas(shared.cards).items()
        if shared.cards.card(id).kind == "update" or shared.cards.card(id).same_as
    }
    said = tuple(message_text(shared, message) for message in shared.messages)
    return SharedStep(shared, formulas, said), ""


def message_text(shared, message):
    """The MessageText of a Message."""
    card = shared.cards.card(message.source)
    whole = message.value == card.head
    bar = whole and card.kind in BACK
    name = card.name if whole else shared.cards.names[message.value]
    value = shared.cards.outline.values[message.value]
    size, text = size_of(value)[0], message_size(value)
    text = f"{card.shape} {text}" if card.shape == PART else text
    kind = KINDS.get(card.kind, "message")
    what = with_bar(name) if bar else name
    what = f"its contribution to {what}" if card.shape == PART else what
    says = message_sentence(shared, message, what, value)
    return MessageText(kind, message.source, message.target, name, bar, text, size, says)


def message_sentence(shared, message, what, value):
    """Who sends what to whom, and the product that its bytes are: "32×32 · 8 B = 8 KiB"."""
    sender, reader = (shared.homes[id] for id in (message.source, message.target))
    shape, item = peek(value, "shape") or (), peek(value, "dtype").itemsize
    lengths = "×".join("rows" if n is None else str(n) for n in shape)
    product = f"{lengths} · {item} B = " if shape and None not in shape else ""
    return f"Worker {sender} sends {what} to worker {reader}: {product}{message_size(value)}."


def sharing_scene(sharing, numbers, options):
    """The scene of a SharedStep, with the times of its pieces where they are given."""
    times = read_times(options.profile)
    shared, cards = sharing.sharing, sharing.sharing.cards
    step = StepCards(cards, sharing.formulas)
    ids, owners = cards.outline.ids, cards.card_of()
    late = late_cards(cards, owners, numbers)
    said = tuple(one.fade(late) for one in sharing.said)
    sharing = sharing._replace(said=said, times=times)
    fed = {card.id for card in cards.cards if card.kind == "input" and card.head not in numbers}
    nodes = (
        lane_node(step, shared, card, (card.id in fed, card.id in late)) for card in cards.cards
    )
    values = [cards.outline.values[message.value] for message in shared.messages]
    return Scene(
        "workers",
        tuple(nodes),
        tuple(sharing_edges(sharing)),
        options.title,
        (travel_note(values), *time_notes(times)),
        len(ids),
        tuple(dict.fromkeys(owners[at] for at in cards.outline.results)),
        owners={ids[at]: owner for at, owner in owners.items()},
        step=sharing,
    )


def sharing_edges(sharing):
    """The edges between cards; those of messages with their bytes."""
    shared = sharing.sharing
    sent = {(one.source, one.target): one for one in sharing.said}
    pairs = [(edge[:2], "data") for edge in shared.cards.edges]
    pairs += [(pair, "adjoint") for pair in shared.backs]
    pairs += [(pair, "update") for pair in shared.updates()]
    known = {pair for pair, _ in pairs}
    pairs += [(p, "adjoint" if one.bar else "data") for p, one in sent.items() if p not in known]
    sizes = {pair: one.size for pair, one in sent.items()}
    return [Edge(*pair, kind, label=sizes.get(pair, "")) for pair, kind in pairs]


def late_cards(cards, owners, numbers):
    """The ids of the cards that are not computed yet."""
    late = {owners[at] for at, worker in numbers.items() if isinstance(worker, Later)}
    for card in cards.cards:  # an equal adjoint, or a constant one
        before = owners.get(card.head) if card.same_as else card.of
        if not any(at in numbers for at in card.members) and before in late:
            late.add(card.id)
    return late


def lane_node(step, shared, card, states):
    """The node of a card, with its worker; `states` are whether the caller feeds it, and whether
    it is not computed yet."""
    fed, late = states
    node = card_node(step, card)
    words = f"worker {shared.homes[card.id]}"
    words += f", {FED_WORDS}" * fed + ", not computed yet" * late
    if card.kind in BACK and card.shape:
        words += f", {card.shape}"
    more = " · ".join(filter(None, (words, node.more)))
    inside = node.inside if node.inside > 2 and card.sign[:1].isalpha() else 0
    return node._replace(more=more, mark="later" if late else "", inside=inside)


def read_times(times):
    """The times of pieces, sorted; none where there are none. Refuses what is something else."""
    times = tuple(times) if isinstance(times, (list, tuple)) else times or ()
    if not isinstance(times, tuple) or not all(hasattr(one, "stage") for one in times):
        message = f"draw: {type(times).__name__} does not say what pieces took"
        raise ArgumentError(message, "parts.draw(profile=parts.times), after parts.run(pool, …)")
    return tuple(sorted(times, key=lambda one: (one.worker, one.stage)))


def time_notes(times):
    """How long a run took, and how much of that each worker computed."""
    if times:
        whole, busy = max(one.until for one in times), defaultdict(float)
        for one in times:
            busy[one.worker] += one.seconds
        said = ", ".join(f"worker {w} computes {share / whole:.0%}" for w, share in busy.items())
        yield f"Of {seconds_text(whole)}, {said}; the rest is messages and waiting."
        yield "A bar is as long as its piece computed; it stands where its stage begins."


def travel_note(values):
    """How many values travel from worker to worker, and how many bytes."""
    sizes = {False: 0, True: 0}
    for value in values:
        size, per_row = size_of(value)
        sizes[per_row] += size or 0
    told = [per_row_text(size, per_row) for per_row, size in sizes.items() if size]
    of = f", {' and '.join(told)} in all" if told else ""
    return f"{len(values)} {'message' if len(values) == 1 else 'messages'} between workers{of}."


def size_of(value):
    """(bytes of a value, whether these are of a row, where the number of rows is not known)."""
    shape = peek(value, "shape") or ()
    if None not in shape:
        return bytes_of(value), False
    return peek(value, "dtype").itemsize * prod(n or 1 for n in shape), True


def message_size(value):
    """The bytes of a value, or of a row of it."""
    return per_row_text(*size_of(value))


def per_row_text(size, per_row):
    """So many bytes, or so many a row, as text."""
    return bytes_text(size) + " a row" * per_row


# in colours --------------------------------------------------------------------------------------


def colour_workers(scene, basis):
    """The scene with every node in its worker's colour; what is fed, and on none, is white."""
    primal, placed, home = basis.primal, basis.place.numbers(basis.options.placed), {}
    for id, group in zip(primal.ids, primal.folding.groups):
        workers = {placed[at] for at in group.members if at in placed}
        if len(workers) == 1:
            (home[id],) = workers
    nodes = tuple(colour_node(node, home.get(node.id)) for node in scene.nodes)
    edges, travels = [], {}
    for edge in scene.edges:
        ends = home.get(edge.source), home.get(edge.target)
        if None not in ends and ends[0] != ends[1]:
            value = last_value(primal, edge.source)
            edge = edge._replace(label=message_size(value))
            travels[edge.source, ends[1]] = value
        edges.append(edge)
    legend = tuple((numbered_fill(w), f"worker {w}") for w in sorted(set(home.values())))
    legend += ((FED, FED_WORDS),) * any(node.fill == FED for node in nodes)
    notes = travel_note(travels.values()), *time_notes(read_times(basis.options.profile))
    return scene._replace(
        nodes=nodes, edges=tuple(edges), legend=legend, notes=(*scene.notes, *notes)
    )


def colour_node(node, worker):
    """The node in the colour of its worker, whom it names; white before it is computed.

    An input's own colour is nearly that of worker 0.
    """
    if worker is None:
        return node._replace(fill=FED) if node.role == "input" else node
    words = f"worker {worker}"
    lines = (*node.lines, words)
    if isinstance(worker, Later):
        return node._replace(lines=lines)
    return node._replace(lines=lines, fill=numbered_fill(worker), more=words)


def last_value(primal, id):
    """The value that a node hands on."""
    return primal.outline.values[primal.folding.groups[primal.ids.index(id)].members[-1]]
