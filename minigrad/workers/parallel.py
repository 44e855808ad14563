"""Data parallel training: the same graph on every worker, each with a shard of the batch."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from minigrad.core.errors import ArgumentError, FeedError, GraphError
from minigrad.core.op import Elementwise
from minigrad.core.ops.elementwise import Add, Div, Mul, Sub
from minigrad.core.ops.linalg import Matmul
from minigrad.core.ops.nn import CrossEntropy
from minigrad.core.ops.reduce import Mean
from minigrad.nn.optim import Optimizer
from minigrad.static.feeds import read_feeds
from minigrad.static.graph import Graph, Node
from minigrad.static.program import check_fed, find_needed, name_node
from minigrad.static.session import Session
from minigrad.static.statements import Assign
from minigrad.workers.pool import Pool, WorkersError
from minigrad.workers.replica import (
    place_replica,
    run_replica,
    state_of,
    step_of,
    update_replica,
)
from minigrad.workers.team import Team, find_draws

NEAR = {2: 1e-2, 4: 1e-4, 8: 1e-9}  # by bytes of a float: how near a mean of shards must come


def data_parallel(
    pool: Pool,
    loss: Node,
    optimizer: Any,
    session: Session | None = None,
    copy_every: int = 10,
) -> "DataParallel":
    """Train `loss`, a mean over the rows of a batch, on all workers of a pool.

    Every worker holds a full replica: variables, what the optimiser keeps, the step. At each step
    it gets a shard of the rows, and sends back its loss and gradients; the client sends out
    Σ (rows of the shard / rows) · gradient with the next shards, and every worker updates its
    replica by it. A worker that is lost is replaced by a copy of another replica, and the step is
    made again. Training starts from the variables of `session`; the client copies the state every
    `copy_every` steps. Random draws are each shard's own: with them losses are not those of one
    process, and whether the loss is a mean is not looked at.

    >>> train = mg.workers.data_parallel(pool, loss, mg.optim.SGD(lr=0.1))  # doctest: +SKIP
    """
    if not isinstance(loss, Node):
        raise ArgumentError(
            f"the loss is not a Node but a {type(loss).__name__}",
            "build it in a Graph, because graphs are sent to workers",
        )
    return DataParallel(pool, loss, optimizer, session, copy_every)


class DataParallel(Team):
    """What `data_parallel` returns: `step` a batch, `steps` many, `fetch_session` for the result.

    `traffic` counts what travelled, `lost` how often workers were lost.
    """

    def __init__(
        self, pool: Pool, loss: Node, optimizer: Any, session: Session | None, copy_every: int
    ) -> None:
        from cloudpickle import dumps  # it comes with Dask

        if not isinstance(optimizer, Optimizer):
            message = f"the optimiser is {getattr(optimizer, '__name__', repr(optimizer)[:40])}"
            raise ArgumentError(message, "pass an optimiser: mg.optim.Adam(lr=1e-3)")
        pairs = optimizer.gradients(loss)
        check_pure([loss, *[g for _, g in pairs]])
        self.update = optimizer.apply(pairs)
        super().__init__(pool, loss.graph, session, copy_every)
        self.loss, self.slopes = loss, [g for _, g in pairs]
        self.pending: list[np.ndarray] | None = None  # gradients that workers do not have yet
        self.draws = find_draws([loss, *self.slopes, self.update])
        self.is_trusted = bool(self.draws)  # they differ from shard to shard: nothing to compare
        nodes = {node.order: node for node in find_needed([loss, *self.slopes, self.update], ())}
        self.orders = frozenset(nodes)  # what else is fed stays here, as in Session.run
        self.payload = dumps((Session(loss.graph, *self.session.options), nodes))

    # a step --------------------------------------------------------------------------------------

    def step(self, feed_dict: dict) -> np.ndarray:
        """The loss of a batch before the update that it makes, as one process would give it.

        Placeholders of unknown first length get their rows in shards, others all of what is fed.
        What the step does not need is not looked at, and does not travel.
        Raises FeedError, before anything travels, for a batch with fewer rows than workers.
        """
        given = read_feeds(feed_dict, self.graph)
        feeds = {order: array for order, array in given.items() if order in self.orders}
        check_fed(find_needed([self.loss], feeds), feeds, [self.loss])
        split_rows(feeds, self.graph, self.pool.count)
        loss, slopes = self.insist(lambda: self.average(self.done, feeds, self.late()))
        self.pending = None
        self.check_mean(feeds, loss)
        self.pending = slopes
        self.note(feeds)
        return loss

    def late(self) -> tuple:
        """The update that workers have not been told yet: it travels with the next shards."""
        return () if self.pending is None else self.end_of_step(self.done - 1, self.pending)

    def end_of_step(self, step: int, slopes: list[np.ndarray]) -> tuple:
        """(the node that ends a step, what it is fed)."""
        fed = {g.order: slope for g, slope in zip(self.slopes, slopes)}
        return self.update.order, fed | self.feed_run_indices(step, 0)

    def once(self, step: int, feeds: dict) -> Any:
        """A step on workers that are all at it."""
        loss, slopes = self.average(step, feeds)
        self.apply(step, slopes)
        return loss

    def average(self, step: int, feeds: dict, late: tuple = ()) -> tuple[np.ndarray, list]:
        """(loss, gradients) of a batch: the shards' own, weighted by their rows."""
        fetches = [self.loss.order, *[g.order for g in self.slopes]]
        shards, weights = split_rows(feeds, self.graph, len(self.homes))
        given = [shard | self.feed_run_indices(step, i) for i, shard in enumerate(shards)]
        found = self.ask(
            (home, run_replica, (self.token, step, fetches, fed, late))
            for home, fed in zip(self.homes, given)
        )
        loss, *slopes = [weighted_sum(weights, values) for values in zip(*found)]
        return loss, slopes

    def apply(self, step: int, slopes: list[np.ndarray]) -> None:
        """Every worker updates its replica by the same gradients."""
        told = self.end_of_step(step, slopes)
        self.ask((home, update_replica, (self.token, step, *told)) for home in self.homes)

    def feed_run_indices(self, step: int, shard: int) -> dict[int, np.ndarray]:
        """What run indices are fed, so that each shard of each step has draws of its own."""
        return {order: np.asarray(step * self.pool.count + shard) for order in self.draws}

    def check_mean(self, feeds: dict, loss: np.ndarray) -> None:
        """Raises WorkersError when the loss of the batch is not the mean of the shards' losses.

        A worker computes it at the first step, and at every step of a loss that is not seen to be
        a mean over rows, as one that divides by the sum of a mask.
        """
        if self.is_trusted:
            return
        asked = self.token, self.done, [self.loss.order], feeds
        found = self.insist(lambda: self.ask([(self.homes[0], run_replica, asked)]))
        expected, near = found[0][0], NEAR.get(loss.dtype.itemsize, 1e-9)
        if not np.allclose(loss, expected, rtol=near, atol=near, equal_nan=True):
            raise WorkersError(
                f"the loss of the whole batch is {expected:.6g}, the mean of the shards' "
                f"{loss:.6g}: it is not a mean over rows",
                "use mg.mean; leave out operations that mix the rows of a batch, such as "
                "BatchNorm or the sum of a mask",
            )
        self.is_trusted = is_mean_of_rows(self.loss)

    # replicas ------------------------------------------------------------------------------------

    def replicas(self) -> list[tuple[str, str]]:
        """(address, name) of each replica."""
        return [(home, self.token) for home in sorted(set(self.homes))]

    def place(self) -> None:
        """Gives every worker a replica of the client's copy."""
        self.replicate(self.homes, self.values, self.copy_step)

    def replicate(self, homes: Any, values: dict, step: int) -> None:
        """Gives these workers replicas of one state."""
        self.ask(
            (home, place_replica, (self.token, self.payload, values, step)) for home in set(homes)
        )

    def fetch_state(self) -> dict:
        """The variables, from the first replica, when all have been updated."""
        if self.pending is not None:
            self.apply(self.done - 1, self.pending)
            self.pending = None
        return self.ask([(self.homes[0], state_of, (self.token, self.done))])[0]

    def heal(self) -> None:
        """Replaces what was lost by a copy of another replica, else by the client's."""
        homes = sorted(set(self.homes))
        at = dict(zip(homes, self.ask((home, step_of, (self.token,)) for home in homes)))
        earliest = self.done - (self.pending is not None)  # one that is not updated yet is of use
        fit = [home for home in homes if earliest <= at[home] <= self.done]
        if not fit:
            self.rebuild()
            self.pending = None
            return
        best = max(fit, key=lambda home: at[home])
        (values,) = self.ask([(best, state_of, (self.token, at[best]))])
        self.replicate([home for home in homes if at[home] != at[best]], values, at[best])


