"""Two graphs of which one was made from the other: which of their values are the same."""

from collections import defaultdict
from typing import NamedTuple

from minigrad.draw.read import form_of, params_text, peek, value_text
from minigrad.draw.read.outline import Outline
from minigrad.draw.scene import MARK


class Union(NamedTuple):
    """Both graphs in one: the later one, and what is gone from the earlier one."""

    graph: Outline
    marks: dict  # position → "ring" (new or changed) or "gone"
    was: dict  # position → the position in the earlier graph
    lost_edges: list  # (source, target): what a value that stays used before
    after: list  # for each position of the later graph: its position here


def union(before, after, ids, noted=()):
    """The Union of two Outlines; `ids` gives each new value an id, as next(ids).

    `noted` are earlier positions of which it is said that something became of them.
    """
    match = Matching(before, after, frozenset(noted)).matches
    order = interleave(before, after, match)
    now = {at: here for here, (at, which) in enumerate(order) if which == "after"}
    then = {at: here for here, (at, which) in enumerate(order) if which == "gone"}
    gone = dict.fromkeys(then.values(), "gone")
    then |= {old: now[new] for new, old in match.items()}
    was = {here: old for old, here in then.items()}
    parts = [(before, then, at) if which == "gone" else (after, now, at) for at, which in order]
    known = [before.ids[was[here]] if here in was else next(ids) for here in range(len(order))]
    frames = rename_ends(after.frames, dict(zip(after.ids, (known[at] for at in now.values()))))
    graph = join_outlines(parts)._replace(
        ids=known, results=tuple(now[at] for at in after.results), frames=frames
    )
    marks, lost = find_changes(before, after, match, now, then)
    return Union(graph, marks | gone, was, lost, list(now.values()))


def rename_ends(frames, ids):
    """The frames with other ids in their first and last columns; `ids` maps old to new."""
    names = ("ends", "starts")
    return [
        frame._replace(**{name: tuple(map(ids.get, getattr(frame, name))) for name in names})
        for frame in frames
    ]


def join_outlines(parts):
    """An Outline of parts: (the Outline of a value, where all of its stand now, its position)."""
    columns = ("values", "ops", "roles", "names", "scopes")
    inputs = [tuple(places[x] for x in source.inputs[at]) for source, places, at in parts]
    place = {id(source.values[at]): here for here, (source, _, at) in enumerate(parts)}
    same = {name: [getattr(source, name)[at] for source, _, at in parts] for name in columns}
    return Outline(**same, inputs=inputs, place=place, results=(), ids=[], frames=[])


def interleave(before, after, match):
    """Positions as (at, "after" or "gone"): each behind what it was computed from."""
    later, key = {old: new for new, old in match.items()}, {}
    gone = [at for at in range(len(before.values)) if at not in later]
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
        self.before, self.after, self.matches = before, after, {}
        self.free = set(range(len(before.values)))
        signs, new_signs = (list_keys(sign, graph) for graph in (before, after))
        old_lines, lines = (list_keys(source_line, graph) for graph in (before, after))
        became = list(zip(old_lines, are_fixed(before)))
        now = [line and (line, role == "constant") for line, role in zip(lines, after.roles)]
        moved = [line and (word, line) for word, line in zip(new_signs, lines)]
        old_moved = [line and (word, line) for word, line in zip(signs, old_lines)]
        self.by(signs, new_signs)
        old_moved = [None if at in noted else key for at, key in enumerate(old_moved)]
        self.by(old_moved, moved, any)  # of two ops alike in one line, the one that reads the same
        self.by(old_moved, moved, always)
        self.by(signs, new_signs, any)
        self.by([key if at in noted else None for at, key in enumerate(became)], now, always)
        self.by(signs, new_signs, any)

    def by(self, olds, news, enough=None):
        """Matches values of equal keys, None aside, whose operands match: all, or `enough`."""
        index = defaultdict(list)
        for old in sorted(self.free):
            index[olds[old]].append(old)
        for new, key in enumerate(news):
            if key is None or new in self.matches:
                continue
            free = [old for old in index[key] if old in self.free and self.fits(new, old, enough)]
            if free:
                self.matches[new] = max(free, key=lambda old: self.rank(new, old))
                self.free.discard(self.matches[new])

    def same_operands(self, new, old):
        """For each operand of a later value: is it what the earlier one has there?"""
        pairs = zip(self.after.inputs[new], self.before.inputs[old])
        return [self.matches.get(later) == earlier for later, earlier in pairs]

    def fits(self, new, old, enough):
        """Whether the operands match: one and all, or `enough` of them."""
        same = self.same_operands(new, old)
        alike = len(self.after.inputs[new]) == len(self.before.inputs[old])
        return alike and all(same) or enough is not None and enough(same)

    def rank(self, new, old):
        """How well they match: by their operands, then by their names."""
        return sum(self.same_operands(new, old)), self.before.names[old] == self.after.names[new]


def always(same):
    """True: no operand needs to match."""
    return True


def list_keys(key, graph):
    """What `key` makes of each value of a graph, and the body that it is in; None of None."""
    made = map(key, graph.values, graph.ops, graph.roles, graph.names)
    fused = {frame.path for frame in graph.frames if frame.kind == "fused"}
    homes = (body_around(scope, fused) for scope in graph.scopes)
    return [one and (one, home) for one, home in zip(made, homes)]


def body_around(scope, fused):
    """The path of the opened body, not of a fused kernel, that a scope lies in; or ""."""
    parts = scope.split("/")
    ends = [end for end in range(len(parts), 0, -1) if parts[end - 1][:1] == MARK]
    paths = ("/".join(parts[:end]) for end in ends)
    return next((path for path in paths if path not in fused), "")


def are_fixed(graph):
    """For each value: is it computed from constants alone? Then folding makes a constant of it."""
    fixed = []
    for role, inputs in zip(graph.roles, graph.inputs):
        fixed.append(role == "constant" or bool(inputs) and all(fixed[at] for at in inputs))
    return fixed


def sign(value, op, role, name):
    """What a value is, but for its operands and its name."""
    number = value_text(value) if role == "constant" else ""
    return op, role, params_text(value, 200), str(form_of(value)), number


def source_line(value, op, role, name):
    """The learner's line that a value comes from, its form and name; None where unknown."""
    line = peek(value, "line")
    return None if line is None else (str(line), str(form_of(value)), name)
