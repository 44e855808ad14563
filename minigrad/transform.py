"""Derivatives of functions: grad, vjp, jvp, jacobian, hessian, hvp.

Each call gives the function fresh copies of its arguments and differentiates for those copies
alone. A value that the function takes from outside is therefore a constant of this call, even if
an outer call differentiates for it: nested derivatives cannot be confused.
"""

import functools

import numpy as np

from minigrad.autodiff import ancestors, forward_gradients, gradients
from minigrad.errors import ArgumentError, GradientError
from minigrad.modes import enable_grad, mode
from minigrad.op import Value, bind
from minigrad.ops.elementwise import Identity
from minigrad.ops.index import stack
from minigrad.ops.shape import known, reshape
from minigrad.spec import spec_of
from minigrad.tensor import Tensor, tensor
from minigrad.tree import LEAF, flatten, unflatten


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


def jacobian(f, mode="reverse"):
    """A function returning ∂f/∂x as one array of shape [*y.shape, *x.shape], for one argument x.

    Reverse mode takes one sweep for each entry of y, forward mode one for each entry of x.
    """
    if mode not in ("reverse", "forward"):
        raise ArgumentError(f"jacobian has no mode {mode!r}", 'use "reverse" or "forward"')

    @functools.wraps(f)
    def matrix(x):
        call = Call(f, (x,), [0], {})
        (x,), (y,) = call.xs, call.ys
        if not known(x.shape) or not known(y.shape):
            raise ArgumentError(f"jacobian of {spec_of(y)} for {spec_of(x)}: a length is unknown",
                                "declare all lengths of the placeholder")
        with enable_grad():
            if mode == "reverse":
                rows = [gradients(y, x, e, unconnected="zero")[0] for e in basis(y)]
                result = assembled(rows, (*y.shape, *x.shape), x)
            else:
                columns = [forward_gradients(y, x, e, unconnected="zero")[0] for e in basis(x)]
                last = len(y.shape)
                result = assembled(columns, (*y.shape, *x.shape), x, axis=last)
        return call.released([result])[0]
    return matrix


def assembled(parts, shape, x, axis=0):
    """Derivatives along single entries, stacked into one array."""
    if not parts:
        return x.lift(np.zeros(shape, x.dtype))
    return reshape(stack(parts, axis), shape)


def basis(v):
    """The unit arrays of v's shape, one for each entry."""
    for i in range(int(np.prod(v.shape))):
        e = np.zeros(v.shape, v.dtype)
        e.flat[i] = 1
        yield e


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
