"""The key under which a call of a traced function is found again, and how two keys differ."""

import itertools
import types
from typing import Any, NamedTuple

import numpy as np

from minigrad.core.op import ARRAYS, Value
from minigrad.core.spec import spec_of


class Array(NamedTuple):
    """An argument that is fed at each call."""

    label: str
    shape: tuple
    dtype: np.dtype
    requires_grad: bool


class Fixed(NamedTuple):
    """An argument that is a Python value: a part of the trace."""

    label: str
    type: type
    value: object


class Nest(NamedTuple):
    """An argument that is a tuple, list or dict."""

    label: str
    type: type
    keys: tuple


KINDS = {Array: "an array", Fixed: "a Python value", Nest: "a nest"}


def describe(tree: Any, name: str, entries: list[Any]) -> None:
    """Appends what of an argument makes up the key; `name` says where it stands."""
    if isinstance(tree, dict):
        entries.append(Nest(name, dict, tuple(tree)))
        for key, part in tree.items():
            describe(part, f"{name}[{key!r}]", entries)
    elif isinstance(tree, (tuple, list)):
        entries.append(Nest(name, type(tree), tuple(range(len(tree)))))
        for i, part in enumerate(tree):
            describe(part, f"{name}[{i}]", entries)
    elif isinstance(tree, (Value, *ARRAYS)):
        entries.append(Array(name, *spec_of(tree), getattr(tree, "requires_grad", False)))
    else:
        entries.append(Fixed(name, type(tree), contents(tree) or freeze_value(tree)))


# what an object holds ----------------------------------------------------------------------------

DEEPEST, MOST = 4, 500  # levels of objects and containers that are looked into, and values there
FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)
CLOSED = (type, types.ModuleType, *FUNCTIONS, Value, *ARRAYS)


class Contents:
    """Stands in a key for an object that can change, or cannot be hashed.

    It is equal to itself only, and while it holds the same.
    """

    def __init__(self, thing, attributes=()):
        self.thing, self.attributes = thing, attributes

    def __eq__(self, other):
        return (
            isinstance(other, Contents)
            and self.thing is other.thing
            and self.attributes == other.attributes
        )

    def __hash__(self):
        return hash((id(self.thing), self.attributes))

    def __repr__(self):
        return repr(self.thing)


def contents(thing):
    """The Contents of an object with attributes; None for all else."""
    if isinstance(thing, CLOSED) or not hasattr(thing, "__dict__"):
        return None
    return Contents(thing, tuple((path, freeze_value(value)) for path, value in inside(thing)))


def inside(thing: Any, path: str = "", depth: int = DEEPEST) -> Any:
    """(where, value) for what lies in a container or an object, at most MOST of them."""
    return list(itertools.islice(walk(thing, path, depth), MOST))


def walk(thing, path, depth):
    """The same, one after another."""
    parts = parts_of(thing) if depth else None
    if parts is None:
        yield path, thing
        return
    for name, part in parts:
        yield from walk(part, path + name, depth - 1)


def parts_of(thing):
    """(name, part) of what a container or an object is made of; None for what has no parts."""
    if isinstance(thing, CLOSED):
        return None
    if isinstance(thing, dict):
        return [(f"[{key!r}]", part) for key, part in thing.items()]
    if isinstance(thing, (list, tuple)):
        return [(f"[{i}]", part) for i, part in enumerate(thing)]
    if hasattr(thing, "__dict__"):
        return [(f".{name}", part) for name, part in vars(thing).items()]
    return None


def freeze_value(value):
    """A Python value as it stands in a key: 0.0 and -0.0 differ there, nan equals itself."""
    if isinstance(value, (float, complex)):
        return repr(value)
    if isinstance(value, set):
        return frozenset(map(freeze_value, value))
    if isinstance(value, (Value, *ARRAYS)):
        return Contents(value)
    try:
        hash(value)
    except TypeError:
        return Contents(value)
    return value


def differences(old: Any, new: Any) -> list[tuple[str, str]]:
    """What differs between two keys, as pairs: ("x", "x: shape (2, 3) → (4, 3)")."""
    before, now = ({entry.label: entry for entry in key} for key in (old, new))
    both = [name for name in now if name in before]
    found = [(name, text) for name in both for text in list_changes(before[name], now[name])]
    other = ("the names of the arguments", "the arguments have other names")
    return found or [other for _ in range(set(before) != set(now))]


def list_changes(a, b):
    """What differs between two entries of one label."""
    if type(a) is not type(b):
        return [f"{a.label}: {KINDS[type(a)]} → {KINDS[type(b)]}"]
    if a == b:
        return []
    if not isinstance(a, Fixed):
        fields = [(field, x, y) for field, x, y in zip(a._fields, a, b) if x != y]
        return [f"{a.label}: {field} {show_part(x)} → {show_part(y)}" for field, x, y in fields]
    x, y = a.value, b.value
    if isinstance(x, Contents) and isinstance(y, Contents) and x.thing is y.thing:
        before = dict(x.attributes)
        new = [(path, value) for path, value in y.attributes if before.get(path) != value]
        found = [f"{a.label}{path}: {before.get(path, 'nothing')} → {value}" for path, value in new]
        return found or [f"{a.label}: an attribute was removed"]
    kinds = ("", "") if a.type is b.type else (f"{a.type.__name__} ", f"{b.type.__name__} ")
    return [f"{a.label}: {kinds[0]}{x} → {kinds[1]}{y}"]


def show_part(x):
    """A part of an entry as a text."""
    return x.__name__ if isinstance(x, type) else str(x)
