"""Derivatives of functions: grad, elementwise_grad, vjp, jvp, hvp.

Each call gives the function fresh copies of its arguments and differentiates for those copies
alone. A value that the function takes from outside is therefore a constant of this call, even if
an outer call differentiates for it: nested derivatives cannot be confused.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar, overload

from minigrad.core import ops
from minigrad.core.autodiff import (
    accumulate_pairs,
    differentiable_path,
    fill_gap,
    forward_gradients,
    gradients,
    list_seeds,
    seed_values,
)
from minigrad.core.errors import ArgumentError, GradientError, UsageError, name_of
from minigrad.core.modes import enable_grad, mode, no_grad
from minigrad.core.op import Operandlike, Value, bind
from minigrad.core.ops.elementwise import Identity
from minigrad.core.pytree import LEAF, arrange_leaves, flatten, unflatten
from minigrad.core.signatures import Argnums, Array, Params, V, ValueOf, Values
from minigrad.core.spec import is_whole_number, spec_of
from minigrad.dynamic.conversions import call_differentiated
from minigrad.dynamic.tensor import (
    Tensor,
    TensorOrNode,
    forward_arrays,
    new_leaves,
    one_for,
    reverse_arrays,
    tensor,
    tracked_path,
)

UNKNOWN = object()


class FunctionCall:
    """One call of a function for differentiation: fresh arguments in, flat results out.

    With `has_aux` the function returns a pair, whose second part is only handed on.
    """

    def __init__(
        self,
        f: Callable[..., Any],
        arguments: Values,
        places: Values,
        keywords: Params,
        has_aux: bool = False,
    ) -> None:
        self.recording, self.aux = mode().recording, None
        self.free: list[Any] = []  # derivatives without history
        self.path: Any = UNKNOWN
        leaves, self.x_structure = flatten([arguments[p] for p in places])
        if not leaves:
            message = f"{name_of(f)} has no argument to differentiate with respect to"
            raise ArgumentError(message, "pass at least one number or array")
        with enable_grad():
            self.xs = [copy_fresh(x) for x in leaves]
            changed = list(arguments)
            for place, argument in zip(places, unflatten(self.x_structure, self.xs)):
                changed[place] = argument
            returned = call_differentiated(f, self.xs, changed, keywords)
            if has_aux:
                returned, self.aux = split_aux(returned, f)
            ys, self.y_structure = flatten(returned)
        self.ys = [y if isinstance(y, Value) else self.xs[0].lift(y) for y in ys]

    def reverse(self, seeds: Any) -> Any:
        """The cotangents of the arguments, as a list of nests, one for each place."""
        return unflatten(self.x_structure, self.drop_histories(self.x_bars(seeds)))

    def forward(self, tangents: Any) -> Any:
        """The tangents of the results, as a nest."""
        return unflatten(self.y_structure, self.drop_histories(self.y_dots(tangents)))

    def x_bars(self, seeds: Any) -> list[Any]:
        """The cotangents of xs; computed on arrays, where no outer derivative goes through."""
        if not self.ends_here(seeds):
            with enable_grad():
                x_bars = gradients(self.ys, self.xs, seeds, unconnected="zero")
                return self.with_statements(x_bars)
        y_bars = numbers_of_seeds(self.ys, seeds, "grad_ys", one_for)
        path, wanted = self.verified_path(), {x.order for x in self.xs}
        adjoints = accumulate_pairs(
            (y.order, b) for y, b in zip(self.ys, y_bars) if y.order in path
        )
        with no_grad():
            sweep = reverse_arrays(path, adjoints)
            found = {z.order: z_bar for z, z_bar, _ in sweep if z.order in wanted}
        return self.lift_found(found, self.xs, self.ys, seeds)

    def y_dots(self, tangents: Any) -> list[Any]:
        """The tangents of ys; computed on arrays, where no outer derivative goes through."""
        if not self.ends_here(tangents):
            with enable_grad():
                y_dots = forward_gradients(self.ys, self.xs, tangents, unconnected="zero")
                return self.with_statements(y_dots)
        x_dots = numbers_of_seeds(self.xs, tangents, "tangents", None)
        seeds = accumulate_pairs(zip([x.order for x in self.xs], x_dots))
        with no_grad():
            found = forward_arrays(self.verified_path(), seeds)
        return self.lift_found(found, self.ys, self.xs, tangents)

    def with_statements(self, derivatives: list[Any]) -> list[Any]:
        """The derivatives; one that is fetched alone runs what f prints on the way to its ys."""
        start = min(x.order for x in self.xs)
        return [v.with_statements(self.ys, start) for v in derivatives]

    def lift_found(
        self, found: dict[int, Any], values: Sequence[Any], others: Sequence[Any], seeds: Any
    ) -> list[Any]:
        """The derivatives of values, {order: array}, as Tensors without history; 0 for others."""
        reached = [found[v.order] for v in values if v.order in found]
        own = iter(new_leaves(reached, seeds or ()))
        self.free = [next(own) if v.order in found else fill_gap(v, others, "zero") for v in values]
        return self.free

    @property
    def closed_path(self) -> Any:
        """The path that find_path found when it was first asked for."""
        if self.path is UNKNOWN:
            self.path = self.find_path()
        return self.path

    def find_path(self) -> Any:
        """{order: value} from xs to ys; None where an outer derivative may go through."""
        now = mode()
        dynamic = all([isinstance(v, Tensor) for v in (*self.xs, *self.ys)])
        if not dynamic or now.tracing or now.lazy or any([x.op for x in self.xs]):
            return None
        if not self.recording:
            return differentiable_path(self.xs, self.ys)
        ys: Any = self.ys
        path, mine = tracked_path(ys), {x.order for x in self.xs}
        return None if any([v.op is None and v.order not in mine for v in path.values()]) else path

    def verified_path(self) -> dict[int, Any]:
        """The closed path, to be used up. Raises GradientError when a value on it is stale."""
        for v in self.closed_path.values():
            v.verify()
        return dict(self.closed_path)

    def ends_here(self, seeds: Any) -> bool:
        """True when no outer derivative goes through this call: its rules may run on arrays."""
        return self.closed_path is not None and not any(
            isinstance(s, Value)
            and (not isinstance(s, Tensor) or self.recording and s.requires_grad)
            for s in seeds or ()
        )

    def results(self) -> Any:
        """The function's own results."""
        return unflatten(self.y_structure, self.drop_histories(self.ys))

    def extras(self) -> Any:
        """The second part of what the function returned, its values without derivatives."""
        leaves, structure = flatten(self.aux)
        free = [self.drop_histories([v])[0] if isinstance(v, Value) else v for v in leaves]
        return unflatten(structure, free)

    def drop_histories(self, values: Values) -> list[Any]:
        """The values without their history, unless an outer derivative needs it."""
        if values is self.free:
            return self.free
        if values is self.ys and self.closed_path is not None:
            return [v.detach() for v in values]
        return [v if self.recording and is_outside(v, self.xs) else drop_history(v) for v in values]


