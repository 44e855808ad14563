"""Nests of tuples, lists and dicts: taken apart into leaves, and put together again."""

LEAF = object()  # stands in a structure where a leaf was


def flatten(tree):
    """(leaves, structure) of a nest; anything but a tuple, list or dict is a leaf."""
    leaves = []
    return leaves, structure_of(tree, leaves)


def structure_of(tree, leaves):
    """The nest with LEAF for each leaf, which is appended to `leaves`."""
    if isinstance(tree, dict):
        return {key: structure_of(part, leaves) for key, part in tree.items()}
    if isinstance(tree, (tuple, list)):
        return rebuilt(tree, [structure_of(part, leaves) for part in tree])
    leaves.append(tree)
    return LEAF


def unflatten(structure, leaves):
    """The nest with `leaves` in their places."""
    if structure is LEAF:
        (leaf,) = leaves
        return leaf
    return filled(structure, iter(leaves))


def filled(structure, leaves):
    """A structure with the next leaf for each LEAF."""
    if structure is LEAF:
        return next(leaves)
    if isinstance(structure, dict):
        return {key: filled(part, leaves) for key, part in structure.items()}
    return rebuilt(structure, [filled(part, leaves) for part in structure])


def rebuilt(sequence, parts):
    """`parts` as a list, tuple or named tuple of the kind of `sequence`."""
    return type(sequence)(*parts) if hasattr(sequence, "_fields") else type(sequence)(parts)
