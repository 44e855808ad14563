"""What is known of the iterations of loops: the strip of each, and numbers for what stands inside,
from a trace.history.LoopHistory."""

from collections import Counter
from typing import NamedTuple

from minigrad.draw.read import number_text, peek
from minigrad.draw.read.bodies import LoopFacts, carry_names, loop_of
from minigrad.draw.read.formulas import Term
from minigrad.draw.read.signs import minus
from minigrad.draw.scene import Strip, StripRow, handle_of, with_bar

COLUMNS = 8  # where there are more, those in the middle are left out
LONG = 12  # letters of a number in a cell
ROWS = 3  # values that are carried, and others that the iterations add to


class KnownNumber(NamedTuple):
    """The number of a value at a position, and that of its adjoint; None where it is not known."""

    at: int
    number: object
    bar: object


class KnownLoop(NamedTuple):
    """A loop whose history is known.

    `operands` are the values that it takes, and `given` their numbers; those at the places in
    `alone` are used by it alone; `results` {index: the value that picks it}.
    """

    value: object
    loop: LoopFacts
    history: object
    operands: list
    given: list
    alone: frozenset
    results: dict

    @property
    def count(self):
        """How many iterations it had."""
        return len(self.history.carries) - 1

    def strip(self, outer):
        """Its Strip; `outer` has the names of the operands that are not its own."""
        first = self.loop.carries + self.loop.slices
        times = Counter(map(id, self.operands))
        single = {at for at in self.alone if times[id(self.operands[at])] == 1}
        named = {at: (outer[at - first], at in single) for at in self.history.shares}
        back = self.loop.params.get("reverse", False)
        return make_strip(self.history, carry_names(self.loop), named, back)

    def operand_bars(self):
        """{place of an operand: what the loop adds to its adjoint}."""
        start = self.history.bars[0] if self.history.bars else {}
        return start | {at: sum(shares) for at, shares in self.history.shares.items()}

    def numbers(self, graph):
        """The KnownNumbers of what stands in an Outline: operands, results, what is inside."""
        bars, totals = self.operand_bars(), {}
        for at in sorted(self.alone & bars.keys()):
            place = graph.place.get(id(self.operands[at]))
            totals[place] = totals.get(place, 0) + bars[at]
        yield from (KnownNumber(place, None, total) for place, total in totals.items())
        for operand, number in zip(self.operands, self.given):
            yield KnownNumber(graph.place.get(id(operand)), number, None)
        for index, result in self.results.items():
            if index < self.loop.carries:
                last = self.history.carries[-1][index]
                yield KnownNumber(graph.place.get(id(result)), last, None)
        for frame in graph.frames:
            if is_opened(frame, self.value):
                yield from self.inner_numbers(graph, frame)

    def inner_numbers(self, graph, frame):
        """The same of what stands in its frame, in the iteration that is shown."""
        ports, path = dict(self.port_numbers(frame)), f"{handle_of(frame.path)}_"
        for at, id_ in enumerate(graph.ids):
            if id_.startswith(path) and "_" not in id_.removeprefix(path):
                key = id(graph.values[at].origin)
                known = self.history.values.get(key), self.history.value_bars.get(key)
                yield KnownNumber(at, *ports.get(id_, known))

    def port_numbers(self, frame):
        """(id of a port, (number, number of its adjoint)) of what is carried."""
        history, shown = self.history, self.history.shown
        for step, ids in ((shown - 1, frame.starts), (shown, frame.ends)):
            for k, id_ in enumerate(ids[: self.loop.carries]):
                bar = history.bars[step].get(k) if history.bars else None
                yield id_, (history.carries[step][k], bar)

    def contributions(self, graph):
        """((position of an operand, of its user), number) along the edges into the loop, and into
        its frame those of the iteration that is shown."""
        for at, bar in self.operand_bars().items():
            operand = graph.place.get(id(self.operands[at]))
            users = graph.users()[operand] if operand is not None else ()
            inside = [u for u in users if self.holds(graph, u)]
            if len(inside) == 1:
                shares, shown = self.history.shares.get(at), self.history.shown
                closed = graph.values[inside[0]] is self.value
                yield (operand, inside[0]), bar if closed or not shares else shares[shown - 1]

    def holds(self, graph, at):
        """Whether a position is of the loop itself, or of what stands in its frame."""
        scopes = (f"{f.path}/" for f in graph.frames if is_opened(f, self.value))
        inside = any(f"{graph.scopes[at]}/".startswith(scope) for scope in scopes)
        return inside or graph.values[at] is self.value


