"""A picture as cards, lines and texts, and what is wrong with it: what crosses what, what covers
what, how long the lines are.

A node is a group of the class "node" with an id, badges on its rim are groups of the class
"badge"; an edge is a path of the class "edge" in a group with `data-from` and `data-to`, its head
has the class "tip", too; a lane is a group of the class "lane". An id that ends in "_bar" or
"_dot" is of a derivative.
"""

from collections import Counter, defaultdict
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from draw.svg_geometry import Extent, extent_of
from draw.svg_reading import Reader, text_runs

RIM = 4  # pixels: so far a line reaches into a card unnoticed
NEAR = 9  # pixels from an end: there, lines that meet do not cross
STRIDE = 2  # from one point of a line to the next, where it is looked at closely
SIDE_BY_SIDE, STACKED = 1.5, 2.5  # so much across and along may two texts share
APART = ("ring", "halo", "shadow")  # ends of classes: of what is around a card, or below it
DERIVATIVES = ("bar", "dot")  # ends of ids
FAULTS = ("through", "over_text", "over_cards", "outside")


class Card(NamedTuple):
    """One drawn node: its largest shape, and the badges on its rim."""

    id: str
    extent: Extent
    is_round: bool = False
    badges: tuple = ()

    def holds(self, points):
        """Which of some points lie well inside the card, its badges left out."""
        inside = self.extent.shrink(RIM)
        half = np.array([inside.width / 2, inside.height / 2])
        away = np.abs(points - inside.centre)
        return np.hypot(*(away / half).T) < 1 if self.is_round else (away < half).all(axis=1)

    def obstacles(self, line):
        """What a line must not pass: the card, and its badges unless it ends there."""
        return [self, *(Card("", badge) for badge in self.badges if self.id not in line.ends())]

    def primal(self):
        """The id of the value whose derivative the card shows; or ""."""
        id, _, end = self.id.rpartition("_")
        return id if end in DERIVATIVES else ""


class Line(NamedTuple):
    """One drawn edge, or a part of one."""

    source: str
    target: str
    points: np.ndarray

    @property
    def name(self):
        """The edge as the listing writes it."""
        return f"{self.source} -> {self.target}"

    @property
    def length(self):
        """Its length in pixels."""
        return float(np.hypot(*np.diff(self.points, axis=0).T).sum())

    def ends(self):
        """The ids at its ends."""
        return {self.source, self.target} - {""}

    def closely(self):
        """Points along the line that are close to each other."""
        along = np.cumsum([0.0, *np.hypot(*np.diff(self.points, axis=0).T)])
        at = np.linspace(0, along[-1], int(along[-1] / STRIDE) + 2)
        return np.stack([np.interp(at, along, axis) for axis in self.points.T], axis=1)


class Lane(NamedTuple):
    """A band of cards that have one part in a training step."""

    title: str
    extent: Extent


class Picture:
    """What an SVG text of ours shows."""

    def __init__(self, svg):
        reader = Reader(svg)
        self.width, self.height = reader.width, reader.height
        shapes = [one for one in reader.elements if one.tag != "text"]
        texts = (one for one in reader.elements if one.tag == "text" and not is_halo(one))
        self.runs = [run for text in texts for run in text_runs(text)]
        cards = [card_of(parts) for parts in grouped(shapes, "node")]
        self.cards = {card.id: card for card in cards}
        self.copies = Counter(card.id for card in cards)
        self.lines = list(lines_of(shapes))
        self.lanes = [self.lane(parts) for parts in grouped(shapes, "lane")]

    def lane(self, parts):
        """The Lane of a group, whose largest shape is its ground."""
        group = parts[0].group("lane")
        titles = (run.words for run in self.runs if run.element.group("lane") is group)
        return Lane(next(titles, ""), max((part.extent() for part in parts), key=Extent.area))

    @property
    def aspect(self):
        """Width by height."""
        return self.width / self.height

    @property
    def smallest(self):
        """The size of the smallest letters in pixels."""
        return min((run.size for run in self.runs), default=np.inf)

    @cached_property
    def shapes(self):
        """How many cards there are; a value and its derivative in one card are one."""
        return len(self.cards) - sum(map(self.is_lower_half, self.cards.values()))

    def is_lower_half(self, card):
        """Whether a derivative shares the card of its value."""
        value = self.cards.get(card.primal())
        return value is not None and min(value.extent.overlap(card.extent)) > -1

    @cached_property
    def lengths(self):
        """The lengths of all lines."""
        return [line.length for line in self.lines] or [0.0]

    @cached_property
    def crossings(self):
        """(name, name) of lines that cross, once for each place; not of those that share an end."""
        return [
            (one.name, other.name)
            for one, other in combinations(self.lines, 2)
            if not one.ends() & other.ends()
            for _ in crossing_distances(one.points, other.points)
        ]

    @cached_property
    def through(self):
        """(name of a line, id of a card) where a line is inside a card, or in a badge of a card
        where it does not end."""
        return [
            (line.name, card.id)
            for line in self.lines
            for points in [line.closely()]
            for card in self.cards.values()
            if any(part.holds(points).any() for part in card.obstacles(line))
        ]

    @cached_property
    def over_text(self):
        """The words of two texts, where one is over the other."""
        return [
            (one.words, other.words)
            for one, other in combinations(self.runs, 2)
            if is_over(one.extent, other.extent)
        ]

    @cached_property
    def over_cards(self):
        """(id or words, id) of what covers a card: another one, but its own other half; or words
        of none."""
        cards = [
            (one.id, other.id)
            for one, other in combinations(self.cards.values(), 2)
            if not is_split(one, other) and is_card_over(one, other)
        ]
        words = [
            (run.words, card.id)
            for run in self.runs
            for card in self.cards.values()
            if run.element.group("node") is None and is_over(run.extent, card.extent)
        ]
        return cards + words

    @cached_property
    def outside(self):
        """The words that the picture cuts."""
        whole = Extent(0, 0, self.width, self.height)
        return [run.words for run in self.runs if not whole.encloses(run.extent)]

    def faults(self):
        """{fault: what is wrong} of the FAULTS that the picture has."""
        found = {fault: getattr(self, fault) for fault in FAULTS}
        return {fault: places for fault, places in found.items() if places}


