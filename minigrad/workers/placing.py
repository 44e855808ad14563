"""Where each node of a graph is computed, and in which order: a graph cut into pieces by worker."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from minigrad.errors import ArgumentError, GraphError
from minigrad.feeds import check_fetches
from minigrad.graph import ConstantOp, Node, PlaceholderOp, RunIndex, VariableOp
from minigrad.program import find_needed, name_node
from minigrad.spec import Bundle
from minigrad.statements import Assign, Group

ANYWHERE = (ConstantOp, PlaceholderOp, RunIndex)  # what every piece has that reads it


class Piece(NamedTuple):
    """What one worker computes at one go.

    `fed` comes from the caller, `received` from other workers, `kept` from earlier pieces of the
    same worker; `fetched` is what is wanted of it, of which `sent` goes to other workers.
    """

    worker: int
    stage: int
    nodes: list[Node]
    fed: list[Node]
    received: list[Node]
    kept: list[Node]
    fetched: list[Node]
    sent: list[Node]

    def __str__(self) -> str:
        parts = [f"stage {self.stage} on worker {self.worker}: {len(self.nodes)} nodes"]
        for what in ("fed", "received", "kept", "fetched"):
            if nodes := getattr(self, what):
                parts.append(f"{what} {', '.join(map(name_node, nodes))}")
        return "; ".join(parts)


def place_nodes(needed: Sequence[Node], places: Mapping[str, int]) -> dict[int, int]:
    """{number of a node: its worker} for all that are computed or stored.

    A node lies where its scope is placed, one of a derivative where its forward node is; an
    assignment where its variable is. Others go to the largest of their operands that has a place,
    sources to the first of their readers.
    """
    graph = needed[0].graph
    check_places(places, needed)
    home: dict[int, int] = {}
    for node in needed:
        of = node if node.as_of is None else graph.nodes[min(node.as_of, len(graph.nodes) - 1)]
        worker = worker_of_scope(node.scope, places)
        worker = worker_of_scope(of.scope, places) if worker is None else worker
        if worker is not None:
            home[node.order] = worker
    follow_operands(needed, home)
    for node in reversed(needed):
        for x in (*node.inputs, *node.controls):
            if node.order in home:
                home.setdefault(x.order, home[node.order])
    for node in needed:
        home.setdefault(node.order, min(places.values()))
        if node.op is Assign:
            home[node.order] = home[node.inputs[0].order]
        bundles = [x for x in node.inputs if isinstance(x.dtype, Bundle)]
        if bundles:  # a tuple of arrays is taken apart where it was made
            home[node.order] = home[bundles[0].order]
    return home


def follow_operands(needed: Sequence[Node], home: dict[int, int]) -> None:
    """Gives nodes without a place that of their largest operand that has one."""
    for node in needed:
        placed = [x for x in node.inputs if x.order in home]
        if node.order not in home and placed:
            home[node.order] = home[max(placed, key=known_bytes).order]


def known_bytes(node: Node) -> float:
    """The bytes of a node's value, with 1 for each length that is not known."""
    if isinstance(node.dtype, Bundle):
        return float("inf")
    return node.dtype.itemsize * int(np.prod([n or 1 for n in node.shape], dtype=object))


def worker_of_scope(scope: str, places: Mapping[str, int]) -> int | None:
    """The worker of the innermost scope that has a place, or None."""
    parts = scope.split("/")
    for length in range(len(parts), 0, -1):
        if (path := "/".join(parts[:length])) in places:
            return places[path]
    return None


def check_places(places: Mapping[str, int], needed: Sequence[Node]) -> None:
    """Raises ArgumentError for a scope without nodes, or a worker that is no number."""
    if not isinstance(places, Mapping) or not places:
        raise ArgumentError(
            f"the places are {places!r}", 'write {"encoder": 0, "decoder": 1}: scope → worker'
        )
    scopes = {node.scope for node in needed}
    known = {"/".join(s.split("/")[:n]) for s in scopes for n in range(1, s.count("/") + 2)} - {""}
    for scope, worker in places.items():
        if scope not in known:
            near = get_close_matches(str(scope), known, 1)
            raise ArgumentError(
                f"no node lies in the scope {scope!r}",
                f"did you mean {near[0]!r}?" if near else "build it inside mg.name_scope(…)",
            )
        if not isinstance(worker, int) or isinstance(worker, bool) or worker < 0:
            raise ArgumentError(f"{scope!r} is placed on {worker!r}", "number the workers from 0")


# stages ------------------------------------------------------------------------------------------


