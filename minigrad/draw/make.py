"""From a learner's values to a scene: outline, fold, forward nodes, adjoints, notes."""

from collections import Counter
from collections.abc import ItemsView

from minigrad.draw.fold import fold
from minigrad.draw.mirror import Mirror
from minigrad.draw.outline import flatten, outline
from minigrad.draw.primal import Primal
from minigrad.draw.read import number_text
from minigrad.draw.scene import Scene
from minigrad.errors import ArgumentError


def make_scene(values, asked):
    """The scene of these values, as `asked` (a draw.Asked) wants it."""
    results = flatten(values)
    graph = outline(results, asked.names)
    place = Places(graph)
    limit = asked.budget // 2 if asked.mode == "mirror" else asked.budget
    folding = fold(graph, limit, asked.expand, asked.depth)
    ids = tuple(f"n{at}" for at in graph.results)
    notes = tuple(notes_on(graph, folding, limit))
    if folding.size() > limit:
        return Scene(asked.mode, (), (), asked.title, notes, len(graph.values), ids, table(graph))
    mirrored = asked.mode == "mirror"
    primal = Primal(graph, folding, asked.show, place.numbers(asked.values), mirrored)
    nodes, edges = primal.nodes, primal.edges
    if mirrored:
        shares = place.shares(asked.adjoints, primal)
        wrt = None if asked.wrt is None else place.all(flatten(asked.wrt))
        mirror = Mirror(graph, folding, primal, wrt, place.numbers(asked.adjoints), shares)
        nodes, edges = nodes + mirror.nodes, edges + mirror.backward
        edges += mirror.saved if asked.saved else []
    shown = tuple(primal.ids[primal.owner[at]] for at in graph.results)
    return Scene(
        asked.mode, tuple(nodes), tuple(edges), asked.title, notes, len(graph.values),
        tuple(dict.fromkeys(shown)),
    )


class Places:
    """Where the learner's objects stand in an outline, by identity."""

    def __init__(self, graph):
        self.at = {id(value): at for at, value in enumerate(graph.values)}

    def all(self, values):
        """The positions of those values that are in the graph."""
        return {self.at[id(value)] for value in values if id(value) in self.at}

    def numbers(self, pairs):
        """Position → number, from a mapping or from (value, number, …) tuples."""
        return {self.at[id(one)]: number for one, number, *_ in listed(pairs) if id(one) in self.at}

    def shares(self, trace, primal):
        """(source id, user id) → texts, from (primal, adjoint, [(user, share), …]) tuples."""
        found = {}
        for one, _, *rest in listed(trace):
            for user, share in rest[0] if rest else ():
                ends = tuple(primal.owner.get(self.at.get(id(end))) for end in (one, user))
                if None not in ends:
                    key = tuple(primal.ids[end] for end in ends)
                    found.setdefault(key, []).append(number_text(share))
        return found


def listed(pairs):
    """The pairs of a mapping, or the tuples of a list."""
    found = pairs.items() if hasattr(pairs, "items") else pairs or ()
    if isinstance(found, (list, tuple, ItemsView)) and all(map(is_pair, found)):
        return list(found)
    raise ArgumentError(
        f"draw: {type(pairs).__name__} does not say which number belongs to which value",
        "pass {value: number}, or a list of (value, number)",
    )


def is_pair(thing):
    """Whether it is a tuple of a value and a number, and perhaps more."""
    return isinstance(thing, tuple) and len(thing) >= 2


def notes_on(graph, folding, limit):
    """What was left out, and the calls that show more."""
    total, shown = len(graph.values), folding.size()
    if total == shown <= limit:
        return
    said = list(folding.said)
    if folding.hidden:
        said.insert(0, f"{len(folding.hidden)} constants in labels")
    cut = [group.label for group in folding.groups if group.kind == "rest"]
    if shown > limit:
        yield f"{total:,} nodes, too many to draw ({shown:,} after folding)."
        yield f"More: draw(y, depth=4), draw(y, budget={shown})"
        return
    yield f"{total:,} nodes; drawing {shown} ({', '.join(cut + said)})."
    yield f"More: {', '.join(more(folding, total))}"


def more(folding, total):
    """Calls that show more, at most three."""
    for group in folding.groups:
        if group.kind == "scope":
            yield f'draw(y, expand="{group.label}")'
            break
    for group in folding.groups:
        if group.kind == "repeat":
            yield f'draw(y, expand="n{group.members[0]}")'
            break
    if any(group.kind == "rest" for group in folding.groups):
        yield "a larger depth"
    yield f"draw(y, budget={total})"


def table(graph):
    """(what, how many) for every op and kind of leaf, the most frequent first."""
    words = [op if role == "op" else role for op, role in zip(graph.ops, graph.roles)]
    count = Counter(word or "?" for word in words)
    return tuple(sorted(count.items(), key=lambda item: (-item[1], item[0])))
