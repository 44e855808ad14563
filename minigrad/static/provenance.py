"""Provenance: what the nodes of a graph were made for, written down where they are made.

A node of a derivative is the adjoint or the tangent of a value; a node that computes a value
again is its copy; a value that is assigned is the update of a variable. One node may be several
of these: `+` passes an adjoint on as it is.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from minigrad.core.modes import no_search_for_garbage
from minigrad.core.op import Value


class SweepStep(NamedTuple):
    """One step of a sweep, number `sweep` of its graph, in which the rule of `value` is applied.

    `derivative` is its adjoint, which is complete by then, or its tangent; Parts of a bundle.
    `contributions` lists (operand, contribution, adjoint so far): without a `value` the seeds,
    as contributions, or the zeros where no path leads, as adjoints; None stands for the other.
    `node_range` has the numbers of the nodes that the step added.
    """

    kind: str
    sweep: int
    value: Any
    derivative: Any
    contributions: list
    node_range: range

    def starts_at(self, y: Any) -> bool:
        """True for the seeds of a sweep, when one of them is of y."""
        return any(v is y and total is None for v, _, total in self.contributions)


class NodeOrigin(NamedTuple):
    """What a node is: the "adjoint", "tangent", "copy" or "update" of the value `of`.

    A "contribution" to the adjoint of a value comes from the rule of its user, `by`, or is a seed.
    A "part" is what a rule computes on the way, for the value whose rule it is. In the body of a
    loop `of` may be the place of a result of the body.
    """

    kind: str
    of: Any
    by: Any = None


class Ledger:
    """The sweeps over the values of a graph, and what else its nodes were made for."""

    def __init__(self, graph: Any) -> None:
        self.graph, self.steps, self.notes, self.sweeps = graph, [], [], 0

    def note(self, kind: str, node: Any, of: Any) -> None:
        """Writes down that a node is the `kind` of a value."""
        self.notes.append((kind, node, of))

    def last_sweep(self, y: Any) -> list[SweepStep]:
        """The steps of the last reverse sweep that starts at y: the seeds, then the rules."""
        first = (s for s in reversed(self.steps) if s.kind == "adjoint" and s.starts_at(y))
        sweep = next((step.sweep for step in first), None)
        steps = [step for step in self.steps if step.sweep == sweep]
        return steps[:1] + [step for step in steps if step.value is not None]

    def origins(self) -> dict[int, list[NodeOrigin]]:
        """{number of a node: its NodeOrigins} of all nodes that were made for something."""
        found: dict = defaultdict(dict)
        for node, origin in self.pairs():
            if isinstance(node, Value):
                kind, of, by = origin
                found[node.order].setdefault((kind, id(of), id(by)), origin)
        origins = {order: list(known.values()) for order, known in found.items()}
        for step in self.steps:  # a sweep inside another one comes first
            # seeds have no value of their own
            values = (step.value, *(v for v, *_ in step.contributions))
            value = next((v for v in values if v is not None), None)
            for order in step.node_range:
                origins.setdefault(order, [NodeOrigin("part", value)])
        return origins

    def pairs(self) -> Iterator[tuple[Any, NodeOrigin]]:
        """(node, NodeOrigin) as they were written down, some of them more than once."""
        for kind, node, of in self.notes:
            yield node, NodeOrigin(kind, of)
        for kind, _, value, derivative, passed, _ in self.steps:
            yield from name_parts(derivative, NodeOrigin(kind, value))
            for x, share, total in passed:
                yield from name_parts(share, NodeOrigin("contribution", x, value))
                yield from name_parts(total, NodeOrigin(kind, x))


class SweepRecord:
    """Writes the steps of one sweep into a Ledger; begun before the seeds are made."""

    def __init__(self, ledger: Ledger, kind: str) -> None:
        self.ledger, self.kind = ledger, kind
        ledger.sweeps += 1
        self.number, self.start = ledger.sweeps, len(ledger.graph.nodes)

    def watch(self, steps: Iterable, values: Iterable, seeds: Iterable) -> Iterator[tuple]:
        """The steps (value, derivative, what is passed on) as they are, each written down."""
        self.add(None, None, [(v, seed, None) for v, seed in zip(values, seeds)])
        with no_search_for_garbage():
            for step in steps:
                self.add(*step)
                yield step
                self.start = len(self.ledger.graph.nodes)

    def add(self, value: Any, derivative: Any, passed: list) -> None:
        """Writes a step down; what was made since the last one belongs to it."""
        made = range(self.start, len(self.ledger.graph.nodes))
        self.ledger.steps.append(SweepStep(self.kind, self.number, value, derivative, passed, made))
        self.start = made.stop

    def end(self, pairs: Iterable) -> None:
        """Records derivatives that no rule produced, such as zeros of unconnected values."""
        self.add(None, None, [(v, None, made) for v, made in pairs if made is not None])


def name_parts(derivative: Any, origin: NodeOrigin) -> Iterator[tuple[Any, NodeOrigin]]:
    """(node, NodeOrigin) of a derivative; of a bundle that of its only part, or "part" of each."""
    if not isinstance(derivative, dict):
        yield derivative, origin
    else:
        whole = origin if len(derivative) == 1 else NodeOrigin("part", origin.of)
        yield from ((node, whole) for node in derivative.values())


# questions ---------------------------------------------------------------------------------------


def derivatives_of(value: Any, kind: str = "adjoint") -> dict[int, Any]:
    """{number of a sweep: the adjoint, or the tangent, that it found for a value of a graph}."""
    value = value if value.source is None else value.source
    found = {}
    for step in value.graph.ledger.steps:
        if step.kind == kind and step.value is value:
            found[step.sweep] = step.derivative
        elif step.kind == kind and step.value is None:
            for x, _, made in step.contributions:
                if x is value and made is not None:
                    found[step.sweep] = made
    return found
