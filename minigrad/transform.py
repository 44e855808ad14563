"""Derivatives of functions: grad, vjp, jvp, jacobian, hessian, hvp.

Each call gives the function fresh copies of its arguments and differentiates for those copies
alone. A value that the function takes from outside is therefore a constant of this call, even if
an outer call differentiates for it: nested derivatives cannot be confused.
"""

import functools
import math

import numpy as np

from minigrad.autodiff import (
    ancestors, between, differentiable, forward_gradients, forward_sweep, gradients, one_engine,
    reverse_sweep,
)
from minigrad.batch import Batch, Unbatched
from minigrad.errors import ArgumentError, GradientError
from minigrad.modes import enable_grad, mode
from minigrad.op import Value, bind
from minigrad.ops.elementwise import Identity
from minigrad.ops.index import concatenate, stack
from minigrad.ops.shape import known, reshape, transpose
from minigrad.spec import spec_of
from minigrad.tensor import Tensor, tensor
from minigrad.tree import LEAF, flatten, unflatten

TOGETHER = 2 ** 24  # entries of one value in all directions of a sweep: 128 MiB of float64


class Call:
    """One call of a function for differentiation: fresh arguments in, flat results out."""

    def __init__(self, f, arguments, places, keywords):
        self.attached = mode.recording
        leaves, structure = flatten([arguments[p] for p in places])
        with enable_grad():
            self.xs = [fresh(x) for x in leaves]
            changed = list(arguments)
            for place, argument in zip(places, unflatten(structure, self.xs)):
                changed[place] = argument
            ys, self.y_structure = flatten(f(*changed, **keywords))
        self.x_structure = structure
        self.ys = [y if isinstance(y, Value) else self.xs[0].lift(y) for y in ys]

    def reverse(self, seeds):
        """The cotangents of the arguments, as a list of nests, one for each place."""
        with enable_grad():
            x_bars = gradients(self.ys, self.xs, seeds, unconnected="zero")
        return unflatten(self.x_structure, self.released(x_bars))

    def forward(self, tangents):
        """The tangents of the results, as a nest."""
        with enable_grad():
            y_dots = forward_gradients(self.ys, self.xs, tangents, unconnected="zero")
        return unflatten(self.y_structure, self.released(y_dots))

    def results(self):
        """The function's own results."""
        return unflatten(self.y_structure, self.released(self.ys))

    def released(self, values):
        """The values without their history, unless an outer derivative needs it."""
        return [v if self.attached and belongs_outside(v, self.xs) else detached(v)
                for v in values]


def fresh(x):
    """A copy of x to differentiate for, linked to x so that outer derivatives pass through."""
    if isinstance(x, Value) and (not isinstance(x, Tensor) or x.requires_grad or mode.tracing):
        return bind(Identity, x)
    return tensor(x, requires_grad=True)


def belongs_outside(v, xs):
    """True when v depends on something differentiable other than the fresh leaves xs."""
    if not isinstance(v, Tensor):
        return True
    mine = {x.order for x in xs}
    return v.requires_grad and any(
        a.differentiable_leaf and a.order not in mine for a in ancestors([v]))


def detached(v):
    """A Tensor's numbers without history; a Node as it is."""
    return v.detach() if isinstance(v, Tensor) else v


# the transformations -----------------------------------------------------------------------------


def value_and_grad(f, argnums=0):
    """A function returning (f(x), ∂f/∂x) for an f that returns one number; reverse mode.

    `argnums` says which arguments: a number, or a tuple for a tuple of gradients. Arguments may
    be nests of tuples, lists and dicts; gradients come in the same nest.
    """
    @functools.wraps(f)
    def both(*arguments, **keywords):
        single = isinstance(argnums, int)
        places = [place(a, arguments) for a in ([argnums] if single else argnums)]
        call = Call(f, arguments, places, keywords)
        if call.y_structure is not LEAF or call.ys[0].shape != ():
            raise GradientError(f"grad needs one number from {name(f)}, which returned "
                                f"{', '.join(str(spec_of(y)) for y in call.ys)}",
                                "reduce it with mg.sum, or use jacobian or vjp")
        x_bars = call.reverse(None)
        return call.results(), x_bars[0] if single else tuple(x_bars)
    return both


def grad(f, argnums=0):
    """A function returning ∂f/∂x for an f that returns one number; reverse mode."""
    both = value_and_grad(f, argnums)

    @functools.wraps(f)
    def gradient(*arguments, **keywords):
        return both(*arguments, **keywords)[1]
    return gradient


def vjp(f, *primals):
    """(f(primals), pullback), where pullback(y_bar) gives Jᵀ y_bar, one for each primal."""
    call = Call(f, primals, range(len(primals)), {})

    def pullback(y_bar):
        seeds, structure = flatten(y_bar)
        if structure != call.y_structure:
            raise ArgumentError(f"the cotangents are not nested like what {name(f)} returned",
                                "give one cotangent for each result")
        return tuple(call.reverse(seeds))
    return call.results(), pullback


