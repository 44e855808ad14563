"""Ops of neural networks: softmax, losses, windows of images."""

from itertools import zip_longest
from typing import Any, TypeAlias

import numpy as np

from minigrad.core.errors import ArgumentError, DtypeError, ShapeError
from minigrad.core.modes import composite
from minigrad.core.op import Discrete, Linear, Op, Operandlike, bind
from minigrad.core.ops.elementwise import as_entries, cast, exp, mul, negate, sub
from minigrad.core.ops.index import pad
from minigrad.core.ops.linalg import einsum
from minigrad.core.ops.options import strict
from minigrad.core.ops.precision import narrow, rounded_once, widen
from minigrad.core.ops.reduce import Extreme, LogSumExp, count, max, mean, sum
from minigrad.core.ops.shape import EnsureShape, ensure_shape, is_known
from minigrad.core.signatures import takes_one, takes_two
from minigrad.core.spec import (
    Spec, as_floats, is_compatible, is_float, is_whole_number, number_type, rank_of, spec_of,
)  # fmt: skip
from minigrad.core.ops.axes import normalize_axis

Pair: TypeAlias = int | tuple[int, int]  # of height and width


def same_float(x):
    """x's shape, and its dtype if floating, else float64."""
    return Spec(x.shape, x.dtype if is_float(x.dtype) else np.dtype(float))


class Softmax(Op):
    """z = exp(x) / Σ exp(x) along `axis`.   x_bar = z (z_bar - Σ z_bar z)."""

    says = "Softmax makes probabilities of {x}, which sum to 1 along {along}."
    says_back = ("The probabilities sum to 1, so {to} receives {z} times what {z_bar} is above its "
                 "mean.")

    def infer(x, *, axis):
        Extreme.infer(x, axis=(axis,), keepdims=True)
        return same_float(x)

    @rounded_once
    def compute(x, *, axis, out=None):
        x = as_floats(x)
        e = np.subtract(x, np.maximum.reduce(x, axis, keepdims=True), out=out, order="C")
        e = np.exp(e, out=out)
        return np.divide(e, np.add.reduce(e, axis, keepdims=True), out=out)

    def change(x, z, v, *, axis):
        """z (v - Σ z v): the Jacobian is symmetric, so a tangent and a cotangent v go alike."""
        z = widen(z)
        return z * (v - sum(z * v, axis, keepdims=True))

    jvp = vjp = (change,)
    reads = ("z",)


class LogSoftmax(Op):
    """z = x - ln Σ exp(x) along `axis`.   x_bar = z_bar - exp(z) Σ z_bar."""

    says = "{z} is the logarithm of the softmax of {x} along {along}."
    says_back = "{to} receives {z_bar} minus the probabilities times the sum of {z_bar}."

    def infer(x, *, axis):
        Extreme.infer(x, axis=(axis,), keepdims=True)
        return same_float(x)

    @rounded_once
    def compute(x, *, axis):
        x, total, _ = LogSumExp.shift(x, (axis,))  # x itself may be so large that it has no room
        return x - total  # for the digits of z

    jvp = (lambda x, z, x_dot, *, axis: x_dot - sum(exp(widen(z)) * x_dot, axis, keepdims=True),)
    vjp = (lambda x, z, z_bar, *, axis:
           z_bar - exp(widen(z)) * sum(widen(z_bar), axis, keepdims=True),)
    reads = ("z",)


class OneHot(Discrete):
    """z[i,k] = 1 where k is the label of example i, else 0, in the dtype of `like` [n,classes]."""

    says = "Each row of {z} is 1 at its label in {x}, and 0 elsewhere."

    def infer(labels, like):
        return Spec((*labels.shape, like.shape[-1]), like.dtype)

    def compute(labels, like, out=None):
        labels, numbers = as_entries(labels)[..., None], np.arange(like.shape[-1])
        if out is None:
            out = np.empty((*labels.shape[:-1], len(numbers)), like.dtype, like=labels)
        return np.equal(labels, numbers, out=out, casting="unsafe")


NATURAL = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}  # by bytes of an integer


