"""The nests that bodies take and return: named, checked, and kept in one order."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from minigrad.core.errors import ArgumentError, DtypeError, MinigradError, ShapeError, name_of
from minigrad.core.op import Value, bind
from minigrad.core.ops.elementwise import Identity
from minigrad.core.pytree import LEAF, arrange_leaves, flatten, unflatten
from minigrad.core.spec import Spec, as_array, as_contiguous, is_scalar, scalar_like, spec_of
from minigrad.dynamic.tensor import Tensor
from minigrad.static.graph import Node


class Carry:
    """What a loop hands on after each iteration: a nest of values whose Specs stay."""

    def __init__(self, loop: str, nest: Any) -> None:
        leaves, self.structure = flatten(nest)
        self.loop, self.paths = loop, name_leaves(self.structure, "carry")
        self.leaves = [x if isinstance(x, Value) else as_array(x) for x in leaves]
        self.specs = [spec_of(x) for x in self.leaves]

    def nest(self, leaves: Iterable[Any]) -> Any:
        """The leaves in the places of the carry."""
        return unflatten(self.structure, leaves)

    def names_in(self, f: Any) -> list[str]:
        """What f calls each leaf: by its arguments, as spread_carry hands them on; else by path."""
        parts, roots = [self.structure], list_arguments(f)
        if isinstance(self.structure, (tuple, list)) and can_take(f, len(self.structure)):
            parts = self.structure
        if len(roots) < len(parts):
            return self.paths
        return [name for root, part in zip(roots, parts) for name in name_leaves(part, root)]

    def flatten_results(self, nest: Any) -> list[Any]:
        """The leaves of what a body returned; a list may stand for a tuple, a tuple for a list.
        Raises when nest, dtypes or shapes have drifted."""
        kind = type(self.structure)
        if kind in (tuple, list) and type(nest) in (tuple, list):
            nest = kind(nest)
        _, structure = flatten(nest)
        if structure != self.structure:
            shown = show_structure(structure), show_structure(self.structure)
            message = "{}: the body returns {} for the carry {}".format(self.loop, *shown)
            raise ArgumentError(message, "return the carry with the structure that it has")
        leaves = arrange_leaves(self.structure, nest)
        values = [as_value(x, spec.dtype) for x, spec in zip(leaves, self.specs)]
        for path, spec, value in zip(self.paths, self.specs, values):
            check_invariant(f"{self.loop}: {path}", spec, spec_of(value))
        return values


def unify(x: Spec, y: Spec) -> Spec | None:
    """The Spec of a value that is both x and y, known lengths first; None when it cannot be."""
    if x.dtype != y.dtype or len(x.shape) != len(y.shape):
        return None
    if any(m != n and None not in (m, n) for m, n in zip(x.shape, y.shape)):
        return None
    return Spec(tuple(n if m is None else m for m, n in zip(x.shape, y.shape)), x.dtype)


def check_invariant(what, before, after):
    """The Spec of a carry. Raises ShapeError or DtypeError when an iteration would change it."""
    both = unify(before, after)
    if both is None:
        kind = DtypeError if before.dtype != after.dtype else ShapeError
        message = f"{what} starts as {before}, but the body returns {after} for it"
        raise kind(message, f"start it as {after}, or let the body return {before}")
    return both


def as_value(x: Any, dtype: Any) -> Any:
    """A leaf that a body returned; a Python number takes `dtype` unless it would be rounded."""
    if isinstance(x, Value):
        return x
    return scalar_like(x, [dtype]) if is_scalar(x) else as_array(x)


def lift_together(values: Iterable[Any]) -> list[Any]:
    """The values as they are, or all as Tensors when one is."""
    tensor = next((x for x in values if isinstance(x, Tensor)), None)
    return list(values) if tensor is None else [tensor.lift(x) for x in values]


def lift_contiguous(values: Iterable[Any]) -> list[Any]:
    """lift_together, and each value row by row, as a loop of a graph hands it on."""
    return list(map(normalise_output, lift_together(values)))


def normalise_output(x):
    """x as it leaves a body that Python runs: row by row, as what an op computes."""
    if isinstance(x, Tensor) and (type(x) is not Tensor or not x.array.flags.c_contiguous):
        return bind(Identity, x)  # else a transpose would be followed by other bits than in a graph
    return as_contiguous(x) if isinstance(x, np.ndarray) else x


def dealias_outputs(values: Iterable[Any], since: int) -> list[Any]:
    """What Python's run of a loop or choice gives back: each Tensor a result of its own, as in a
    graph, not one from before (made until the tick `since`), nor one that is given back twice."""
    values = list(values)
    count = Counter(x.order for x in values if isinstance(x, Tensor))
    return [
        bind(Identity, x)
        if isinstance(x, Tensor) and (x.order <= since or count[x.order] > 1)
        else x
        for x in values
    ]


def concrete_bool(value: Any, what: str) -> bool:
    """A predicate as a Python bool. Raises unless it is one boolean that is known now."""
    if isinstance(value, Node):
        message = f"{what} is the node {value!r}, but every other value is a number"
        raise ArgumentError(message, "start from nodes, or open the graph with `with graph:`")
    as_predicate(value, what)
    return bool(value)


def as_predicate(value: Any, what: str) -> Any:
    """The value. Raises unless it is one boolean."""
    spec = spec_of(value)
    if spec.shape != () or spec.dtype != bool:
        message = f"{what} is {spec}, not one boolean"
        raise DtypeError(message, "compare: x != 0; of many, take mg.min(x) > 0 or mg.max(x) > 0")
    return value


def check_functions(what: str, hint: str, **functions: Any) -> None:
    """Raises an ArgumentError for what is no function: a value has been computed already."""
    for name, f in functions.items():
        if not callable(f):
            message = f"{what}: {name} is not a function but a {type(f).__name__}"
            raise ArgumentError(message, hint)


def spread_carry(f: Callable[..., Any], carry: Any) -> Callable[..., Any]:
    """f for a nest: a tuple or list goes to it as several arguments when f takes as many."""
    if not isinstance(carry, (tuple, list)):
        return f
    return (lambda nest: f(*nest)) if can_take(f, len(carry)) else pass_whole(f, carry)


def pass_whole(f, carry):
    """f for a tuple or list as one argument; says so where f takes it for a number."""
    kind = type(carry).__name__

    def call(nest):
        try:
            return f(nest)
        except TypeError as error:
            if isinstance(error, MinigradError) or kind not in str(error):
                raise
            raise ArgumentError(
                f"{name_of(f)} gets the carry as one {kind} of "
                f"{len(carry)}, and computes with it as with a number: {error}",
                "take it apart: carry[0]; or carry the value itself: x, not (x,)",
            ) from error

    return call


def can_take(f, count):
    """True when f has `count` > 1 arguments to fill, or *arguments."""
    try:
        parameters = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        return False
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return True
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return sum(p.default is p.empty for p in places) == count > 1


def list_arguments(f: Any) -> list[str]:
    """The names of f's arguments that are given by place; none where it does not tell them."""
    try:
        parameters = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