def grouped(shapes, word):
    """The shapes of each group of a class, without what stands around them."""
    found = defaultdict(list)
    for shape in shapes:
        if (group := shape.group(word)) is not None and not is_apart(shape):
            found[id(group)].append(shape)
    return found.values()


def lines_of(shapes):
    """The Lines of all edges, and of the arcs of loops; samples in the key are none."""
    graphs = [shape.around[:2] for shape in shapes if shape.group("node") is not None]
    for shape in shapes:
        group = shape.group("data-from")
        ends = ("", "") if group is None else (group.get("data-from"), group.get("data-to"))
        is_line = "edge" in shape.classes and "tip" not in shape.classes
        if is_line and (group is not None or shape.around[:2] in graphs):
            yield from (Line(*ends, points) for points in shape.outlines())


def is_halo(text):
    """Whether a text is the halo below another one."""
    return any(word.endswith("halo") for word in text.classes)


def is_apart(shape):
    """Whether a shape is around a card, or its shadow."""
    return any(word.endswith(APART) for word in shape.classes)


def card_of(shapes):
    """The Card of the shapes of a node."""
    badges = tuple(shape.extent() for shape in shapes if shape.group("badge") is not None)
    own = [shape for shape in shapes if shape.group("badge") is None]
    largest = max(reversed(own), key=lambda shape: shape.extent().area())
    id, is_round = largest.group("node").get("id"), largest.tag in ("ellipse", "circle")
    return Card(id, largest.extent(), is_round, badges)


def crossing_distances(one, other):
    """How far from all ends two lines cross, for each place where they do."""
    if min(extent_of(one).overlap(extent_of(other))) < 0:
        return []
    ends = np.array([one[0], one[-1], other[0], other[-1]])
    away = (np.hypot(*(ends - point).T).min() for point in meeting_points(one, other))
    return [distance for distance in away if distance > NEAR]


def meeting_points(one, other):
    """All points that two lines of straight pieces have in common, but where they run along."""
    along, across = np.diff(one, axis=0)[:, None], np.diff(other, axis=0)[None]
    between = other[None, :-1] - one[:-1, None]
    turned = cross_product(along, across)
    turned = np.where(turned == 0, np.nan, turned)  # side by side: nowhere
    t, u = cross_product(between, across) / turned, cross_product(between, along) / turned
    points = one[:-1, None] + t[..., None] * along
    return points[(t >= 0) & (t < 1) & (u >= 0) & (u < 1)]


def cross_product(one, other):
    """The area between two vectors."""
    return one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]


def is_split(one, other):
    """Whether of two cards one shows the derivative of the other."""
    return one.id == other.primal() or other.id == one.primal()


def is_over(one, other):
    """Whether two texts, or a text and a card, cover each other."""
    across, along = one.overlap(other)
    return across > SIDE_BY_SIDE and along > STACKED


def is_card_over(one, other):
    """Whether two cards, or their badges, cover each other."""
    parts = [(card.extent, *card.badges) for card in (one, other)]
    return any(min(a.overlap(b)) > 1 for a in parts[0] for b in parts[1])
