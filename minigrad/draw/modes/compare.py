"""Two graphs of which one was made from the other: which of their values are the same."""

from typing import NamedTuple

from minigrad.draw.read import params_text, peek, spec_of, value_text
from minigrad.draw.read.outline import Outline


class Union(NamedTuple):
    """Both graphs in one: the later one, and what is gone from the earlier one."""

    graph: Outline
    marks: dict  # position → "ring" (new or changed) or "gone"
    was: dict  # position → the position in the earlier graph
    lost: list  # (source, target): what a value that stays used before
    after: list  # for each position of the later graph: its position here


def union(before, after, ids, noted=()):
    """The Union of two Outlines; `ids` gives each new value an id, as next(ids).

    `noted` are earlier positions of which it is said that something became of them.
    """
    match = Matching(before, after, frozenset(noted)).found
    kept = set(match.values())
    gone = [at for at in range(len(before.values)) if at not in kept]
    order = arranged(before, after, match, gone)
    place = {key: position for position, key in enumerate(order)}
    stays = {old: place[new, "after"] for new, old in match.items()}
    stays |= {old: place[old, "gone"] for old in gone}
    parts = [(before if which == "gone" else after, at, which) for at, which in order]
    graph = after._replace(
        values=[source.values[at] for source, at, _ in parts],
        inputs=[
            tuple(stays[x] if which == "gone" else place[x, "after"] for x in source.inputs[at])
            for source, at, which in parts
        ],
        ops=[source.ops[at] for source, at, _ in parts],
        roles=[source.roles[at] for source, at, _ in parts],
        names=[source.names[at] for source, at, _ in parts],
        scopes=[source.scopes[at] for source, at, _ in parts],
        results=tuple(place[at, "after"] for at in after.results),
        ids=[
            before.ids[at if which == "gone" else match[at]]
            if which == "gone" or at in match
            else next(ids)
            for _, at, which in parts
        ],
        place={id(source.values[at]): position for position, (source, at, _) in enumerate(parts)},
    )
    was = {place[new, "after"]: old for new, old in match.items()}
    was |= {place[old, "gone"]: old for old in gone}
    found = Union(graph, {}, was, [], [place[at, "after"] for at in range(len(after.values))])
    mark(found, before, after, match, place, stays)
    return found


def arranged(before, after, match, gone):
    """Positions as (at, "after" or "gone"): each behind what it was computed from."""
    late = {old: new for new, old in match.items()}
    key = {}
    for old in gone:
        key[old] = max((key[x] if x in key else late[x] for x in before.inputs[old]), default=-1)
    order = [(at, 0, at, "after") for at in range(len(after.values))]
    order += [(key[old], 1, old, "gone") for old in gone]
    return [(at, which) for *_, at, which in sorted(order)]


def mark(found, before, after, match, place, stays):
    """Fills in what changed, and which operands were lost."""
    for new in range(len(after.values)):
        at, old = place[new, "after"], match.get(new)
        now = [place[x, "after"] for x in after.inputs[new]]
        past = [stays[x] for x in before.inputs[old]] if old is not None else None
        if old is None or before.ops[old] != after.ops[new] or sorted(past) != sorted(now):
            found.marks[at] = "ring"
        for source in dict.fromkeys(past or ()):
            if source not in now:
                found.lost.append((source, at))
    for (old, which), at in place.items():
        if which == "gone":
            found.marks[at] = "gone"


class Matching:
    """Later position → earlier position: what is equal, then what moved, then what it became."""

    def __init__(self, before, after, noted):
        self.before, self.after, self.found = before, after, {}
        self.free = set(range(len(before.values)))
        signs = {id(graph): list(map(sign, *columns(graph))) for graph in (before, after)}
        places = {id(graph): list(map(origin, *columns(graph))) for graph in (before, after)}

        def kind(graph, at):
            return signs[id(graph)][at]

        def moved(graph, at):
            line = None if graph is before and at in noted else places[id(graph)][at]
            return line and (kind(graph, at), line)

        def became(graph, at):
            return None if graph is before and at not in noted else places[id(graph)][at]

        self.by(kind, all)
        self.by(moved, lambda same: True)
        self.by(kind, any)
        self.by(became, lambda same: True)
        self.by(kind, any)

    def by(self, key, enough):
        """Matches values of equal keys whose operands match: `enough` of them."""
        index = {}
        for old in sorted(self.free):
            index.setdefault(key(self.before, old), []).append(old)
        for new in range(len(self.after.values)):
            word = None if new in self.found else key(self.after, new)
            old = self.best(new, index.get(word, ()), enough) if word is not None else None
            if old is not None:
                self.found[new] = old
                self.free.discard(old)

    def best(self, new, olds, enough):
        """The free value with the most matching operands, then of the same name; or None."""
        wanted = [self.found.get(x) for x in self.after.inputs[new]]
        best, most = None, (-1, False)
        for old in olds:
            theirs = self.before.inputs[old]
            same = [one == other for one, other in zip(wanted, theirs)]
            leaf = not wanted and not theirs
            rank = (sum(same), self.before.names[old] == self.after.names[new])
            fits = (
                leaf
                or enough is not all
                and enough(same)
                or (len(wanted) == len(theirs) > 0 and all(same))
            )
            if old in self.free and fits and rank > most:
                best, most = old, rank
        return best


def columns(graph):
    """The values, ops, roles and names of a graph, side by side."""
    return graph.values, graph.ops, graph.roles, graph.names


def sign(value, op, role, name):
    """What a value is, but for its operands and its name."""
    number = value_text(value) if role == "constant" else ""
    return op, role, params_text(value, 200), str(spec_of(value)), number


def origin(value, op, role, name):
    """The learner's line that a value comes from, its form and name; None where unknown."""
    line = peek(value, "line")
    return None if line is None else (str(line), str(spec_of(value)), name)
