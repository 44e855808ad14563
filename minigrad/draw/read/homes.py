"""A graph on several workers as cards: in whose lane each stands, and what travels between lanes.

No card holds values of two workers. What the caller feeds, and constants, stand in the lane of
each worker that reads them; an adjoint stands where it is computed.
"""

from collections import defaultdict
from typing import NamedTuple

from minigrad.draw.read.cards import LEAVES, CardSet, read_cards
from minigrad.draw.read.places import choose_rows
from minigrad.draw.read.roles import BACKWARD, FORWARD, UPDATE

MOST = 60  # cards of a picture in lanes
BACK = ("adjoint", "gradient")
SUMS = ("Add", "AddN")
PART = "contribution"


class Message(NamedTuple):
    """A value that travels to another worker: from the card that it stands on to one that reads
    it; `others` are the ids of further cards there that do."""

    value: int
    source: str
    target: str
    others: tuple


class WorkerLane(NamedTuple):
    """The cards of one worker, and how values and adjoints pass between them: `pairs` of (user,
    operand) where an adjoint passes, and `loose` adjoints whose value is on another worker."""

    worker: int
    outline: object
    cards: tuple
    edges: tuple
    spine: tuple
    pairs: frozenset
    loose: tuple

    def flows(self):
        """(id of a card, id of its operand's) where an adjoint passes from the one to the other."""
        return self.pairs


class WorkerCards(NamedTuple):
    """A graph on several workers: its cards, a WorkerLane for each, and the Messages."""

    cards: CardSet
    homes: dict  # id of a card → its worker
    backs: tuple  # pairs of cards: where an adjoint is passed on
    lanes: tuple
    messages: tuple

    def updates(self):
        """Pairs of cards: a gradient, and the update that it is for."""
        sums = {c.of: c.id for c in self.cards.cards if c.kind in BACK and c.shape != PART}
        late = (card for card in self.cards.cards if card.kind == "update")
        return [(sums[card.of], card.id) for card in late if card.of in sums]


def read_workers(outline, known):
    """(the WorkerCards of an Outline, ""), or (None, why it is not drawn in lanes).

    `known` maps positions to workers; a constant, which all have, is on none.
    """
    homes = {at: worker for at, worker in known.items() if outline.roles[at] != "constant"}
    found = read_cards(outline, homes)
    if reason := find_reason(outline, homes, found):
        return None, reason
    shared = Sharing(outline, homes, found)
    return shared.worker_cards(), ""


def find_reason(outline, homes, found):
    """Why a graph is not drawn in lanes; "" where it is."""
    homeless = sum(at not in homes and bool(outline.inputs[at]) for at in range(len(outline.ids)))
    if not homes or homeless:
        return f"{homeless} values are on no worker."
    if found.roles.doubt and found.roles.sweeps:
        return found.roles.doubt
    if len(found.cards) > MOST:
        return f"{len(found.cards)} cards are more than one picture holds."
    return ""


