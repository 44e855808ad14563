"""A choice between two computations, of which one runs."""

from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple

from minigrad.core.errors import ArgumentError, ShapeError
from minigrad.core.modes import mode, open_graph
from minigrad.core.op import Op, bind
from minigrad.core.pytree import arrange_leaves, flatten, unflatten
from minigrad.core.signatures import Params, Values
from minigrad.core.spec import Spec, is_scalar, spec_of
from minigrad.dynamic.in_place import tick
from minigrad.dynamic.tensor import Tensor
from minigrad.static.control.body import BodyBuilder, close_bodies, graph_for
from minigrad.static.control.bundle import Parts, bundle, copy_results, floating_places, items
from minigrad.static.control.pytrees import (
    as_predicate,
    as_value,
    check_functions,
    concrete_bool,
    dealias_outputs,
    name_leaves,
    normalise_output,
    show_structure,
    unify,
)
from minigrad.static.graph import Node, lift_into

Xs = TypeVarTuple("Xs")  # the operands
Z = TypeVar("Z")  # the result


class Cond(Op):
    """z = then(xs) if pred else otherwise(xs): a bundle, of which one branch is computed.

    then and otherwise are Fns of the same inputs. A derivative is a choice between derivatives.
    """

    builtin = True
    says = "{x} is {condition}, so the {branch} branch computes {z}."
    says_back = "Only the branch that ran takes {z_bar} back to {to}."

    def infer(pred: Any, *xs: Any, then: Any, otherwise: Any) -> Spec:
        pairs = enumerate(zip(then.infer(xs), otherwise.infer(xs)))
        return bundle([join_specs(f"result {i}", s, t) for i, (s, t) in pairs])

    def compute(pred: Any, *xs: Any, then: Any, otherwise: Any) -> Any:
        return copy_results((then if pred else otherwise).run(xs))

    @classmethod
    def pushforward(op, xs: Values, z: Any, x_dots: Values, params: Params) -> Any:
        moved = tuple(i for i, x_dot in enumerate(x_dots[1:]) if x_dot is not None)
        branches = {name: fn.pushforward(moved) for name, fn in params.items()}
        z_dots = items(bind(op, *xs, *[x_dots[i + 1] for i in moved], **branches))
        return Parts(z.dtype, zip(floating_places(z.dtype), z_dots))

    @classmethod
    def pullback(op, xs: Values, z: Any, z_bar: Any, wanted: Values, params: Params) -> Values:
        places, given = tuple(i for i, want in enumerate(wanted[1:]) if want), tuple(sorted(z_bar))
        branches = {name: fn.pullback(places, given) for name, fn in params.items()}
        x_bars = dict(zip(places, items(bind(op, *xs, *[z_bar[i] for i in given], **branches))))
        return [None, *map(x_bars.get, range(len(xs) - 1))]


def cond(pred: Any, then: Callable[[*Xs], Z], otherwise: Callable[[*Xs], Z], *operands: *Xs) -> Z:
    """Compute z = then(*operands) if pred else otherwise(*operands); only one of the two runs.

    On a Node pred, one op: both branches are built, and return the same nest, shapes and dtypes.
    Values from outside may be used in them, and get gradients. Otherwise Python chooses.
    Raises DtypeError unless pred is one boolean, ShapeError when the branches disagree,
    ArgumentError for a branch that is no function, or not of the operands.

    >>> mg.cond(True, lambda x: x * 2, lambda x: x, mg.tensor(3.0))
    tensor(6.)
    """
    hint = "give functions, as lambda x: mg.sqrt(x): the one that is not chosen must not run"
    check_functions("cond", hint, then=then, otherwise=otherwise)
    if isinstance(pred, Tensor) and mode().tracing:
        pred = lift_into(open_graph(), pred)
    if not isinstance(pred, Node):
        chosen = then if concrete_bool(pred, "cond: the predicate") else otherwise
        return run_branch(chosen, operands)
    as_predicate(pred, "cond: the predicate")
    leaves, structure = flatten(operands)
    graph = graph_for([pred, *leaves])
    xs = [lift_into(graph, x) for x in leaves]
    labels, specs = name_leaves(structure, "operands"), list(map(spec_of, xs))
    branches = {"then": then, "otherwise": otherwise}
    bodies = [
        BodyBuilder(f"{name} of cond", graph, labels, specs, call_on_nest(f, structure))
        for name, f in branches.items()
    ]
    outputs, nest = branch_results(bodies)
    fns, captured = close_bodies(*zip(bodies, outputs))
    results = items(bind(Cond, pred, *xs, *captured, **dict(zip(branches, fns))))
    nodes: Z = unflatten(nest, results)
    return nodes


def run_branch(f: Callable[[*Xs], Z], operands: tuple[*Xs]) -> Z:
    """What Python gets from the branch that is chosen, each Tensor as a result of its own."""
    since = tick()
    leaves, nest = flatten(call_branch(f, operands))
    z: Z = unflatten(nest, dealias_outputs(map(normalise_output, leaves), since))
    return z


def call_on_nest(f: Callable[..., Any], structure: Any) -> Callable[..., Any]:
    """f as a function of the leaves of its arguments."""
    return lambda leaves: call_branch(f, unflatten(structure, leaves))


def call_branch(f: Callable[..., Any], operands: Any) -> Any:
    """f(*operands). Raises an ArgumentError where f takes more of them, or fewer."""
    try:
        return f(*operands)
    except TypeError as error:
        if error.__traceback__ and error.__traceback__.tb_next:  # f has been called
            raise
        hint = "the operands stand last, for both: mg.cond(pred, then, otherwise, *operands)"
        raise ArgumentError(f"cond: {error}", hint) from error


def branch_results(bodies: Any) -> tuple[Any, Any]:
    """(the outputs of each branch, their nest). Raises when the branches disagree."""
    nest, other = (flatten(body.results)[1] for body in bodies)
    if nest != other:
        message = (
            f"cond: then returns {show_structure(nest)}, but otherwise {show_structure(other)}"
        )
        raise ArgumentError(message, "return the same structure from both")
    pairs = list(zip(*(arrange_leaves(nest, body.results) for body in bodies)))
    pairs = [(as_branch(x, y), as_branch(y, x)) for x, y in pairs]
    for path, (x, y) in zip(name_leaves(nest, "the result"), pairs):
        join_specs(f"cond: {path}", spec_of(x), spec_of(y))
    return [[pair[i] for pair in pairs] for i in (0, 1)], nest


def as_branch(x: Any, other: Any) -> Any:
    """A leaf of one branch; a Python number takes the other's dtype unless it would be rounded."""
    return x if is_scalar(x) and is_scalar(other) else as_value(x, spec_of(other).dtype)


def join_specs(what: str, x: Spec, y: Spec) -> Spec:
    """The Spec of what one of two branches gives. Raises ShapeError when they differ."""
    both = unify(x, y)
    if both is None:
        message = f"{what} is {x} from then, but {y} from otherwise"
        raise ShapeError(message, "make shapes and dtypes equal: reshape, cast, or write 0.0 for 0")
    return both
