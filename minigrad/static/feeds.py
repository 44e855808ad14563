"""What is fetched and fed, looked at before anything runs: of this graph, of this shape, exact."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from minigrad.core.errors import FeedError, GraphError
from minigrad.core.op import Value
from minigrad.core.spec import Spec, as_array, as_contiguous, is_compatible, is_float, spec_of
from minigrad.static.graph import Graph, Node, Variable
from minigrad.static.program import name_node


def check_fetches(nodes: Iterable[Any], graph: Graph) -> None:
    """Raises GraphError for a fetch that is no node of this graph."""
    for node in nodes:
        if node is ...:
            message = "... is given where a node is fetched"
            raise GraphError(message, "replace the ... with your answer", code="blank")
        if not isinstance(node, Node):
            raise GraphError(f"{type(node).__name__} cannot be fetched", "fetch nodes of the graph")
        if node.graph is not graph:
            if node.graph.closed:
                raise node._left_over()
            message = f"{node!r} belongs to {node.graph}, but this session to {graph}"
            raise GraphError(message, "make a Session of that graph")


def check_variables(nodes: Iterable[Any], graph: Graph) -> None:
    """Raises GraphError for what is no Variable of this graph."""
    for node in nodes:
        if not isinstance(node, Variable):
            message = f"{node!r} is not a Variable, so it stores no value"
            raise GraphError(message, "create it with mg.Variable(initial)")
    check_fetches(nodes, graph)


def read_feeds(feed_dict: dict[Any, Any], graph: Graph) -> dict[int, np.ndarray]:
    """{order: array} for the fed nodes. Raises FeedError naming node and value."""
    if not isinstance(feed_dict, dict):
        message = f"the feeds are not a dict but a {type(feed_dict).__name__}"
        raise FeedError(message, "write {x: value}")
    feeds = {}
    for node, value in feed_dict.items():  # every run passes here: what needs no change is quick
        if not isinstance(node, Node) or node.graph is not graph:
            find_fed(node, graph)
        feeds[node.order] = value if is_ready(node, value) else convert_feed(node, value)
    return feeds


def is_ready(node: Any, value: Any) -> bool:
    """True for an array that can be used as it is."""
    return (
        type(value) is np.ndarray
        and value.dtype is node.dtype
        and value.shape == node.shape
        and value.flags.c_contiguous
        and (value.size != 1 or value is as_contiguous(value))
    )


def find_fed(node: Any, graph: Graph) -> Node:
    """A fed node of this graph."""
    if not isinstance(node, Node):
        message = f"{node!r} is not a Node, so it cannot be fed"
        raise FeedError(message, "use the node itself as the key: {x: value}")
    if node.graph is not graph:
        message = f"{node!r} belongs to {node.graph}, but this session to {graph}"
        raise FeedError(message, "feed nodes of the session's graph")
    return node


def convert_feed(node: Node, value: Any) -> np.ndarray:
    """`value` as an array in one piece, of the node's dtype and fitting its shape; exact."""
    given = value.array if isinstance(value, Value) and hasattr(value, "array") else value
    array = as_array(given)
    if array.dtype != node.dtype:
        array = convert_array(node, array, not isinstance(given, (np.ndarray, np.generic)))
    if not is_compatible(array.shape, node.shape):
        message = f"{name_node(node)} is {spec_of(node)}, but {spec_of(array)} is fed"
        raise FeedError(message, "feed an array of that shape")
    in_one_piece: np.ndarray = as_contiguous(array)
    return in_one_piece


def convert_array(node: Node, array: np.ndarray, weak: bool) -> np.ndarray:
    """An array in the node's dtype; `weak` Python numbers may become narrower floats."""
    new = array.astype(node.dtype, copy=False)
    exact = (
        np.can_cast(array.dtype, new.dtype, "safe")
        or weak
        and np.can_cast(array.dtype, new.dtype, "same_kind")
        and (is_float(new.dtype) or np.array_equal(array, new))
    )
    if not exact:
        message = (
            f"{name_node(node)} is {spec_of(node)}, and the {array.dtype} feed would be rounded"
        )
        hint = f"convert it: value.astype(np.{node.dtype})"
        raise FeedError(message, hint)
    return new


def example_specs(feeds: Iterable[Any], graph: Graph) -> dict[int, Spec]:
    """{order: Spec} of the nodes to be fed, from their declared lengths or from examples."""
    if isinstance(feeds, dict):
        return {order: spec_of(array) for order, array in read_feeds(feeds, graph).items()}
    specs = {}
    for node in feeds:
        if None in find_fed(node, graph).shape:
            message = f"{name_node(node)} is {spec_of(node)}: a length is unknown"
            raise FeedError(message, "pass an example: compile(fetches, {node: array})")
        specs[node.order] = spec_of(node)
    return specs
