"""Where each node of a graph is computed, and in which order: a graph cut into pieces by worker."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from minigrad.core.errors import ArgumentError, GraphError
from minigrad.static.control.bundle import Bundle
from minigrad.static.feeds import check_fetches
from minigrad.static.graph import ConstantOp, Group, Node, PlaceholderOp, RunIndex, VariableOp
from minigrad.static.program import find_needed, name_node
from minigrad.static.statements import Assign

ANYWHERE = (ConstantOp, PlaceholderOp, RunIndex)  # what every piece has that reads it


class Piece(NamedTuple):
    """What one worker computes at one go.

    `fed` comes from the caller, `received` from other workers, `kept` from earlier pieces of the
    same worker, which computed or received it; `fetched` is what is wanted of it, of which `sent`
    goes to other workers.
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
        of = node if node.version is None else graph.nodes[min(node.version, len(graph.nodes) - 1)]
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
            f"{places!r} is not a dict of places",
            'write {"encoder": 0, "decoder": 1}: scope → worker',
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
    """{number of a node: its stage}: one more for each time that a value has to change worker.

    A node is in the last stage in which all that needs it has it in time: so there are few pieces.
    """
    before = find_before(needed, home)
    early = relax(
        before, dict.fromkeys(before, 0), lambda now, x, n: now[x] + apart(home, x, n), max
    )
    after: dict[int, list[int]] = {n: [] for n in before}
    for n, earlier in before.items():
        for x in earlier:
            after[x].append(n)
    return relax(after, early, lambda now, x, n: now[x] - apart(home, x, n), min)


def relax(links: dict[int, list[int]], start: dict, step: Callable, choose: Callable) -> dict:
    """Numbers that agree along all links: each the choice among `step` of its links' numbers."""
    now = start
    for _ in range(len(links) + 1):
        found = {
            n: choose([step(now, x, n) for x in xs], default=start[n]) for n, xs in links.items()
        }
        if found == now:
            return now
        now = found
    raise GraphError(
        "this placement is circular: an assignment must run before and after a read elsewhere",
        "place the variable and its readers on one worker",
    )


def apart(home: Mapping[int, int], one: int, other: int) -> bool:
    """True for nodes on two workers."""
    return home[one] != home[other]


def find_before(needed: Sequence[Node], home: Mapping[int, int]) -> dict[int, list[int]]:
    """{number of a node: the nodes that cannot be in a later stage}: its operands, and, around an
    assignment, what reads the variable as it was before it, or as it is after it."""
    before = {
        node.order: [x.order for x in (*node.inputs, *node.controls) if x.op not in ANYWHERE]
        for node in needed
    }
    assigns = [node for node in needed if node.op is Assign]
    for node in needed:
        read = {x.order for x in node.inputs if x.op is VariableOp}
        for assign in assigns:
            if assign is node or assign.inputs[0].order not in read:
                continue
            if node.read_version <= assign.order:
                before[assign.order].append(node.order)
            elif home[node.order] == home[assign.order]:
                before[node.order].append(assign.order)
            else:
                raise GraphError(
                    f"{name_node(node)} reads {name_node(assign.inputs[0])}, which another "
                    "worker assigns before",
                    "read it before the assignment, or place both on one worker",
                )
    return before


# pieces ------------------------------------------------------------------------------------------


def cut_pieces(outputs: Iterable[Node], places: Mapping[str, int]) -> list[Piece]:
    """The pieces that compute `outputs`, in the order in which they run.

    Raises ArgumentError for a scope that is not there, GraphError for what cannot be cut.
    """
    outputs = list(outputs)
    if not outputs or not isinstance(outputs[0], Node):
        message = (
            f"{type(outputs[0]).__name__} is not a Node"
            if outputs
            else "the list of outputs is empty"
        )
        raise ArgumentError(message, "partition nodes of a Graph: [loss, *gradients]")
    check_fetches(outputs, outputs[0].graph)
    wanted = {node.order: node for node in expand_groups(outputs)}
    needed = [n for n in find_needed(wanted.values(), ()) if n.op is not Group]
    home = place_nodes(needed, places)
    stage = number_stages(needed, home)
    for node in needed:
        for x in [c for c in node.controls if c.op not in ANYWHERE]:
            if (home[x.order], stage[x.order]) != (home[node.order], stage[node.order]):
                raise GraphError(
                    f"{name_node(node)} waits for {name_node(x)}, which is in another part",
                    "place both on one worker, or run the node separately",
                )
    return build_pieces(needed, wanted, home, stage)


def expand_groups(outputs: Iterable[Node]) -> list[Node]:
    """The outputs, with what they run in the place of groups."""
    found = []
    for node in outputs:
        found += expand_groups(node.inputs) if node.op is Group else [node]
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
        own_value = [node] if node.op in ANYWHERE else []
        for x in (*own_value, *node.inputs, *[c for c in node.controls if c.op in ANYWHERE]):
            link_operand(x, key, keys, pieces)
    keep_received(pieces.values())
    return list(pieces.values())


def keep_received(pieces: Iterable[Piece]) -> None:
    """Lets a worker keep what it has received, so that no value travels to it twice."""
    there: dict[int, set[int]] = {}
    for piece in pieces:
        before = there.setdefault(piece.worker, set())
        for node in [node for node in piece.received if node.order in before]:
            piece.received[:] = [other for other in piece.received if other is not node]
            add_once(piece.kept, node)
        before.update(node.order for node in piece.received)


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