class Sharing:
    """Shares the cards of a CardSet among workers."""

    def __init__(self, outline, homes, found):
        self.outline, self.places, self.found = outline, homes, found
        self.travels = self.find_travels()
        self.cards = [part for card in mark_results(found) for part in self.split(card)]
        self.homes = {}
        self.give_homes()
        self.edges = self.copy_leaves()
        self.owner = {at: card.id for card in self.cards for at in card.members}

    def worker_cards(self):
        """The WorkerCards."""
        backs = self.find_backs()
        lanes = tuple(self.lane(worker, backs) for worker in sorted({*self.homes.values()}))
        self.cards = [card for lane in lanes for card in lane.cards]
        cards = self.found._replace(cards=tuple(self.cards), edges=tuple(self.edges))
        return WorkerCards(cards, self.homes, backs, lanes, tuple(self.find_messages(backs)))

    def find_travels(self):
        """{(position, a worker it travels to): positions there that read it}."""
        found = defaultdict(list)
        for at, inputs in enumerate(self.outline.inputs):
            for x in dict.fromkeys(inputs):
                ends = self.places.get(x), self.places.get(at)
                if None not in ends and ends[0] != ends[1]:
                    found[x, ends[1]].append(at)
        return dict(found)

    # whose each card is

    def split(self, card):
        """The card, and one for each other worker that its members are on."""
        own, parts = self.home_of(card), defaultdict(list)
        for at in card.members:
            parts[self.places.get(at, own)].append(at)
        main = card._replace(members=tuple(parts.pop(own, ())))
        sums = bool(parts) and card.kind in BACK and self.outline.ops[card.head] in SUMS
        yield main._replace(sign="+") if sums else main
        for worker, members in sorted(parts.items()):
            kind = card.kind if card.kind in BACK else "shared"
            name = card.name if sums else self.found.names[members[-1]]
            more = {"head": members[-1], "name": name, "shape": PART if sums else ""}
            id = f"{card.id}_{worker}"
            yield card._replace(id=id, members=tuple(members), kind=kind, **more)

    def home_of(self, card):
        """The worker of a card's head, else of another member; None where none has one."""
        ends = card.head, *reversed(card.members)
        return next((self.places[at] for at in ends if at in self.places), None)

    def give_homes(self):
        """Finds the worker of each card but those of leaves that all have."""
        for card in self.cards:
            home = self.home_of(card)
            if home is not None:
                self.homes[card.id] = home
        for card in self.cards:
            own = self.homes.get(card.of)
            there = self.homes.get(card.id)
            arrives = (card.head, own) in self.travels
            if own is not None and (there is None or card.same_as and arrives):
                self.homes[card.id] = own

    def copy_leaves(self):
        """Puts what all workers have into the lane of each that reads it; the edges then."""
        readers, edges = defaultdict(dict), []
        for edge in self.found.edges:
            readers[edge.source].setdefault(self.homes.get(edge.target), edge.target)
        for card in [card for card in self.cards if card.id not in self.homes]:
            workers = [w for w in readers[card.id] if w is not None] or self.late_readers(card)
            self.homes[card.id] = workers[0]
            for worker in workers[1:]:
                copy = card._replace(id=f"{card.id}_{worker}", members=())
                self.cards.append(copy)
                self.homes[copy.id] = worker
        for edge in self.found.edges:
            copy = f"{edge.source}_{self.homes[edge.target]}"
            edges.append(edge._replace(source=copy) if copy in self.homes else edge)
        return edges

    def late_readers(self, card):
        """The worker that reads what nothing in the forward pass reads: the first, else any."""
        users = self.outline.users()
        found = [self.places[at] for m in card.members for at in users[m] if at in self.places]
        return [*found, *self.homes.values()][:1]

    # lanes

    def find_backs(self):
        """Pairs of cards where an adjoint is passed on: to the contribution to it that is made on
        the same worker, and from there to the sum."""
        by_value, found = defaultdict(dict), {}
        for card in self.cards:
            if card.kind in BACK:
                by_value[card.of][self.homes[card.id]] = card.id
        main = {card.of: card.id for card in self.found.cards if card.kind in BACK}
        for user, operand in sorted(self.found.flows()):
            if user != operand and user in main and operand in main:
                source, target = main[user], main[operand]
                found[source, by_value[operand].get(self.homes[source], target)] = None
        for value, parts in by_value.items():
            found |= {(id, main[value]): None for id in parts.values() if id != main[value]}
        return tuple(found)

    def lane(self, worker, backs):
        """The WorkerLane of a worker."""
        cards = {card.id: card for card in self.cards if self.homes[card.id] == worker}
        edges = tuple(e for e in self.edges if e.source in cards and e.target in cards)
        inner = {id: card for id, card in cards.items() if card.is_operation}
        spine = longest_chain(inner, edges)
        rows = choose_rows(inner, {id: c.column for id, c in inner.items()}, lowest(inner, spine))
        cards = {id: card._replace(row=rows.get(id, 0)) for id, card in cards.items()}
        move_leaves(cards, edges, spine)
        local = [pair for pair in backs if pair[0] in cards and pair[1] in cards]
        place_adjoints(cards, local)
        passed = {(e.target, e.source) for e in edges}
        ends = {pair: (cards[pair[0]].of, cards[pair[1]].of) for pair in local}
        pairs = frozenset(ends[pair] for pair in local) & passed
        loose = tuple(pair for pair in local if ends[pair] not in pairs)
        every = tuple(cards.values())
        return WorkerLane(worker, self.outline, every, edges, spine, pairs, loose)

    # messages

    def find_messages(self, backs):
        """The Messages, in the order of what travels."""
        at = {card.id: card for card in self.cards}
        for (value, worker), readers in sorted(self.travels.items()):
            source = self.owner[value]
            there = list(dict.fromkeys(self.owner[reader] for reader in readers))
            same = [c.id for c in self.cards if c.same_as and c.head == value]
            there += [id for id in same if self.homes[id] == worker]
            forward = [id for id in there if at[id].is_operation]
            forward.sort(key=lambda id: (at[id].column, at[id].row))
            back = [id for id in there if not at[id].is_operation]
            fed = {t for s, t in backs if at[s].head == value and self.homes[s] != worker}
            back.sort(key=lambda id: (not at[id].same_as, id not in fed, -at[id].column))
            target, *others = [*forward, *back]
            others = [id for id in others if id in forward or id in fed]
            yield Message(value, source, target, tuple(others))


