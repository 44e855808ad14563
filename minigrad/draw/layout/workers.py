"""Lanes of workers: the columns of a score under one another, and the ways of messages.

Columns stand at the same place in all lanes, so between two of them there is a channel that no
card is in. A message leaves its lane by the channel beside its card, runs along the gap between
two lanes, and goes on by the channel beside the card that reads it.
"""

from collections import defaultdict
from typing import NamedTuple

from minigrad.draw.layout.boxes import Box
from minigrad.draw.layout.columns import CORNER, ScoreColumns
from minigrad.draw.layout.score import (
    BORDER,
    NEAR,
    PAD,
    SYSTEM_GAP,
    ScoreLane,
    ScorePage,
)
from minigrad.draw.layout.wiring import LINE, WIRE
from minigrad.draw.modes.step import LANES
from minigrad.draw.read.roles import BACKWARD

BESIDE, APART = 13, 14  # from a column to a message in its channel; from one to the next
WORD_END = 80  # where the word in the corner of a lane has ended
ROOM = 904  # pixels for one system; with what a system may have more, 940
GAP, LEVEL = 40, 32  # between lanes that messages run between; for each more level of them
PLAIN = 6  # between lanes without messages
PORT = 9  # from the middle of a card's side to where a message leaves, beside another line
CLEAR = 8  # between pills
MIDDLE = 10**9  # stands for the line within the lane, among messages from above and from below


class PlacedMessage(NamedTuple):
    """A message, or one end of it, in its place: its line, and the middle of its pill.

    `end` is "both", or "out" and "in" where the two cards stand in different systems.
    """

    message: int  # its place among the messages
    end: str
    points: tuple
    x: float
    y: float


class WorkerPicture(NamedTuple):
    """A graph in the lanes of workers, ready to be painted."""

    width: float
    height: float
    cards: tuple  # of ScoreCard
    edges: tuple
    lanes: tuple  # of ScoreLane
    stubs: tuple
    messages: tuple  # of PlacedMessage


def place_workers(shared, measure, name_width, pill_width, formulas, room=ROOM):
    """The WorkerPicture of WorkerCards; `pill_width(at)` is the width of the pill of a message."""
    columns = WorkerColumns(shared, measure, name_width)
    columns.settle(room)
    return WorkerPage(columns, pill_width, formulas).picture()


# columns -----------------------------------------------------------------------------------------


class LaneColumns(ScoreColumns):
    """The columns of one worker's cards, as wide as those of all workers."""

    def __init__(self, lane, cards, columns, measure, name_width):
        super().__init__(lane, measure, name_width)
        self.cards, self.columns, self.lane = cards, columns, lane
        self.own = {card.id for card in lane.cards}

    def wire(self, parts):
        """Finds the ways within the lane; what an adjoint of no value here stands in is a stub."""
        super().wire(parts)
        loose = [c for c in self.step.cards if c.kind == "adjoint" and c.of not in self.own]
        for at, way in enumerate(self.ways):
            if way.way == WIRE and way.back:
                user = self.backs[way.target]
                if any(c.column == user.column and c.row > user.row for c in loose):
                    self.ways[at] = way._replace(back=False)
                    self.stubs[True][user.id].append(way.source)

    def share(self, joint):
        """Takes over what is the same in all lanes."""
        self.reach, self.upright, self.names = joint.reach, joint.upright, joint.names
        self.channels = joint.channels

    def gap(self, column):
        """The room between a column and the one before it, with the messages in it."""
        return channel_width(self.channels, ("before", column), super().gap(column))

    def enter(self, part, first):
        """The room at the left of a system, with the messages in it."""
        count = len(self.channels[("before", part[0])])
        room = super().enter(part, first)
        return max(room, WORD_END) + APART * count if count else room

    def leave(self, part, last):
        """The room at the right of a system, with the messages in it."""
        return super().leave(part, last) + APART * len(self.channels[("after", part[-1])])


def channel_width(channels, key, least):
    """The width of a channel with its messages, `least` without any."""
    count = len(channels[key])
    return max(least, 2 * BESIDE + APART * (count - 1) + 8) if count else least


