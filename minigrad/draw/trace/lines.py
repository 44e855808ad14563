"""A call of the learner's function, in which every Tensor knows its line, and its name if it was a
local variable."""

import sys
from contextlib import contextmanager

from minigrad.core.errors import OWN_FILES, ArgumentError
from minigrad.core.modes import keep_lines
from minigrad.draw.read import is_value
from minigrad.draw.read.options import (
    as_argument,
    check_returned,
    function_name,
    refuse_call,
    resolve_wrt,
)
from minigrad.draw.read.source import is_needed, parameters_of, values_in
from minigrad.dynamic.tensor import Tensor


@contextmanager
def watch_names():
    """{name: a nameless Tensor} of the local variables of functions that return within the block;
    the outermost function's win. A profiler's own watch is put back afterwards."""
    found, before = {}, sys.getprofile()

    def note(frame, event, _):
        """What Python calls for each call and return."""
        if event == "return" and not OWN_FILES[frame.f_code.co_filename]:
            tensors = ((n, x) for n, x in frame.f_locals.items() if isinstance(x, Tensor))
            found.update({name: x for name, x in tensors if not x.name})

    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


def watch_call(function, feed, wrt, names):
    """(what the function returns, what is differentiated, names)."""
    feed = check_arguments(feed)
    refuse_missing(function, feed)
    refuse_call(function, (), feed, "player")
    arguments = {name: as_argument(value, name) for name, value in feed.items()}
    with watch_names() as found, keep_lines():
        result = function(**arguments)
    check_returned(values := list(values_in(result)), "player")
    result = result if is_value(result) else values
    return result, resolve_wrt(wrt, arguments, "player"), {**found, **(names or {})}


def check_arguments(feed):
    """The arguments of a function, by name."""
    feed = {} if feed is None else feed
    if not isinstance(feed, dict) or not all(isinstance(name, str) for name in feed):
        raise ArgumentError(
            "player: the arguments of a function are not named", 'write player(f, {"x": 2.0})'
        )
    return feed


def refuse_missing(function, feed):
    """Raises ArgumentError for arguments that the function needs and that `feed` lacks."""
    needed = [p.name for p in parameters_of(function) if is_needed(p)]
    if missing := [name for name in needed if name not in feed]:
        name = function_name(function)
        values = ", ".join(f'"{one}": 2.0' for one in needed)
        raise ArgumentError(
            f"player: {name} is a function, and feed has no value for {', '.join(missing)}",
            f"write player({name}, {{{values}}})",
        )