def jvp(f, primals, tangents):
    """(f(primals), J tangents): forward mode; `tangents` are nested like `primals`."""
    call = Call(f, primals, range(len(primals)), {})
    seeds, structure = flatten(list(tangents))
    if structure != call.x_structure:
        raise ArgumentError("the tangents are not nested like the primals",
                            "give one tangent for each primal")
    return call.results(), call.forward(seeds)


def jacobian(f, mode="reverse", argnums=0):
    """A function returning ∂f/∂x as one array of shape [*y.shape, *x.shape].

    `argnums` says which arguments: a number, or a tuple for a tuple of Jacobians. Reverse mode
    takes a direction for each entry of y, forward mode one for each entry of x; a sweep takes
    many directions at once, unless an op on its way can only take one.
    """
    if mode not in ("reverse", "forward"):
        raise ArgumentError(f"jacobian has no mode {mode!r}", 'use "reverse" or "forward"')

    @functools.wraps(f)
    def matrices(*arguments, **keywords):
        single = isinstance(argnums, int)
        places = [place(a, arguments) for a in ([argnums] if single else argnums)]
        call = Call(f, arguments, places, keywords)
        if call.y_structure is not LEAF or call.x_structure != [LEAF] * len(places):
            raise ArgumentError(f"jacobian of {name(f)}, which takes or returns a nest",
                                "give and return single arrays, or use vjp or jvp")
        for v in (*call.xs, *call.ys):
            if not known(v.shape):
                raise ArgumentError(f"jacobian with {spec_of(v)}: a length is unknown",
                                    "declare all lengths of the placeholder")
        with enable_grad():
            (y,), xs = one_engine(differentiable(call.ys, "y"), differentiable(call.xs, "x"))
            found = rows(y, xs) if mode == "reverse" else [columns(y, x) for x in xs]
        found = call.released(found)
        return found[0] if single else tuple(found)
    return matrices


def rows(y, xs):
    """∂y/∂x for each x, by reverse mode: the cotangents of x along the entries of y."""
    path = between(xs, [y])
    parts = [pulled_back(path, y, xs, y_bars) for y_bars in directions(y, path)]
    return [reshape(joined(x_bars, x), (*y.shape, *x.shape))
            for x, x_bars in zip(xs, zip(*parts) if parts else [()] * len(xs))]


def columns(y, x):
    """∂y/∂x by forward mode: the tangents of y along the entries of x."""
    path = between([x], [y])
    y_dots = joined([pushed_forward(path, y, x, x_dots) for x_dots in directions(x, path)], y)
    return reshape(transpose(y_dots, (*range(1, 1 + len(y.shape)), 0)), (*y.shape, *x.shape))


def joined(parts, v):
    """Derivatives of v in all directions: [directions, *v.shape]."""
    if not parts:
        return v.lift(np.zeros((0, *v.shape), v.dtype))
    return v.lift(concatenate(parts) if len(parts) > 1 else parts[0])


def pulled_back(path, y, xs, y_bars):
    """Cotangents [directions, *x.shape] of each x, for those of y."""
    try:
        if any(z.hooks for z in path.values()):
            raise Unbatched("a hook")
        sweep = reverse_sweep(dict(path), {y.order: Batch(y_bars)})
        found = {z.order: z_bar.values for z, z_bar in sweep}
    except Unbatched:
        alone = [gradients(y, xs, y_bar, unconnected="zero") for y_bar in y_bars]
        return [stack(x_bars) for x_bars in zip(*alone)]
    return [found[x.order] if x.order in found else np.zeros((len(y_bars), *x.shape), x.dtype)
            for x in xs]


def pushed_forward(path, y, x, x_dots):
    """Tangents [directions, *y.shape] of y, for those of x."""
    try:
        found = forward_sweep(path, {x.order: Batch(x_dots)}).get(y.order)
    except Unbatched:
        return stack([forward_gradients(y, x, x_dot, unconnected="zero")[0] for x_dot in x_dots])
    return np.zeros((len(x_dots), *y.shape), y.dtype) if found is None else found.values


def directions(v, path):
    """The unit arrays of v's shape, one for each entry: as many at once as memory allows."""
    largest = max([math.prod(z.shape) for z in path.values() if known(z.shape)], default=1)
    size, most = math.prod(v.shape), max(1, TOGETHER // max(largest, 1))
    for start in range(0, size, most):
        count = min(most, size - start)
        yield np.eye(count, size, start, v.dtype).reshape(count, *v.shape)


def hessian(f):
    """A function returning ∂²f/∂x∂x as [*x.shape, *x.shape]: forward over reverse."""
    return jacobian(grad(f), mode="forward")


def hvp(f, x, v):
    """H v for f's Hessian H at x: the tangent of the gradient, without building H."""
    return jvp(grad(f), (x,), (v,))[1]


def place(argnum, arguments):
    """An argument's position, checked."""
    if not isinstance(argnum, int) or not -len(arguments) <= argnum < len(arguments):
        raise ArgumentError(f"argnums names argument {argnum}, but {len(arguments)} were given",
                            "count the arguments from 0")
    return argnum % len(arguments)


def name(f):
    """What a message calls a function."""
    return getattr(f, "__name__", type(f).__name__)
