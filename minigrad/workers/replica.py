"""What lives in a worker's process: sessions by token, and the calls that work on them.

A call says which step it belongs to. One that finds no session there, or one of another step,
changes nothing and answers Missing: then the client makes good what was lost, and asks again.
"""

import pickle
import time
from typing import Any

import numpy as np

from minigrad.static.graph import Variable
from minigrad.workers.pool import Missing

HELD: dict[str, "Replica"] = {}


class Replica:
    """A session, its nodes by their numbers in the client's graph, and the step that it is at."""

    def __init__(self, session: Any, nodes: dict, values: dict, step: int) -> None:
        self.session, self.nodes, self.step = session, nodes, step
        # what the pieces of one step hand on to one another
        self.step_values: dict[int, np.ndarray] = {}
        self.variables = {n: node for n, node in nodes.items() if isinstance(node, Variable)}
        session.restore({node.order: values[n] for n, node in self.variables.items()}, step)

    def state(self) -> dict[int, np.ndarray]:
        """The values of the variables, by number."""
        values, _ = self.session.state()
        return {n: values[node.order] for n, node in self.variables.items()}

    def run(self, fetches: list[int], feeds: dict[int, np.ndarray]) -> list:
        """The values of nodes, for values of nodes, both by number."""
        fed = {self.nodes[number]: array for number, array in feeds.items()}
        return self.session.run([self.nodes[number] for number in fetches], fed)

    def update(self, update: int, feeds: dict[int, np.ndarray]) -> None:
        """Runs the update that ends the step."""
        self.run([update], feeds)
        self.step += 1


def place_replica(token: str, packed: bytes, values: dict, step: int) -> None:
    """Makes the replica of a pickled (session, {number: node}) with these variables."""
    session, nodes = pickle.loads(packed)
    HELD[token] = Replica(session, nodes, values, step)


def drop_replica(token: str) -> None:
    """Forgets a replica."""
    HELD.pop(token, None)


def step_of(token: str) -> int:
    """The step that a replica is at; -1 where there is none."""
    return HELD[token].step if token in HELD else -1


def state_of(token: str, step: int) -> Any:
    """{number: value} of the variables of a replica."""
    found = HELD.get(token)
    return found.state() if found and found.step == step else Missing()


def run_replica(token: str, step: int, fetches: list[int], feeds: dict, late: tuple = ()) -> Any:
    """The values of `fetches` in this step; `late` is the update that ends the step before it,
    which comes with the next question to save a way."""
    found = HELD.get(token)
    if late and found and found.step == step - 1:
        found.update(*late)
    return found.run(fetches, feeds) if found and found.step == step else Missing()


def update_replica(token: str, step: int, update: int, feeds: dict) -> Any:
    """Runs an update that ends the step, unless that has been done."""
    found = HELD.get(token)
    if found is None or found.step not in (step, step + 1):
        return Missing()
    if found.step == step:
        found.update(update, feeds)
    return None


def run_piece(token: str, step: int, work: tuple, feeds: dict) -> Any:
    """(the values that others want of a piece, the seconds that it computed); `work` lists what it
    reads of earlier pieces here, what it computes, what later pieces here read of that, and what
    others want.
    """
    read, fetches, keep, wanted = work
    found = HELD.get(token)
    if found is None or found.step != step or not found.step_values.keys() >= set(read):
        return Missing()
    here = {number: found.step_values[number] for number in read}
    begun = time.perf_counter()
    computed = found.run(fetches, feeds | here)
    seconds = time.perf_counter() - begun
    values = feeds | dict(zip(fetches, computed))
    found.step_values |= {number: values[number] for number in keep}
    return [values[number] for number in wanted], seconds


def end_step(token: str, step: int) -> Any:
    """Ends the step of a replica, and forgets what its pieces kept."""
    found = HELD.get(token)
    if found is None or found.step not in (step, step + 1):
        return Missing()
    found.step, found.step_values = step + 1, {}
    return None
