"""One graph on several workers: pieces by name scope, run one after another, forward and back."""

import time
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from minigrad.core.errors import FeedError
from minigrad.core.pytree import flatten, unflatten
from minigrad.draw import draw
from minigrad.draw.drawing import Drawing
from minigrad.draw.modes.workers import Later
from minigrad.draw.paint.slider import Slider
from minigrad.files import from_bytes, to_bytes
from minigrad.static.feeds import read_feeds
from minigrad.static.graph import Group, Node, PlaceholderOp, RunIndex, Variable
from minigrad.static.program import check_fed, name_node
from minigrad.static.session import Session
from minigrad.workers.placing import Piece, cut_pieces, expand_groups
from minigrad.workers.pool import Pool
from minigrad.workers.replica import end_step, place_replica, run_piece, state_of
from minigrad.workers.team import Team


class PieceTime(NamedTuple):
    """What a piece took in a run: when its stage began and ended for the client, in seconds since
    the run began, and the seconds that its worker computed, measured there."""

    worker: int
    stage: int
    begun: float
    until: float
    seconds: float


def partition(outputs: Any, places: Mapping[str, int]) -> "Partition":
    """Cut `outputs`, a nest of nodes, into the parts that workers compute; places: {scope: worker}.

    A gradient is computed where its forward node is, a variable lives where it is read, and what
    has no place goes with what it is computed from. Raises ArgumentError for a scope that is not
    there, GraphError for what cannot be cut.

    >>> with mg.Graph():
    ...     with mg.name_scope("a"):
    ...         h = mg.placeholder("x", (2,)) * 2
    ...     with mg.name_scope("b"):
    ...         y = h + 1
    >>> len(mg.workers.partition([y], {"a": 0, "b": 1}).pieces)
    2
    """
    return Partition(outputs, places)


class Partition:
    """What `partition` returns: `pieces` in the order in which they run, each with what it is
    fed, receives, keeps and fetches; `draw()`, `draw_stages()`; `run(pool, feeds)`, `times`."""

    def __init__(self, outputs: Any, places: Mapping[str, int]) -> None:
        self.outputs, self.structure = flatten(outputs)
        self.pieces = cut_pieces(self.outputs, places)
        self.team: Stages | None = None

    def __repr__(self) -> str:
        return "\n".join(map(str, self.pieces))

    @property
    def workers(self) -> list[int]:
        """The numbers of the workers that have a piece."""
        return sorted({piece.worker for piece in self.pieces})

    @property
    def crossing(self) -> dict[Node, list[int]]:
        """{node whose value leaves its worker: the workers that receive it}."""
        found: dict[Node, list[int]] = {}
        for piece in self.pieces:
            for node in piece.received:
                found.setdefault(node, []).append(piece.worker)
        return found

    @property
    def times(self) -> tuple[PieceTime, ...]:
        """What each piece took in the last run; the first one compiles. Empty before a run."""
        return self.team.times if self.team else ()

    def draw(self, **options: Any) -> Drawing:
        """The graph in a lane for each worker, with the bytes of what travels between them.

        With `profile=parts.times`, who works when in the last run, below the lanes.
        """
        return self.draw_until(max(piece.stage for piece in self.pieces), **options)

    def draw_until(self, stage: int, **options: Any) -> Drawing:
        """The graph in lanes; what is computed after a stage is dashed."""
        fed = {node.order for piece in self.pieces for node in piece.fed}
        placed = {
            node: piece.worker if piece.stage <= stage else Later(piece.worker)
            for piece in self.pieces
            for node in piece.nodes
            if node.order not in fed
        }
        return draw(*expand_groups(self.outputs), mode="workers", placed=placed, **options)

    def draw_stages(self, **options: Any) -> Slider:
        """A slider over the stages of a run: what is not computed yet is dashed."""
        drawings = []
        for stage in sorted({piece.stage for piece in self.pieces}):
            at_work = sorted({piece.worker for piece in self.pieces if piece.stage == stage})
            who = f"worker{'s' * (len(at_work) > 1)} {' and '.join(map(str, at_work))}"
            title = f"stage {stage}, on {who}"
            drawing = self.draw_until(stage, title=title, **options)
            drawing.scene = drawing.scene._replace(always_in_key=("later",))
            drawings.append(drawing)
        return Slider("Stage by stage", drawings)

    def on(self, pool: Pool, session: Session | None = None, copy_every: int = 10) -> "Stages":
        """The pieces on the workers of a pool, with the variables of `session` to begin with."""
        return Stages(pool, self, session, copy_every)

    def run(self, pool: Pool, feed_dict: dict | None = None) -> Any:
        """The values of the outputs, in their nest; variables live on, from run to run."""
        if self.team is None:
            self.team = self.on(pool)
        elif self.team.pool is not pool:
            self.team.resume(pool)
        return self.team.step(feed_dict)