def number_stages(needed: Sequence[Node], home: Mapping[int, int]) -> dict[int, int]:
    """{number of a node: its stage}: one more for each time that its value has to change worker.

    What reads a variable before an assignment is not computed after it, nor the other way round.
    """
    before = {node.order: operands_of(node) for node in needed}
    for node in needed:
        for assign in assignments_of(node, needed):
            early = node.moment <= assign.order
            first, second = (node, assign) if early else (assign, node)
            if not early and home[node.order] != home[assign.order]:
                raise GraphError(
                    f"{name_node(node)} reads {name_node(assign.inputs[0])}, which another "
                    "worker assigns before",
                    "read it before the assignment, or place both on one worker",
                )
            if first is not second:
                before[second.order].append(first)
    stage = dict.fromkeys(before, 0)
    for _ in range(len(needed) + 1):
        found = {
            node.order: max(
                (stage[x.order] + (home[x.order] != home[node.order]) for x in before[node.order]),
                default=0,
            )
            for node in needed
        }
        if found == stage:
            return stage
        stage = found
    raise GraphError(
        "what is assigned on one worker is read before that by what follows from it",
        "place the variable and its readers on one worker",
    )


def operands_of(node: Node) -> list[Node]:
    """The operands whose values come from some piece."""
    return [x for x in (*node.inputs, *node.controls) if x.op not in ANYWHERE]


def assignments_of(node: Node, needed: Sequence[Node]) -> list[Node]:
    """The assignments to the variables that a node reads; to its own, for an assignment."""
    read = {x.order for x in node.inputs if x.op is VariableOp}
    return [n for n in needed if n.op is Assign and n is not node and n.inputs[0].order in read]


# pieces ------------------------------------------------------------------------------------------


def cut_pieces(outputs: Iterable[Node], places: Mapping[str, int]) -> list[Piece]:
    """The pieces that compute `outputs`, in the order in which they run.

    Raises ArgumentError for a scope that is not there, GraphError for what cannot be cut.
    """
    wanted = {node.order: node for node in members(outputs)}
    if not wanted:
        raise ArgumentError("there is nothing to partition", "pass nodes: [loss, *gradients]")
    first = next(iter(wanted.values()))
    check_fetches(wanted.values(), first.graph)
    needed = [n for n in find_needed(wanted.values(), ()) if n.op is not Group]
    home = place_nodes(needed, places)
    stage = number_stages(needed, home)
    for node in needed:
        for x in node.controls:
            if (home[x.order], stage[x.order]) != (home[node.order], stage[node.order]):
                raise GraphError(
                    f"{name_node(node)} waits for {name_node(x)}, which is in another piece",
                    "place both on one worker, or run it by itself",
                )
    return build_pieces(needed, wanted, home, stage)


def members(outputs: Iterable[Node]) -> list[Node]:
    """The outputs, with what they run in the place of groups."""
    found = []
    for node in outputs:
        group = isinstance(node, Node) and node.op is Group
        found += members(node.inputs) if group else [node]
    return found


def build_pieces(
    needed: Sequence[Node], wanted: Mapping[int, Node], home: dict[int, int], stage: dict[int, int]
) -> list[Piece]:
    """The pieces of nodes that have a worker and a stage."""
    own = [n for n in needed if n.op not in ANYWHERE or n.order in wanted]
    keys = {n.order: (stage[n.order], home[n.order]) for n in own}
    pieces = {
        key: Piece(key[1], key[0], [], [], [], [], [], []) for key in sorted(set(keys.values()))
    }
    for node in own:
        key = keys[node.order]
        pieces[key].nodes.append(node)
        if node.order in wanted or node.op is Assign:
            add_once(pieces[key].fetched, node)
        for x in (node, *node.inputs) if node.op in ANYWHERE else node.inputs:
            link_operand(x, key, keys, pieces)
    return list(pieces.values())


def link_operand(x: Node, key: tuple, keys: dict[int, tuple], pieces: dict[tuple, Piece]) -> None:
    """Notes where the piece of `key` has the value of x from."""
    piece = pieces[key]
    if x.op in (PlaceholderOp, RunIndex):
        add_once(piece.fed, x)
    elif x.op is not ConstantOp and keys[x.order] != key:
        source = pieces[keys[x.order]]
        if source.worker != piece.worker:
            add_once(piece.received, x)
            add_once(source.sent, x)
            add_once(source.fetched, x)
        elif x.op is not VariableOp:
            add_once(piece.kept, x)
            add_once(source.fetched, x)


def add_once(nodes: list[Node], node: Node) -> None:
    """Appends a node that is not there yet."""
    if all(node is not other for other in nodes):
        nodes.append(node)
