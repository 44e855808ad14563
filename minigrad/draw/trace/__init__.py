"""Traces: what happens step by step when values and their derivatives are computed."""

from minigrad.core.errors import ArgumentError
from minigrad.core.op import Value
from minigrad.draw.read import clean
from minigrad.draw.read.modules import is_module
from minigrad.draw.read.options import check_names
from minigrad.draw.read.outline import graph_values
from minigrad.draw.read.returned import take_back
from minigrad.draw.read.source import is_graph, is_session, list_results
from minigrad.draw.trace.dynamic import trace_tensors
from minigrad.draw.trace.event import Event, Trace
from minigrad.draw.trace.lines import watch_call
from minigrad.draw.trace.objects import trace_objects
from minigrad.draw.trace.static import trace_nodes
from minigrad.draw.trace.summary import Summary, summary
from minigrad.dynamic.tensor import Tensor
from minigrad.static.graph import Node

__all__ = ["Event", "Summary", "Trace", "make_trace", "summary"]


MODES = ("reverse", "forward")


def make_trace(fetches, feed=None, wrt=None, mode="reverse", names=None, session=None, lanes=True):
    """The Trace of computing `fetches`, and of differentiating the first of them.

    fetches    Tensors; Nodes; values with .op and .inputs; a Graph or a Session, all of whose
               results are played; or a function, which is called with `feed` ({"x": 2.0}) as
               Tensors: then every step knows its source line
    feed       values for placeholders; for a function, values for its arguments
    wrt        what is differentiated for; forward mode takes {x: tangent} too. Nodes without
               `wrt` are compiled and run as a Session does it; nothing is stored
    session    whose variables and options a run of Nodes uses; else those of a new Session
    lanes      whether a training step may be told lane by lane
    Raises ArgumentError for options that do not fit what is traced.
    """
    if mode not in MODES:
        raise ArgumentError(f"player: {mode!r} is not a mode", f"use one of {', '.join(MODES)}")
    check_names(names, "player")
    fetches, session = unpack_whole(fetches, session)
    if session is not None and not is_session(session):
        message = f"player: session={clean(repr(session), 40)} is not a Session"
        raise ArgumentError(message, "pass session=mg.Session(graph), or leave it out")
    if callable(fetches) and not isinstance(fetches, Value):
        fetches, wrt, names = watch_call(fetches, feed, wrt, names)
        feed = None
    (there,), names, wrt = take_back([fetches], names, wrt)
    original, fetches = there is fetches, there
    results = graph_values([fetches], "player")
    if not results:
        raise ArgumentError("player: there is nothing to play", "pass a value: player(y)")
    if all(isinstance(value, Node) for value in results):
        return trace_nodes(results, feed, wrt, mode, names, session, lanes)
    if feed or session:
        raise ArgumentError(
            "player: only Nodes are fed and run in a session", "leave feed and session out"
        )
    if all(isinstance(value, Tensor) for value in results):
        return trace_tensors(results, wrt, mode, names, original and wrt is None)
    return trace_objects(results, mode, names)


def unpack_whole(fetches, session):
    """(what is played, the session) of a Graph, or of a Session alone. Raises for a net."""
    if is_module(fetches):
        kind = clean(type(fetches).__name__)
        message = f"player: {kind} is a net: it computes nothing without an input"
        raise ArgumentError(message, "player(net(x)) for an input x of yours")
    if is_session(fetches):
        session = fetches
        fetches = fetches.graph
    if not is_graph(fetches):
        return fetches, session
    results = list_results(fetches)
    return [node for node in results if node.inputs] or results, session