class WorkerColumns(LaneColumns):
    """The columns of all lanes: what their cards need together, and the channels between."""

    def __init__(self, shared, measure, name_width):
        self.sharing = shared
        self.cards = {card.id: card for card in shared.cards.cards}
        self.columns = sorted({card.column for card in self.cards.values()})
        parts = self.cards, self.columns, measure, name_width
        self.each = [LaneColumns(lane, *parts) for lane in shared.lanes]
        self.names = defaultdict(int)
        for lane in self.each:
            for column, width in lane.names.items():
                self.names[column] = max(self.names[column], width)

    def wire(self, parts):
        """Finds the ways in all lanes for these systems, and the channels of messages."""
        self.parts = parts
        self.system = {column: at for at, part in enumerate(parts) for column in part}
        for lane in self.each:
            lane.wire(parts)
            add_stubs(lane, self.sharing)
        sides = [[lane.reach[column] for lane in self.each] for column in self.columns]
        self.reach = {c: tuple(map(max, zip(*found))) for c, found in zip(self.columns, sides)}
        self.upright = {c: min(lane.upright[c] for lane in self.each) for c in self.columns}
        self.channels = defaultdict(list)
        for at in range(len(self.sharing.messages)):
            for key in self.keys_of(at):
                self.channels[key].append(at)
        for lane in self.each:
            lane.share(self)

    def keys_of(self, at):
        """The channels of a message, the one beside its source first; once where they are one."""
        message = self.sharing.messages[at]
        source, target = self.cards[message.source], self.cards[message.target]
        back = is_back(source)
        sides = ("before", "after") if back else ("after", "before")
        ends = zip((source, target), sides)
        return list(dict.fromkeys(self.key(card.column, side) for card, side in ends))

    def key(self, column, side):
        """The channel at a side of a column: the one between two of them has one key."""
        part = self.parts[self.system[column]]
        if side == "after" and column != part[-1]:
            return "before", part[part.index(column) + 1]
        return side, column

    def channel_x(self, key, at, axes):
        """The x of a message in a channel."""
        (side, column), place = key, self.channels[key].index(at)
        left, right = self.reach[column]
        if side == "after":
            return axes[column] + right + BESIDE + APART * place
        part = self.parts[self.system[column]]
        end = axes[column] - left
        if column == part[0]:
            return end - BESIDE - APART * (len(self.channels[key]) - 1 - place)
        before = part[part.index(column) - 1]
        start = axes[before] + self.reach[before][1]
        return (start + end - APART * (len(self.channels[key]) - 1)) / 2 + APART * place - 4


def is_back(card):
    """Whether a card is of what runs from right to left."""
    return card.kind in ("adjoint", "gradient", "update", "shared", "run")


def add_stubs(columns, shared):
    """Notes the stubs at what an adjoint reaches in no straight way, and at further readers."""
    cards = columns.cards
    for source, target in columns.lane.loose:
        if loose_way(columns, cards[source], cards[target]) is None:
            columns.stubs[True][source].append(cards[target].of)
    for message in shared.messages:
        for id in message.others:
            if id in columns.own and cards[id].is_operation:
                columns.stubs[False][id].append(message.source)
            elif id in columns.own:
                columns.stubs[True][message.target].append(cards[id].of)
    columns.reach = {column: columns.reach_of(column) for column in columns.columns}


def loose_way(columns, source, target):
    """How an adjoint runs to another one that no value runs to: along a row, "drop" to a lower
    one; None where something stands between."""
    if {source.lane, target.lane} != {BACKWARD}:
        return None
    if columns.system[source.column] != columns.system[target.column]:
        return None
    taken = {(c.column, c.row) for c in columns.step.cards if c.lane == BACKWARD}
    down = {(source.column, row) for row in range(source.row + 1, target.row + 1)}
    along = {(column, target.row) for column in range(target.column + 1, source.column)}
    if target.row < source.row or target.column > source.column or taken & along:
        return None
    if source.row == target.row:
        return LINE
    return "drop" if not taken & down - {(target.column, target.row)} else None


# places ------------------------------------------------------------------------------------------


class LanePage(ScorePage):
    """The places of one worker's cards; `place` is that of the worker among all."""

    def __init__(self, columns, formulas, place):
        super().__init__(columns, formulas)
        self.place = place

    def place_lane_of_worker(self, system, top):
        """Places the rows of a worker in a system; the bottom of its lane, None without a card."""
        columns = {*self.columns.parts[system]}
        cards = [card for card in self.step.cards if card.column in columns]
        bottom = None
        for lane in LANES:
            inside = [card for card in cards if card.lane == lane]
            if inside:
                bottom = self.place_lane(lane, inside, top if bottom is None else bottom - PAD)
        if bottom is not None:
            box = Box(self.width / 2, (top + bottom) / 2, self.width - 2 * BORDER, bottom - top)
            word = f"worker {self.columns.lane.worker}"
            self.lanes.append(ScoreLane(self.place, word, system, box))
        return bottom

    def draw(self):
        """The lines within the lane."""
        for way in self.columns.ways:
            self.draw_way(way)
        cards = self.columns.cards
        for source, target in self.columns.lane.loose:
            self.draw_loose(cards[source], cards[target])
        self.draw_stubs()
        self.draw_below()

    def draw_loose(self, source, target):
        """The line of an adjoint beside which no value runs; nothing where it has a stub."""
        way = loose_way(self.columns, source, target)
        s, t = self.boxes[source.id], self.boxes[target.id]
        if way == LINE:
            self.edge("adjoint", source, target, (s.left - 2, s.y), (t.right + NEAR, s.y))
        elif way and source.column == target.column:
            self.edge("adjoint", source, target, (s.x, s.bottom + 2), (s.x, self.entry(target)))
        elif way:
            x = s.left + CORNER
            self.edge("adjoint", source, target, (x, s.bottom + 2), (x, t.y), (t.right + NEAR, t.y))


