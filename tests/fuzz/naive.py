"""The naive oracle: minigrad's names, from the definitions, on NumPy arrays, in Python's loops."""

import itertools
import math

import numpy as np


class Naive:
    """Stands in the place of `mg` in a program.

    `wide` keeps floats as float64, for differences. `run` is the number of the session's run and
    `active` the assignments that it fetches. A `tape` holds what derivatives take as constant
    (detached values, new values of variables): it is written by the first computation and read by
    later ones, of inputs moved a little. `moves` are pairs (variable, how far it is moved).
    """

    def __init__(self, wide=False, run=0, active=(), tape=None, moves=()):
        self.wide, self.run, self.active, self.moves = wide, run, active, moves
        self.tape, self.replayed = [], tape and iter(tape)

    def __getattr__(self, name):
        return FUNCTIONS[name]

    def constant_part(self, value):
        """The value, or what it was in the first computation."""
        value = np.array(value) if self.replayed is None else next(self.replayed)
        self.tape.append(value)
        return value

    def detach(self, x):
        return self.constant_part(x)

    def assign(self, variable, value, number):
        value = self.constant_part(value)
        if number in self.active:
            variable[...] = sum((by for v, by in self.moves if v is variable), start=value)
        return value

    def cast(self, x, dtype):
        x, dtype = np.asarray(x), np.dtype(dtype)
        if self.wide and dtype.kind == "f":
            dtype = np.dtype(float)
        return x.astype(dtype)

    def random_normal(self, shape, seed, key=None, dtype=float):
        return self.cast(
            stream(seed, self.run if key is None else key).standard_normal(shape), dtype
        )

    def random_uniform(self, shape, seed, key=None, dtype=float):
        draws = self.cast(stream(seed, self.run if key is None else key).random(shape), dtype)
        return np.minimum(draws, np.nextafter(draws.dtype.type(1), draws.dtype.type(0)))

    def dropout(self, x, rate, seed, key=None):
        draws = stream(seed, self.run if key is None else key).random(np.shape(x))
        kept = draws.astype(np.promote_types(x.dtype, np.float32)) >= rate
        return x * kept.astype(x.dtype) / (1 - rate)


def stream(seed, key):
    """The counter-based generator of a seed and a key."""
    return np.random.Generator(np.random.Philox(key=[seed, int(key)]))


def floating(x):
    """x in its own dtype if that is floating, else in float64."""
    x = np.asarray(x)
    return x if x.dtype.kind == "f" else x.astype(float)


def sigmoid(x):
    x = np.asarray(x) * 1.0
    small = np.exp(-np.abs(x))
    return np.where(x > 0, 1 / (1 + small), small / (1 + small)).astype(x.dtype)


def softplus(x):
    x = np.asarray(x) * 1.0
    return (np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))).astype(x.dtype)


def axes_of(axis, rank):
    """Axes as a tuple of numbers from 0."""
    if axis is None:
        return tuple(range(rank))
    return tuple(a % rank for a in (axis if isinstance(axis, tuple) else (axis,)))


def logsumexp(x, axis=None, keepdims=False):
    x = floating(x)
    axes = axes_of(axis, x.ndim)
    top = x.max(axis=axes, keepdims=True)
    top = np.where(np.isfinite(top), top, 0).astype(x.dtype)
    z = np.log(np.exp(x - top).sum(axis=axes, keepdims=True)) + top
    return z if keepdims else z.squeeze(axes)


