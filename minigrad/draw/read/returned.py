"""What backward left: graphs that it gave back, of which small ones are drawn as they were, and the
contributions that it added up."""

from collections.abc import Mapping

from minigrad.core.errors import GradientError
from minigrad.draw.read import peek
from minigrad.draw.read.outline import gather_values


def take_back(results, *others):
    """(results, *others) with what stands for values whose graph was freed, in any nest.

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


# what backward added up --------------------------------------------------------------------------


def known_adjoints(results):
    """[(value, adjoint, [(user, contribution), …]), …] of the backward pass from a single result,
    as `draw` takes them; None where the gradients of its leaves come from no such pass."""
    alone = results[0] if len(results) == 1 else None
    if not hasattr(type(alone), "recorded_steps") or not has_leaf_gradient(alone):
        return None
    try:
        steps = list(alone.recorded_steps())
    except GradientError:  # no pass, or the graph is too large to be noted
        return None
    return list_contributions(steps) if is_of_leaves(steps) else None


def has_leaf_gradient(value):
    """Whether a leaf that a value was computed from has a gradient: only backward() leaves one."""
    values, inputs = gather_values([value])
    leaves = (one for one in values if not inputs[id(one)])
    return any(peek(leaf, "grad") is not None for leaf in leaves)


def is_of_leaves(steps):
    """Whether leaves have gradients, and all of them are what these steps add up."""
    sums = {id(x): (x, total) for _, _, passed in steps for x, _, total in passed}
    leaves = [(x, total) for x, total in sums.values() if not x.inputs]
    known = [(peek(x, "grad"), total) for x, total in leaves if peek(x, "grad") is not None]
    return bool(known) and all(one.tolist() == other.tolist() for one, other in known)


def list_contributions(steps):
    """The steps of a sweep, as `draw` takes adjoints."""
    found = {}
    for z, z_bar, passed in steps:
        found[id(z)] = (z, z_bar, found.get(id(z), (z, None, []))[2])
        for x, share, total in passed:
            found[id(x)] = (x, total, [*found.get(id(x), (x, None, []))[2], (z, share)])
    return list(found.values())
