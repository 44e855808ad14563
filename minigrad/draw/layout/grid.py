"""Rows of one graph in small marks: each mark has one place in all of them, without Graphviz.

Marks stand in columns, each behind what it is computed from; in a column they are sorted so that
few lines cross. A line over several columns has a bend in each, above or below the marks there.
"""

from collections import defaultdict
from itertools import accumulate, combinations, pairwise
from typing import NamedTuple

from minigrad.draw.layout.boxes import Box, name_width, round_even, text_width, wrap_text
from minigrad.draw.look import NAME, SIGN, SMALL
from minigrad.draw.modes.stages import id_key, sort_nodes

HIGH, ROUND = 26, 28  # the height of a mark, which is the width of a sign of one letter, too
NAMED = ("input", "variable", "port")  # roles whose marks bear names
RING, BELOW, LINE = 4, 14, 13  # around a mark; from it to a reason; between lines of a reason
LANE, BEND = 6, 6  # between two marks of a column; half of the room of a bend
OVER = 12  # above a mark that is gone, for the line that leads past it
WRAP = 84  # the width of a reason
GAP, WIDEST_GAP = 22, 46  # between columns
SWEEPS = 12
HEAVY = {"bend": 0.05, "leaf": 0.3}  # how firmly something pulls at its neighbours; others 1
EQUAL = "same as"  # begins the reason of what was merged with an equal mark
FAINT, SAME = 1e-3, 1e-9  # how firmly something stays where it is; sums that are equal
PAD, FOOT = 12, 17  # between a kernel's frame and its marks; for its name


class Bend(NamedTuple):
    """Where the lines from a mark pass a column."""

    source: str
    column: int


class MarkGrid(NamedTuple):
    """The place of all rows of a graph: {id: (x, y)} of marks and Bends, the slots (left, right) of
    its columns, {id: column}, {(source, target): what a line passes between them} and the size."""

    spots: dict
    slots: list
    columns: dict
    stops: dict
    width: float
    height: float

    def column(self, stop):
        """The column of a mark's id, or of a Bend."""
        return stop.column if isinstance(stop, Bend) else self.columns[stop]

    def box(self, mark):
        """The Box of a mark."""
        return Box(*self.spots[mark.id], mark_width(mark), HIGH)

    def frames(self, row):
        """{number: Box} of the kernels of a row: around their operations, and what a line between
        these passes; around a constant, where it stands among them."""
        found = {}
        for number in sorted({mark.kernel for mark in row.marks} - {0}):
            marks = [mark for mark in row.marks if mark.kernel == number]
            ids = {mark.id for mark in marks}
            inside = filter(ids.issuperset, row.edges())
            ways = [stop for pair in inside for stop in self.stops[pair]]
            boxes = [self.box(mark) for mark in marks if mark.role == "op"]
            boxes += [Box(*self.spots[stop], 1, 0) for stop in ways]
            found[number] = frame_of_kernel(boxes, [self.box(m) for m in marks if m.role != "op"])
        return found

    def holds_others(self, row):
        """Whether a kernel's frame lies over marks that are not in the kernel, or over another."""
        marks = [mark for mark in row.marks if mark.state != "gone"]
        return any(
            mark.kernel != number and are_near(self.box(mark), frame)
            for number, frame in self.frames(row).items()
            for mark in marks
        )


def frame_of_kernel(boxes, constants):
    """The frame around boxes, and around those of the constants that stand among them."""
    left, right = min(box.left for box in boxes) - PAD, max(box.right for box in boxes) + PAD
    top, bottom = min(box.top for box in boxes) - PAD, max(box.bottom for box in boxes) + FOOT
    frame = Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    among = [box for box in constants if box not in boxes and are_near(box, frame)]
    return frame_of_kernel([*boxes, *among], constants) if among else frame


def are_near(one, other):
    """Whether two boxes overlap, or nearly."""
    across = (one.w + other.w) / 2 - abs(one.x - other.x)
    return across > -4 and (one.h + other.h) / 2 - abs(one.y - other.y) > -4


def mark_width(mark):
    """The width of a mark."""
    if mark.role in NAMED:
        return max(36, round_even(name_width(mark.text, NAME) + 22))
    if len(mark.text) == 1:
        return ROUND
    return round_even(text_width(mark.text, SIGN, "bold") + 18)


def place_grid(rows, gap=WIDEST_GAP, start=False):
    """The MarkGrid of PassRows; None where one row turns round what stands in another.

    Leaves stand before the first mark that reads them, or where the graph begins if they shall all
    `start` there.
    """
    placer = GridPlacer(rows, start)
    known = all(pair in placer.stops for row in rows for pair in row.edges())
    return placer.place(gap) if known else None


