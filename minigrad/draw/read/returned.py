"""Graphs that backward gave back: small ones are drawn as they were."""

from collections.abc import Mapping


def take_back(results, *others):
    """(results, *others) with what stands for values whose graph was given back, in any nest.

    Raises what such a value raises, where its graph was too large to be noted.
    """
    stands = {}
    results = [build_again(value, stands) for value in results]
    return results, *[replace_values(thing, stands) if stands else thing for thing in others]


def build_again(thing, stands):
    """A result, or a list of results, of graphs that are there; fills `stands`, by ids."""
    if isinstance(thing, (list, tuple)):
        return [build_again(one, stands) for one in thing]
    if not hasattr(type(thing), "restore_graph") or thing.op is None or thing.inputs:
        return thing
    found, known = thing.restore_graph()
    stands.update(known)
    found.verify()
    return found


def replace_values(thing, stands):
    """A value, a list of values, or a mapping of such, with what stands for each."""
    if isinstance(thing, Mapping):
        return {replace_listed(k, stands): replace_listed(v, stands) for k, v in thing.items()}
    return replace_listed(thing, stands)


def replace_listed(thing, stands):
    """A value, or a list of values, with what stands for each. No deeper: locals() may hold itself,
    and much that is none of ours."""
    if type(thing) in (list, tuple):
        return type(thing)([stands.get(id(one), one) for one in thing])
    return stands.get(id(thing), thing)