class CrossEntropy(Op):
    """z = mean over i of -ln softmax(x)[i, label i].   x [n,classes], labels [n] → z []."""

    says = ("The loss is the mean of −log p over the {rows} rows, where p is the probability of "
            "the right label.")
    says_back = ("The adjoint of the scores is probability minus one-hot label, divided by the "
                 "{rows} rows.")

    def infer(x, labels):
        if len(x.shape) != 2 or len(labels.shape) != 1:
            raise ShapeError("{x} must be [n, classes] and {labels} [n]",
                             "give one row of scores and one label for each example")
        if labels.dtype.kind not in "iu":
            raise DtypeError("{labels} must be whole numbers",
                             "pass the index of each class, such as 3")
        if x.shape[0] != labels.shape[0] and None not in (x.shape[0], labels.shape[0]):
            raise ShapeError("{labels} must have one label for each row of {x}",
                             "check that both hold the same examples")
        return Spec((), same_float(x).dtype)

    def compute(x, labels):
        CrossEntropy.infer(x, labels)
        CrossEntropy.check(x, labels)
        return CrossEntropy.value(x, labels)

    @rounded_once
    def value(x, labels):
        """The loss for labels that were checked."""
        x = as_floats(x)
        scores = np.subtract(x, np.maximum.reduce(x, 1, keepdims=True), order="C")
        return CrossEntropy.loss(scores, np.add.reduce(np.exp(scores), 1), labels)

    def loss(scores, totals, labels):
        """The mean of ln Σ exp(scores) - score of the label, whose sums `totals` are there."""
        losses = np.log(totals) - scores[np.arange(len(labels)), labels]
        return np.add.reduce(losses) / len(losses)  # np.mean takes longer than all the rest

    def check(x, labels):
        """The values of labels are known only when computing."""
        if not len(labels):
            raise ShapeError("{x} has no examples to average", "check for empty data")
        natural = labels.view(NATURAL[labels.itemsize])  # a negative number reads as a huge one
        if np.maximum.reduce(natural) >= x.shape[1]:
            raise ArgumentError(f"{{labels}} range from {labels.min()} to {labels.max()}, "
                                f"but {{x}} has {x.shape[1]} classes",
                                f"number the classes from 0 to {x.shape[1] - 1}")

    def error(x, labels):
        """The gradient for the scores of one example, softmax - one-hot, times 1/n."""
        x = widen(x)
        return (softmax(x, 1) - bind(OneHot, labels, x)) / count(x, (0,))

    jvp = (lambda x, labels, z, x_dot: sum(CrossEntropy.error(x, labels) * x_dot),
           None)
    vjp = (lambda x, labels, z, z_bar: CrossEntropy.error(x, labels) * z_bar,
           None)
    reads = ("xy", "")


@takes_one
@strict
def softmax(x: Operandlike, axis: int = -1) -> Operandlike:
    """Compute z = exp(x) / Σ exp(x) along `axis`.

    >>> mg.softmax([0.0, 0.0])
    array([0.5, 0.5])
    """
    return bind(Softmax, x, axis=normalize_axis(axis, rank_of(x)))


@takes_one
@strict
def log_softmax(x: Operandlike, axis: int = -1) -> Operandlike:
    """Compute z = x - ln Σ exp(x) along `axis`.

    >>> mg.log_softmax([0.0, 0.0])
    array([-0.69314718, -0.69314718])
    """
    return bind(LogSoftmax, x, axis=normalize_axis(axis, rank_of(x)))


