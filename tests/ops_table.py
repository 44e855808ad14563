"""The table of ops: a row for each, from which the tests of both engines are made."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

import minigrad as mg
from minigrad.core import ops
from minigrad.core.op import bind
from minigrad.core.ops.elementwise import Cast, Identity
from minigrad.core.ops.reduce import Tied, TiesApart


def normal(rng, shape):
    return rng.normal(size=shape)


def positive(rng, shape):
    return rng.uniform(0.5, 2.0, size=shape)


def away_from_kinks(rng, shape):
    """Nowhere near 0, ±0.5 or ±1, where a difference quotient would straddle a kink."""
    return rng.choice([-1, 1], size=shape) * rng.choice(
        [0.25, 0.75, 1.5], size=shape
    ) + rng.uniform(-0.1, 0.1, size=shape)


def with_zeros(rng, shape):
    """Rows with no 0, one 0, two, …"""
    x = rng.normal(size=shape)
    for count, row in enumerate(x.reshape(-1, shape[-1])):
        row[rng.permutation(shape[-1])[:count]] = 0
    return x


class Row(NamedTuple):
    """An op as a function of floating inputs, and the shapes to try it on.

    `draw` makes an input from a generator and a shape. `analytic`: it runs on complex arrays, so
    the check can use the complex step. `batch`: the first length of all inputs may be unknown.
    """

    name: str
    f: Callable
    shapes: list
    draw: Callable = normal
    analytic: bool = False
    batch: bool = True


ONE = [((3, 3),), ((2, 5),), ((),), ((4,),), ((2, 3, 2),)]
TWO = [((3, 3), (3, 3)), ((2, 5), (2, 5)), ((), ())]
WIDE = [((3, 3), (3,)), ((2, 5), (2, 1)), ((4,), ()), ((3, 1), (1, 4)), ((2, 3), (4, 1, 1))]


def elementwise(name, f, draw=normal, analytic=True):
    return Row(name, f, ONE, draw, analytic)


def binary(name, f, draw=normal, analytic=True):
    """Both with equal shapes, where a batch may be unknown, and with broadcasting."""
    return [
        Row(name, f, TWO, draw, analytic),
        Row(f"{name} broadcast", f, WIDE, draw, analytic, batch=False),
    ]


EINSUMS = {
    "ij,jk->ik": ((2, 3), (3, 4)),
    "bij,bjk->bik": ((2, 3, 3), (2, 3, 3)),
    "ii->i": ((3, 3),),
    "ii": ((3, 3),),
    "ij->": ((2, 3),),
    "i,j->ij": ((2,), (3,)),
    "ij,ij->j": ((2, 3), (2, 3)),
    "...ij,...jk->...ik": ((5, 2, 3), (5, 3, 4)),
    "ij,jk,kl->il": ((2, 3), (3, 4), (4, 2)),
    "ij,k->i": ((2, 3), (4,)),
    "iij,jk->ki": ((2, 2, 3), (3, 4)),
    "ba": ((2, 3),),
    "a...b->b...a": ((2, 3, 4),),
    "i,i->": ((3,), (3,)),
    "ab,b": ((2, 3), (3,)),
}
cubed = mg.custom_op(
    lambda x: x * x * x,
    vjp=lambda x, z, z_bar: 3 * x * x * z_bar,
    jvp=lambda x, z, x_dot: 3 * x * x * x_dot,
    name="cubed",
)
PICKED = np.array([[2, 0], [2, 1]])
LABELS = np.array([0, 2, 1, 1])

ROWS = [
    *binary("add", lambda x, y: x + y),
    *binary("sub", lambda x, y: x - y),
    *binary("mul", lambda x, y: x * y),
    *binary("div", lambda x, y: x / y, positive),
    *binary("power", lambda x, y: x**y, positive),
    *binary("remainder", mg.remainder, positive, False),
    *binary("maximum", mg.maximum, normal, False),
    *binary("minimum", mg.minimum, normal, False),
    *binary("logaddexp", mg.logaddexp, normal, False),
    *binary("where", lambda x, y: mg.where(x > 0, x * y, y), away_from_kinks, False),
    elementwise("neg", lambda x: -x),
    elementwise("number + x", lambda x: 2 + x),
    elementwise("number - x", lambda x: 1 - x),
    elementwise("number * x", lambda x: 3 * x),
    elementwise("number / x", lambda x: 2 / x, positive),
    elementwise("x / number", lambda x: x / 3),
    elementwise("number ** x", lambda x: 2**x),
    elementwise("x ** 2", lambda x: x**2),
    elementwise("x ** 3", lambda x: x**3),
    elementwise("x ** 1.5", lambda x: x**1.5, positive),
    elementwise("x ** -1.5", lambda x: x**-1.5, positive),
    elementwise("x ** 1", lambda x: x**1),
    elementwise("square", mg.square),
    elementwise("remainder by a number", lambda x: mg.remainder(x, 0.7), normal, False),
    elementwise("remainder of a number", lambda x: mg.remainder(7, x), positive, False),
    elementwise("exp", mg.exp),
    elementwise("expm1", mg.expm1),
    elementwise("log", mg.log, positive),
    elementwise("log1p", mg.log1p, positive),
    elementwise("sqrt", mg.sqrt, positive),
    elementwise("sin", mg.sin),
    elementwise("cos", mg.cos),
    elementwise("tanh", mg.tanh),
    elementwise("sigmoid", mg.sigmoid, normal, False),
    elementwise("softsign", mg.softsign, normal, False),
    elementwise("softplus", mg.softplus, normal, False),
    elementwise("relu", mg.relu, away_from_kinks, False),
    elementwise("abs", mg.abs, away_from_kinks, False),
    elementwise("clip", lambda x: mg.clip(x, -0.5, 1.0), away_from_kinks, False),
    elementwise("clip from below", lambda x: mg.clip(x, -0.5, None), away_from_kinks, False),
    elementwise("clip from above", lambda x: mg.clip(x, high=0.5), away_from_kinks, False),
    elementwise("sign · x", lambda x: mg.sign(x) * x, away_from_kinks, False),
    elementwise("sum", mg.sum),
    elementwise("mean", mg.mean),
    elementwise("var", mg.var),
    elementwise("std", mg.std, normal, False),
    elementwise("prod", mg.prod),
    Row("cumsum", mg.cumsum, ONE[:3], normal, True),
    elementwise("max", mg.max, normal, False),
    elementwise("min", mg.min, normal, False),
    elementwise("logsumexp", mg.logsumexp, normal, False),
    Row("sum 0", lambda x: mg.sum(x, axis=0), [((3, 3),), ((2, 5),)], normal, True),
    Row("sum -1 kept", lambda x: mg.sum(x, axis=-1, keepdims=True), ONE[:2], normal, True),
    Row("sum (0, 2)", lambda x: mg.sum(x, axis=(0, 2)), [((3, 2, 3),)], normal, True),
    Row("mean 0", lambda x: mg.mean(x, axis=0), ONE[:2], normal, True),
    Row("mean (0, -1) kept", lambda x: mg.mean(x, (0, -1), True), [((3, 2, 3),)], normal, True),
    Row("var 1", lambda x: mg.var(x, axis=1), ONE[:2], normal, True),
    Row("var unbiased", lambda x: mg.var(x, (0, 2), True, ddof=1), [((3, 2, 3),)], normal, True),
    Row("std 1", lambda x: mg.std(x, axis=1), ONE[:2]),
    Row("prod 0", lambda x: mg.prod(x, axis=0), ONE[:2], normal, True),
    Row("prod of zeros", lambda x: mg.prod(x, axis=1), [((3, 3),), ((4, 5),)], with_zeros, True),
    Row("prod (0, -1) kept", lambda x: mg.prod(x, (0, -1), True), [((3, 2, 2),)], with_zeros, True),
    Row("cumsum 0", lambda x: mg.cumsum(x, 0), ONE[:2], normal, True),
    Row("cumsum -1", lambda x: mg.cumsum(x, axis=-1), ONE[:2], normal, True),
    Row("max 0", lambda x: mg.max(x, axis=0), ONE[:2]),
    Row("max 1 kept", lambda x: mg.max(x, axis=1, keepdims=True), ONE[:2]),
    Row("min -1", lambda x: mg.min(x, axis=-1), ONE[:2]),
    Row(
        "max of ties",
        lambda x: mg.max(mg.concatenate([x, x]), axis=0),
        ONE[:2],
        normal,
        False,
        False,
    ),
    Row(
        "directions of ties",
        lambda x: bind(TiesApart, x > 9, x, x, axis=(-1,)),
        ONE[:2],
        normal,
        False,
        False,
    ),
    Row("logsumexp 1", lambda x: mg.logsumexp(x, axis=1), ONE[:2]),
    Row("logsumexp 0 kept", lambda x: mg.logsumexp(x, 0, True), ONE[:2]),
    Row("reshape", lambda x: mg.reshape(x, (-1, 2)), [((4, 3),), ((2, 2, 2),)], normal, True),
    Row("reshape flat", lambda x: x.reshape(-1), [((3, 3),), ((2, 5),)], normal, True, False),
    Row("transpose", lambda x: mg.transpose(x), [((3, 3),), ((2, 5),), ((2, 3, 4),)], normal, True),
    Row("transpose (1, 2, 0)", lambda x: mg.transpose(x, (1, 2, 0)), [((2, 3, 4),)], normal, True),
    Row(
        "broadcast_to",
        lambda x: mg.broadcast_to(x, (2, 3, 3)),
        [((3, 3),), ((3, 1),), ((),)],
        normal,
        True,
        False,
    ),
    Row(
        "ensure_shape",
        lambda x: mg.ensure_shape(x, (None, 3)) * 2.0,
        [((3, 3),), ((2, 3),)],
        normal,
        True,
        False,
    ),
    Row("squeeze", lambda x: mg.squeeze(x, 1), [((3, 1, 3),), ((2, 1),)], normal, True),
    Row("expand_dims", lambda x: mg.expand_dims(x, (1, -1)), [((3, 3),), ((2, 5),)], normal, True),
    Row("flip", lambda x: mg.flip(x, 1), ONE[:2], normal, True),
    Row(
        "concatenate",
        lambda x, y: mg.concatenate([x, y, x], axis=1),
        [((3, 3), (3, 3)), ((2, 1), (2, 4))],
        normal,
        True,
    ),
    Row(
        "concatenate 0",
        lambda x, y: mg.concatenate([x, y]),
        [((3, 3), (3, 3)), ((2, 5), (1, 5))],
        normal,
        True,
        False,
    ),
    Row("identity", lambda x: bind(Identity, x), ONE[:2], normal, True),
    Row("cast", lambda x: bind(Cast, x, dtype=x.dtype), ONE[:2]),
    Row("stack", lambda x, y: mg.stack([x, y], axis=1), TWO[:2], normal, True),
    Row("pad", lambda x: mg.pad(x, ((0, 0), (2, 1))), ONE[:2], normal, True),
    Row("x[1]", lambda x: x[1], [((3, 3),), ((2, 5),)], normal, True),
    Row("x[..., ::-2]", lambda x: x[..., ::-2], ONE[:2], normal, True),
    Row("x[:, None, 1:]", lambda x: x[:, None, 1:], ONE[:2], normal, True),
    Row("x[integers]", lambda x: x[PICKED], [((3, 3),), ((3, 5),)], normal, True),
    Row("x[integers, integers]", lambda x: x[PICKED, PICKED], [((3, 3),), ((4, 5),)], normal, True),
    Row("repeat", lambda x: mg.repeat(x, 3, axis=1), ONE[:2], normal, True),
    Row("repeat flat", lambda x: mg.repeat(x, 2), ONE[:2], normal, True, False),
    Row("repeat unequally", lambda x: mg.repeat(x, [2, 0, 1], -1), [((2, 3),)], normal, True),
    Row("tile", lambda x: mg.tile(x, (2, 1, 3)), ONE[:2], normal, True),
    Row("repeat 0", lambda x: mg.repeat(x, 2, axis=0), ONE[:2], normal, True),
    Row("roll", lambda x: mg.roll(x, (1, -2), (0, 1)), ONE[:2], normal, True),
    Row("roll flat", lambda x: mg.roll(x, 4), ONE[:2], normal, True, False),
    Row("sort", mg.sort, ONE[:2]),
    Row("sort 0", lambda x: mg.sort(x, 0), ONE[:2]),
    Row("sort flat", lambda x: mg.sort(x, None), ONE[:2], normal, False, False),
    Row("take", lambda x: mg.take(x, PICKED, 1), [((3, 3),), ((2, 5),)], normal, True),
    Row("take flat", lambda x: mg.take(x, PICKED), ONE[:2], normal, True, False),
    Row(
        "take_along_axis",
        lambda x: mg.take_along_axis(x, PICKED, 0),
        [((3, 2),), ((5, 2),)],
        normal,
        True,
        False,
    ),
    Row(
        "take_along_axis stretched",
        lambda x: mg.take_along_axis(x, PICKED, 0),
        [((3, 1),)],
        normal,
        True,
        False,
    ),
    Row("diag", mg.diag, [((3, 3),), ((4, 2),), ((3,),)], normal, True),
    Row("diag off", lambda x: mg.diag(x, -1), [((3, 3),), ((2, 5),), ((3,),)], normal, True),
    Row("outer", mg.outer, [((3,), (2,)), ((2, 2), (3,)), ((), (2,))], normal, True, False),
    Row("hstack", lambda x, y: mg.hstack([x, y]), TWO[:2], normal, True),
    Row("hstack vectors", lambda x, y: mg.hstack([x, y]), [((2,), (3,)), ((), ())], batch=False),
    Row("vstack", lambda x, y: mg.vstack([x, y]), [((3,), (2, 3)), ((3,), (3,))], batch=False),
    Row(
        "x[booleans]",
        lambda x: x[:, np.array([True, False, True])],
        [((3, 3),), ((2, 3),)],
        normal,
        True,
    ),
    Row(
        "matmul",
        lambda x, y: x @ y,
        [((3, 3), (3, 3)), ((2, 5), (5, 4)), ((2, 3, 4), (4, 2))],
        normal,
        True,
        False,
    ),
    Row(
        "matmul batched",
        lambda x, y: x @ y,
        [((2, 3, 4), (2, 4, 3)), ((2, 1, 3, 4), (5, 4, 2))],
        normal,
        True,
        False,
    ),
    Row("dot", mg.dot, [((3,), (3,)), ((4, 3), (3, 2)), ((2,), ())], normal, True, False),
    Row(
        "matmul vectors",
        lambda x, y: x @ y,
        [
            *[((3,), (3,)), ((3, 3), (3,)), ((4, 3), (3,)), ((3,), (3, 3)), ((3,), (3, 2))],
            *[((2, 4, 3), (3,)), ((3,), (2, 3, 4)), ((3,), (3, 2, 3, 4)), ((2, 3, 3), (3,))],
        ],
        normal,
        True,
        False,
    ),
    Row("softmax", mg.softmax, [((3, 3),), ((2, 5),), ((4,),)]),
    Row("softmax 0", lambda x: mg.softmax(x, 0), ONE[:2]),
    Row("log_softmax", mg.log_softmax, ONE[:2]),
    Row("log_softmax 0", lambda x: mg.log_softmax(x, 0), ONE[:2]),
    Row(
        "cross_entropy",
        lambda x: mg.cross_entropy(x, LABELS),
        [((4, 4),), ((4, 3),)],
        normal,
        False,
        False,
    ),
    Row("cross_entropy of rows", lambda x, y: mg.cross_entropy(x, y), [((4, 3), (4, 3))]),
    *[
        Row(f"einsum {s}", partial(mg.einsum, s), [shapes], normal, True, False)
        for s, shapes in EINSUMS.items()
    ],
    Row(
        "windows",
        lambda x: mg.windows(x, (2, 3), (1, 2)),
        [((2, 3, 3),), ((4, 7),)],
        normal,
        True,
        False,
    ),
    Row(
        "conv2d",
        mg.conv2d,
        [((2, 3, 4, 4), (2, 3, 3, 3)), ((1, 2, 3, 5), (3, 2, 2, 1))],
        normal,
        True,
        False,
    ),
    Row(
        "conv2d strided, padded",
        lambda x, w: mg.conv2d(x, w, stride=(2, 1), padding=(1, 0)),
        [((2, 2, 5, 3), (2, 2, 3, 2))],
        normal,
        True,
        False,
    ),
    Row(
        "max_pool2d",
        lambda x: mg.max_pool2d(x, 2),
        [((1, 2, 4, 4),), ((2, 1, 5, 6),)],
        normal,
        False,
        False,
    ),
    Row(
        "max_pool2d overlapping",
        lambda x: mg.max_pool2d(x, (2, 3), 1),
        [((1, 1, 3, 4),)],
        normal,
        False,
        False,
    ),
    Row("dropout", lambda x: mg.dropout(x, 0.4, seed=3, key=5), [((3, 3),), ((2, 5),)]),
    Row("custom op", cubed, ONE[:3], normal, True, False),
    Row("mse", mg.mse, TWO, normal, True),
]
STEPS = [  # without a derivative
    Row("tied", lambda x, y: bind(Tied, x, y), TWO),
    Row("argmax", mg.argmax, ONE[:2]),
    Row("argmin 0", lambda x: mg.argmin(x, 0), ONE[:2]),
    Row("argsort", mg.argsort, ONE[:2]),
    Row("one_hot", lambda x: mg.one_hot(mg.cast(x, int), 3), [*ONE]),
    Row("any", mg.any, ONE),
    Row("all 0 kept", lambda x: mg.all(x, 0, True), ONE[:2]),
    *[
        Row(f.__name__, f, ONE)
        for f in (
            mg.sign,
            mg.floor,
            mg.round,
            mg.isnan,
            mg.isinf,
            mg.isfinite,
            mg.logical_not,
            mg.square,
        )
    ],
    *[
        Row(f.__name__, f, [*TWO, *WIDE])
        for f in (
            mg.floor_divide,
            mg.logical_and,
            mg.logical_or,
            mg.logical_xor,
            ops.equal,
            ops.not_equal,
            ops.less,
            ops.less_equal,
            ops.greater,
            ops.greater_equal,
        )
    ],
    Row("round to tens", lambda x: mg.round(x, -1), ONE[:2]),
    Row("to bool", lambda x: mg.cast(x, bool), ONE[:2]),
    Row("to int8", lambda x: mg.cast(x, np.int8), ONE[:2]),
    Row("detach", lambda x: x.detach() if isinstance(x, mg.core.op.Value) else x, ONE[:2]),
]
CASES = [(row, shapes) for row in ROWS for shapes in row.shapes]
IDS = [f"{row.name} {shapes}".replace(" ", "") for row, shapes in CASES]


def inputs_of(row, shapes, seed=0):
    """The floating inputs of a case."""
    rng = np.random.default_rng(seed)
    return [np.asarray(row.draw(rng, shape)) for shape in shapes]