# nests -------------------------------------------------------------------------------------------


NONE_STRUCTURE = object()  # the structure of None, which holds no values


def flatten_nest(nest: Any) -> tuple[list[Any], Any]:
    """(leaves, structure) of a nest or None."""
    return ([], NONE_STRUCTURE) if nest is None else flatten(nest)


def unflatten_nest(structure: Any, leaves: Iterable[Any]) -> Any:
    """The nest, or None, with `leaves` in their places."""
    return None if structure is NONE_STRUCTURE else unflatten(structure, leaves)


def name_leaves(structure: Any, root: str) -> list[str]:
    """A name for each leaf: carry, carry[0], carry['h'], carry.h."""
    if structure is LEAF:
        return [root]
    if isinstance(structure, dict):
        parts = [(f"{root}[{key!r}]", part) for key, part in structure.items()]
    elif hasattr(structure, "_fields"):
        parts = [(f"{root}.{key}", part) for key, part in zip(structure._fields, structure)]
    else:
        parts = [(f"{root}[{i}]", part) for i, part in enumerate(structure)]
    return [path for name, part in parts for path in name_leaves(part, name)]


def show_structure(structure: Any) -> str:
    """A nest for a message, a dot for each value: (·, ·)."""
    if structure is LEAF or structure is NONE_STRUCTURE:
        return "·" if structure is LEAF else "None"
    if isinstance(structure, dict):
        parts = [f"{key!r}: {show_structure(part)}" for key, part in structure.items()]
        return f"{{{', '.join(parts)}}}"
    inner = ", ".join(map(show_structure, structure))
    if isinstance(structure, list):
        return f"[{inner}]"
    return f"({inner},)" if len(structure) == 1 else f"({inner})"
