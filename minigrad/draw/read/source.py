"""What may be drawn besides values: an Executable, a Session with fetches, a function."""

from typing import Any, NamedTuple

from minigrad.draw.read.functions import called, is_function
from minigrad.draw.read.outline import flatten, gather
from minigrad.draw.read import has, is_value, peek, role_of
from minigrad.errors import ArgumentError


class Source(NamedTuple):
    """The values to draw; the Executable whose program they are; a function's arguments."""

    values: list
    executable: Any = None
    arguments: dict = {}  # name → value


def source(things, mode, feed):
    """The Source of what `draw` was given."""
    first = things[0]
    if is_session(first):
        found = of_session(first, things[1:], feed)
    elif is_executable(first):
        found = of_executable(first)
    elif is_function(first):
        found = Source(*called(first, things[1:], mode))
    else:
        found = Source(flatten(things))
    if mode == "plan" and found.executable is None:
        raise ArgumentError(
            "draw: only what is compiled has a plan of its memory",
            'draw(sess.compile(fetches, feeds), mode="plan"), or draw(sess, fetches, mode="plan")',
        )
    return found


def is_executable(thing):
    """Whether it is a compiled program with a plan."""
    return peek(thing, "program") is not None and peek(thing, "plan") is not None


def is_session(thing):
    """Whether it compiles fetches of a graph."""
    return not is_value(thing) and has(thing, "compile") and peek(thing, "graph") is not None


def of_session(session, fetches, feed):
    """What the session makes of the fetches; fed are by default the placeholders they need."""
    if not fetches:
        raise ArgumentError("draw: a Session, and nothing that it computes", "draw(sess, loss)")
    if feed is None:
        feed = [x for x in gather(flatten(fetches))[0] if role_of(x, None, ()) == "input"]
    return of_executable(session.compile(list(fetches), feed))


def of_executable(executable):
    """What the program of an Executable computes."""
    return Source(list(executable.program.roots()), executable)
