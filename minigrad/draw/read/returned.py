"""Graphs that backward gave back: small ones are drawn as they were."""


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
    """A value, or a dict or list of values, with what stands for each."""
    if hasattr(thing, "items"):
        return {replace_values(k, stands): replace_values(v, stands) for k, v in thing.items()}
    if type(thing) in (list, tuple):
        return [replace_values(one, stands) for one in thing]
    return stands.get(id(thing), thing)
