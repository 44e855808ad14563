"""Nests of tuples, lists and dicts: taken apart into leaves, and put together again."""

from collections.abc import Iterable, Iterator
from typing import Any

LEAF = object()  # stands in a structure where a leaf was


def flatten(tree: Any) -> tuple[list[Any], Any]:
    """(leaves, structure) of a nest; anything but a tuple, list or dict is a leaf."""
    leaves: list[Any] = []
    return leaves, structure_of(tree, leaves)


def structure_of(tree: Any, leaves: list[Any]) -> Any:
    """The nest with LEAF for each leaf, which is appended to `leaves`."""
    kind = type(tree)  # isinstance would ask each leaf for its class, too, which takes longer
    if not issubclass(kind, (tuple, list, dict)):
        leaves.append(tree)
        return LEAF
    if issubclass(kind, dict):
        return {key: structure_of(part, leaves) for key, part in tree.items()}
    return rebuild_sequence(tree, [structure_of(part, leaves) for part in tree])


def unflatten(structure: Any, leaves: Iterable[Any]) -> Any:
    """The nest with `leaves` in their places."""
    if structure is LEAF:
        (leaf,) = leaves
        return leaf
    return fill_structure(structure, iter(leaves))


def fill_structure(structure: Any, leaves: Iterator[Any]) -> Any:
    """A structure with the next leaf for each LEAF."""
    if structure is LEAF:
        return next(leaves)
    if isinstance(structure, dict):
        return {key: fill_structure(part, leaves) for key, part in structure.items()}
    return rebuild_sequence(structure, [fill_structure(part, leaves) for part in structure])


def rebuild_sequence(sequence: Any, parts: list[Any]) -> Any:
    """`parts` as a list, tuple or named tuple of the kind of `sequence`."""
    return type(sequence)(*parts) if hasattr(sequence, "_fields") else type(sequence)(parts)


def arrange_leaves(structure: Any, nest: Any) -> list[Any]:
    """The leaves of a nest in the order of an equal structure: equal dicts may differ in order."""
    return flatten(order_nest(structure, nest))[0]


def order_nest(structure: Any, nest: Any) -> Any:
    """The nest with its dicts in the order of the structure's."""
    if structure is LEAF:
        return nest
    if isinstance(structure, dict):
        return {key: order_nest(part, nest[key]) for key, part in structure.items()}
    return rebuild_sequence(structure, [order_nest(s, part) for s, part in zip(structure, nest)])