@takes_one
@strict
def one_hot(labels: Operandlike, classes: int, dtype: Any = float) -> Operandlike:
    """Compute z[…,k] = 1 where k is the label, else 0.   labels […] → z […,classes]; no derivative.

    Labels are whole numbers; one outside 0 … classes - 1 gives zeros, as in JAX and TensorFlow.

    >>> mg.one_hot([0, 2], 3)
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    if spec_of(labels).dtype.kind not in "iu":
        raise DtypeError(f"one_hot of {spec_of(labels)}", "pass whole numbers: labels.astype(int)")
    if not is_whole_number(classes) or classes < 0:
        raise ArgumentError(f"classes={classes!r}", "give the number of classes, such as 10")
    return bind(OneHot, labels, np.zeros(classes, number_type(dtype)))


@takes_two
@composite
def cross_entropy(scores: Operandlike, labels: Operandlike) -> Operandlike:
    """Compute z = mean of -ln softmax(scores)[i, labels[i]] over i; scores [n,classes], labels [n].

    Labels are whole numbers from 0. Labels of the shape of the scores are probabilities, such as
    one-hot rows: z = mean over i of -Σ_k labels[i,k] ln softmax(scores)[i,k].
    Raises ArgumentError for a label outside the classes.

    >>> mg.cross_entropy(mg.tensor([[0.0, 0.0]]), [1])
    tensor(0.69314718)
    """
    if rank_of(labels) < 2:
        return bind(CrossEntropy, scores, labels)
    shape, given = list(np.shape(scores)), list(np.shape(labels))
    if len(given) != 2 or not could_be(shape, given):
        raise ShapeError(f"cross_entropy of scores {shape} and labels {given}",
                         "give a whole number for each row, labels [n], or one-hot rows as long as "
                         "the scores: mg.one_hot(labels, classes)")
    logs = log_softmax(widen(scores), 1)
    return narrow(negate(mean(sum(mul(cast(labels, logs.dtype), logs), 1))), scores)


def could_be(shape, other):
    """True for equal shapes, as far as the lengths are known."""
    return len(shape) == len(other) and all(
        m == n or None in (m, n) for m, n in zip(shape, other))


@takes_two
@composite
def mse(x: Operandlike, y: Operandlike) -> Operandlike:
    """Compute z = mean of (x - y)². Raises ShapeError where both would be stretched: [n,1] and [n].

    >>> mg.mse(mg.tensor([1.0, 2.0]), [1.0, 4.0])
    tensor(2.)
    """
    d = sub(as_signed(x), as_signed(y))
    shapes = tuple(np.shape(x)), tuple(np.shape(y))
    if not any(is_compatible(np.shape(d), shape) for shape in shapes):
        raise ShapeError(f"mse of {list(shapes[0])} and {list(shapes[1])} would compare every "
                         "entry with every other", "reshape one of them to the other's shape")
    if not is_known(shapes[0] + shapes[1]) and may_cross(*shapes):
        d = bind(EnsureShape, d, x, y, shape=tuple(np.shape(d)))
    return narrow(mean(d * d), x, y)


def may_cross(x_shape, y_shape):
    """True where each of two operands may turn out to be repeated, along another axis."""
    shapes = x_shape[::-1], y_shape[::-1]
    pairs = [*enumerate(zip_longest(*shapes, fillvalue=1))]
    down = {a for a, (n, m) in pairs if n in (1, None) and m != 1}
    up = {a for a, (n, m) in pairs if m in (1, None) and n != 1}
    return len(down | up) > 1 and bool(down and up)


def as_signed(x):
    """x as floats: a difference of integers without a sign would wrap around."""
    return cast(x, float) if spec_of(x).dtype.kind in "biu" else widen(x)


# windows of images -------------------------------------------------------------------------------


class Windows(Linear):
    """z[…,i,j,:,:] = the window of `size` of x […,h,w] whose corner is at stride·(i, j)."""

    says = "{z} has every window of the size {size} of {x}."
    says_back = ("A number of {to} may be in several windows, so it receives the sum of {z_bar} "
                 "over them.")
    view = True

    def infer(x, *, size, stride):
        if len(x.shape) < 2 or not is_known(x.shape[-2:]):
            raise ShapeError("{x} must be [..., height, width] with known height and width",
                             "declare both lengths of the placeholder")
        counts = [(n - k) // s + 1 for n, k, s in zip(x.shape[-2:], size, stride)]
        if any(k > n for k, n in zip(size, x.shape[-2:])):
            raise ShapeError(f"a window of {size} does not fit into {{x}}",
                             "use a smaller window, or pad")
        return Spec((*x.shape[:-2], *counts, *size), x.dtype)

    def compute(x, *, size, stride):
        windows = np.lib.stride_tricks.sliding_window_view(x, size, axis=(-2, -1))
        return windows[..., ::stride[0], ::stride[1], :, :]

    def transpose(z_bar, x, *, size, stride):
        return bind(Overlap, z_bar, size=size, stride=stride, shape=x.shape[-2:])


class Overlap(Linear):
    """z = the windows x laid back into an image of `shape`; where they overlap they add up."""

    says = "{z} lays the windows {x} into an image and sums where they overlap."
    says_back = "{to} receives the windows of {z_bar}."

    def infer(x, *, size, stride, shape):
        return Spec((*x.shape[:-4], *shape), x.dtype)

    @rounded_once
    def compute(x, *, size, stride, shape):
        z = np.zeros((*np.shape(x)[:-4], *shape), x.dtype, like=x)
        rows, columns = (n * s for n, s in zip(np.shape(x)[-4:-2], stride))
        for i in range(size[0]):
            for j in range(size[1]):
                z[..., i:i + rows:stride[0], j:j + columns:stride[1]] += x[..., i, j]
        return z

    def transpose(z_bar, x, *, size, stride, shape):
        return bind(Windows, z_bar, size=size, stride=stride)


@takes_one
def windows(x: Operandlike, size: Pair, stride: Pair = 1) -> Operandlike:
    """Compute z[…,i,j,:,:] = the window of `size` (a number or (height, width)) at stride·(i, j).

    >>> mg.windows([[1.0, 2.0, 3.0]], (1, 2)).shape
    (1, 2, 1, 2)
    """
    return bind(Windows, x, size=as_pair(size, "size"), stride=as_pair(stride, "stride"))


@takes_two
@composite
def conv2d(x: Operandlike, w: Operandlike, stride: Pair = 1, padding: Pair = 0) -> Operandlike:
    """Compute z[n,o,i,j] = Σ x[n,c,s·i+a,s·j+b] w[o,c,a,b]; x [n,c,h,w], w [o,c,a,b], z [n,o,i,j].

    `padding` zeros are put around x on all four sides.

    >>> mg.conv2d(np.ones((1, 1, 3, 3)), np.ones((1, 1, 2, 2)))[0, 0]
    array([[4., 4.],
           [4., 4.]])
    """
    message = f"conv2d of images {list(np.shape(x))} by filters {list(np.shape(w))}"
    channels = {*np.shape(x)[1:2], *np.shape(w)[1:2]}
    if rank_of(x) != 4 or rank_of(w) != 4 or len(channels - {None}) > 1:
        raise ShapeError(message, "give x [n, channels, h, w] and w [out, channels, h, w]")
    if channels == {None}:  # einsum would repeat the one where it is fed as 1
        raise ShapeError(f"{message}: the number of channels is not known before x is fed",
                         "declare how many")
    if None in np.shape(w)[2:]:
        raise ShapeError(f"{message}: the size of the filters is not known before w is fed",
                         "declare their height and width")
    if None in channels:
        (known,) = channels - {None}
        x, w = [ensure_shape(v, (None, known, None, None)) for v in (x, w)]
    rows, columns = as_pair(padding, "padding", 0)
    if rows or columns:
        x = pad(x, ((0, 0), (0, 0), (rows, rows), (columns, columns)))
    return einsum("ncijab,ocab->noij", windows(x, np.shape(w)[2:], stride), w)


@takes_one
@composite
def max_pool2d(x: Operandlike, size: Pair, stride: Pair | None = None) -> Operandlike:
    """Compute z[…,i,j] = the largest entry of x's window at stride·(i, j); ties share the adjoint.

    Windows lie side by side unless `stride` says otherwise.

    >>> mg.max_pool2d([[1.0, 2.0], [3.0, 4.0]], 2)
    array([[4.]])
    """
    return max(windows(x, size, size if stride is None else stride), axis=(-2, -1))


def as_pair(value, what, least=1):
    """A number or a pair of them, as a pair of whole numbers of at least `least`."""
    both = tuple(value) if isinstance(value, (tuple, list)) else (value, value)
    if len(both) != 2 or not all(isinstance(n, (int, np.integer)) and n >= least for n in both):
        raise ArgumentError(f"{what}={value!r}", f"give one or two whole numbers from {least} up")
    return tuple(map(int, both))
