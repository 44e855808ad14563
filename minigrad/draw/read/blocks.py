"""Equal blocks of a training step, such as its layers: the first is drawn, the others are a pile.

Blocks are equal where each operation has the sign, the shapes and the places of operands of that in
the block before. The first one may read other values, as the first layer reads the input.
"""

from collections import defaultdict
from typing import NamedTuple

from minigrad.draw.read.places import place_columns
from minigrad.draw.read.repeats import spans_of_period

LEAST = 3  # blocks that are folded
LONGEST = 120  # operations of a block that is looked for


class BlockRun(NamedTuple):
    """Equal blocks in a row: the place of the first operation, their length, and how many."""

    start: int
    period: int
    times: int

    @property
    def gain(self):
        """How many operations a pile saves."""
        return self.period * (self.times - 1) - 1

    def block(self, at):
        """The places of the operations of one block."""
        return range(self.start + at * self.period, self.start + (at + 1) * self.period)


class BlockReader:
    """Looks for equal blocks among the operations of a CardSet."""

    def __init__(self, step):
        self.step = step
        self.operations = [card for card in step.cards if card.is_operation]
        self.place = {card.id: at for at, card in enumerate(self.operations)}
        self.operands = self.list_operands()
        self.signs = [self.sign(at) for at in range(len(self.operations))]
        self.scopes = [step.outline.scopes[card.head] for card in self.operations]

    def list_operands(self):
        """The cards that each operation reads, in the order of its operands."""
        cards = {card.id: card for card in self.step.cards}
        found = defaultdict(list)
        for edge in sorted(self.step.edges, key=lambda edge: edge.slot):
            found[edge.target].append(cards[edge.source])
        return [found[card.id] for card in self.operations]

    def sign(self, at):
        """What must be equal in the next block: sign and shape, and how far back operands stand."""
        card = self.operations[at]
        if card.kind == "result":
            return ("result", at)
        offsets = (
            at - self.place[x.id] if x.is_operation else (x.kind, x.shape)
            for x in self.operands[at]
        )
        return (card.sign, card.shape, *offsets)

    def best_run(self):
        """The BlockRun that saves most operations, or None."""
        longest = min(LONGEST, len(self.signs) // LEAST)
        runs = [run for period in range(1, longest + 1) for run in self.runs(period)]
        found = [run for run in runs if run.times >= LEAST and run.gain > 0]
        return max(found, key=lambda run: (run.gain, -run.period), default=None)

    def runs(self, period):
        """The longest BlockRuns of blocks of one length."""
        for start, end in spans_of_period(self.signs, period):
            yield self.align(start, end, period)

    def align(self, start, end, period):
        """The BlockRun between two places, cut where blocks hand on least, and scopes end."""
        while start and self.is_like(start - 1, period):
            start -= 1
        shift = min(range(period), key=lambda shift: self.cut_cost(start + shift, end, period))
        return BlockRun(start + shift, period, (end - start - shift) // period)

    def is_like(self, at, period):
        """Whether an operation looks like that of the next block, whatever it reads."""
        card, later = self.operations[at], self.operations[at + period]
        return (card.kind, card.sign, card.shape) == (later.kind, later.sign, later.shape)

    def cut_cost(self, start, end, period):
        """What speaks against blocks that begin there: values handed on, a scope, a block less."""
        cut = start + period
        handed_on = {
            x.id
            for at in range(cut, min(cut + period, end))
            for x in self.operands[at]
            if x.is_operation and self.place[x.id] < cut
        }
        same_scope = cut < end and self.scopes[cut] == self.scopes[cut - 1]
        return len(handed_on), same_scope, -((end - start) // period), start


class Piles(NamedTuple):
    """Which cards are piled: `owner` maps the id of a card to that of its pile.

    `open_ids` are the ids of the operations and leaves of the block that stays open, and `title` is
    what it is called; `names` are those of leaves, without the scope of their block: W, not b3/W.
    """

    owner: dict
    open_ids: tuple
    title: str
    word: str  # what a block is called
    blocks: int  # in the pile
    names: dict


def find_piles(step):
    """The Piles of a CardSet; None where it has no equal blocks."""
    reader = BlockReader(step)
    run = reader.best_run()
    if run is None:
        return None
    folded = [reader.operations[at] for block in range(1, run.times) for at in run.block(block)]
    owner = dict.fromkeys((card.id for card in folded), f"{folded[0].id}_pile")
    leaves = pile_leaves(reader, run, owner)
    owner |= leaves
    owner |= pile_derived(step, owner)
    opened = [card for card in open_cards(reader, run) if card.id not in owner]
    titles = [block_title(reader, run, block) for block in range(run.times)]
    named = all(titles) and len(set(titles)) == run.times
    word = name_stem(titles[0]) if named and len({*map(name_stem, titles)}) == 1 else "block"
    names = {card.id: name_stem(card.name) for card in step.cards if card.id in leaves}
    names |= short_names(step, opened)
    title = titles[0] if named else f"{word} 1"
    ids = tuple(card.id for card in opened)
    return Piles(owner, ids, title, word, run.times - 1, names)


def pile_leaves(reader, run, owner):
    """{id of a leaf: id of its pile}: leaves at the same place of blocks that are folded."""
    users = defaultdict(set)
    for edge in reader.step.edges:
        users[edge.source].add(edge.target)
    groups = defaultdict(list)
    for block in range(1, run.times):
        for offset, at in enumerate(run.block(block)):
            for slot, leaf in enumerate(reader.operands[at]):
                if not leaf.is_operation and users[leaf.id] <= owner.keys():
                    users[leaf.id] = {""}  # its first user has it
                    groups[offset, slot, leaf.kind].append(leaf.id)
    several = (group for group in groups.values() if len(group) > 1)
    return {id: f"{group[0]}_pile" for group in several for id in group}


def pile_derived(step, owner):
    """{id of an adjoint, a gradient or an update: the id of its pile}."""
    return {
        card.id: f"{owner[card.of]}_{'update' if card.kind == 'update' else 'bar'}"
        for card in step.cards
        if card.of in owner
    }


def open_cards(reader, run):
    """The operations of the first block, and the leaves that only they read."""
    inner = [reader.operations[at] for at in run.block(0)]
    users = defaultdict(set)
    for edge in reader.step.edges:
        users[edge.source].add(edge.target)
    ids = {card.id for card in inner}
    leaves = (x for at in run.block(0) for x in reader.operands[at] if not x.is_operation)
    return [*inner, *(x for x in leaves if users[x.id] <= ids and x.lane == "parameters")]


def block_title(reader, run, block):
    """The scope that the operations of a block have in common; "" where there is none."""
    scopes = {reader.scopes[at] for at in run.block(block)}
    return scopes.pop().rpartition("/")[2] if len(scopes) == 1 else ""


def short_names(step, opened):
    """{id: name without scopes} of leaves, where no other card is called so."""
    taken = {card.name for card in step.cards}
    short = {card.id: card.name.rpartition("/")[2] for card in opened if not card.is_operation}
    return {id: name for id, name in short.items() if name not in taken}


# folding -----------------------------------------------------------------------------------------


def fold_blocks(step):
    """The CardSet with all equal blocks but the first in a pile; itself where there are none."""
    piles = find_piles(step)
    if piles is None:
        return step
    groups = defaultdict(list)
    for card in rename_leaves(step.cards, piles.names):
        groups[piles.owner.get(card.id, card.id)].append(card)
    cards = [
        make_pile(id, group, piles) if id not in {card.id for card in group} else group[0]
        for id, group in groups.items()
    ]
    edges = join_edges(step.edges, piles.owner)
    cards, spine = place_again(cards, edges, step.roles)
    return step._replace(cards=tuple(cards), edges=edges, spine=spine, piles=piles, whole=step)


def make_pile(id, cards, piles):
    """The card that stands for equal cards, or for the operations of equal blocks."""
    first, last = cards[0], cards[-1]
    members = tuple(sorted(at for card in cards for at in card.members))
    pile = first._replace(id=id, members=members, count=len(cards), same_as="")
    pile = pile._replace(of=piles.owner.get(first.of, first.of))
    if first.kind in ("adjoint", "op", "loop"):
        blocks = piles.blocks
        word = piles.word if first.is_operation else "backward"
        kind = "pile" if first.is_operation else "adjoint"
        pile = pile._replace(kind=kind, count=blocks, sign="", shape="", name=f"{blocks} × {word}")
        return pile._replace(head=last.head)
    is_leaf = first.kind not in ("gradient", "update")
    return pile._replace(name=f"{len(cards)} × {first.name}") if is_leaf else pile


def rename_leaves(cards, names):
    """The cards with new names of leaves, whose ids are given, of their gradients and updates."""
    return [card._replace(name=names.get(card.of or card.id, card.name)) for card in cards]


def name_stem(name):
    """A name without its scopes and its number: "W" of "block3/W" and of "W3"."""
    last = name.rpartition("/")[2]
    return last.rstrip("0123456789").rstrip("_-.") or last


def join_edges(edges, owner):
    """The edges between cards that are left, each once."""
    found = {}
    for edge in edges:
        pair = owner.get(edge.source, edge.source), owner.get(edge.target, edge.target)
        if pair[0] != pair[1]:
            found.setdefault(pair, edge._replace(source=pair[0], target=pair[1]))
    return tuple(found.values())


def place_again(cards, edges, roles):
    """(cards with columns and rows, ids of the spine) after some became piles."""
    forward = [card for card in cards if card.lane in ("parameters", "forward")]
    forward = [card if card.is_operation else card._replace(lane="parameters") for card in forward]
    placed, spine = place_columns(forward, edges, roles)
    found = {card.id: card for card in placed}
    cards = [found.get(card.id, card) for card in cards]
    for at, card in enumerate(cards):
        if card.of in found:
            cards[at] = card._replace(column=found[card.of].column, row=found[card.of].row)
    return cards, spine
