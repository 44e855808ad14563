"""Whether the pictures of twelve graphs can be read: what is asked of each, and what was measured.

`python tests/draw/readable.py OUT` prints a row for each graph, then what is not met, and writes
the pictures into the folder OUT as .svg and .png.
"""

import sys
from collections import defaultdict
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from draw.picture_reading import Picture
from draw.readable_graphs import GRAPHS, draw_sample
from draw.svg_geometry import Extent

WIDEST, PHONE = 940, Extent(0, 0, 390, 664)  # of a notebook; what a phone shows at once
SCORES = ("mlp", "conv", "deep", "residual", "shared", "momentum", "clipping")  # steps in lanes
CROSSINGS = {"toy": 2, "baydin": 5, "residual": 2, "shared": 4, "clipping": 2}  # two for a skip
LEAVES = ("input", "variable", "constant")


class Finding(NamedTuple):
    """What was measured, and whether that is as it should be."""

    measured: str
    is_met: bool


class Subject:
    """One of GRAPHS, its drawing and its picture."""

    def __init__(self, name, sample):
        self.name, self.sample, self.drawing = name, sample, sample.drawing
        self.picture = Picture(self.drawing.svg)

    @cached_property
    def on_phone(self):
        """The picture that a phone shows: the upright one, where a drawing has one."""
        upright = getattr(self.drawing, "portrait", "")
        return Picture(upright) if upright else self.picture

    def check_size(self):
        """As wide as a notebook at most, and neither a ribbon nor a tower."""
        width, height, aspect = self.picture.width, self.picture.height, self.picture.aspect
        return Finding(f"{width:.0f}×{height:.0f}", width <= WIDEST and 1 / 2 <= aspect <= 3)

    def check_size_on_phone(self):
        """As wide as a phone at most, and no more than two and a half times as high as wide."""
        width, height = self.on_phone.width, self.on_phone.height
        return Finding(f"{width:.0f}×{height:.0f}", width <= PHONE.right and height <= 2.5 * width)

    def check_text_size(self):
        """Letters of 11 px or more."""
        least = min(self.picture.smallest, self.on_phone.smallest)
        return Finding(f"{least:g} px", least >= 11)

    def check_shapes(self):
        """From 40 nodes on, three shapes for five nodes at most."""
        shapes, nodes = self.picture.shapes, len(self.sample.ids)
        return Finding(f"{shapes} for {nodes}", nodes < 40 or shapes <= 0.6 * nodes)

    def check_crossings(self):
        """Two for each connection that skips columns; in other graphs three for 20 edges."""
        found, lines = len(self.picture.crossings), len(self.picture.lines)
        known = self.name in {*SCORES, *CROSSINGS}
        allowed = CROSSINGS.get(self.name, 0) if known else 0.15 * lines
        return Finding(f"{found} of {lines} edges", found <= allowed)

    def check_edge_length(self):
        """No edge longer than half the width; in a step in lanes 60 px on average."""
        longest, mean = max(self.picture.lengths), float(np.mean(self.picture.lengths))
        short = longest <= self.picture.width / 2 and (mean <= 60 or self.name not in SCORES)
        return Finding(f"longest {longest:.0f}, mean {mean:.0f}", short)

    def check_overlaps(self):
        """No edge through a card, no text over text, no card over a card, no text cut."""
        both = {"": self.picture, " on a phone": self.on_phone}
        said = ", ".join(
            f"{len(places)} {fault}{where}"
            for where, picture in both.items()
            for fault, places in picture.faults().items()
        )
        return Finding(said or "none", not said)

    def check_owners(self):
        """Every value of the graph is in exactly one card."""
        owners, copies = self.drawing.scene.owners, self.picture.copies
        lost = [id for id in self.sample.ids if copies[owners.get(id)] != 1]
        return Finding(f"{len(lost)} lost", not lost)

    def check_axes(self):
        """What shows an adjoint stands in the column of its value, or in its row."""
        pairs = self.adjoint_cards()
        lists = (
            [card for card, values in pairs if not any(is_aligned(card, v, axis) for v in values)]
            for axis in (0, 1)
        )
        aside = min(map(len, lists))
        return Finding(f"{aside} of {len(pairs)} aside", aside == 0)

    def adjoint_cards(self):
        """(card of adjoints, cards of their values), where these are not the same."""
        owners, found = self.drawing.scene.owners, defaultdict(set)
        for adjoint, value in self.sample.adjoints.items():
            found[owners.get(adjoint)].add(owners.get(value))
        for card in self.picture.cards.values():
            found[card.id] |= {card.primal()} - {""}
        cards = self.picture.cards
        return [
            (cards[id], [cards[value] for value in values if value in cards])
            for id, values in found.items()
            if id in cards and values & cards.keys() and id not in values
        ]

    def check_first_view(self):
        """A phone shows an input and the first operation at once."""
        cards, roles = self.on_phone.cards, {n.id: n.role for n in self.drawing.scene.nodes}
        first = next(id for id, role in roles.items() if role not in LEAVES and id in cards)
        inputs = [id for id, role in roles.items() if role in LEAVES[:2] and id in cards]
        seen = [id for id in (first, *inputs) if PHONE.encloses(cards[id].extent)]
        said = f"{'' if first in seen else 'no '}operation, {len({*seen} - {first})} inputs"
        return Finding(said, first in seen and len(seen) > 1)

    def check_reading_order(self):
        """The listing goes lane by lane, and in each from column to column; without lanes, every
        value comes before those that use it."""
        place = {node.id: at for at, node in enumerate(self.drawing.scene.nodes)}
        if self.picture.lanes:
            keys = filter(None, map(self.lane_place, filter(self.picture.cards.get, place)))
            late = sum(list(after) < list(before) for before, after in pairwise(keys))
        else:
            late = sum(place[e.target] < place[e.source] for e in self.drawing.scene.flows())
        return Finding(f"{late} out of order", late == 0)

    def lane_place(self, id):
        """Where a card comes in the reading order: its lane, its system, its column."""
        titles = list(dict.fromkeys(first_lane(lane.title) for lane in self.picture.lanes))
        x, y = self.picture.cards[id].extent.centre
        for title, lane in self.picture.lanes:
            if lane.encloses(Extent(x, y, x, y)):
                across = (round(lane.top), round(x)), (round(lane.left), round(y))
                return titles.index(first_lane(title)), *across[lane.height > lane.width]
        return None