def check_pure(nodes: list[Node]) -> None:
    """Raises GraphError where computing a shard would change variables."""
    for node in find_needed(nodes, ()):
        if node.op is Assign:
            raise GraphError(
                f"computing the loss assigns {name_node(node.inputs[0])}: "
                "the replicas would become different",
                "assign untrained variables in a separate run",
            )


def is_mean_of_rows(loss: Node) -> bool:
    """True where the ops alone show that a loss is a mean over the rows of a batch."""
    kinds: dict[int, str] = {}
    for node in find_needed([loss], ()):
        kinds[node.order] = kind_of(node, [kinds[x.order] for x in node.inputs])
    return kinds[loss.order] == "mean"


def kind_of(node: Node, kinds: list[str]) -> str:
    """ "rows": entry i of axis 0 belongs to row i alone; "mean": a mean over rows; "free": of no
    batch; "other": not known. `kinds` are those of the operands."""
    if not node.inputs:
        return "rows" if None in node.shape[:1] else "free" if None not in node.shape else "other"
    found = set(kinds)
    if found == {"free"}:
        return "free"
    if found <= {"rows", "free"}:
        elementwise = kind_of_elementwise if issubclass(node.op, Elementwise) else None
        rule = OF_ROWS.get(node.op, elementwise)
        return rule(node, kinds) if rule else "other"
    return "mean" if found <= {"mean", "free"} and is_linear(node, kinds) else "other"


