"""The plain meaning of a program: node by node, each computed into a new array.

Only `apply` decides which library's arrays are used: NumPy's, or those of another library.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from minigrad.core.op import compute, compute_checked, explain_error
from minigrad.core.signatures import Values
from minigrad.core.spec import spec_of
from minigrad.static.graph import Constant, Node, RunIndex
from minigrad.static.program import NamedSpec, Program


def blame_node(error: Exception, node: Node) -> Exception:
    """`error` as an error that shows the node's call and the learner's line."""
    inputs = [NamedSpec(x.shape, x.dtype, x.name) for x in node.inputs]
    return explain_error(error, node.op, inputs, node.params, node.line)


def apply_node(node: Node, arrays: Values, blame: Callable[..., Any] = blame_node) -> Any:
    """A node's op applied to NumPy's arrays; an error names the line that made the node."""
    try:
        if not node.op.builtin:
            return compute_checked(node.op, spec_of(node), *arrays, **node.params)
        return compute(node.op, arrays, node.params)
    except Exception as error:
        raise blame(error, node) from None


class Interpreter:
    """Runs a program node by node, in its own order or in another; `source` lists the steps.

    `check(node, values)`, where it is given, looks at every value when it is there.
    """

    def __init__(
        self,
        program: Program,
        order: Sequence[Node] | None = None,
        check: Callable[..., Any] | None = None,
    ) -> None:
        self.program, self.check = program, check
        self.order = program.nodes() if order is None else order
        self.dead = dead_after(self.order, {n.order for n in program.roots()})
        self.source = "\n".join(map(str, self.order))

    def run(
        self,
        feeds: Iterable[Any],
        variables: Iterable[Any],
        back_buffers: Iterable[Any],
        index: int,
    ) -> list[Any]:
        """The fetched arrays; new values of variables go into `back_buffers`."""
        program = self.program
        values = self.values(feeds, variables, np.asarray(index), apply_node)
        fetched = [
            None if n is None else np.array(values[n.order], order="C") for n in program.fetches
        ]
        for (_, node), back_buffer in zip(program.stores, back_buffers):
            back_buffer[...] = values[node.order]
        return fetched

    def values(
        self, feeds: Iterable[Any], variables: Iterable[Any], index: Any, apply: Callable[..., Any]
    ) -> dict[Any, Any]:
        """{order: value} of the program's roots; `apply(node, arrays)` computes a node's value."""
        values = dict(zip((n.order for n in self.program.feeds.values()), feeds))
        values.update(zip((n.order for n in self.program.variables.values()), variables))
        for node, dead in zip(self.order, self.dead):
            if node.order not in values:
                values[node.order] = compute_node(node, values, index, apply)
                if self.check:
                    self.check(node, values)
            for order in dead:
                del values[order]
        return values


def dead_after(order: Sequence[Node], kept: Iterable[int]) -> list[set[int]]:
    """For each step, the values that no later step reads; what is `kept` is always read."""
    dead, seen = [], set(kept)
    for node in reversed(order):
        last = {node.order, *(x.order for x in node.inputs)} - seen
        seen |= last
        dead.append(last)
    return dead[::-1]


def compute_node(
    node: Node, values: dict[Any, Any], index: Any, apply: Callable[..., Any] = apply_node
) -> Any:
    """One node's value; `index` is that of the run."""
    if isinstance(node, Constant):
        return node.value
    if node.op is RunIndex:
        return index
    return apply(node, [values[x.order] for x in node.inputs])
