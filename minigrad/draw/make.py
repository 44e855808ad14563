"""From a learner's values to a scene: outline, fold, forward nodes, adjoints, notes."""

from collections.abc import ItemsView
from typing import NamedTuple

from minigrad.draw.modes.derivatives import Mirror, Tangents, split
from minigrad.draw.modes.notes import notes_on, table
from minigrad.draw.modes.plan import planned
from minigrad.draw.modes.primal import Primal, with_stubs
from minigrad.draw.read import number_text
from minigrad.draw.read.bodies import kernel_of
from minigrad.draw.read.fold import fold
from minigrad.draw.read.outline import Folding, Outline, flatten, outline
from minigrad.draw.read.source import Source, source
from minigrad.draw.scene import Scene
from minigrad.errors import ArgumentError


def make_scene(values, asked):
    """The scene of these values, as `asked` (a draw.Asked) wants it."""
    found = source(values, asked.mode, asked.feed)
    names = {**found.arguments, **dict(asked.names or {})}
    graph = outline(found.values, names, chosen_by(asked), found.arguments.values())
    place = Places(graph)
    limit = asked.budget // 2 if asked.mode in DOUBLED else asked.budget
    centres = place.centres(asked.around)
    folding = fold(graph, limit, asked.expand, asked.depth, centres)
    notes = tuple(notes_on(graph, folding, limit, asked))
    if folding.size() > limit:
        ids = tuple(graph.ids[at] for at in graph.results)
        return Scene(asked.mode, (), (), asked.title, notes, len(graph.values), ids, table(graph))
    primal = Primal(
        graph,
        folding,
        asked.show,
        place.numbers(asked.values),
        asked.mode in DOUBLED,
        place.numbers(asked.adjoints),
    )
    scene = Scene(
        asked.mode,
        tuple(primal.nodes),
        tuple(primal.edges),
        asked.title,
        notes,
        len(graph.values),
        shown_results(graph, primal),
        frames=tuple(graph.frames),
    )
    scene = with_stubs(scene, graph, primal) if centres else scene
    return MODES[asked.mode](scene, Parts(graph, folding, primal, place, asked, found))


class Parts(NamedTuple):
    """What a mode adds its nodes and edges from."""

    graph: Outline
    folding: Folding
    primal: Primal
    place: "Places"
    asked: NamedTuple
    found: Source

    def wrt(self):
        """The positions of what is differentiated, or None."""
        return None if self.asked.wrt is None else self.place.all(flatten(self.asked.wrt))


def forward(scene, parts):
    """The graph as it is."""
    return scene


def mirror(scene, parts):
    """Adjoints below their primals, each in its primal's column."""
    adjoints = mirrored(parts)
    edges = adjoints.backward + (adjoints.saved if parts.asked.saved is not False else [])
    return scene._replace(nodes=(*scene.nodes, *adjoints.nodes), edges=(*scene.edges, *edges))


def backward(scene, parts):
    """The adjoints alone, where the mirror has them; with `saved`, also what their rules read.

    With `of`, the graph of a gradient: what reverse mode added to the graph of that value.
    """
    if parts.asked.of is not None:
        return split(scene, parts.graph, parts.primal, parts.place.all(flatten([parts.asked.of])))
    adjoints = mirrored(parts)
    if not adjoints.nodes:
        note = 'Nothing here requires a gradient: draw(y, mode="backward", wrt=x).'
        return scene._replace(nodes=(), edges=(), results=(), frames=(), notes=(note,))
    saved = adjoints.saved if parts.asked.saved else []
    kept = {edge.source for edge in saved}
    return scene._replace(
        nodes=(*(node for node in scene.nodes if node.id in kept), *adjoints.nodes),
        edges=(*adjoints.backward, *saved),
        results=tuple(adjoints.ids[id] for id in scene.results if id in adjoints.ids),
        under=mirror(scene, parts),
        frames=(),
    )


def mirrored(parts):
    """The adjoints of a scene."""
    shares = parts.place.shares(parts.asked.adjoints, parts.primal)
    numbers = parts.place.numbers(parts.asked.adjoints)
    return Mirror(
        parts.graph, parts.folding, parts.primal, wrt=parts.wrt(), numbers=numbers, partials=shares
    )


def tangent(scene, parts):
    """Tangents below their primals, with arrows that point on."""
    numbers = parts.place.numbers(parts.asked.tangents)
    wrt = set(numbers) if numbers and parts.asked.wrt is None else parts.wrt()
    tangents = Tangents(parts.graph, parts.folding, parts.primal, wrt=wrt, numbers=numbers)
    return scene._replace(
        nodes=(*scene.nodes, *tangents.nodes), edges=(*scene.edges, *tangents.edges)
    )


def plan(scene, parts):
    """Every value in the colour of its buffer."""
    return planned(scene, parts.graph, parts.primal, parts.found.executable)


MODES = {
    "forward": forward,
    "mirror": mirror,
    "backward": backward,
    "tangent": tangent,
    "plan": plan,
    "loop": forward,
}
DOUBLED = ("mirror", "backward", "tangent")


def chosen_by(asked):
    """Which bodies are opened: all in mode "loop", else those whose ids are in `expand`.

    Of a plan, also the fused kernels.
    """
    if asked.mode == "loop":
        return lambda id, value: True
    if asked.mode == "plan":
        return lambda id, value: kernel_of(value) is not None or id in asked.expand
    if asked.mode == "forward" and asked.expand:
        return lambda id, value: id in asked.expand
    return None


def shown_results(graph, primal):
    """The ids of the nodes that show the results."""
    drawn = (primal.owner[at] for at in graph.results if at in primal.owner)
    return tuple(dict.fromkeys(primal.ids[index] for index in drawn))


class Places:
    """Where the learner's objects stand in an outline, by identity."""

    def __init__(self, graph):
        self.at, self.ids = graph.place, graph.ids

    def all(self, values):
        """The positions of those values that are in the graph."""
        return {self.at[id(value)] for value in values if id(value) in self.at}

    def centres(self, around):
        """The positions of the values to draw the neighbourhood of; ids such as "n12" count."""
        if around is None:
            return ()
        ids = {name: at for at, name in enumerate(self.ids)}
        found = [
            ids.get(one) if isinstance(one, str) else self.at.get(id(one))
            for one in (around if isinstance(around, (list, tuple)) else [around])
        ]
        if None in found or not found:
            raise ArgumentError(
                "draw: around is no value of this graph",
                'pass a value that the result depends on, or an id as "n12"',
            )
        return tuple(found)

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