def softmax(x, axis=-1):
    x = floating(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def log_softmax(x, axis=-1):
    x = floating(x)
    return x - logsumexp(x, axis, keepdims=True)


def mean(x, axis=None, keepdims=False):
    x = floating(x)
    n = math.prod(x.shape[a] for a in axes_of(axis, x.ndim))
    if not n:
        raise ValueError("no entries to average")
    return np.sum(x, axis=axis, keepdims=keepdims) / np.asarray(n, x.dtype)


def var(x, axis=None, keepdims=False):
    d = x - mean(x, axis, True)
    return mean(d * d, axis, keepdims)


def cross_entropy(scores, labels):
    """The mean of -ln softmax, which is no number beside a score of inf."""
    scores = floating(scores)
    shifted = scores - scores.max(axis=1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return mean(np.stack([-logs[i, k] for i, k in enumerate(labels)]))


def einsum(text, *xs):
    """np.einsum of operands that lie row by row: of a repeated entry NumPy takes the sum of what
    meets it first, and ∞ · 0 is not met. Raises ValueError for ∞ among three operands: which two
    are multiplied first decides whether it meets a 0."""
    if len(xs) > 2 and not all(np.isfinite(x).all() for x in xs):
        raise ValueError("products of infinite values in any order")
    return np.einsum(text, *(np.array(x, order="C") for x in xs))


def matmul(x, y):
    if x.ndim == 1:
        return matmul(x[None], y)[..., 0, :]
    if y.ndim == 1:
        return matmul(x, y[:, None])[..., 0]
    products = x[..., :, :, None] * y[..., None, :, :]
    return products.sum(-2).astype(products.dtype)


def windows(x, size, stride=1):
    (h, w), (s, t) = pair(size), pair(stride)
    rows, columns = (x.shape[-2] - h) // s + 1, (x.shape[-1] - w) // t + 1
    z = np.zeros((*x.shape[:-2], rows, columns, h, w), x.dtype)
    for i, j in itertools.product(range(rows), range(columns)):
        z[..., i, j, :, :] = x[..., i * s : i * s + h, j * t : j * t + w]
    return z


def conv2d(x, w, stride=1, padding=0):
    p, q = pair(padding)
    parts = windows(np.pad(x, ((0, 0), (0, 0), (p, p), (q, q))), w.shape[2:], stride)
    return einsum("ncijab,ocab->noij", parts, w)


def max_pool2d(x, size, stride=None):
    return windows(x, size, size if stride is None else stride).max(axis=(-2, -1))


def pair(n):
    """A number or a pair, as a pair."""
    return n if isinstance(n, tuple) else (n, n)


def cond(pred, then, otherwise, *operands):
    return (then if pred else otherwise)(*operands)


def jacobian(f, mode="reverse", argnums=0):
    """Jacobians of a function of degree two at most, for which central differences are exact."""

    def matrices(*xs):
        places = (argnums,) if isinstance(argnums, int) else argnums
        found = [slopes(lambda x, k=k: f(*xs[:k], x, *xs[k + 1 :]), xs[k]) for k in places]
        return found[0] if isinstance(argnums, int) else tuple(found)

    return matrices


def slopes(f, x):
    """∂f/∂x as [*y.shape, *x.shape], by a step to either side along each entry: one as large as the
    largest entry, or the squares of large ones would hide what it changes.

    Raises ValueError where the differences are not finite: what they are says nothing then of the
    slopes, which are ∞ · 0 where the sweeps meet an infinite factor.
    """
    largest = np.abs(x).max(initial=1)
    step = np.exp2(np.ceil(np.log2(largest))) if np.isfinite(largest) else 1
    steps = (step * np.eye(x.size, dtype=x.dtype)).reshape(x.size, *x.shape)
    columns = [(f(x + one) - f(x - one)) / (2 * step) for one in steps]
    if not np.isfinite(columns).all():
        raise ValueError("no differences of infinite values")
    return np.stack(columns, -1).reshape(*columns[0].shape, *x.shape).astype(x.dtype)


MOST_TRIPS = 1000  # a program whose loop is shrunk into an endless one is no program


def while_loop(condition, body, carry, maximum_iterations=None):
    carry = tuple(map(np.asarray, carry))
    trips = 0
    while (maximum_iterations is None or trips < maximum_iterations) and condition(*carry):
        carry = tuple(np.asarray(new).astype(old.dtype) for new, old in zip(body(*carry), carry))
        trips += 1
        if trips > MOST_TRIPS:
            raise ValueError("a loop without an end")
    return carry


def scan(body, carry, xs, reverse=False):
    rows, order = {}, range(len(xs))
    for t in reversed(order) if reverse else order:
        carry, rows[t] = body(carry, np.asarray(xs[t]))
    if not rows:
        _, row = body(carry, np.zeros(xs.shape[1:], xs.dtype))
        return carry, np.zeros((0, *np.shape(row)), np.asarray(row).dtype)
    return carry, None if rows[0] is None else np.stack([rows[t] for t in order])


FUNCTIONS = {
    **{
        name: getattr(np, name)
        for name in (
            "exp",
            "log",
            "sqrt",
            "sin",
            "cos",
            "tanh",
            "abs",
            "sign",
            "floor",
            "maximum",
            "minimum",
            "clip",
            "where",
            "argmax",
            "broadcast_to",
            "concatenate",
            "stack",
            "expand_dims",
            "flip",
            "reshape",
            "squeeze",
            "transpose",
            "pad",
            "sum",
            "max",
            "min",
            "argmin",
            "expm1",
            "log1p",
            "square",
            "round",
            "remainder",
            "floor_divide",
            "isnan",
            "isinf",
            "isfinite",
            "logical_and",
            "logical_or",
            "logical_xor",
            "logical_not",
            "all",
            "any",
            "prod",
            "cumsum",
            "dot",
            "ones_like",
            "zeros_like",
            "full_like",
            "roll",
            "sort",
            "take_along_axis",
            "repeat",
            "tile",
            "take",
            "atleast_1d",
            "atleast_2d",
            "hstack",
            "vstack",
            "outer",
            "diag",
            "logaddexp",
        )
    },
    "std": lambda x, axis=None, keepdims=False: np.sqrt(var(x, axis, keepdims)),
    "argsort": lambda x, axis=-1: np.argsort(x, axis, kind="stable"),
    "one_hot": lambda labels, classes: np.eye(classes)[labels],
    "relu": lambda x: np.where((x > 0) | np.isnan(x), x, 0).astype(x.dtype),
    "softsign": lambda x: x / (1.0 + np.abs(x)),
    "ensure_shape": lambda x, shape: np.reshape(x, shape),  # which refuses other numbers
    "constant": np.asarray,
    "mse": lambda x, y: mean((floating(x) - floating(y)) ** 2),
    **{
        f.__name__: f
        for f in (
            sigmoid,
            softplus,
            logsumexp,
            softmax,
            log_softmax,
            mean,
            var,
            cross_entropy,
            matmul,
            windows,
            einsum,
            conv2d,
            max_pool2d,
            cond,
            while_loop,
            scan,
            jacobian,
        )
    },
}