def kind_of_loss(node: Node, kinds: list[str]) -> str:
    """The mean over rows of predictions and labels."""
    return "mean" if kinds == ["rows", "rows"] else "other"


def kind_of_mean(node: Node, kinds: list[str]) -> str:
    """Of rows, a mean over them, or one of each row by itself."""
    axes = node.params["axis"]
    return "mean" if axes is None or 0 in axes else "rows"


def kind_of_product(node: Node, kinds: list[str]) -> str:
    """Of rows with the same matrix or column for each, rows."""
    rank = len(node.inputs[0].shape)
    same = kinds == ["rows", "free"] and rank > 1 and len(node.shape) <= rank
    return "rows" if same else "other"


def kind_of_elementwise(node: Node, kinds: list[str]) -> str:
    """Rows, where those of the operands are not broadcast along another axis."""
    batches = [x for x, kind in zip(node.inputs, kinds) if kind == "rows"]
    return "rows" if all(len(x.shape) == len(node.shape) for x in batches) else "other"


def is_linear(node: Node, kinds: list[str]) -> bool:
    """True for a sum of means, and for a mean times or over what is of no batch."""
    return node.op in (Add, Sub) or node.op in (Mul, Div) and kinds == ["mean", "free"]


OF_ROWS = {CrossEntropy: kind_of_loss, Mean: kind_of_mean, Matmul: kind_of_product}


def weighted_sum(weights: Sequence[float], values: Sequence[np.ndarray]) -> np.ndarray:
    """Σ wᵢ·xᵢ in the order of the shards, and in the dtype of the values."""
    total = np.zeros_like(values[0])
    for weight, value in zip(weights, values):
        total = total + np.asarray(weight * value, value.dtype)
    return total


# shards -------------------------------------------------------------------------------------------


def split_rows(feeds: dict, graph: Graph, count: int) -> tuple[list[dict], list[float]]:
    """([the feeds of each shard], [its part of the rows]); shards differ by one row at most."""
    split = {order: a for order, a in feeds.items() if graph.nodes[order].shape[:1] == (None,)}
    lengths = {len(array) for array in split.values()}
    if not lengths:
        raise FeedError(
            "no fed placeholder has an unknown length, so the batch cannot be split",
            'declare the length of the batch as None: placeholder("x", shape=(None, 64))',
        )
    if len(lengths) > 1:
        found = " and ".join(map(str, sorted(lengths)))
        raise FeedError(f"batches of {found} rows are fed", "feed the same number of rows to each")
    (rows,) = lengths
    if rows < count:
        raise FeedError(
            f"a batch of {rows} rows is too small for {count} workers",
            "feed batches with at least one row for each worker",
        )
    ends = [rows * i // count for i in range(count + 1)]
    whole = {order: array for order, array in feeds.items() if order not in split}
    shards = [
        whole | {order: array[start:stop] for order, array in split.items()}
        for start, stop in pairwise(ends)
    ]
    return shards, [(stop - start) / rows for start, stop in pairwise(ends)]
