"""What people type, and what comes: a value, or the words that say what to write instead."""

import math
import operator
import re
import subprocess
import sys

import numpy as np
import pytest
from engines import Dynamic, Static
from ops_table import STEPS, inputs_of
from saying import raises_saying

import minigrad as mg
from minigrad.core import numpy_calls

X = np.array([[1.0, -2.0, 3.0], [0.5, 0.0, -1.5]])
V = np.array([1.0, -2.0, 3.0])


def leaf(data=V):
    return mg.tensor(data, requires_grad=True)


def checkpointed(kept):
    x = mg.placeholder("x")
    return mg.gradients(mg.sin(x), [x], checkpoints=kept)


# the same on arrays, Tensors and Nodes -----------------------------------------------------------

ON_ALL = {  # what is typed: what NumPy makes of it
    "x % 2": (lambda x: x % 2, lambda x: x % 2),
    "7 % x": (lambda x: 7 % (x + 0.1), lambda x: 7 % (x + 0.1)),
    "x // 2": (lambda x: x // 2, lambda x: x // 2),
    "7 // x": (lambda x: 7 // (x + 0.1), lambda x: 7 // (x + 0.1)),
    "divmod(x, 2)": (lambda x: divmod(x, 2)[1] + divmod(x, 2)[0], lambda x: x % 2 + x // 2),
    "divmod(7, x)": (lambda x: divmod(7, x + 4)[0], lambda x: 7 // (x + 4)),
    "round(x, 1)": (lambda x: round(x / 3, 1), lambda x: np.round(x / 3, 1)),
    "~(x > 0)": (lambda x: ~(x > 0), lambda x: ~(x > 0)),
    "(x > 0) & (x < 2)": (lambda x: (x > 0) & (x < 2), lambda x: (x > 0) & (x < 2)),
    "(x > 0) | (x < -1)": (lambda x: (x > 0) | (x < -1), lambda x: (x > 0) | (x < -1)),
    "(x > 0) ^ (x < 2)": (lambda x: (x > 0) ^ (x < 2), lambda x: (x > 0) ^ (x < 2)),
    "mask & x": (lambda x: (X > 0) & (x < 2), lambda x: (X > 0) & (x < 2)),
    "True | mask": (lambda x: True | (x < 2), lambda x: True | (x < 2)),
    "x.exp()": (lambda x: x.exp(), np.exp),
    "x.abs().sqrt().log1p": (
        lambda x: mg.log1p(x.abs().sqrt()),
        lambda x: np.log1p(np.sqrt(np.abs(x))),
    ),
    "x.sin().cos().tanh()": (lambda x: x.sin().cos().tanh(), lambda x: np.tanh(np.cos(np.sin(x)))),
    "x.square().log": (lambda x: (x.square() + 1).log(), lambda x: np.log(x * x + 1)),
    "x.relu()": (lambda x: x.relu(), lambda x: np.maximum(x, 0)),
    "x.clip(-1, 1)": (lambda x: x.clip(-1, 1), lambda x: np.clip(x, -1, 1)),
    "x.var()": (lambda x: x.var(), np.var),
    "x.std(axis=0)": (lambda x: x.std(axis=0), lambda x: np.std(x, 0)),
    "x.prod(1)": (lambda x: x.prod(1), lambda x: np.prod(x, 1)),
    "x.cumsum(-1)": (lambda x: x.cumsum(-1), lambda x: np.cumsum(x, -1)),
    "x.cumsum()": (lambda x: x.cumsum(), np.cumsum),
    "x.flatten()": (lambda x: x.flatten(), np.ravel),
    "x.argmax(0)": (lambda x: x.argmax(0), lambda x: np.argmax(x, 0)),
    "x.argmin(axis=1)": (lambda x: x.argmin(axis=1), lambda x: np.argmin(x, 1)),
    "x[0].argmin()": (lambda x: x[0].argmin(), lambda x: np.argmin(x[0])),
    "x.any()": (lambda x: (x > 2).any(), lambda x: (x > 2).any()),
    "x.all(0)": (lambda x: (x > -2).all(0, keepdims=True),) * 2,
    "x.squeeze()": (lambda x: x[:, :1].squeeze(), lambda x: x[:, 0]),
    "x.clone()": (lambda x: x.clone(), lambda x: x),
    "x.copy() of a mask": (lambda x: (x > 0).copy(), lambda x: x > 0),
    "x.detach() of a mask": (lambda x: (x > 0).detach(), lambda x: x > 0),
    "x.dot(v)": (lambda x: x.dot(V), lambda x: x @ V),
    "mg.zeros_like": (mg.zeros_like, np.zeros_like),
    "mg.ones_like": (lambda x: mg.ones_like(x, int), lambda x: np.ones_like(x, int)),
    "mg.full_like": (lambda x: mg.full_like(x, 7), lambda x: np.full_like(x, 7)),
    "mg.logical_not(x)": (mg.logical_not, np.logical_not),
    **{
        f"np.{f.__name__}": (f, f)
        for f in (
            np.sum,
            np.mean,
            np.max,
            np.min,
            np.amax,
            np.amin,
            np.var,
            np.std,
            np.prod,
            np.any,
            np.all,
            np.argmax,
            np.argmin,
            np.cumsum,
            np.ravel,
            np.transpose,
            np.squeeze,
            np.flip,
            np.copy,
            np.zeros_like,
            np.ones_like,
            np.round,
            np.square,
            np.expm1,
            np.isnan,
            np.isinf,
            np.isfinite,
            np.logical_not,
            np.positive,
            np.rint,
            np.sign,
        )
    },
    "np.sum(x, axis=0)": (lambda x: np.sum(x, axis=0, keepdims=True),) * 2,
    "np.sum(x, out=None)": (lambda x: np.sum(x, axis=None, dtype=None, out=None),) * 2,
    "np.var(x, ddof=1)": (lambda x: np.var(x, ddof=1),) * 2,
    "np.std(x, 0, ddof=1)": (lambda x: np.std(x, 0, ddof=1),) * 2,
    "x.std(1, ddof=1)": (lambda x: x.std(1, ddof=1), lambda x: np.std(x, 1, ddof=1)),
    "np.add.reduce": (lambda x: np.add.reduce(x),) * 2,
    "np.maximum.reduce": (lambda x: np.maximum.reduce(x, axis=1),) * 2,
    "np.multiply.reduce": (lambda x: np.multiply.reduce(x, 1),) * 2,
    "mg.argmax(x, axis=None)": (
        lambda x: mg.argmax(x, axis=None),
        lambda x: np.argmax(x, axis=None),
    ),
    "mg.argmin(x, axis=None)": (
        lambda x: mg.argmin(x, axis=None),
        lambda x: np.argmin(x, axis=None),
    ),
    "np.argmax of all, keepdims": (lambda x: np.argmax(x, keepdims=True),) * 2,
    "np.argmax(x, 1, keepdims)": (lambda x: np.argmax(x, 1, keepdims=True),) * 2,
    "np.clip": (lambda x: np.clip(x, -1, 1),) * 2,
    "x.clip(0, None)": (lambda x: x.clip(0, None), lambda x: np.clip(x, 0, None)),
    "np.clip(x, 0, None)": (lambda x: np.clip(x, 0, None),) * 2,
    "np.clip(x, a_max=1)": (lambda x: np.clip(x, None, 1),) * 2,
    "mg.clip of integers": (
        lambda x: mg.clip(mg.cast(x * 2, int), None, 1),
        lambda x: np.clip((x * 2).astype(int), None, 1),
    ),
    "np.clip(x, None, V)": (lambda x: np.clip(x, None, V),) * 2,
    "np.clip(x, V, None)": (lambda x: np.clip(x, V, None),) * 2,
    "np.reshape": (lambda x: np.reshape(x, (3, 2)),) * 2,
    "np.swapaxes": (lambda x: np.swapaxes(x, 0, -1),) * 2,
    "np.expand_dims": (lambda x: np.expand_dims(x, 1),) * 2,
    "np.broadcast_to": (lambda x: np.broadcast_to(x, (2, 2, 3)),) * 2,
    "np.concatenate": (lambda x: np.concatenate([x, X], axis=1),) * 2,
    "np.stack": (lambda x: np.stack([X, x, x], -1),) * 2,
    "np.where": (lambda x: np.where(x > 0, x, -X),) * 2,
    "np.dot": (lambda x: np.dot(x, V),) * 2,
    "np.matmul": (lambda x: np.matmul(x, X.T),) * 2,
    "np.einsum": (lambda x: np.einsum("ij,kj->ik", x, X),) * 2,
    "np.pad": (lambda x: np.pad(x, 1),) * 2,
    "np.moveaxis": (lambda x: np.moveaxis(np.stack([x, x, x, x]), [0, -1], [1, 0]),) * 2,
    "np.repeat": (lambda x: np.repeat(x, 2),) * 2,
    "np.repeat(x, [1, 2], 0)": (lambda x: np.repeat(x, [1, 2], 0),) * 2,
    "np.tile": (lambda x: np.tile(x, (2, 1, 2)),) * 2,
    "np.roll": (lambda x: np.roll(x, 2),) * 2,
    "np.roll(x, (1, -1), (1, 0))": (lambda x: np.roll(x, (1, -1), (1, 0)),) * 2,
    "np.hstack": (lambda x: np.hstack([x, X]),) * 2,
    "np.hstack of numbers": (lambda x: np.hstack([x[0, 0], 2.0, x[1]]),) * 2,
    "np.vstack": (lambda x: np.vstack([x[0], X, x]),) * 2,
    "np.column_stack": (lambda x: np.column_stack([x.T, V]),) * 2,
    "np.append": (lambda x: np.append(x, V),) * 2,
    "np.append(x, x, 0)": (lambda x: np.append(x, x, 0),) * 2,
    "np.split": (lambda x: np.split(x, 3, 1)[1],) * 2,
    "np.split(x, [1, 2], -1)": (lambda x: np.split(x, [1, 2], -1)[2],) * 2,
    "np.take": (lambda x: np.take(x, [4, 0]),) * 2,
    "np.take(x, -1, 1)": (lambda x: np.take(x, -1, 1),) * 2,
    "np.take_along_axis": (lambda x: np.take_along_axis(x, np.array([[0], [2]]), 1),) * 2,
    "np.sort(x)": (np.sort, np.sort),
    "np.sort(x, 0)": (lambda x: np.sort(x, axis=0),) * 2,
    "np.argsort": (np.argsort, np.argsort),
    "np.diag": (lambda x: np.diag(x, 1),) * 2,
    "np.diag of a vector": (lambda x: np.diag(x[0], -1),) * 2,
    "np.trace": (np.trace, np.trace),
    "np.diff": (np.diff, np.diff),
    "np.diff(x, 2)": (lambda x: np.diff(x, 2, axis=-1),) * 2,
    "np.ptp": (lambda x: np.ptp(x, axis=1, keepdims=True),) * 2,
    "np.average": (np.average, np.average),
    "np.average(weights=)": (lambda x: np.average(x, 1, weights=np.abs(V)),) * 2,
    "np.average(weights=) of all": (lambda x: np.average(x, weights=np.abs(X)),) * 2,
    "np.outer": (lambda x: np.outer(x, V),) * 2,
    "np.inner": (lambda x: np.inner(x, X),) * 2,
    "np.vdot": (lambda x: np.vdot(x, X),) * 2,
    "np.tensordot": (lambda x: np.tensordot(x, X, ([0, 1], [0, 1])),) * 2,
    "np.tensordot(axes=1)": (lambda x: np.tensordot(x, X.T, axes=1),) * 2,
    "np.linalg.norm": (np.linalg.norm, np.linalg.norm),
    "np.linalg.norm(axis=)": (lambda x: np.linalg.norm(x, axis=1, keepdims=True),) * 2,
    "np.linalg.norm(ord=2)": (lambda x: np.linalg.norm(x[0], 2),) * 2,
    "np.logaddexp": (lambda x: np.logaddexp(x, V),) * 2,
    "np.atleast_1d": (lambda x: np.atleast_1d(x[0, 0]),) * 2,
    "np.atleast_2d": (lambda x: np.atleast_2d(x[0]),) * 2,
    "np.atleast_2d of two": (lambda x: np.atleast_2d(x[0], V)[0],) * 2,
    "np.fliplr": (lambda x: np.fliplr(np.flipud(x)),) * 2,
    "x.argsort(0)": (lambda x: x.argsort(0), lambda x: np.argsort(x, 0)),
    "x.take": (lambda x: x.take([1, 2]), lambda x: np.take(x, [1, 2])),
    "x.tile": (lambda x: x.tile(2), lambda x: np.tile(x, 2)),
    "x.roll": (lambda x: x.roll(1, 1), lambda x: np.roll(x, 1, 1)),
    "x.diag": (lambda x: x.diag(), np.diag),
    "x.outer": (lambda x: x[0].outer(V), lambda x: np.outer(x[0], V)),
    "np.remainder": (lambda x: np.remainder(x, 2),) * 2,
    "np.floor_divide": (lambda x: np.floor_divide(x, 2),) * 2,
    "np.log1p": (lambda x: np.log1p(x * x),) * 2,
    "np.reciprocal": (lambda x: np.reciprocal(x + 4),) * 2,
    "np.logical_and": (lambda x: np.logical_and(x > 0, X < 2),) * 2,
    "np.bitwise_or": (lambda x: np.bitwise_or(x > 0, X < 2),) * 2,
    "np.full_like": (lambda x: np.full_like(x, 3),) * 2,
    "np.shape": (lambda x: np.zeros(np.shape(x)) + x + np.ndim(x),) * 2,
    "np.size": (lambda x: x + np.size(x) + np.size(x, 0),) * 2,
}


@pytest.mark.parametrize("typed", ON_ALL)
@pytest.mark.parametrize("engine", [Dynamic(), Static()], ids=["tensors", "nodes"])
def test_what_is_typed_gives_what_numpy_gives(typed, engine):
    f, numpys = ON_ALL[typed]
    (x,) = engine.inputs([X])
    y = f(x)
    assert isinstance(y, mg.core.op.Value)
    (found,) = engine.numbers([y])
    expected = np.asarray(numpys(X))
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    "typed",
    [
        "x.exp()",
        "x.prod(1)",
        "x.clone()",
        "x % 2",
        "np.sum",
        "np.std",
        "np.where",
        "np.concatenate",
        "np.clip",
        "np.einsum",
        "np.pad",
        "np.repeat",
        "np.tile",
        "np.roll",
        "np.hstack",
        "np.vstack",
        "np.column_stack",
        "np.split",
        "np.sort(x)",
        "np.diag",
        "np.diag of a vector",
        "np.diff(x, 2)",
        "np.average(weights=)",
        "np.tensordot",
        "np.linalg.norm(axis=)",
        "np.logaddexp",
        "x.clip(0, None)",
    ],
)
@pytest.mark.parametrize("engine", [Dynamic(), Static()], ids=["tensors", "nodes"])
def test_derivatives_pass_in_both_modes(typed, engine):
    f = ON_ALL[typed][0]
    (x,) = engine.inputs([X + 0.03])
    y = f(x)
    direction = np.random.default_rng(0).normal(size=X.shape)
    (x_bar,), (y_dot,) = mg.gradients(y, x, mg.ones_like(y)), mg.forward_gradients(y, x, direction)
    x_bar, y_dot = engine.numbers([x_bar, y_dot])
    step = 1e-6
    ends = [np.asarray(ON_ALL[typed][1](X + 0.03 + h * direction)) for h in (step, -step)]
    np.testing.assert_allclose(y_dot, (ends[0] - ends[1]) / (2 * step), rtol=1e-6, atol=1e-8)
    assert np.sum(x_bar * direction) == pytest.approx(np.sum(y_dot))


# values of Tensors -------------------------------------------------------------------------------

VALUES = {
    'f"{t:.3f}"': (lambda: f"{mg.tensor(math.pi):.3f}", "3.142"),
    'f"{t:d}"': (lambda: f"{mg.tensor(7):03d}", "007"),
    'f"{t}"': (lambda: f"{mg.tensor(2.0)}", "tensor(2.)"),
    'f"{leaf:.1f}"': (lambda: f"{leaf(2.0):.1f}", "2.0"),
    "range(t)": (lambda: list(range(mg.tensor(3))), [0, 1, 2]),
    "list[t]": (lambda: "abc"[mg.tensor(1)], "b"),
    "w[:t]": (lambda: leaf()[: mg.tensor(2)].tolist(), [1.0, -2.0]),
    "w[t, t]": (lambda: leaf(X)[mg.tensor(1), mg.tensor([0, 2])].tolist(), [0.5, -1.5]),
    "array[t]": (lambda: V[mg.tensor([2, 0])].tolist(), [3.0, 1.0]),
    "np.zeros(t)": (lambda: np.zeros(mg.tensor(2)).tolist(), [0.0, 0.0]),
    "x.reshape(t, -1)": (lambda: leaf(X).reshape(mg.tensor(3), -1).shape, (3, 2)),
    "w[w > 0]": (lambda: (lambda w: w[w > 0])(leaf()).tolist(), [1.0, 3.0]),
    "x[:, mask]": (lambda: leaf(X)[:, V > 0].tolist(), [[1.0, 3.0], [0.5, -1.5]]),
    "x[..., mask]": (lambda: leaf(X)[..., mg.tensor(V) > 0].tolist(), [[1.0, 3.0], [0.5, -1.5]]),
    "x[mask of both axes]": (lambda: leaf(X)[mg.tensor(X) > 0].tolist(), [1.0, 3.0, 0.5]),
    "x[None, mask]": (lambda: leaf()[None, V > 0].shape, (1, 2)),
    "w.tolist()": (lambda: leaf(2.5).tolist(), 2.5),
    "np.where(mask)": (lambda: np.where(leaf() > 0)[0].tolist(), [0, 2]),
    "np.allclose(w, w)": (lambda: np.allclose(leaf(), leaf()), True),
    "np.array_equal": (lambda: np.array_equal(leaf(), V), True),
    "np.histogram(t)": (lambda: np.histogram(mg.tensor(V), 2)[0].tolist(), [1, 2]),
    "np.iscomplexobj(w)": (lambda: (np.iscomplexobj(leaf()), np.isrealobj(leaf())), (False, True)),
    "np.arctan(t)": (lambda: np.arctan(mg.tensor([0.0])).tolist(), [0.0]),
    "hasattr(t, 'cuda')": (lambda: hasattr(leaf(), "cuda"), False),
    "'view' in dir(t)": (lambda: "view" in dir(leaf()) or "exp" not in dir(leaf()), False),
    "np.iterable(number)": (lambda: np.iterable(mg.tensor(1.0)), False),
    "mg.zeros": (lambda: mg.zeros((2, 1)).tolist(), [[0.0], [0.0]]),
    **{
        f"{f.__name__}(requires_grad)": (
            lambda f=f, given=given: (lambda w: w.is_leaf and w.requires_grad)(
                f(*given, requires_grad=True)
            ),
            True,
        )
        for f, *given in (
            (mg.zeros, 2),
            (mg.full, 2, 1.0),
            (mg.eye, 2),
            (mg.arange, 2.0),
            (mg.linspace, 0, 1),
            (mg.zeros_like, V),
            (mg.ones_like, leaf()),
            (mg.full_like, [1.0], 2),
            (mg.random_normal, 2, 0),
            (mg.random_uniform, 2, 0),
        )
    },
    "mg.ones(requires_grad)": (lambda: mg.ones(2, requires_grad=True, name="w").is_leaf, True),
    "mg.full": (lambda: mg.full(2, 7).tolist(), [7, 7]),
    "mg.eye": (lambda: mg.eye(2, 3, int).tolist(), [[1, 0, 0], [0, 1, 0]]),
    "mg.arange(3)": (lambda: mg.arange(3).tolist(), [0, 1, 2]),
    "mg.arange(1, 2, .5)": (lambda: mg.arange(1, mg.tensor(2.0), 0.5).tolist(), [1.0, 1.5]),
    "mg.linspace": (lambda: mg.linspace(0, 1, 3, dtype=np.float32).tolist(), [0.0, 0.5, 1.0]),
    "transpose(3.0)": (lambda: mg.transpose(3.0), 3.0),
    "squeeze(3.0)": (lambda: mg.squeeze(3.0), 3.0),
    "logsumexp(3.0)": (lambda: mg.logsumexp(3.0), 3.0),
    "cumsum(3.0)": (lambda: mg.cumsum(3.0).tolist(), [3.0]),
    "dot(2.0, 3.0)": (lambda: mg.dot(2.0, 3.0), 6.0),
    "dot of lists": (lambda: mg.dot([1, 2], [3, 4]), 11),
    "sigmoid(True)": (lambda: mg.sigmoid(True), 1 / (1 + math.exp(-1))),
    "mse of lists": (lambda: mg.mse([1, 2], [3, 5]), 6.5),
    "mse of uint8": (lambda: mg.mse(np.uint8([1]), np.uint8([3])), 4.0),
    "sigmoid of uint8": (lambda: mg.sigmoid(np.uint8(3)), 1 / (1 + math.exp(-3))),
    "argmax of a leaf": (lambda: leaf().argmax().item(), 2),
    "np.argmax of two axes": (lambda: np.argmax(leaf(X)).item(), 2),
    "no_grad without brackets": (lambda: mg.no_grad(lambda: leaf() * 2)().requires_grad, False),
}


@pytest.mark.parametrize("typed", VALUES)
def test_a_tensor_gives_what_is_asked_for(typed):
    call, expected = VALUES[typed]
    assert call() == (pytest.approx(expected) if isinstance(expected, float) else expected)


def test_a_mask_picks_entries_and_scatters_gradients_in_any_order():
    w = leaf()
    (w[w > 0] ** 3).sum().backward()
    assert w.grad.tolist() == [3.0, 0.0, 27.0]
    assert mg.gradcheck(lambda x: x[x > 0] ** 3, V, order=2)
    np.testing.assert_array_equal(
        mg.hessian(lambda x: mg.sum(x[x > 0] ** 3))(V), np.diag([6.0, 0.0, 18.0])
    )


def test_a_mask_in_place_changes_what_it_picks():
    t = mg.tensor(V)
    t[t < 0] = 0.0
    assert t.tolist() == [1.0, 0.0, 3.0]


def test_values_made_inside_a_graph_are_constants():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (None, 3))
        made = [
            mg.zeros(2),
            mg.ones((1, 2), int),
            mg.full(1, 2.5),
            mg.eye(2),
            mg.arange(3),
            mg.linspace(0, 1, 2),
            mg.zeros_like(x),
            mg.ones_like(x, bool),
            mg.full_like(x, 4),
        ]
    found = mg.Session(graph).run(made, {x: np.ones((2, 3))})
    assert [v.tolist() for v in found[:6]] == [
        [0, 0],
        [[1, 1]],
        [2.5],
        [[1, 0], [0, 1]],
        [0, 1, 2],
        [0, 1],
    ]
    assert [v.tolist() for v in found[6:]] == [[[0] * 3] * 2, [[True] * 3] * 2, [[4] * 3] * 2]
    assert found[7].dtype == bool and {n.graph for n in made} == {graph}


def test_a_variable_may_start_from_a_constant():
    with mg.Graph() as graph:
        made = [mg.Variable(v) for v in (mg.zeros((2, 1)), mg.eye(2), mg.constant(3.0))]
    assert [v.tolist() for v in mg.Session(graph).run(made)] == [[[0], [0]], [[1, 0], [0, 1]], 3]


def test_values_made_in_a_traced_function_are_part_of_the_trace():
    @mg.function
    def f(x):
        return x * mg.ones(3) + mg.arange(3) + mg.full_like(x, 2)

    w = leaf()
    f(w).sum().backward()
    assert f(w).tolist() == [3.0, 1.0, 7.0] and w.grad.tolist() == [1, 1, 1]


def test_likenesses_have_no_derivative_and_numbers_of_their_own():
    w = leaf()
    ones = mg.ones_like(w)
    assert not ones.requires_grad and mg.ones_like([1, 2]).tolist() == [1, 1]
    with mg.no_grad():
        ones += 1
    assert w.tolist() == V.tolist()


# derivatives of products at 0 --------------------------------------------------------------------


@pytest.mark.parametrize("zeros", [0, 1, 2, 3])
def test_a_product_has_the_right_derivatives_where_entries_are_zero(zeros):
    x = np.array([2.0, -3.0, 0.5, 4.0])
    x[:zeros] = 0
    others = [np.prod(np.delete(x, i)) for i in range(4)]
    pairs = [[np.prod(np.delete(x, [i, j])) if i != j else 0 for j in range(4)] for i in range(4)]
    third = [
        [
            [np.prod(np.delete(x, [i, j, k])) if len({i, j, k}) == 3 else 0 for k in range(4)]
            for j in range(4)
        ]
        for i in range(4)
    ]
    np.testing.assert_allclose(mg.grad(mg.prod)(x).numpy(), others, rtol=1e-12)
    np.testing.assert_allclose(mg.hessian(mg.prod)(x).numpy(), pairs, rtol=1e-12)
    np.testing.assert_allclose(mg.jacobian(mg.hessian(mg.prod))(x).numpy(), third, rtol=1e-12)


def test_a_product_over_an_unknown_length_has_a_derivative():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (None, 3))
        slopes = [
            mg.gradients(mg.prod(x, axis), x, w)[0] for axis, w in ((0, np.ones(3)), (None, 1.0))
        ]
        y = mg.placeholder("y", (None, None, 2))
        slopes += [mg.gradients(mg.sum(mg.prod(y, axis)), y)[0] for axis in (1, 2, None)]
        with pytest.raises(mg.ShapeError, match="declare every length"):
            mg.gradients(mg.sum(mg.prod(y, (1, 2))), y)
    value = np.arange(1.0, 13.0).reshape(2, 3, 2)
    first, whole, *others = mg.Session(graph).run(slopes, {x: X, y: value})
    np.testing.assert_allclose(first, X[::-1])
    np.testing.assert_allclose(whole, mg.grad(mg.prod)(X).numpy())
    for axis, slope in zip((1, 2, None), others, strict=True):
        products = np.prod(value, axis, keepdims=True)
        np.testing.assert_allclose(slope, products / value, rtol=1e-12)


# has_aux, seeds ----------------------------------------------------------------------------------


def test_has_aux_hands_on_what_is_no_derivative():
    def f(x, scale):
        return mg.sum(x * x) * scale, {"twice": 2 * x, "name": "f", "k": 3}

    for x in (V, mg.tensor(V)):
        (value, aux), slope = mg.value_and_grad(f, has_aux=True)(x, 2)
        assert (value.item(), slope.tolist(), aux["name"], aux["k"]) == (28, [4, -8, 12], "f", 3)
        assert aux["twice"].tolist() == [2, -4, 6] and not aux["twice"].requires_grad
        slope, again = mg.grad(f, has_aux=True)(x, 2)
        assert slope.tolist() == [4, -8, 12] and again["twice"].tolist() == [2, -4, 6]
    with mg.Graph() as graph:
        x = mg.placeholder("x", (3,))
        (value, aux), slope = mg.value_and_grad(f, has_aux=True)(x, 2)
    found = mg.Session(graph).run([value, aux["twice"], slope], {x: V})
    assert [v.tolist() for v in found] == [28, [2, -4, 6], [4, -8, 12]]


def test_aux_of_a_value_from_outside_is_differentiated_by_an_outer_derivative():
    def outer(v):
        slope, aux = mg.grad(lambda x: (mg.sum(x * x), v * v), has_aux=True)(V)
        return mg.sum(aux)

    assert mg.grad(outer)(V).tolist() == (2 * V).tolist()


def test_one_seed_may_stand_in_a_list():
    for engine in (Dynamic(), Static()):
        (x,) = engine.inputs([V])
        y, z = mg.sum(x * x), x * x
        found = [
            *mg.gradients(y, x, [2.0]),
            *mg.gradients(z, [x], [V]),
            *mg.gradients(z, x, V),
            *mg.forward_gradients(y, x, [V]),
            *mg.forward_gradients(y, [x], [V]),
        ]
        assert [v.tolist() for v in engine.numbers(found)] == [
            (4 * V).tolist(),
            *[(2 * V * V).tolist()] * 2,
            *[2 * V @ V] * 2,
        ]
    y, pullback = mg.vjp(lambda x: x * x, V)
    for seed in (V, [V], (V,), V.tolist(), [mg.tensor(V)]):
        assert pullback(seed)[0].tolist() == (2 * V * V).tolist()


# what cannot be done says what to write ----------------------------------------------------------


def node(shape=(3,), dtype=float):
    with mg.Graph():
        return mg.placeholder("x", shape, dtype)


def in_graph(build):
    with mg.Graph():
        return build()


def add_to(a, t):
    a += t


def put(t, index, value):
    t[index] = value


ERRORS = {
    'f"{w:.3f}"': (lambda: f"{leaf():.3f}", mg.ArgumentError, "for a single number", "mg.round"),
    'f"{node:.3f}"': (lambda: f"{node(()):.3f}", mg.GraphError, "x has no value", "sess.run"),
    "node[node > 0]": (
        lambda: (lambda x: x[x > 0])(node()),
        mg.GraphError,
        "how many entries",
        "mg.where",
    ),
    "w[:node]": (lambda: leaf()[: node((), int)], mg.GraphError, "has no value", "sess.run"),
    "w[:2.0]": (
        lambda: leaf()[: mg.tensor(2.0)],
        mg.DtypeError,
        "float64 number is not an index",
        r"int\(x\)",
    ),
    "w[0.5:]": (
        lambda: leaf()[0.5:],
        mg.ArgumentError,
        "not a slice of whole numbers",
        "write for example",
    ),
    "range(leaf)": (
        lambda: range(leaf(2.0)),
        mg.DtypeError,
        "is not an index or a count",
        r"int\(x\)",
    ),
    "range(node)": (lambda: range(node((), int)), mg.GraphError, "has no value", "sess.run"),
    "w[True]": (
        lambda: leaf()[True],
        mg.ArgumentError,
        "a single boolean is not a mask",
        r"x\[None\]",
    ),
    "w[0-d mask]": (
        lambda: leaf()[mg.tensor(True)],
        mg.ArgumentError,
        "is not a mask",
        r"x\[None\]",
    ),
    "short mask": (
        lambda: leaf()[np.array([True, False])],
        mg.ShapeError,
        r"shape \(2,\) cannot pick from axes of lengths \(3,\)",
        r"x\[x > 0\]",
    ),
    "long mask": (
        lambda: leaf(X)[..., np.array([True] + [False] * 3)],
        mg.ShapeError,
        r"shape \(4,\) cannot pick",
        r"x\[x > 0\]",
    ),
    "mask of an unknown length": (
        lambda: node((None,))[V > 0],
        mg.ShapeError,
        "not all are known before x is fed",
        "give the placeholder those lengths",
    ),
    "t[9] = 1": (
        lambda: put(mg.tensor(V), 9, 1.0),
        mg.ShapeError,
        "index 9 is out of bounds",
        "indices from 0 up",
    ),
    "t[:2] = three": (
        lambda: put(mg.tensor(V), slice(2), V),
        mg.ShapeError,
        "could not broadcast",
        "one for each entry",
    ),
    "integers[0] = 0.5": (
        lambda: put(mg.tensor([1, 2]), 0, 0.5),
        mg.DtypeError,
        "float64 numbers do not fit into int64",
        "astype",
    ),
    "if w > 0": (
        lambda: bool(leaf() > 0),
        mg.ShapeError,
        "3 entries have no single truth value",
        r"\.any\(\) or \.all\(\), choose with mg.where",
    ),
    "w > 0 and w < 2": (
        lambda: leaf() > 0 and leaf() < 2,
        mg.ShapeError,
        "no single truth value",
        "&",
    ),
    "if node": (lambda: bool(node()), mg.GraphError, "has no value", "mg.where"),
    "w & w": (lambda: leaf() & leaf(), mg.DtypeError, r"& joins masks", r"\(x > 0\) & \(y > 0\)"),
    "~w": (lambda: ~leaf(), mg.DtypeError, "~ joins masks", r"~\(x > 0\)"),
    "-mask": (lambda: -(leaf() > 0), mg.DtypeError, "neg is not defined for bool", "write ~x"),
    "-mask of a node": (lambda: -(node() > 0), mg.DtypeError, "neg is not defined for bool", "~x"),
    "mask - mask": (
        lambda: (leaf() > 0) - (leaf() > 0),
        mg.DtypeError,
        "sub is not defined for bool",
        r"\^",
    ),
    "w << 1": (lambda: leaf() << 1, mg.UsageError, "shift bits", r"2 \*\* n"),
    "1 >> w": (lambda: 1 >> leaf(), mg.UsageError, "shift bits", r"2 \*\* n"),
    "A += w": (
        lambda: add_to(np.ones(3), leaf()),
        mg.ArgumentError,
        "np.add would write into",
        r"A = A \+ x",
    ),
    "A += node": (
        lambda: add_to(np.ones(3), node()),
        mg.ArgumentError,
        "np.add would write into",
        r"sess\.run\(x\)",
    ),
    "node.gradient": (
        lambda: node().gradient,
        mg.MissingError,
        "a Node has no gradient",
        "write mg.gradients",
    ),
    "np.sum(dtype=)": (
        lambda: np.sum(leaf(), dtype=np.float32),
        mg.ArgumentError,
        "np.sum takes no dtype=",
        "astype",
    ),
    "np.sum(where=)": (
        lambda: np.sum(leaf(), where=V > 0),
        mg.ArgumentError,
        "np.sum takes no where=",
        "mg.where",
    ),
    "np.sum(out=)": (
        lambda: np.sum(mg.tensor(V), out=np.zeros(())),
        mg.ArgumentError,
        "np.sum takes no out=",
        "leave it out",
    ),
    "np.sum(w, 0, float)": (
        lambda: np.sum(leaf(), 0, float),
        mg.ArgumentError,
        "np.sum has no derivative rule",
        r"x\.numpy\(\)",
    ),
    "np.var(w, 0, float)": (
        lambda: np.var(leaf(), 0, float),
        mg.ArgumentError,
        "np.var has no derivative rule",
        r"x\.numpy\(\)",
    ),
    "np.argmax(w, 0, out)": (
        lambda: np.argmax(leaf(), 0, np.zeros((), int)),
        mg.ArgumentError,
        "np.argmax has no derivative rule",
        r"x\.numpy\(\)",
    ),
    "np.std(mean=)": (lambda: np.std(leaf(), mean=0.0), mg.ArgumentError, "no mean=", "leave"),
    "np.add(dtype=)": (
        lambda: np.add(leaf(), 1, dtype=np.float32),
        mg.ArgumentError,
        "np.add takes no dtype=",
        "astype",
    ),
    "np.reshape(order=)": (
        lambda: np.reshape(leaf(X), 6, order="F"),
        mg.ArgumentError,
        "takes no order=",
        "leave",
    ),
    "np.pad(mode=)": (lambda: np.pad(leaf(), 1, mode="edge"), mg.ArgumentError, "mode=", "leave"),
    "np.median(w)": (
        lambda: np.median(leaf()),
        mg.ArgumentError,
        "np.median has no derivative rule",
        r"mg\.sort\(x, None\).*x\.numpy\(\)",
    ),
    "np.linalg.det(w)": (
        lambda: np.linalg.det(leaf(np.eye(2))),
        mg.ArgumentError,
        r"np\.linalg\.det has no derivative rule",
        r"mg\.custom_op.*x\.numpy\(\)",
    ),
    "np.histogram(w)": (
        lambda: np.histogram(leaf()),
        mg.ArgumentError,
        "np.histogram has no derivative rule",
        r"x\.numpy\(\)",
    ),
    "np.linalg.norm(w, 1)": (
        lambda: np.linalg.norm(leaf(), 1),
        mg.ArgumentError,
        "takes no ord=1",
        r"mg\.sum\(mg\.abs\(x\), axis\)",
    ),
    "np.tensordot of unequal": (
        lambda: np.tensordot(leaf(X), V[:1], 1),
        mg.ShapeError,
        r"\(2, 3\) and \(1,\)",
        "equal lengths",
    ),
    "np.split into unequal": (
        lambda: np.split(leaf(), 2),
        mg.ShapeError,
        "3 places along axis 0",
        r"np\.split\(x, \[2, 5\]\)",
    ),
    "np.array([w, w])": (
        lambda: np.array([leaf(), leaf()]),
        mg.GradientError,
        "lose this tensor's derivative",
        r"mg\.stack\(\[x, y\]\)",
    ),
    "mg.clip(w)": (lambda: mg.clip(leaf()), mg.ArgumentError, "clip has no bound", "x, 0, None"),
    "mg.repeat(w, -1)": (lambda: mg.repeat(leaf(), -1), mg.ArgumentError, "repeats=-1", "0 or"),
    "mg.repeat(w, 0.5)": (lambda: mg.repeat(leaf(), 0.5), mg.ArgumentError, "=0.5", "whole"),
    "mg.repeat(w, [1, 2])": (
        lambda: mg.repeat(leaf(), [1, 2]),
        mg.ShapeError,
        r"2 repeats do not fit axis 0 of shape \(3,\)",
        "one for each entry",
    ),
    "mg.repeat of an unknown length": (
        lambda: mg.repeat(node((None,)), [1, 2]),
        mg.ShapeError,
        r"2 repeats do not fit axis 0 of shape \(None,\)",
        "of known length",
    ),
    "mg.roll of three": (
        lambda: mg.roll(leaf(X), (1, 2, 3), (0, 1)),
        mg.ArgumentError,
        r"shift=\(1, 2, 3\)",
        "one shift for each",
    ),
    "mg.diag of a number": (lambda: mg.diag(2.0), mg.ShapeError, r"shape \(\)", "or a matrix"),
    "mg.take by a mask": (
        lambda: mg.take(leaf(), V > 0),
        mg.DtypeError,
        "indices of dtype bool",
        r"x\[mask\]",
    ),
    "mg.take too far": (lambda: mg.take(leaf(), 9), mg.ShapeError, "index 9 is out", "count"),
    "mg.take_along_axis by floats": (
        lambda: mg.take_along_axis(leaf(), leaf()),
        mg.DtypeError,
        "whole numbers",
        "argsort",
    ),
    "mg.take_along_axis of a vector": (
        lambda: mg.take_along_axis(leaf(X), [0]),
        mg.ShapeError,
        "equally many axes",
        "add axes",
    ),
    "mg.one_hot of floats": (
        lambda: mg.one_hot(V, 3),
        mg.DtypeError,
        r"one_hot of float64\[3\]",
        r"astype\(int\)",
    ),
    "mg.one_hot of -1 classes": (
        lambda: mg.one_hot([1], -1),
        mg.ArgumentError,
        "classes=-1",
        "number of classes",
    ),
    "cross_entropy of other rows": (
        lambda: mg.cross_entropy(leaf(X), np.eye(3)),
        mg.ShapeError,
        r"scores \[2, 3\] and labels \[3, 3\]",
        r"mg\.one_hot\(labels, classes\)",
    ),
    "cross_entropy of columns": (
        lambda: mg.cross_entropy(leaf(X), [[1], [2]]),
        mg.ShapeError,
        r"labels \[2, 1\]",
        r"labels \[n\]",
    ),
    "np.add.outer(w, w)": (
        lambda: np.add.outer(leaf(), leaf()),
        mg.ArgumentError,
        r"np\.add\.outer has no derivative rule",
        r"x\.numpy\(\)",
    ),
    "np.tan(node)": (lambda: np.tan(node()), mg.GraphError, "has no value", r"mg\.sin\(x\) /"),
    "np.modf(node)": (lambda: np.modf(node()), mg.GraphError, "has no value", "sess.run"),
    "len(number)": (lambda: len(mg.tensor(1.0)), mg.UsageError, "has no length", "x.shape"),
    "list(number)": (lambda: list(mg.tensor(1.0)), mg.UsageError, "has no length", "x.shape"),
    "t.sum(dim=0)": (
        lambda: leaf().sum(dim=0),
        mg.UsageError,
        r"sum\(\) has no option dim=",
        "write axis=",
    ),
    "mg.mean(dim=)": (
        lambda: mg.mean(V, dim=0),
        mg.UsageError,
        r"mean\(\) has no option dim=",
        "write axis=",
    ),
    "mg.max(keepdim=)": (
        lambda: mg.max(V, 0, keepdim=True),
        mg.UsageError,
        "no option keepdim=",
        "write keepdims=",
    ),
    "softmax(dim=)": (lambda: mg.softmax(leaf(), dim=0), mg.UsageError, "no option dim=", "axis="),
    "concatenate(dim=)": (lambda: mg.concatenate([leaf()], dim=0), mg.UsageError, "dim=", "axis="),
    "x.clip(min=0, max=1)": (
        lambda: leaf().clip(min=0, max=1),
        mg.UsageError,
        "no option min=",
        "write low=",
    ),
    "x.std(unbiased=)": (
        lambda: leaf().std(unbiased=True),
        mg.UsageError,
        "no option unbiased=",
        "write ddof=1",
    ),
    "x.sum(colour=)": (
        lambda: leaf().sum(colour=1),
        mg.UsageError,
        "no option colour=",
        "it takes x, axis, keepdims",
    ),
    "x.argmax() of two axes": (
        lambda: leaf(X).argmax(),
        mg.UsageError,
        "has 2 axes",
        r"argmax\(axis=-1\), or x.flatten\(\)",
    ),
    "mg.cat": (lambda: mg.cat, mg.MissingError, "minigrad has no cat", "mg.concatenate"),
    "mg.sigmiod": (lambda: mg.sigmiod, mg.MissingError, "no sigmiod", "did you mean mg.sigmoid"),
    "mg.q": (lambda: mg.q, mg.MissingError, "minigrad has no q", r"dir\(mg\)"),
    "node.eval()": (lambda: node().eval(), mg.MissingError, "a Node has no eval", r"sess\.run"),
    "node.tolist()": (lambda: node().tolist(), mg.GraphError, "has no value", r"sess\.run"),
    "mg.zeros(2, 3)": (lambda: mg.zeros(2, 3), mg.DtypeError, "3 is not a dtype", r"\(2, 3\)"),
    "mg.zeros(-1)": (lambda: mg.zeros(-1), mg.ArgumentError, "a length is negative", "0 or more"),
    "mg.ones(str)": (lambda: mg.ones(2, str), mg.DtypeError, "not a type of numbers", "float"),
    "mg.zeros(grad, int)": (
        lambda: mg.zeros(2, int, requires_grad=True),
        mg.DtypeError,
        "only floats",
        "dtype=float",
    ),
    "mg.arange(3, requires_grad)": (
        lambda: mg.arange(3, requires_grad=True),
        mg.DtypeError,
        "only floats",
        "dtype=float",
    ),
    "zeros_like(node, requires_grad)": (
        lambda: mg.zeros_like(node(), requires_grad=True),
        mg.GraphError,
        "cannot require a gradient",
        "mg.Variable",
    ),
    "random_normal(requires_grad) in a graph": (
        lambda: in_graph(lambda: mg.random_normal(2, 0, requires_grad=True)),
        mg.GraphError,
        "cannot require a gradient",
        "mg.Variable",
    ),
    "placeholder('float', shape)": (
        lambda: mg.placeholder("float", [None, 784]),
        mg.ArgumentError,
        "first argument is its name, not 'float'",
        r'placeholder\("x", \[None, 784\], float\)',
    ),
    "mg.arange(0, 1, 0)": (lambda: mg.arange(0, 1, 0), mg.ArgumentError, "step of 0", "another"),
    "x.astype('x')": (
        lambda: leaf().astype("x"),
        mg.DtypeError,
        "'x' is not a dtype",
        "np.float32",
    ),
    "x.astype(complex)": (
        lambda: leaf().astype(complex),
        mg.DtypeError,
        "not a type of numbers",
        "float",
    ),
    "x.sum(0.5)": (lambda: leaf().sum(0.5), mg.ArgumentError, "axis 0.5 does not exist", "-1 to 0"),
    "x.sum(True)": (lambda: leaf(X).sum(True), mg.ArgumentError, "axis True does not", "-2 to 1"),
    "round to 0.5": (lambda: mg.round(leaf(), 0.5), mg.ArgumentError, "0.5 places", "whole"),
    "dot of stacks": (lambda: mg.dot(np.ones((2, 2, 2)), V), mg.ShapeError, "dot of", "einsum"),
    "softmax of nothing": (
        lambda: mg.softmax(np.zeros((2, 0))),
        mg.ShapeError,
        "no entries",
        "empty",
    ),
    "log_softmax of nothing": (
        lambda: mg.log_softmax(np.zeros((2, 0))),
        mg.ShapeError,
        "no entries",
        "empty",
    ),
    **{
        f"{op.__name__} along {axis}": (
            lambda op=op, axis=axis: op(leaf(X), axis=axis),
            mg.ArgumentError,
            "is not a single axis",
            "axis=-1",
        )
        for op in (mg.softmax, mg.log_softmax)
        for axis in (None, (0, 1))
    },
    **{
        f"{op.__name__} along {axis}": (
            lambda op=op, axis=axis: op([leaf(X), leaf(X)], axis=axis),
            mg.ArgumentError,
            "is not a single axis",
            "axis=-1",
        )
        for op in (mg.stack, mg.concatenate)
        for axis in (None, (0, 1))
    },
    "cumsum along two axes": (
        lambda: mg.cumsum(leaf(X), (0, 1)),
        mg.ArgumentError,
        "is not a single axis",
        "axis=-1",
    ),
    "argmax along two axes": (
        lambda: mg.argmax(leaf(X), (0, 1)),
        mg.ArgumentError,
        "is not a single axis",
        "axis=-1",
    ),
    "argmax of nothing": (lambda: mg.argmax(np.zeros(0)), mg.ShapeError, "no entries", "empty"),
    "pad(3.0)": (lambda: mg.pad(3.0, 1), mg.ShapeError, "no axis", "pad an array"),
    "x[uneven lists]": (
        lambda: leaf()[[[0, 1], [1]]],
        mg.ArgumentError,
        "lists of different lengths",
        "equal lengths",
    ),
    "full of another shape": (
        lambda: mg.full((2, 3), np.ones(4)),
        mg.ShapeError,
        r"does not broadcast to \(2, 3\)",
        "",
    ),
    "full_like(x, text)": (lambda: mg.full_like(leaf(), "a"), mg.DtypeError, "not made of", ""),
    "arange(text)": (lambda: mg.arange("a"), mg.DtypeError, "not made of numbers", ""),
    "arange to nan": (lambda: mg.arange(0, np.nan), mg.ArgumentError, "has no end", "finite"),
    "linspace(text)": (lambda: mg.linspace("a", 1), mg.DtypeError, "not made of numbers", ""),
    "linspace by shape": (
        lambda: mg.linspace(0, 1, (3, 2)),
        mg.ArgumentError,
        "how many numbers to make",
        "0.0, 1.0, 3",
    ),
    "draw of no dtype": (
        lambda: mg.random_normal((2,), 1, dtype="abc"),
        mg.DtypeError,
        "not a dtype",
        "",
    ),
    "einsum(5)": (lambda: mg.einsum(5, leaf()), mg.ArgumentError, "is its letters", "ij,jk->ik"),
    "placeholder of 2.5": (
        lambda: in_graph(lambda: mg.placeholder("x", 2.5)),
        mg.ArgumentError,
        "2.5 is not a whole number",
        "",
    ),
    "run_index(text)": (lambda: mg.run_index("x"), mg.ArgumentError, "takes a Graph", "leave it"),
    "unconnected='zeros'": (
        lambda: mg.gradients(leaf(1.0), [leaf(1.0)], unconnected="zeros"),
        mg.ArgumentError,
        "unconnected is 'zeros'",
        '"zero"',
    ),
    "checkpoints=5": (
        lambda: in_graph(lambda: checkpointed(5)),
        mg.ArgumentError,
        "checkpoints is 5",
        "sqrt",
    ),
    "checkpoints=[Tensor]": (
        lambda: in_graph(lambda: checkpointed([leaf()])),
        mg.ArgumentError,
        "checkpoints is ",
        "sqrt",
    ),
    "infer gives 3": (
        lambda: in_graph(lambda: mg.custom_op(np.sin, infer=lambda x: 3)(mg.constant(1.0))),
        mg.ArgumentError,
        "infer returned 3",
        "shape, dtype",
    ),
    "vjp gives text": (
        lambda: mg.grad(mg.custom_op(np.sin, vjp=lambda x, z, z_bar: "a"))(2.0),
        mg.DtypeError,
        "not made of numbers",
        "",
    ),
    "int += 0.5": (
        lambda: operator.iadd(mg.tensor([1, 2]), 0.5),
        mg.DtypeError,
        "float64 numbers do not fit into int64",
        "new value",
    ),
    "stack(3.0)": (
        lambda: mg.stack(3.0),
        mg.ArgumentError,
        "there is nothing to join",
        r"\[x, y\]",
    ),
    "vjp(f, [])": (
        lambda: mg.vjp(mg.sum, []),
        mg.ArgumentError,
        "sum has no argument to differentiate",
        "at least one",
    ),
    "jvp(f, x, v)": (
        lambda: mg.jvp(mg.sum, V, V),
        mg.ArgumentError,
        "primals as a tuple",
        r"jvp\(f, \(x,\), \(v,\)\)",
    ),
    "has_aux without a pair": (
        lambda: mg.grad(mg.sum, has_aux=True)(V),
        mg.ArgumentError,
        "needs a pair, but sum",
        r"return \(number, anything else\)",
    ),
    "a pair without has_aux": (
        lambda: mg.grad(lambda x: (mg.sum(x), x))(V),
        mg.GradientError,
        "grad needs one number",
        "has_aux=True",
    ),
    "a carry of one in a tuple": (
        lambda: mg.while_loop(lambda c: c < 3, lambda c: c, (0.0,)),
        mg.ArgumentError,
        "the carry as one tuple of 1",
        r"carry\[0\]",
    ),
}


@pytest.mark.parametrize("typed", ERRORS)
def test_an_error_has_its_message_and_its_hint(typed):
    call, kind, message, expected = ERRORS[typed]
    with raises_saying(kind, message) as caught:
        call()
    assert type(caught.value) is kind
    text, _, hint = str(caught.value).rpartition("\n  try  ")
    assert text and re.search(expected, hint)
    assert "\n  at   test_api.py" in text


def test_numpys_functions_that_ops_stand_for_are_called_as_numpy_calls_them():
    for function, op in numpy_calls.FUNCTIONS.items():
        assert callable(function) and callable(op)
        assert hasattr(np, function.__name__) or function is np.linalg.norm


def test_the_package_is_a_command():
    done = subprocess.run(
        [sys.executable, "-m", "minigrad", "--help"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0 and done.stdout.startswith("usage: minigrad COMMAND")


def test_other_array_libraries_get_a_copy_of_the_numbers():
    t = mg.tensor(V)
    taken = np.from_dlpack(t)
    assert taken.tolist() == V.tolist() and not np.shares_memory(taken, t.data)
    assert np.from_dlpack(mg.tensor([True])).dtype == bool
    with pytest.raises(mg.GradientError, match=r"x\.numpy\(\)"):
        np.from_dlpack(leaf())


def test_torch_takes_a_tensor():
    torch = pytest.importorskip("torch", reason="torch is not installed: nobody to hand numbers to")
    t = mg.tensor(V)
    assert torch.tensor(t).tolist() == V.tolist() and torch.as_tensor(mg.tensor(2.0)).item() == 2


@pytest.mark.parametrize("row", STEPS, ids=lambda row: row.name)
def test_ops_without_a_derivative_are_saved_and_loaded(row, tmp_path):
    arrays = inputs_of(row, row.shapes[0])
    engine = Static()
    y = row.f(*engine.inputs(arrays))
    (expected,) = engine.numbers([y])
    mg.save(tmp_path / "net.json", [y])
    net = mg.load(tmp_path / "net.json")
    (found,) = mg.Session(net.graph).run(list(net.outputs), dict(zip(net.inputs.values(), arrays)))
    np.testing.assert_array_equal(found, expected)


# pictures of Tensors -----------------------------------------------------------------------------

PICTURES = {
    "hist": lambda plt, t, s: plt.hist(t),
    "axhline": lambda plt, t, s: plt.axhline(s),
    "plot": lambda plt, t, s: plt.plot(t, t),
    "imshow": lambda plt, t, s: plt.imshow(t[None]),
    "errorbar": lambda plt, t, s: plt.errorbar(t, t, yerr=t),
    "scatter": lambda plt, t, s: plt.scatter(t, t, c=t),
    "bar": lambda plt, t, s: plt.bar(t, t),
    "fill_between": lambda plt, t, s: plt.fill_between(t, t, s),
}


@pytest.mark.parametrize("picture", PICTURES)
def test_tensors_without_gradient_are_drawn_and_others_say_how(picture):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    draw = PICTURES[picture]
    try:
        draw(pyplot, mg.tensor(V * V), mg.tensor(2.0))
        with pytest.raises(mg.MinigradError, match=r"x\.numpy\(\)"):
            draw(pyplot, leaf(V * V), leaf(2.0))
    finally:
        pyplot.close("all")


# what is imported when ---------------------------------------------------------------------------

FIRST_IMPORT = """
import sys
import minigrad as mg
loaded = {name for name in sys.modules if name.startswith("minigrad.")}
rooms = ("draw", "files", "measure", "on_jax", "workers", "course")
print(sorted(n for n in loaded if n.split(".")[1] in rooms))
print(sorted({"numpy.random", "concurrent.futures", "logging", "difflib"} & {*sys.modules}))
print([n for n in dir(mg) if n[:2] != "__"] == sorted(mg.__all__))
print(all(getattr(mg, n) is getattr(mg, n) for n in mg.__all__))
"""


def test_an_import_loads_no_room_before_it_is_used():
    run = [sys.executable, "-c", FIRST_IMPORT]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["['minigrad.draw']", "[]", "True", "True"]


LATER = ("import minigrad.draw.player", "import minigrad.files.reading", "from minigrad import *")


@pytest.mark.parametrize("before", LATER)
def test_a_name_means_the_same_whatever_was_imported_before(before):
    asked = "; ".join(f"print(mg.{name})" for name in ("draw", "player", "load", "gradcheck"))
    run = [sys.executable, "-c", f"{before}\nimport minigrad as mg\n{asked}"]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert [line.split(" at ")[0] for line in done.stdout.splitlines()] == [
        f"<function {name}" for name in ("draw", "player", "load", "gradcheck")
    ]