def numbers_of_seeds(values: Sequence[Any], seeds: Any, what: str, default: Any) -> list[Any]:
    """The arrays of seeds for Tensors, checked."""
    return [seed.array for seed in seed_values(values, seeds, what, default)]


def copy_fresh(x: Operandlike) -> Any:
    """A copy of x to differentiate for, linked to x so that outer derivatives pass through."""
    if isinstance(x, Value) and (not isinstance(x, Tensor) or x.requires_grad or mode().tracing):
        return bind(Identity, x)
    return tensor(x, requires_grad=True)


def is_outside(v: Value, xs: Sequence[Value]) -> bool:
    """True when v depends on something differentiable other than the fresh leaves xs."""
    if not isinstance(v, Tensor):
        return True
    mine = {x.order for x in xs}
    sources = [u.order for u in tracked_path([v]).values() if u.op is None] if v.tracked else ()
    return not mine.issuperset(sources)


def drop_history(v: Value) -> Value:
    """A Tensor's numbers without history; a Node as it is."""
    return v.detach() if isinstance(v, Tensor) else v


# what types see ----------------------------------------------------------------------------------

R = TypeVar("R")


class Derivative(Protocol):
    """∂f/∂x as a function of f's arguments: for a number or array x it is a Tensor."""

    @overload
    def __call__(self, x: ValueOf[V], /, *more: Any, **keywords: Any) -> V: ...
    @overload
    def __call__(self, x: Array | float, /, *more: Any, **keywords: Any) -> Tensor: ...
    @overload  # a nest
    def __call__(self, x: Any, /, *more: Any, **keywords: Any) -> Any: ...


