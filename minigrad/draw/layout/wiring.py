"""Wiring: by which way a value reaches each card that reads it, before anything has a place.

A straight way stays a line. What would cross others or run through cards becomes a stub: the name
of the value, with a short arrow, at the card that reads it.
"""

from collections import defaultdict
from typing import NamedTuple

WIRE = "wire"  # from a leaf straight down to its user
LINE = "line"  # along a row
ARC = "arc"  # along the spine, past cards between
JOIN, FORK = "join", "fork"  # from a branch down to the spine; from the spine up to a branch
MARGIN = "margin"  # into the next system
STUB = "stub"
MOST_CROSSINGS = 1  # of an arc with the wires of leaves; its adjoint's has as many


class Way(NamedTuple):
    """How a card's value reaches another card; `back` says that an adjoint returns by it."""

    source: str
    target: str
    way: str
    back: bool
    track: int = 0  # of an arc: above those that it spans


def find_ways(step, system):
    """The Ways of all values between forward cards; `system` maps a column to its system."""
    wiring = Wiring(step, system)
    while wiring.replace_one():
        pass
    tracks, flows = wiring.tracks(), step.flows()
    backs = {card.of for card in step.cards if card.kind in ("adjoint", "gradient")}
    return [
        Way(*pair, way, (pair[1], pair[0]) in flows and {*pair} <= backs, tracks.get(pair, 0))
        for pair, way in wiring.ways.items()
    ]


class Wiring:
    """The ways so far, {(source, target): way}; columns and rows are those of the cards."""

    def __init__(self, step, system):
        self.system = system
        self.cards = {card.id: card for card in step.cards}
        self.rows = defaultdict(set)
        for card in step.cards:
            if card.is_operation:
                self.rows[card.column].add(card.row)
        self.spine = step.spine
        self.ways = {(e.source, e.target): self.direct_way(e.source, e.target) for e in step.edges}

    def direct_way(self, source, target):
        """The way that a value takes where nothing is in it."""
        u, z = self.cards[source], self.cards[target]
        if not u.is_operation:
            return self.leaf_way(u, z)
        if self.system[u.column] != self.system[z.column]:
            near = u.row == z.row and z.column == u.column + 1
            return MARGIN if near else STUB
        if u.row == z.row:
            near = not any(u.row in self.rows[column] for column in self.between(u, z))
            return LINE if near else ARC if u.row == 0 else STUB
        return JOIN if u.row > z.row else FORK

    def leaf_way(self, u, z):
        """The way of an input, a variable or a constant."""
        if u.lane == "forward":
            near = self.system[u.column] == self.system[z.column]
            return STUB if self.spine[:1] != (z.id,) else LINE if near else MARGIN
        over = u.column == z.column and z.row == max(self.rows[z.column])
        return WIRE if over else STUB

    def between(self, u, z):
        """The columns between two cards."""
        return range(u.column + 1, z.column)

    def replace_one(self):
        """Makes the first way that is not clear a stub; whether there was one."""
        for pair, way in self.ways.items():
            if way in (ARC, JOIN, FORK, LINE) and not self.is_clear(pair, way):
                self.ways[pair] = STUB
                return True
        return False

    def is_clear(self, pair, way):
        """Whether a way runs through no card, has its ends for itself, and crosses few others."""
        u, z = (self.cards[id] for id in pair)
        if way == LINE and (u.row == 0 or z.column == u.column + 1):
            return True
        if way != ARC and any(self.tangle(pair, other) for other in self.before(pair)):
            return False
        if way == LINE:
            return not self.wires_below(u.row, self.between(u, z))
        if not self.has_free_ends(pair, way):
            return False
        if way == ARC:
            return self.is_clear_arc(pair, u, z)
        low, high = sorted((u.row, z.row))
        columns = range(u.column, z.column) if way == FORK else range(u.column + 1, z.column + 1)
        blocked = any(low < row <= high for column in columns for row in self.rows[column])
        return not blocked and not self.wires_below(high, self.between(u, z))

    def wires_below(self, row, columns):
        """How many wires of leaves run down past a row in these columns."""
        targets = (self.cards[target] for (_, target), way in self.ways.items() if way == WIRE)
        return sum(card.column in columns and card.row < row for card in targets)

    def has_free_ends(self, pair, way):
        """Whether a way arrives at the left of its target's top and leaves from the right alone.

        A stub stands at either end that is free, so a card has no more than two of the three.
        """
        earlier = self.before(pair)
        arrives, leaves = way in (ARC, JOIN), way in (ARC, FORK)
        if arrives and self.count(earlier, (ARC, JOIN), target=pair[1]):
            return False
        if leaves and self.count(earlier, (ARC, FORK), source=pair[0]):
            return False
        crowded = arrives and self.is_crowded(pair[1]) or leaves and self.is_crowded(pair[0])
        return not crowded

    def before(self, pair):
        """The pairs before one, in order."""
        pairs = list(self.ways)
        return pairs[: pairs.index(pair)]

    def count(self, pairs, ways, source=None, target=None):
        """How many of the pairs go by one of the ways, from a source or to a target."""
        ends = (pair for pair in pairs if self.ways[pair] in ways)
        return sum(source in (None, u) and target in (None, z) for u, z in ends)

    def is_crowded(self, card):
        """Whether a way arrives at a card, another leaves from it, and a stub stands there."""
        pairs = list(self.ways)
        return bool(
            self.count(pairs, (ARC, JOIN), target=card)
            and self.count(pairs, (ARC, FORK), source=card)
            and self.count(pairs, (STUB,), target=card)
        )

    def is_clear_arc(self, pair, u, z):
        """Whether an arc spans only the spine, without stubs, and few wires."""
        inner, spanned = self.between(u, z), range(u.column, z.column + 1)
        if any(self.rows[column] - {0} for column in spanned):
            return False
        if self.wires_below(1, inner) > MOST_CROSSINGS:
            return False
        for (source, target), way in self.ways.items():
            ends = [self.cards[source].column, self.cards[target].column]
            if way == STUB and ends[1] in inner or way in (JOIN, FORK) and {*ends} & {*inner}:
                return False
        return not any(self.interleave(pair, other) for other in self.before(pair))

    def interleave(self, pair, other):
        """Whether two arcs would cross."""
        (a, b), (c, d) = (self.span(each) for each in (pair, other))
        return self.ways[other] == ARC and (a < c < b < d or c < a < d < b)

    def tangle(self, pair, other):
        """Whether two ways along a branch's row would meet: in columns, and in rows."""
        (a, b), (c, d) = (self.span(each) for each in (pair, other))
        (low, high), (least, most) = (self.row_span(each) for each in (pair, other))
        branched = self.ways[other] in (JOIN, FORK) or (self.ways[other] == LINE and most > 0)
        return branched and max(a, c) < min(b, d) and max(low, least) <= min(high, most)

    def row_span(self, pair):
        """The rows of the ends of a way, the lower one first."""
        return tuple(sorted(self.cards[id].row for id in pair))

    def span(self, pair):
        """The columns of the ends of a way."""
        return tuple(self.cards[id].column for id in pair)

    def tracks(self):
        """{arc: its track}: one above the highest of the arcs that it spans."""
        arcs = sorted((p for p, way in self.ways.items() if way == ARC), key=self.length)
        found = {}
        for pair in arcs:
            a, b = self.span(pair)
            inner = [found[p] for p in found if a <= self.span(p)[0] and self.span(p)[1] <= b]
            found[pair] = 1 + max(inner, default=-1)
        return found

    def length(self, pair):
        """How many columns a way spans."""
        first, last = self.span(pair)
        return last - first