class Passage(NamedTuple):
    """A message in the gap between two lanes: from x to x, with its pill at `pill`.

    `gap` is (system, place of the lane above it), `through` are gaps that it goes on through.
    """

    message: int
    end: str
    gap: tuple
    start: float
    stop: float
    through: tuple
    pill: float = 0.0
    level: int = 0


class WorkerPage:
    """The places of lanes, system by system, and of the messages between them."""

    def __init__(self, columns, pill_width, formulas):
        self.columns, self.pill_width = columns, pill_width
        self.sharing, self.axes, self.width = columns.sharing, columns.axes(), columns.width()
        self.pages = [LanePage(lane, formulas, at) for at, lane in enumerate(columns.each)]
        self.present = [self.lanes_of(system) for system in range(len(columns.parts))]
        self.passages = self.level_passages(list(self.find_passages()))
        self.gaps = {}  # of a run: the top of its gap

    def picture(self):
        """The WorkerPicture."""
        bottom = 0
        for system in range(len(self.present)):
            bottom = self.place_system(system, bottom + (SYSTEM_GAP if system else 0))
        for page in self.pages:
            page.draw()
        self.boxes = {id: box for page in self.pages for id, box in page.boxes.items()}
        self.ports = find_ports(self)
        cards = (
            page.score_card(card)
            for page in self.pages
            for card in sorted(page.step.cards, key=page.reading_order)
        )
        return WorkerPicture(
            round(self.width, 1),
            round(bottom, 1),
            tuple(cards),
            tuple(edge for page in self.pages for edge in page.edges),
            tuple(lane for page in self.pages for lane in page.lanes),
            tuple(stub for page in self.pages for stub in page.stubs),
            tuple(map(self.place_passage, self.passages)),
        )

    def lanes_of(self, system):
        """The workers with a card in a system, in order."""
        columns = {*self.columns.parts[system]}
        lanes = (page.columns.lane for page in self.pages)
        return [lane.worker for lane in lanes if any(c.column in columns for c in lane.cards)]

    def place_system(self, system, top):
        """Places the lanes of a system with the gaps between them; its bottom."""
        top = self.place_gap((system, -1), top, 0)
        for page in self.pages:
            worker = page.columns.lane.worker
            if worker in self.present[system]:
                at = self.present[system].index(worker)
                bottom = page.place_lane_of_worker(system, top)
                last = worker == self.present[system][-1]
                top = self.place_gap((system, at), bottom, 0 if last else PLAIN)
        return top

    def place_gap(self, gap, top, least):
        """Places a gap between lanes; its bottom."""
        self.gaps[gap] = top
        levels = {run.level for run in self.passages if run.gap == gap}
        return top + (GAP + LEVEL * max(levels) if levels else least)

    # messages

    def find_passages(self):
        """The Passages of all messages, without levels."""
        cards, homes = self.columns.cards, self.sharing.homes
        for at, message in enumerate(self.sharing.messages):
            keys = self.columns.keys_of(at)
            start, stop = (self.columns.channel_x(k, at, self.axes) for k in (keys[0], keys[-1]))
            ends = message.source, message.target
            systems = [self.columns.system[cards[id].column] for id in ends]
            down = homes[ends[0]] < homes[ends[1]]
            rows = [self.present[s].index(homes[id]) for s, id in zip(systems, ends)]
            below = rows[0] if down else rows[0] - 1
            above = rows[1] - 1 if down else rows[1]
            if systems[0] == systems[1]:
                step = 1 if down else -1
                through = tuple((systems[0], g) for g in range(below + step, above + step, step))
                yield Passage(at, "both", (systems[0], below), start, stop, through)
            else:
                yield Passage(at, "out", (systems[0], below), start, start, ())
                yield Passage(at, "in", (systems[1], above), stop, stop, ())

    def level_passages(self, runs):
        """The Passages with places for their pills and levels, so that none meets another."""
        found = []
        for run in sorted(runs, key=lambda run: (run.gap, min(run.start, run.stop), run.message)):
            others = [one for one in runs if one is not run]
            run = run._replace(pill=self.pill_place(run, others))
            near = [one for one in found if one.gap == run.gap and self.overlap(run, one)]
            free = {*range(len(near) + 1)} - {one.level for one in near}
            found.append(run._replace(level=min(free)))
        return found

    def pill_place(self, run, others):
        """The x of a pill: on its line, and over no other one if that can be."""
        half = self.pill_width(run.message) / 2
        lines = [x for one in others if one.gap == run.gap for x in (one.start, one.stop)]
        lines += [one.stop for one in others if run.gap in one.through]
        low, high = sorted((run.start, run.stop))
        reach = max((high - low) / 2, half - 7)
        best, room = (low + high) / 2, (BORDER + 4 + half, self.width - BORDER - 4 - half)
        tries = [best + sign * step for step in range(0, int(reach) + 1, 2) for sign in (1, -1)]
        tries = [min(max(x, room[0]), room[1]) for x in tries]
        return next((x for x in tries if all(abs(x - one) > half + 5 for one in lines)), tries[0])

    def overlap(self, run, other):
        """Whether two runs would meet on one level."""
        (a, b), (c, d) = self.span(run), self.span(other)
        return a < d + CLEAR and c < b + CLEAR

    def span(self, run):
        """The ends of a run with its pill."""
        half = self.pill_width(run.message) / 2
        ends = run.start, run.stop, run.pill - half, run.pill + half
        return min(ends), max(ends)

    def place_passage(self, run):
        """The PlacedMessage of a Passage."""
        message, cards = self.sharing.messages[run.message], self.columns.cards
        source, target = cards[message.source], cards[message.target]
        y = self.gaps[run.gap] + GAP / 2 + LEVEL * run.level
        points = []
        if run.end != "in":
            points += [*self.first_points(source, run), (run.start, y)]
        if run.end != "out":
            side, x = self.side_x(target, is_back(source))
            level = self.boxes[target.id].y + self.ports[target.id, side, run.message]
            points += [(run.stop, y), (run.stop, level), (x, level)]
        points = dict.fromkeys((round(x, 1), round(y, 1)) for x, y in points)
        return PlacedMessage(run.message, run.end, tuple(points), round(run.pill, 1), round(y, 1))

    def first_points(self, source, run):
        """Where a message leaves its card, and turns into the channel."""
        box, back = self.boxes[source.id], is_back(source)
        if not back and self.is_hemmed_in(source):
            level = box.top - 9
            return (box.x, box.top - 2), (box.x, level), (run.start, level)
        side = "left" if back else "right"
        x = box.left - self.columns_of(source).sizes[source.id].left - 2 if back else box.right + 1
        level = box.y + self.ports[source.id, side, run.message]
        return (x, level), (run.start, level)

    def is_hemmed_in(self, leaf):
        """Whether another leaf stands at the right of one, over the same column."""
        leaves = self.columns_of(leaf).leaves[leaf.column]
        return leaf in leaves[:-1]

    def columns_of(self, card):
        """The LaneColumns of the worker of a card."""
        worker = self.sharing.homes[card.id]
        return next(page.columns for page in self.pages if page.columns.lane.worker == worker)

    def side_x(self, card, back):
        """(the side by which a message arrives at a card, the x of its head)."""
        box, left = self.boxes[card.id], self.columns_of(card).sizes[card.id].left
        return ("right", box.right + NEAR) if back else ("left", box.left - left - NEAR)