class Stages(Team):
    """A Partition on the workers of a pool; each worker carries only the variables of its pieces.

    The client copies the state every `copy_every` steps; when a worker is lost, all go back to
    the copy, and the steps since then are made again.
    """

    def __init__(
        self, pool: Pool, parts: Partition, session: Session | None, copy_every: int
    ) -> None:
        self.parts, self.pieces = parts, parts.pieces
        graph = self.pieces[0].nodes[0].graph
        super().__init__(pool, graph, session, copy_every)
        self.payloads = {worker: self.pack(worker) for worker in parts.workers}
        self.works = {(p.worker, p.stage): self.work(p) for p in self.pieces}
        self.times: tuple[PieceTime, ...] = ()

    def pack(self, worker: int) -> tuple[bytes, list[int]]:
        """(the part of the graph that a worker has, pickled; the numbers of its variables)."""
        from cloudpickle import dumps

        pieces = [piece for piece in self.pieces if piece.worker == worker]
        cut = unique(node for piece in pieces for node in piece.received)
        kept = unique(node for piece in pieces for node in (*piece.fed, *piece.kept, *piece.nodes))
        nodes = unique([*cut, *kept])
        net = from_bytes(to_bytes(nodes, self.session, inputs=cut))
        there = {node.order: copy for node, copy in zip(nodes, net.outputs)}
        session = Session(net.graph, *self.session.options)
        return dumps((session, there)), [n.order for n in nodes if isinstance(n, Variable)]

    def step(self, feed_dict: dict | None = None) -> Any:
        """One run of all pieces: the values of the outputs, in their nest.

        Raises FeedError, before anything travels, for what is not fed or no placeholder.
        """
        feeds = read_feeds(feed_dict or {}, self.graph)
        for order in feeds:
            if (node := self.graph.nodes[order]).op is not PlaceholderOp:
                raise FeedError(f"{name_node(node)} is computed by a worker", "feed placeholders")
        check_fed([n for piece in self.pieces for n in piece.fed], feeds, self.parts.outputs)
        found = self.insist(lambda: self.once(self.done, feeds))
        self.note(feeds)
        values = [None if n.op is Group else np.array(found[n.order]) for n in self.parts.outputs]
        return unflatten(self.parts.structure, values)

    def once(self, step: int, feeds: dict) -> dict[int, np.ndarray]:
        """{number: value} of what is wanted outside its worker, from one run of all pieces."""
        values, times, start = dict(feeds), [], time.perf_counter()
        for stage, pieces in groupby(self.pieces, lambda piece: piece.stage):
            together, begun = list(pieces), time.perf_counter() - start
            found = self.ask(self.task(piece, step, values) for piece in together)
            until = time.perf_counter() - start
            for piece, (arrays, seconds) in zip(together, found):
                values |= zip(self.works[piece.worker, stage][-1], arrays)
                times.append(PieceTime(piece.worker, stage, begun, until, seconds))
        self.times = tuple(times)
        self.ask(
            (self.home(worker), end_step, (self.name(worker), step)) for worker in self.payloads
        )
        return values

    def task(self, piece: Piece, step: int, values: dict) -> tuple:
        """What a worker is asked to do for a piece."""
        fed = {n.order: values[n.order] for n in (*piece.fed, *piece.received) if n.order in values}
        drawn = {n.order: np.asarray(step) for n in piece.fed if n.op is RunIndex}
        worker, work = piece.worker, self.works[piece.worker, piece.stage]
        return self.home(worker), run_piece, (self.name(worker), step, work, drawn | fed)

    def work(self, piece: Piece) -> tuple[list[int], ...]:
        """The numbers of what a piece reads of earlier ones, computes, keeps, and gives away."""
        own = [other for other in self.pieces if other.worker == piece.worker]
        later = {node.order for other in own for node in other.kept}
        away = {node.order for node in (*piece.sent, *self.parts.outputs)}
        fetched = [node.order for node in piece.fetched]
        there = fetched + [node.order for node in piece.received]
        keep, wanted = [n for n in there if n in later], [n for n in fetched if n in away]
        return [node.order for node in piece.kept], fetched, keep, wanted

    # state ---------------------------------------------------------------------------------------

    def home(self, worker: int) -> str:
        """The address of the process that is a worker of the partition."""
        return self.homes[worker % len(self.homes)]

    def name(self, worker: int) -> str:
        """The name of its replica there."""
        return f"{self.token}-{worker}"

    def replicas(self) -> list[tuple[str, str]]:
        """(address, name) of each replica."""
        return [(self.home(worker), self.name(worker)) for worker in self.payloads]

    def place(self) -> None:
        """Gives every worker its part of the graph, with the client's copy of its variables."""
        tasks = []
        for worker, (packed, own) in self.payloads.items():
            values = {order: self.values[order] for order in own}
            given = self.name(worker), packed, values, self.copy_step
            tasks.append((self.home(worker), place_replica, given))
        self.ask(tasks)

    def fetch_state(self) -> dict:
        """The variables, each from the worker that has it; others as they were."""
        parts = self.ask((home, state_of, (name, self.done)) for home, name in self.replicas())
        return self.values | {order: a for part in parts for order, a in part.items()}


def unique(nodes: Iterable[Node]) -> list[Node]:
    """The nodes, each once, in order of creation."""
    return [node for _, node in sorted({node.order: node for node in nodes}.items())]
