"""Which line of the learner's function made each Tensor: found while the function runs."""

import bisect
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from minigrad.core.errors import PACKAGE, ArgumentError, Line
from minigrad.core.modes import keep_lines
from minigrad.core.spec import as_array, is_float
from minigrad.draw.read import clean
from minigrad.draw.read.source import is_needed, parameters_of
from minigrad.dynamic.tensor import Tensor, tensor

INNER = (PACKAGE, str(Path(np.__file__).parent))  # whose lines are not the learner's


def learner_frame(frame):
    """The innermost of the frames that is the learner's, or None."""
    while frame is not None and frame.f_code.co_filename.startswith(INNER):
        frame = frame.f_back
    return frame


class Lines:
    """The lines that ran, each with the stamp of the first Tensor that it could make.

    `names` are the nameless Tensors among local variables; the outermost function's win.
    """

    def __init__(self):
        self.stamps, self.places, self.names = [], [], {}

    def __call__(self, value):
        """The line during which a value was made, or None."""
        at = bisect.bisect_right(self.stamps, value.order) - 1
        return self.places[at] if at >= 0 else None

    def note(self, frame):
        """From now on, Tensors are made by this frame's line, or by none of the learner's."""
        frame = learner_frame(frame)
        self.stamps.append(tensor(0.0).order)
        self.places.append(frame and Line(frame.f_code.co_filename, frame.f_lineno))

    def trace(self, frame, event, _):
        """What Python calls for each line and each return of the learner's functions."""
        if frame.f_code.co_filename.startswith(INNER):
            return None
        if event == "line":
            self.note(frame)
        elif event == "return":
            self.note(frame.f_back)
            tensors = ((n, x) for n, x in frame.f_locals.items() if isinstance(x, Tensor))
            self.names |= {name: x for name, x in tensors if not x.name}
        return self.trace

    @contextmanager
    def watching(self):
        """Within the block lines are noted; a debugger's own watch is put back afterwards."""
        before = sys.gettrace()
        sys.settrace(self.trace)
        try:
            yield
        finally:
            sys.settrace(before)
            self.stamps.append(tensor(0.0).order)
            self.places.append(None)


def watch_call(function, feed, wrt, names):
    """(what the function returns, what is differentiated, names, a finder of lines)."""
    feed = check_arguments(feed)
    refuse_missing(function, feed)
    arguments = {name: as_leaf(name, value) for name, value in feed.items()}
    lines = Lines()
    with lines.watching(), keep_lines():
        result = function(**arguments)
    return result, resolve_wrt(wrt, arguments), {**lines.names, **(names or {})}, lines


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
        name = clean(getattr(function, "__name__", "f"))
        values = ", ".join(f'"{one}": 2.0' for one in needed)
        raise ArgumentError(
            f"player: {name} is a function, and feed has no value for {', '.join(missing)}",
            f"write player({name}, {{{values}}})",
        )


def as_leaf(name, value):
    """A leaf for an argument; a Tensor goes to the function as it is."""
    if isinstance(value, Tensor):
        return value
    array = as_array(value)
    if not is_float(array.dtype) and not array.shape:
        return value  # a whole number may be a length or an index
    return tensor(array, requires_grad=is_float(array.dtype), name=name)


def resolve_wrt(wrt, arguments):
    """What is differentiated: arguments may be given by their names."""
    if isinstance(wrt, dict):
        return {argument_named(key, arguments): value for key, value in wrt.items()}
    if isinstance(wrt, (list, tuple)):
        return [argument_named(key, arguments) for key in wrt]
    return argument_named(wrt, arguments)


def argument_named(key, arguments):
    """The argument of that name, or the value itself."""
    if not isinstance(key, str):
        return key
    if key not in arguments:
        raise ArgumentError(
            f"player: wrt names {key!r}, which is not an argument",
            f"the arguments are {', '.join(arguments) or 'none'}",
        )
    return arguments[key]