def first_lane(title):
    """The title of a lane, whatever it holds of parameters and data."""
    return "parameters" if title.endswith("data") else title


def is_aligned(card, other, axis):
    """Whether the centres of two cards agree in x (0) or in y (1)."""
    return abs(card.extent.centre[axis] - other.extent.centre[axis]) <= 1


CRITERIA = {
    "size": Subject.check_size,
    "size on a phone": Subject.check_size_on_phone,
    "text size": Subject.check_text_size,
    "shapes": Subject.check_shapes,
    "crossings": Subject.check_crossings,
    "edge length": Subject.check_edge_length,
    "overlaps": Subject.check_overlaps,
    "owners": Subject.check_owners,
    "axes": Subject.check_axes,
    "first view": Subject.check_first_view,
    "reading order": Subject.check_reading_order,
}


# the command -------------------------------------------------------------------------------------

COLUMNS = ("graph", "size", "nodes", "shapes", "crossings")
COLUMNS += ("longest edge", "mean edge", "all edges", "faults")


@cache
def subject_of(name):
    """The Subject of one of GRAPHS."""
    return Subject(name, draw_sample(name))


def unmet():
    """{(graph, criterion): what was measured} of all that is not as it should be."""
    found = {
        (name, word): check(subject_of(name)) for name in GRAPHS for word, check in CRITERIA.items()
    }
    return {pair: measured for pair, (measured, is_met) in found.items() if not is_met}


def table_row(subject):
    """What is measured of one picture, as the cells of a table."""
    picture, lengths = subject.picture, subject.picture.lengths
    return (
        subject.name,
        subject.check_size().measured,
        len(subject.sample.ids),
        picture.shapes,
        len(picture.crossings),
        f"{max(lengths):,.0f} px",
        f"{np.mean(lengths):,.0f} px",
        f"{sum(lengths):,.0f} px",
        subject.check_overlaps().measured,
    )


def main(folder=None):
    """Print the table and what is not met; with a folder, write the pictures there."""
    for cells in (COLUMNS, ["---"] * len(COLUMNS), *map(table_row, map(subject_of, GRAPHS))):
        print("|", " | ".join(map(str, cells)), "|")
    for (name, criterion), measured in unmet().items():
        print(f'    ("{name}", "{criterion}"): "{measured}",')
    for name in GRAPHS if folder else ():
        path = Path(folder, name.replace(" ", "_"))
        path.parent.mkdir(parents=True, exist_ok=True)
        for suffix in (".svg", ".png"):
            subject_of(name).drawing.save(path.with_suffix(suffix))


if __name__ == "__main__":
    main(*sys.argv[1:])