def find_bypasses(rows):
    """{(source, target): ids} of the lines that lead past marks that are gone, through the places
    of these."""
    users, found = defaultdict(list), {}
    for row in rows:
        edges = row.edges()
        alive = {mark.id for mark in row.marks if mark.state != "gone"}
        new = [pair for pair in dict.fromkeys(edges) if pair[1] not in users[pair[0]]]
        ways = {pair: way_through(*pair, users, alive) for pair in new}
        found |= {pair: way for pair, way in ways.items() if way}
        for source, target in new:
            users[source].append(target)
    return found


def way_through(source, target, users, alive):
    """The ids on a way between two marks through some that are gone; () where there is none."""
    ways = [()]
    for way in ways:
        for user in users[way[-1] if way else source]:
            if user == target and way:
                return way
            if user not in alive and user not in way:
                ways.append((*way, user))
    return ()


class GridPlacer:
    """Places the marks of all rows; `marks` has all that an id ever is."""

    def __init__(self, rows, start):
        self.marks, pairs = defaultdict(list), {}
        for row in rows:
            for mark in row.marks:
                self.marks[mark.id].append(mark)
                pairs |= dict.fromkeys((source, mark.id) for source in mark.inputs)
        order = sort_nodes(self.marks, pairs)
        rank = {id: at for at, id in enumerate(order)}
        self.pairs = [pair for pair in pairs if rank[pair[0]] < rank[pair[1]]]
        self.columns = self.find_columns(order, start)
        past = find_bypasses(rows)
        self.stops = {pair: self.stops_between(pair, past.get(pair, ())) for pair in self.pairs}
        self.over = {id for ids in past.values() for id in ids}
        chains = [(pair[0], *self.stops[pair], pair[1]) for pair in self.pairs]
        self.hops = list(dict.fromkeys(hop for chain in chains for hop in pairwise(chain)))
        self.into, self.out = defaultdict(list), defaultdict(list)
        for source, target in self.hops:
            self.into[target].append(source)
            self.out[source].append(target)

    def find_columns(self, order, start):
        """{id: column}: a mark stands behind all that it is computed from."""
        sources, users = defaultdict(list), defaultdict(list)
        for source, target in self.pairs:
            sources[target].append(source)
            users[source].append(target)
        found = {}
        for id in order:
            found[id] = max((found[x] + 1 for x in sources[id]), default=0)
        for id in order:
            named = self.marks[id][0].role in NAMED
            if not sources[id] and users[id] and not (start and named):
                found[id] = min(found[x] for x in users[id]) - 1
        return found

    def stops_between(self, pair, past):
        """What a line passes: Bends, and the places of marks that are gone."""
        marks, found = (pair[0], *past, pair[1]), []
        for source, target in pairwise(marks):
            between = range(self.columns[source] + 1, self.columns[target])
            found += [*(Bend(source, column) for column in between), target]
        return found[:-1]

    # which stands above which --------------------------------------------------------------------

    def place(self, gap):
        """The MarkGrid."""
        layers = self.sort_layers()
        heights = self.find_heights(layers)
        slots = self.find_slots(gap)
        top = min(heights[id] - self.reach(id)[0] for id in heights)
        bottom = max(heights[id] + self.reach(id)[1] for id in heights)
        spots = {
            id: (sum(slots[column]) / 2, heights[id] - top)
            for column, layer in enumerate(layers)
            for id in layer
        }
        return MarkGrid(spots, slots, self.columns, self.stops, slots[-1][1], bottom - top)

    def sort_layers(self):
        """The marks and Bends of each column from above: of several orders the one with the fewest
        crossings, and of such the one nearest to that in which the marks were made."""
        layers = [[] for _ in range(max(self.columns.values()) + 1)]
        for id in dict.fromkeys([*(id for hop in self.hops for id in hop), *self.marks]):
            layers[id.column if isinstance(id, Bend) else self.columns[id]].append(id)
        best = least = None
        for sweep in range(SWEEPS):
            cost = self.crossings(layers), self.turns(layers)
            if least is None or cost < least:
                best, least = [list(layer) for layer in layers], cost
            back = sweep % 2
            near = self.out if back else self.into
            for column in range(len(layers))[:: -1 if back else 1]:
                places = {id: at for layer in layers for at, id in enumerate(layer)}
                layers[column].sort(key=lambda id: self.middle(id, near, places))
        return best

    def middle(self, id, near, places):
        """Where an id comes in its column by the mean of its neighbours; of equals a Bend is first,
        since lines run above the marks."""
        at = [places[x] for x in near[id]]
        return sum(at) / len(at) if at else places[id], not isinstance(id, Bend)

    def crossings(self, layers):
        """How many pairs of hops cross."""
        places = {id: at for layer in layers for at, id in enumerate(layer)}
        found = 0
        for column in range(1, len(layers)):
            ends = sorted((places[x], places[id]) for id in layers[column] for x in self.into[id])
            found += sum(a < c and b > d for at, (a, b) in enumerate(ends) for c, d in ends[at:])
        return found

    def turns(self, layers):
        """How many pairs of a column stand the other way round than they were made; a Bend shall be
        above the marks."""
        rank = {id: at for at, id in enumerate(sorted(self.marks, key=id_key))}
        ranks = [[rank.get(id, -1) for id in layer] for layer in layers]
        return sum(one > other for row in ranks for one, other in combinations(row, 2))

    # how high ------------------------------------------------------------------------------------

    def reach(self, id):
        """How far something reaches up and down from its middle, with a reason below it."""
        if isinstance(id, Bend):
            return BEND, BEND
        lines = max(len(wrap_text(mark.reason, WRAP)) for mark in self.marks[id])
        below = BELOW + LINE * (lines - 1) + 3 if lines else RING
        return HIGH / 2 + (OVER if id in self.over else RING), HIGH / 2 + below

    def find_heights(self, layers):
        """{id: y}: near the mean of the neighbours, as far as there is room."""
        found = {}
        for layer in layers:
            found |= dict(zip(layer, self.stack_layer(layer, [0.0] * len(layer))))
        for sweep in range(2 * SWEEPS):
            for layer in layers[:: -1 if sweep % 2 else 1]:
                wanted = [self.wanted_height(id, found) for id in layer]
                found |= dict(zip(layer, self.stack_layer(layer, wanted)))
        return {id: float(round(y)) for id, y in found.items()}

    def wanted_height(self, id, found):
        """The height nearest to the own one at which the way to all neighbours is shortest: so
        chains become straight lines."""
        pulls = [(found[x], self.weight(x)) for x in (*self.into[id], *self.out[id])]
        return middle_of([*pulls, (found[id], FAINT)])

    def weight(self, id):
        """How firmly something pulls at its neighbours, and stays where it is wanted."""
        kind = "bend" if isinstance(id, Bend) else "" if self.into[id] else "leaf"
        return HEAVY.get(kind, 1.0)

    def stack_layer(self, layer, wanted):
        """The heights next to those wanted that leave room between all: neighbours that would
        overlap are moved together."""
        offsets, low = [], 0.0
        for at, id in enumerate(layer):
            above = self.reach(layer[at - 1])[1] if at else 0.0
            lane = 0 if isinstance(id, Bend) or at and isinstance(layer[at - 1], Bend) else LANE
            low += above + self.reach(id)[0] + lane if at else 0.0
            offsets.append(low)
        blocks = []  # of (wanted - offset, weight) that move together
        for id, y, offset in zip(layer, wanted, offsets):
            block = [(y - offset, self.weight(id))]
            while blocks and middle_of(blocks[-1]) > middle_of(block):
                block = [*blocks.pop(), *block]
            blocks.append(block)
        middles = [middle_of(block) for block in blocks for _ in block]
        return [middle + offset for middle, offset in zip(middles, offsets)]

    # how wide ------------------------------------------------------------------------------------

    def find_slots(self, gap):
        """(left, right) of each column."""
        widths = [ROUND] * (max(self.columns.values()) + 1)
        for id, column in self.columns.items():
            widths[column] = max(widths[column], *map(slot_width, self.marks[id]))
        slots, x = [], 0.0
        for wide in widths:
            slots.append((x, x + wide))
            x += wide + gap
        return slots


def middle_of(pulls):
    """The median of numbers with weights, the greater one of two."""
    ranked = sorted(pulls, reverse=True)
    sums = list(accumulate(pull for _, pull in ranked))
    return next(y for (y, _), low in zip(ranked, sums) if low > sums[-1] / 2 - SAME)


def slot_width(mark):
    """The width of a mark with its reason."""
    reason = f"{EQUAL} above" if mark.survivor else mark.reason
    lines = [text_width(line, SMALL) + 6 for line in wrap_text(reason, WRAP)]
    return max(mark_width(mark), *map(round_even, lines), 0)