def mark_results(found):
    """The cards of a CardSet; where nothing was differentiated, those of results are results."""
    ends = () if found.roles.sweeps else found.outline.results
    return [
        card._replace(kind="result") if card.is_operation and card.head in ends else card
        for card in found.cards
    ]


def longest_chain(inner, edges):
    """The ids of the longest path within a lane, ties to the first operand, in order."""
    before, best = defaultdict(list), {}
    for edge in sorted(edges, key=lambda edge: edge.slot):
        if edge.source in inner:
            before[edge.target].append(edge.source)
    for id in inner:
        best[id] = 1 + max((best[x] for x in before[id]), default=0)
    chain = sorted(inner, key=lambda id: (-best[id], -inner[id].column))[:1]
    while chain and before[chain[-1]]:
        chain.append(max(before[chain[-1]], key=best.get))
    return tuple(reversed(chain))


def lowest(inner, spine):
    """The ids of the longest path, and of one card in each column before and behind it."""
    found = {inner[id].column: id for id in spine}
    first, last = min(found, default=0), max(found, default=0)
    for id, card in inner.items():
        if not first <= card.column <= last:
            found.setdefault(card.column, id)
    return {*found.values()}


def move_leaves(cards, edges, spine):
    """Puts each leaf over its first user in a lane; data that the first operation takes first
    begins the row of values."""
    users, starts = defaultdict(list), 0
    for edge in edges:
        card = cards[edge.target]
        users[edge.source].append((card.column, card.head, edge.slot, edge.target))
    for id, card in cards.items():
        if card.kind in LEAVES and card.lane != UPDATE and users[id]:
            column, _, slot, user = min(users[id])
            start = card.kind != "variable" and slot == 0 and spine[:1] == (user,) and not starts
            starts += start
            lane = FORWARD if start else "parameters"
            cards[id] = card._replace(column=column - start, lane=lane)


def place_adjoints(cards, backs):
    """Gives adjoints rows: that of their value, else of the adjoint that they come from."""
    taken = set()
    ours = [card for card in cards.values() if card.kind in BACK]
    for card in ours:
        if card.of in cards:
            leaf = cards[card.of].kind in LEAVES
            row, column = (0 if leaf else cards[card.of].row), cards[card.of].column
            look = {"kind": "gradient", "lane": "gradients"} if leaf else {}
            cards[card.id] = card._replace(row=row, column=column, **look)
            taken |= set() if leaf else {(column, row)}
    for card in (card for card in ours if card.of not in cards):
        before = [cards[s].row for s, t in backs if t == card.id and cards[s].lane == BACKWARD]
        rows = (*before, *range(len(ours) + 1))
        row = next(row for row in rows if (card.column, row) not in taken)
        taken.add((card.column, row))
        cards[card.id] = card._replace(kind="adjoint", lane=BACKWARD, row=row)
