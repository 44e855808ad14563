"""The key under which a call of a traced function is found again, and how two keys differ."""

from typing import NamedTuple

import numpy as np

from minigrad.op import ARRAYS, Value
from minigrad.spec import spec_of


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


class Same:
    """Stands in a key for an object that cannot be hashed: equal to itself only."""

    def __init__(self, thing):
        self.thing = thing

    def __eq__(self, other):
        return isinstance(other, Same) and self.thing is other.thing

    def __hash__(self):
        return id(self.thing)

    def __repr__(self):
        return repr(self.thing)


def describe(tree, name, entries):
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
        entries.append(Fixed(name, type(tree), frozen(tree)))


def frozen(value):
    """A Python value as it stands in a key: 0.0 and -0.0 differ there, nan equals itself."""
    if isinstance(value, (float, complex)):
        return repr(value)
    try:
        hash(value)
    except TypeError:
        return Same(value)
    return value


def differences(old, new):
    """What differs between two keys, as texts: "x: shape (2, 3) → (4, 3)"."""
    before, now = ({entry.label: entry for entry in key} for key in (old, new))
    found = [text for name, entry in now.items() if name in before
             for text in changes(before[name], entry)]
    return found or ["the arguments are others" for _ in range(set(before) != set(now))]


def changes(a, b):
    """What differs between two entries of one label."""
    if type(a) is not type(b):
        return [f"{a.label}: {KINDS[type(a)]} → {KINDS[type(b)]}"]
    if a == b:
        return []
    if isinstance(a, Fixed):
        kinds = ("", "") if a.type is b.type else (f"{a.type.__name__} ", f"{b.type.__name__} ")
        return [f"{a.label}: {kinds[0]}{a.value} → {kinds[1]}{b.value}"]
    return [f"{a.label}: {field} {shown(x)} → {shown(y)}"
            for field, x, y in zip(a._fields, a, b) if x != y]


def shown(x):
    """A part of an entry as a text."""
    return x.__name__ if isinstance(x, type) else str(x)
