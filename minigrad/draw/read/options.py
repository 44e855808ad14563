"""What `draw` and `player` are given, checked in one way; `caller` is the one that says so."""

import inspect
from collections.abc import Iterable

from minigrad.core.errors import ArgumentError, name_of
from minigrad.draw.read import clean, is_value
from minigrad.draw.read.outline import graph_values
from minigrad.draw.scene import handle_of


def list_handles(given, option, caller):
    """One name, or several, as a tuple: what is opened or closed."""
    found = (given,) if isinstance(given, str) else given
    found = tuple(found) if isinstance(found, Iterable) else (found,)
    if odd := [one for one in found if not isinstance(one, str)]:
        message = f"{caller}: {option} has {clean(repr(odd[0]), 40)}, which is not a name"
        raise ArgumentError(message, f'write {option}="layer1", or an id such as "n12"')
    return found


def check_handles(asked, ids, opened, caller):
    """Raises ArgumentError where something is to be opened or closed that is not there.

    `ids` are those of values, `opened` is the Outline with all its bodies open.
    """
    scopes = [scope.split("/") for scope in {*opened.scopes}]
    paths = {"/".join(parts[:n]) for parts in scopes for n in range(1, len(parts) + 1)}
    known = {handle_of(path) for path in (*paths, *(f.path for f in opened.frames))} - {""}
    if unknown := [one for one in asked if one not in known and one not in ids]:
        hint = f"use one of {', '.join(sorted(known))}" if known else "nothing opens or closes here"
        message = f"{caller}: there is no {clean(unknown[0], 40)!r} to open or close"
        raise ArgumentError(message, hint)


def check_names(names, caller):
    """Raises ArgumentError for names that are not a dict."""
    if names is not None and not hasattr(names, "items"):
        kind = type(names).__name__
        raise ArgumentError(f"{caller}: names is a {kind}, not a dict", "pass names=locals()")


# what is differentiated --------------------------------------------------------------------------


def resolve_wrt(wrt, arguments, caller):
    """What is differentiated: a function's arguments may be given by their names."""
    if isinstance(wrt, dict):
        return {argument_named(key, arguments, caller): value for key, value in wrt.items()}
    if isinstance(wrt, Iterable) and not isinstance(wrt, str) and not is_value(wrt):
        return [argument_named(key, arguments, caller) for key in wrt]
    return argument_named(wrt, arguments, caller)


def list_wrt(wrt, arguments, caller):
    """The same as a list of values of a graph, which may be lists; None where nothing is said."""
    found = resolve_wrt(wrt, arguments, caller)
    found = list(found) if isinstance(found, Iterable) and not is_value(found) else [found]
    return None if wrt is None else graph_values(found, caller)


def argument_named(key, arguments, caller):
    """The argument of that name, or the value itself."""
    if not isinstance(key, str):
        return key
    if key not in arguments:
        message = f"{caller}: wrt names {key!r}, which is not an argument"
        known = f"the arguments are {', '.join(arguments)}"
        raise ArgumentError(message, known if arguments else "pass the value itself: wrt=x")
    return arguments[key]


# calls of the learner's function ------------------------------------------------------------------


def as_argument(example, name=None):
    """A number, an array, or a list of numbers as a Tensor whose graph is recorded; anything else
    as it is. What has no fractions has no derivative either."""
    from minigrad.dynamic.tensor import tensor

    if isinstance(example, bool) or not has_numbers(example):
        return example
    whole = tensor(example).dtype.kind != "f"
    return tensor(example, requires_grad=not whole, name=name)


def has_numbers(example):
    """Whether it is a number, an array of NumPy, or a list of these."""
    if isinstance(example, (list, tuple)):
        return bool(example) and all(map(has_numbers, example))
    return isinstance(example, (int, float)) or is_of_numpy(example)


def is_of_numpy(example):
    """Whether it is an array of NumPy."""
    return type(example).__module__.partition(".")[0] == "numpy"


def refuse_call(function, given, named, caller):
    """Raises ArgumentError where a function does not take these arguments."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # it does not tell
    try:
        signature.bind(*given, **named)
    except TypeError:
        words = ", ".join(named) or f"{len(given)} argument{'s' * (len(given) != 1)}"
        call = f"{function_name(function)}{clean(signature)}"
        known = ", ".join(signature.parameters)
        hint = f"its arguments are {known}" if known else "it has no arguments"
        raise ArgumentError(f"{caller}: {call} cannot be called with {words}", hint) from None


def function_name(function):
    """What messages call a function."""
    return clean(name_of(function))


def check_returned(values, caller):
    """Raises ArgumentError for a function that has returned no value of a graph."""
    if not values:
        raise ArgumentError(
            f"{caller}: the function does not return a value of a graph",
            "return the result itself, without item() or numpy()",
        )