def find_ports(page):
    """{(card, side, message): how far from the middle of that side it leaves or arrives}."""
    used, order, homes = lined_sides(page), defaultdict(list), page.sharing.homes
    for at, message in enumerate(page.sharing.messages):
        back = is_back(page.columns.cards[message.source])
        ends = (message.source, message.target), ("left", "right") if back else ("right", "left")
        for id, side, other in zip(*ends, (message.target, message.source)):
            order[id, side].append((homes[other] > homes[id], at))
    found = {}
    for (id, side), uses in order.items():
        places = sorted([*uses, (False, MIDDLE)] if (id, side) in used else uses)
        middle = places.index((False, MIDDLE)) if (id, side) in used else (len(places) - 1) / 2
        for place, (_, at) in enumerate(places):
            found[id, side, at] = PORT * (place - middle)
    return found


def lined_sides(page):
    """(card, side) of all where a line of the lane leaves or arrives in the middle."""
    found = set()
    for one in (edge for lane in page.pages for edge in lane.edges if edge.kind != "axis"):
        (ax, ay), (bx, by), *_ = one.points
        if ay == by:
            found.add((one.source, "right" if bx > ax else "left"))
        *_, (ax, ay), (bx, by) = one.points
        if ay == by:
            found.add((one.target, "left" if bx > ax else "right"))
    for stub in (stub for lane in page.pages for stub in lane.stubs):
        (ax, ay), (bx, by) = stub.points
        if ay == by:
            found.add((stub.card, "right" if max(ax, bx) > page.boxes[stub.card].x else "left"))
    return found