class ValueAndDerivative(Protocol):
    """(f, ∂f/∂x) as a function of f's arguments."""

    @overload
    def __call__(self, x: ValueOf[V], /, *more: Any, **keywords: Any) -> tuple[V, V]: ...
    @overload
    def __call__(
        self, x: Array | float, /, *more: Any, **keywords: Any
    ) -> tuple[Tensor, Tensor]: ...
    @overload  # a nest
    def __call__(self, x: Any, /, *more: Any, **keywords: Any) -> tuple[TensorOrNode, Any]: ...


# the transformations -----------------------------------------------------------------------------


@overload
def value_and_grad(f: Callable[..., Any]) -> ValueAndDerivative: ...
@overload
def value_and_grad(
    f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[..., tuple[Any, Any]]: ...


def value_and_grad(f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Any:
    """Return a function for (f(x), ∂f/∂x), for an f that returns one number; reverse mode.

    `argnums` says which arguments: a number, or a tuple for a tuple of gradients. Arguments may
    be nests of tuples, lists and dicts; gradients come in the same nest. With `has_aux`, f
    returns (number, anything else), and ((number, anything else), ∂f/∂x) comes back.

    >>> mg.value_and_grad(lambda x: x ** 3)(mg.tensor(2.0))
    (tensor(8.), tensor(12.))
    """
    if not callable(f):
        message = f"grad takes a function, and this is a {type(f).__name__}"
        raise UsageError(message, "write mg.gradients(y, [x]) for a value y, or y.backward()")

    @functools.wraps(f)
    def both(*arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        places, single = argument_places(argnums, arguments)
        call = FunctionCall(f, arguments, places, keywords, has_aux)
        if call.y_structure is not LEAF or call.ys[0].shape != ():
            given = ", ".join(str(spec_of(y)) for y in call.ys)
            message = f"grad needs one number from {name_of(f)}, which returned {given}"
            hint = "reduce it with mg.sum, use jacobian or vjp, or return (number, more)"
            raise GradientError(message, f"{hint} and pass has_aux=True")
        x_bars = call.reverse(None)
        value = (call.results(), call.extras()) if has_aux else call.results()
        return value, x_bars[0] if single else tuple(x_bars)

    return both


@overload
def grad(f: Callable[..., Any]) -> Derivative: ...
@overload
def grad(
    f: Callable[..., Any], argnums: tuple[int, ...]
) -> Callable[..., tuple[TensorOrNode, ...]]: ...
@overload
def grad(
    f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[..., Any]: ...


def grad(f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Any:
    """Return a function for ∂f/∂x, for an f that returns one number; reverse mode.

    With `has_aux`, f returns (number, anything else), and (∂f/∂x, anything else) comes back.

    >>> mg.grad(lambda x: x ** 3)(mg.tensor(2.0))
    tensor(12.)
    """
    both = value_and_grad(f, argnums, has_aux)

    @functools.wraps(f)
    def gradient(*arguments: Any, **keywords: Any) -> Any:
        value, x_bar = both(*arguments, **keywords)
        return (x_bar, value[1]) if has_aux else x_bar

    return gradient


@overload
def elementwise_grad(f: Callable[..., Any]) -> Derivative: ...
@overload
def elementwise_grad(
    f: Callable[..., Any], argnums: tuple[int, ...]
) -> Callable[..., tuple[TensorOrNode, ...]]: ...
@overload
def elementwise_grad(f: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]: ...


def elementwise_grad(f: Callable[..., Any], argnums: Argnums = 0) -> Any:
    """Return a function for ∂(Σ f(x))/∂x, of x's shape, for an f that returns an array.

    Where z = f(x) is computed entry by entry, this is ∂z[i]/∂x[i]: all derivatives by one reverse
    pass. `argnums` is as in grad.

    >>> mg.elementwise_grad(mg.square)(mg.tensor([1.0, 2.0]))
    tensor([2., 4.])
    """

    @functools.wraps(f)
    def total(*arguments: Any, **keywords: Any) -> Any:
        z = f(*arguments, **keywords)
        if isinstance(z, (tuple, list, dict)):
            message = f"elementwise_grad needs one array from {name_of(f)}, not {type(z).__name__}"
            raise GradientError(message, "return one array, or use jacobian or vjp")
        return ops.sum(z)

    return grad(total, argnums)


def vjp(f: Callable[..., R], *primals: Any) -> tuple[R, Callable[[Any], tuple[TensorOrNode, ...]]]:
    """Compute (f(primals), pullback), where pullback(y_bar) gives Jᵀ y_bar, one for each primal.

    >>> y, pullback = mg.vjp(mg.square, mg.tensor(3.0))
    >>> pullback(1.0)
    (tensor(6.),)
    """
    call = FunctionCall(f, primals, range(len(primals)), {})

    def pullback(y_bar: Any) -> tuple[Any, ...]:
        if call.y_structure is LEAF:
            (y_bar,) = list_seeds(y_bar, call.ys[0])
            return tuple(call.reverse([y_bar]))
        if flatten(y_bar)[1] != call.y_structure:
            message = f"the cotangents do not have the structure that {name_of(f)} returned"
            raise ArgumentError(message, "give one cotangent for each result")
        return tuple(call.reverse(arrange_leaves(call.y_structure, y_bar)))

    return call.results(), pullback


def jvp(f: Callable[..., R], primals: Any, tangents: Any) -> tuple[R, R]:
    """Compute (f(primals), J tangents): forward mode; `tangents` have the structure of `primals`.

    >>> mg.jvp(mg.square, (mg.tensor(3.0),), (1.0,))
    (tensor(9.), tensor(6.))
    """
    for what, nest in (("primals", primals), ("tangents", tangents)):
        if not isinstance(nest, (tuple, list)):
            message = f"jvp takes its {what} as a tuple, not as {type(nest).__name__}"
            raise ArgumentError(message, "write jvp(f, (x,), (v,))")
    call = FunctionCall(f, primals, range(len(primals)), {})
    tangents = list(tangents)
    if flatten(tangents)[1] != call.x_structure:
        hint = "give one tangent for each primal"
        raise ArgumentError("the tangents do not have the structure of the primals", hint)
    return call.results(), call.forward(arrange_leaves(call.x_structure, tangents))


@overload
def hvp(f: Callable[..., Any], x: ValueOf[V], v: Any) -> V: ...
@overload
def hvp(f: Callable[..., Any], x: Array | float, v: Any) -> Tensor: ...
@overload  # a nest
def hvp(f: Callable[..., Any], x: Any, v: Any) -> Any: ...


def hvp(f: Callable[..., Any], x: Any, v: Any) -> Any:
    """Compute H v for f's Hessian H at x: the tangent of the gradient, without building H.

    >>> mg.hvp(lambda x: mg.sum(x ** 3), mg.tensor([1.0, 2.0]), np.array([1.0, 0.0]))
    tensor([6., 0.])
    """
    return jvp(grad(f), (x,), (v,))[1]


def split_aux(returned: Any, f: Callable[..., Any]) -> Any:
    """(number, more) of a function with has_aux."""
    if not isinstance(returned, (tuple, list)) or len(returned) != 2:
        raise ArgumentError(
            f"has_aux=True needs a pair, but {name_of(f)} returned {type(returned).__name__}",
            "return (number, anything else)",
        )
    return returned


def argument_places(argnums: Any, arguments: Values) -> tuple[list[int], bool]:
    """(the positions of the arguments that `argnums` names, whether it is a number), checked."""
    single = is_whole_number(argnums)
    if not single and not isinstance(argnums, (tuple, list, range)):
        message = f"argnums is {argnums!r}, not a number or a tuple of numbers"
        raise ArgumentError(message, "write argnums=0 or argnums=(0, 1)")
    places = [argument_index(a, arguments) for a in ([argnums] if single else argnums)]
    if len({*places}) < len(places):
        raise ArgumentError(f"argnums {argnums} names an argument twice", "name each one once")
    return places, single


def argument_index(argnum: Any, arguments: Values) -> int:
    """An argument's position, checked."""
    if not is_whole_number(argnum) or not -len(arguments) <= argnum < len(arguments):
        message = f"argnums names argument {argnum!r}, but {len(arguments)} were given"
        raise ArgumentError(message, "count the arguments from 0")
    return int(argnum) % len(arguments)
