"""What each mode of drawing adds to the forward graph: adjoints, tangents, buffers, workers."""

from typing import Any, NamedTuple

from minigrad.draw.modes.derivatives import Adjoints, LedgerTangents, Tangents
from minigrad.draw.modes.notes import DERIVED as DERIVED
from minigrad.draw.modes.notes import DOUBLED as DOUBLED
from minigrad.draw.modes.notes import notes_on_adjoints
from minigrad.draw.modes.plan import colour_buffers
from minigrad.draw.modes.primal import Primal
from minigrad.draw.modes.profile import colour_profile
from minigrad.draw.modes.workers import colour_workers
from minigrad.draw.read import number_text
from minigrad.draw.read.outline import Outline
from minigrad.draw.read.tangents import TangentPass


class Basis(NamedTuple):
    """What a mode adds its nodes and edges from."""

    graph: Outline
    primal: Primal
    place: Any  # a make.Places
    options: Any  # a make.DrawOptions
    executable: Any
    grads: dict  # position → the value's own gradient
    bars: dict = {}  # position → what is known of the adjoint from the history of a loop
    ledger: TangentPass | None = None  # of a graph that computes tangents
    sums: dict = {}  # position → pairs (operand, number): what its tangent is known to be summed of

    def wrt(self):
        """The positions of what is differentiated, or None."""
        wrt = self.options.wrt
        return None if wrt is None else self.place.all(wrt)

    def adjoints(self):
        """The adjoints below the primals."""
        pairs = self.options.adjoints
        shares = self.loop_shares() | self.place.shares(pairs, self.primal)
        numbers = self.grads | self.bars | self.place.numbers(pairs)
        return Adjoints(self.primal, self.wrt(), numbers, shares)

    def loop_shares(self):
        """(source id, user id) → texts, of what loops add to the adjoints of their operands."""
        pairs = [p for one in self.primal.loops.values() for p in one.contributions(self.graph)]
        owners, ids = self.primal.owner, self.primal.ids
        return {tuple(ids[owners[at]] for at in ends): [number_text(n)] for ends, n in pairs}


def forward(scene, basis):
    """The graph as it is."""
    return scene


def split(scene, basis):
    """Adjoints as the lower halves of their primals' cards."""
    return mirror(scene, basis)._replace(halves=True)


def mirror(scene, basis):
    """Adjoints below their primals, each in its primal's column."""
    adjoints = basis.adjoints()
    saved = adjoints.saved_edges() if basis.options.saved else ()
    notes = (*notes_on_adjoints(adjoints, basis.options), *scene.notes)
    scene = mark_saved(scene, adjoints.saved_ids())._replace(notes=notes)
    return scene.plus(adjoints.nodes, (*adjoints.edges(), *saved))


def mark_saved(scene, ids):
    """The scene with a bookmark on what a backward rule reads."""
    nodes = (node._replace(saved=True) if node.id in ids else node for node in scene.nodes)
    return scene._replace(nodes=tuple(nodes))


def backward(scene, basis):
    """The adjoints alone, where the mirror has them; with `saved`, also what their rules read."""
    adjoints = basis.adjoints()
    if not adjoints.nodes:
        note = 'Nothing here requires a gradient: draw(y, mode="backward", wrt=x).'
        return scene._replace(nodes=(), edges=(), results=(), frames=(), notes=(note,))
    scene = scene._replace(notes=(*notes_on_adjoints(adjoints, basis.options), *scene.notes))
    saved = tuple(adjoints.saved_edges()) if basis.options.saved else ()
    kept = {edge.source for edge in saved}
    return scene._replace(
        nodes=(*(node for node in scene.nodes if node.id in kept), *adjoints.nodes),
        edges=(*adjoints.edges(), *saved),
        results=tuple(adjoints.ids[id] for id in scene.results if id in adjoints.ids),
        under=mirror(scene, basis),
        frames=(),
    )


def tangent(scene, basis):
    """Tangents as the lower halves of their primals' cards, with arrows that point on."""
    if basis.ledger:
        return tangents_by_ledger(scene, basis)
    numbers = basis.place.numbers(basis.options.tangents)
    wrt = set(numbers) if numbers and basis.options.wrt is None else basis.wrt()
    tangents = Tangents(basis.primal, wrt, numbers)
    return scene.plus(tangents.nodes, tangents.edges())._replace(halves=True)


def tangents_by_ledger(scene, basis):
    """The same of a graph that computes the tangents."""
    found = basis.ledger
    tangents = LedgerTangents(basis.primal, found, basis.bars, basis.sums)
    total, cards = len(found.whole.values), len(scene.nodes)
    nodes = tuple(n._replace(opens="") if n.opens == n.id else n for n in scene.nodes)
    scene = scene._replace(
        nodes=nodes,
        halves=True,
        total=total,
        owners=scene.owners | tangents.owners(),
        notes=(f"{total:,} nodes on {cards:,} cards, each value with its tangent.", *scene.notes),
    )
    halves = (node._replace(opens="") for node in tangents.nodes)
    return scene.plus(tuple(halves), tuple(tangents.edges()))


MODES = {
    "forward": forward,
    "split": split,
    "mirror": mirror,
    "backward": backward,
    "tangent": tangent,
    "plan": colour_buffers,
    "loop": forward,
    "workers": colour_workers,
    "profile": colour_profile,
}