def is_opened(frame, value):
    """Whether a frame is that of a loop."""
    return frame.body is not None and frame.body.value is value


def known_loops(graph, numbers, adjoints, compute):
    """{id of a loop: its KnownLoop} of those whose operands have numbers, by positions.

    `compute` is trace.history.loop_history.
    """
    found, numbers, users = {}, dict(numbers), graph.users()
    for at, value in enumerate(graph.values):
        loop = loop_of(value)
        xs = [operand_number(graph, x, numbers) for x in graph.inputs[at]]
        if loop is None or loop.kind == "choice" or not all(map(is_given, xs)):
            continue
        items = {peek(graph.values[u], "params")["index"]: u for u in users[at]}
        bars = {index: adjoints[u] for index, u in items.items() if u in adjoints}
        whole = len(bars) == len(items) and max(items, default=0) < loop.carries
        history = compute(value, xs, bars if whole and all(map(is_given, bars.values())) else {})
        if history is not None:
            alone = (k for k, x in enumerate(graph.inputs[at]) if {*users[x]} == {at})
            operands = [graph.values[x] for x in graph.inputs[at]]
            results = {index: graph.values[u] for index, u in items.items()}
            known = KnownLoop(value, loop, history, operands, xs, frozenset(alone), results)
            found[id(value)] = known
            last = history.carries[-1]
            numbers |= {u: last[index] for index, u in items.items() if index < loop.carries}
    return found


def operand_number(graph, at, numbers):
    """The number that was handed in, or that of a constant; None where there is none."""
    constant = graph.roles[at] == "constant"
    return numbers.get(at, peek(graph.values[at], "value") if constant else None)


def is_given(thing):
    """Whether it may be a number or an array: a player hands in marks for numbers."""
    return thing is not None and not isinstance(thing, str)


def make_strip(history, names, outer, back=False):
    """The Strip of a history, or None where its numbers are too long to be shown.

    `names` are those of what is carried; `outer` maps places of other operands to (name, whether
    the adjoint of that comes from this loop alone); `back` says that a scan runs from last to
    first.
    """
    count = len(history.carries) - 1
    numbers = range(count, 0, -1) if back else range(1, count + 1)
    columns = ("start", *map(str, numbers))
    values = [StripRow(name, "value", cells_of(history.carries, k)) for k, name in enumerate(names)]
    adjoints = [
        StripRow(name, "adjoint", cells_of(history.bars, k))
        for k, name in enumerate(names)
        if history.bars and k in history.bars[0]
    ]
    shares = [share_row(history.shares[at], *known) for at, known in outer.items()]
    rows = [*values[:ROWS], *adjoints[:ROWS], *shares[:ROWS]]
    rows = [row for row in rows if all(len(cell) <= LONG for cell in row.cells)]
    if not any(row.kind == "value" and any(row.cells) for row in rows) or not count:
        return None
    return fold_columns(Strip(columns, tuple(rows), history.shown))


def cells_of(steps, k):
    """What is carried at a place, after each of the steps."""
    return tuple(minus(number_text(step[k])) for step in steps)


def share_row(shares, name, alone):
    """The row of what each iteration adds to the adjoint of a value, and the sum."""
    cells = tuple(minus(number_text(share)) for share in shares)
    cells = tuple(cell if cell[:1] in "−[" else f"+{cell}" for cell in cells)
    total = minus(number_text(sum(shares)))
    said = (Term(with_bar(name), kind="adjoint"), Term(f" = {total}"))
    return StripRow(name, "share", ("", *cells), said if alone else (Term(f"Σ = {total}"),))


def fold_columns(strip):
    """A strip with "…" for its columns in the middle, where there are too many."""
    count = len(strip.columns)
    if count <= COLUMNS:
        return strip
    kept = [*range(COLUMNS // 2), *range(count - COLUMNS // 2 + 1, count)]
    middle = COLUMNS // 2

    def fold(cells):
        chosen = [cells[at] for at in kept]
        return (*chosen[:middle], "…", *chosen[middle:])

    rows = tuple(row._replace(cells=fold(row.cells)) for row in strip.rows)
    now = strip.now if strip.now is not None and strip.now < middle else None
    return strip._replace(columns=fold(strip.columns), rows=rows, now=now)
