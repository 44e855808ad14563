"""What trainings on workers share: who holds what, what was counted, and how a loss is made good.

The client keeps a copy of the state, renewed every `copy_every` steps, and what was fed since. So
whatever is lost can be computed again, to the same numbers.
"""

import contextlib
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from minigrad.core.errors import ArgumentError, GraphError
from minigrad.static.graph import Graph, Node, RunIndex
from minigrad.static.program import find_needed
from minigrad.static.session import Session
from minigrad.workers.pool import PATIENCE, Pool, WorkerLost, WorkersError
from minigrad.workers.replica import drop_replica

ATTEMPTS = 5  # at one step, before workers that go on and on are given up


class Traffic(NamedTuple):
    """What has travelled: bytes of arrays and graphs out and back, and in how many tasks."""

    sent: int = 0
    received: int = 0
    tasks: int = 0

    def __str__(self) -> str:
        return f"{self.sent:,} bytes out, {self.received:,} back, in {self.tasks:,} tasks"


class Team(ABC):
    """Workers that compute the steps of one training; `done` counts them.

    A kind of team brings: `replicas`, where they are; `place`, which gives workers their state;
    `once`, which computes a step; `fetch_state`, which reads the state after it.
    """

    def __init__(self, pool: Pool, graph: Graph, session: Session | None, copy_every: int) -> None:
        if not isinstance(pool, Pool):
            raise ArgumentError(f"{pool!r} is not a pool", "make one: workers.local(2)")
        if session is not None and session.graph is not graph:
            raise GraphError(
                f"the loss belongs to {graph}, the session to {session.graph}",
                "pass the session in which the loss runs",
            )
        if not isinstance(copy_every, int) or copy_every < 1:
            raise ArgumentError(f"copy_every={copy_every!r}", "pass 1 or more steps")
        self.pool, self.graph, self.copy_every = pool, graph, copy_every
        self.session = session or Session(graph)
        self.token, self.traffic, self.lost = uuid.uuid4().hex, Traffic(), 0
        self.values, self.copy_step = self.session.state()
        self.feeds_since_copy: list[dict] = []
        self.homes: list[str] = []  # the worker of each replica

    def __enter__(self) -> "Team":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def close(self) -> None:
        """Lets the workers forget their state; the pool stays."""
        try:
            self.ask((home, drop_replica, (name,)) for home, name in self.replicas())
        except (WorkerLost, WorkersError):
            return

    @property
    def done(self) -> int:
        """The steps that have been made."""
        return self.copy_step + len(self.feeds_since_copy)

    @abstractmethod
    def replicas(self) -> list[tuple[str, str]]:
        """(address of a worker, name of what it holds) of all that they hold."""

    @abstractmethod
    def place(self) -> None:
        """Gives every worker the state that the client has, of step `copy_step`."""

    @abstractmethod
    def once(self, step: int, feeds: dict) -> Any:
        """Computes a step on workers that are all at it. Raises WorkerLost."""

    @abstractmethod
    def fetch_state(self) -> dict:
        """The variables after `done` steps, from the workers. Raises WorkerLost."""

    def steps(self, batches: Iterable[dict], progress: bool = True) -> Iterator[Any]:
        """`step` for each batch, with a bar that shows the bytes that travelled."""
        from tqdm import tqdm

        with tqdm(batches, unit="step", disable=not progress) as bar:
            for feeds in bar:
                yield self.step(feeds)
                bar.set_postfix_str(str(self.traffic), refresh=False)

    @abstractmethod
    def step(self, feed_dict: dict) -> Any:
        """One step, whatever workers are lost in it."""

    # when workers go -----------------------------------------------------------------------------

    def ask(self, tasks: Iterable[tuple[str, Callable, tuple]]) -> list:
        """The results of tasks on workers; what travels is counted."""
        tasks = list(tasks)
        found = self.pool.call(tasks)
        sent, received = sum(bytes_in(task[2]) for task in tasks), bytes_in(found)
        before = self.traffic
        self.traffic = Traffic(
            before.sent + sent, before.received + received, before.tasks + len(tasks)
        )
        return found

    def insist(self, attempt: Callable[[], Any]) -> Any:
        """attempt(), again after each loss has been made good."""
        for count in range(ATTEMPTS):
            time.sleep(count * PATIENCE)
            try:
                if not self.homes:
                    self.choose_homes()
                    self.heal()
                return attempt()
            except WorkerLost:
                self.homes, self.lost = [], self.lost + 1
            except BaseException:
                self.homes = []  # who has done what is not known: it is looked at again
                raise
        raise WorkersError(
            f"workers were lost {ATTEMPTS} times in step {self.done}",
            "check their memory; continue with another pool: train.resume(pool)",
        )

    def heal(self) -> None:
        """Brings every worker of `homes` to one step: by the client's copy, if by nothing else."""
        self.rebuild()

    def choose_homes(self) -> None:
        """Finds the workers that are there; each replica gets one of them."""
        found = self.pool.wait()
        self.pool.check(found)
        self.homes = [found[i % len(found)] for i in range(self.pool.count)]

    def rebuild(self) -> None:
        """Gives all the client's copy, and makes the steps since then once more."""
        self.place()
        for step, feeds in enumerate(self.feeds_since_copy, self.copy_step):
            self.once(step, feeds)

    def resume(self, pool: Pool) -> None:
        """Goes on with another pool, from the step after the last one that was made."""
        self.pool, self.homes, self.token = pool, [], uuid.uuid4().hex
        self.insist(lambda: None)

    def note(self, feeds: dict) -> None:
        """Notes a step that was made; after `copy_every` of them the client copies the state."""
        self.feeds_since_copy.append({order: np.array(array) for order, array in feeds.items()})
        if len(self.feeds_since_copy) >= self.copy_every:
            with contextlib.suppress(WorkersError):  # the step is made: the next one will say it
                self.copy()

    def copy(self) -> None:
        """Copies the state to the client."""
        self.values = self.insist(self.fetch_state)
        self.copy_step, self.feeds_since_copy = self.done, []

    def fetch_session(self) -> Session:
        """The client's Session, with the variables after the steps that were made."""
        if self.feeds_since_copy:
            self.copy()
        self.session.restore(self.values, self.copy_step)
        return self.session


def bytes_in(thing: Any) -> int:
    """The bytes of all arrays, and of pickled graphs, in a nest."""
    if isinstance(thing, dict):
        return bytes_in(list(thing.values()))
    if isinstance(thing, (list, tuple)):
        return sum(map(bytes_in, thing))
    if isinstance(thing, bytes):
        return len(thing)
    return thing.nbytes if isinstance(thing, np.ndarray) else 0


def find_draws(nodes: list[Node]) -> list[int]:
    """The numbers of the run indices that nodes depend on: they are fed, so that draws differ."""
    return [node.order for node in find_needed(nodes, ()) if node.op is RunIndex]
