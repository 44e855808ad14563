"""Two graphs of which one was made from the other: which of their values are the same."""

from typing import NamedTuple

from minigrad.draw.read import form_of, params_text, peek, value_text
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
    later = {old: new for new, old in match.items()}
    gone = [at for at in range(len(before.values)) if at not in later]
    order = interleave(before, after, later, gone)
    place = {key: here for here, key in enumerate(order)}
    now = [place[at, "after"] for at in range(len(after.values))]
    then = {old: now[new] for old, new in later.items()} | {old: place[old, "gone"] for old in gone}
    was = {here: old for old, here in then.items()}
    parts = [(before, then, at) if which == "gone" else (after, now, at) for at, which in order]
    columns = ("values", "ops", "roles", "names", "scopes")
    graph = after._replace(
        **{name: [getattr(source, name)[at] for source, _, at in parts] for name in columns},
        inputs=[tuple(places[x] for x in source.inputs[at]) for source, places, at in parts],
        results=tuple(now[at] for at in after.results),
        ids=[before.ids[was[at]] if at in was else next(ids) for at in range(len(parts))],
        place={id(source.values[at]): here for here, (source, _, at) in enumerate(parts)},
    )
    marks, lost = find_changes(before, after, match, now, then)
    marks |= {here: "gone" for here, (_, which) in enumerate(order) if which == "gone"}
    return Union(graph, marks, was, lost, now)


def interleave(before, after, later, gone):
    """Positions as (at, "after" or "gone"): each behind what it was computed from."""
    key = {}
    for old in gone:
        key[old] = max((key[x] if x in key else later[x] for x in before.inputs[old]), default=-1)
    order = [(at, 0, at, "after") for at in range(len(after.values))]
    order += [(key[old], 1, old, "gone") for old in gone]
    return [(at, which) for *_, at, which in sorted(order)]


def find_changes(before, after, match, now, then):
    """({position: "ring"} of what is new or changed, the operands that were lost).

    `now` and `then` give the positions in the union of what is later and what was earlier.
    """
    marks, lost = {}, []
    for new, inputs in enumerate(after.inputs):
        old, sources = match.get(new), [now[x] for x in inputs]
        past = [] if old is None else [then[x] for x in before.inputs[old]]
        same = old is not None and before.ops[old] == after.ops[new]
        if not same or sorted(past) != sorted(sources):
            marks[now[new]] = "ring"
        lost += [(source, now[new]) for source in dict.fromkeys(past) if source not in sources]
    return marks, lost


class Matching:
    """Later position → earlier position: what is equal, then what moved, then what it became."""

    def __init__(self, before, after, noted):
        self.before, self.after, self.found = before, after, {}
        self.free = set(range(len(before.values)))
        signs = {id(graph): list(map(sign, *graph_columns(graph))) for graph in (before, after)}
        places = {
            id(graph): list(map(source_line, *graph_columns(graph))) for graph in (before, after)
        }

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


def graph_columns(graph):
    """The values, ops, roles and names of a graph, side by side."""
    return graph.values, graph.ops, graph.roles, graph.names


def sign(value, op, role, name):
    """What a value is, but for its operands and its name."""
    number = value_text(value) if role == "constant" else ""
    return op, role, params_text(value, 200), str(form_of(value)), number


def source_line(value, op, role, name):
    """The learner's line that a value comes from, its form and name; None where unknown."""
    line = peek(value, "line")
    return None if line is None else (str(line), str(form_of(value)), name)
