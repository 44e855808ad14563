"""Derivatives of values, in both engines: seeds, connections, traces."""

import numpy as np
import pytest
from engines import Dynamic, Static

import minigrad as mg

both = pytest.mark.parametrize("engine", [Dynamic(), Static()], ids=["dynamic", "static"])


def inputs(engine, *values):
    return engine.inputs([np.asarray(v, float) for v in values])


@both
def test_the_two_paths_from_w_to_y(engine):
    w, x = inputs(engine, 1, 2)
    y = (x + w) * (w + 1)
    assert engine.numbers([y, *mg.gradients(y, [w, x])]) == [6, 5, 2]
    assert engine.numbers(mg.forward_gradients(y, [w, x], [1.0, 0.0])) == [5]


FORWARD_VALUES = [
    0.6931471805599453,
    10,
    -0.9589242746631385,
    10.693147180559945,
    11.652071455223084,
]


@both
def test_the_forward_trace_of_log_product_sine(engine):
    x1, x2 = inputs(engine, 2, 5)
    v3, v4, v5 = mg.log(x1), x1 * x2, mg.sin(x2)
    v6 = v3 + v4
    y = v6 - v5
    assert engine.numbers([v3, v4, v5, v6, y]) == pytest.approx(FORWARD_VALUES)
    trace = mg.stepwise.tangent_trace(y, x1, 1.0)
    assert [id(t.primal) for t in trace] == [id(v) for v in (x1, v3, v4, v6, y)]
    assert engine.numbers([t.value for t in trace]) == [1, 0.5, 5, 5.5, 5.5]


@both
def test_the_reverse_trace_and_its_partial_adjoints(engine):
    x1, x2 = inputs(engine, 2, 5)
    v3, v4, v5 = mg.log(x1), x1 * x2, mg.sin(x2)
    v6 = v3 + v4
    y = v6 - v5
    trace = mg.stepwise.adjoint_trace(y, [x1, x2])
    adjoint = {id(a.primal): a for a in trace}
    values = engine.numbers([adjoint[id(v)].value for v in (y, v6, v5, v4, v3, x2, x1)])
    assert values == pytest.approx([1, 1, -1, 1, 1, 2 - np.cos(5), 5.5])
    users = adjoint[id(x2)].partials
    assert [id(user) for user, _ in users] == [id(v5), id(v4)]
    assert engine.numbers([share for _, share in users]) == pytest.approx([-np.cos(5), 2])
    assert next(id(a.primal) for a in trace) == id(y)


@both
def test_a_gradient_can_be_differentiated_again(engine):
    (x,) = inputs(engine, 3)
    y = x**3
    derivatives = [y]
    for _ in range(4):
        derivatives += mg.gradients(derivatives[-1], [x], unconnected="zero")
    assert engine.numbers(derivatives) == [27, 27, 18, 6, 0]


@both
def test_several_ys_add_up_and_several_xs_are_reached_in_one_sweep(engine):
    a, b = inputs(engine, 2, 3)
    assert engine.numbers(mg.gradients([a * b, a], [a, b], [10.0, 1.0])) == [31, 20]
    assert engine.numbers(mg.gradients([a, a], [a])) == [2]
    assert engine.numbers(mg.forward_gradients([a * b, a], [a, b], [1.0, 0.5])) == [4, 1]


@both
def test_an_inner_value_may_be_an_x_beside_the_leaf_behind_it(engine):
    (x,) = inputs(engine, 3)
    h = x * x
    y = h * x
    assert engine.numbers(mg.gradients(y, [x, h])) == [27, 3]
    assert engine.numbers(mg.forward_gradients(y, [x, h], [1.0, 2.0])) == [27 + 2 * 3]


@both
def test_unconnected_values_are_named(engine):
    a, b = inputs(engine, 2, 3)
    with pytest.raises(mg.GradientError, match="no differentiable path connects"):
        mg.gradients(a * 2, [b])
    with pytest.raises(mg.GradientError, match="no differentiable path connects"):
        mg.forward_gradients(a * 2, [b], [1.0])
    with pytest.raises(mg.GradientError, match="no differentiable path"):
        mg.gradients(mg.sum(mg.cast(mg.sign(a), float)), [a])
    assert engine.numbers(mg.gradients(a * 2, [b], unconnected="zero")) == [0]
    assert mg.gradients(a * 2, [b], unconnected="none") == [None]
    assert engine.numbers(mg.forward_gradients([a * 2], [b], [1.0], unconnected="zero")) == [0]


@both
def test_seeds_are_checked(engine):
    (x,) = inputs(engine, [1, 2, 3])
    with pytest.raises(mg.GradientError, match="not a single number: it has no gradient"):
        mg.gradients(x * 2, [x])
    with pytest.raises(mg.ShapeError, match=r"grad_ys for the result of mul is float64\[2\]"):
        mg.gradients(x * 2, [x], [1.0, 2.0])
    with pytest.raises(mg.GradientError, match="must be a list of 1"):
        mg.gradients([x * 2], [x], [np.ones(3), np.ones(3)])
    with pytest.raises(mg.GradientError, match="has None for one of the values"):
        mg.forward_gradients(x * 2, [x], [None])
    with pytest.raises(mg.GradientError, match="which has no recorded computation"):
        mg.gradients(x * 2, [np.ones(3)])
    assert engine.numbers(mg.gradients(x * 2, x, [1, 0, 1]))[0].tolist() == [2, 0, 2]


def test_values_of_different_graphs_do_not_mix():
    with mg.Graph("one"):
        a = mg.placeholder("a")
    with mg.Graph("two"):
        b = mg.placeholder("b")
    with pytest.raises(mg.GraphError, match="belongs to <one: 1 nodes>, not to <two"):
        b + a


def test_no_gradient_goes_through_a_tensor_that_was_given_back():
    x = mg.tensor(2.0, requires_grad=True)
    y = x * x
    z = y * 3
    z.backward()
    with pytest.raises(mg.GradientError, match="freed"):
        mg.gradients(y + 1, [x])


# kinks and branches ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "f, x, slope",
    [
        (lambda x: mg.log(mg.relu(x)), -1.0, 0),
        (lambda x: mg.log(mg.maximum(x, 0.0)), -1.0, 0),
        (lambda x: mg.log(mg.minimum(-x, 0.0) * -1), -1.0, 0),
        (lambda x: mg.log(mg.clip(x, 0.0, 1.0)), -1.0, 0),
        (lambda x: mg.log(mg.where(x > 0, x, 0.0)), -1.0, 0),
        (lambda x: mg.log(x**0 - 1), 3.0, 0),
        (lambda x: mg.log(mg.max(mg.concatenate([mg.reshape(x, (1,)), np.zeros(1)]))), -1.0, 0),
    ],
    ids=["relu", "maximum", "minimum", "clip", "where", "x ** 0", "max"],
)
def test_an_infinite_cotangent_does_not_reach_the_branch_not_taken(f, x, slope):
    with np.errstate(all="ignore"):
        assert mg.grad(f)(x).item() == slope
        with mg.Graph() as graph:
            node = mg.placeholder("x")
            (found,) = mg.gradients(f(node), [node])
        for options in ({}, {"optimize": False, "backend": "numpy"}):
            assert mg.Session(graph, **options).run(found, {node: x}) == slope


def test_the_larger_and_the_smaller_with_nan_hand_the_derivative_to_both():
    x, y = (mg.tensor(v, requires_grad=True) for v in ([np.nan, 1.0], [1.0, np.nan]))
    for op in (mg.maximum, mg.minimum):
        found = mg.gradients(mg.sum(op(x, y)), [x, y])
        assert [g.data.tolist() for g in found] == [[1, 1], [1, 1]]


def test_second_derivatives_of_a_power_are_symmetric_at_exponent_zero():
    hessian = mg.hessian(lambda v: v[0] ** v[1])(np.array([2.0, 0.0])).data
    np.testing.assert_allclose(hessian, [[0, 0.5], [0.5, np.log(2) ** 2]])
    assert mg.gradcheck(lambda x, y: x**y, 2.0, 0.0, order=2)
    slopes = mg.grad(lambda x, y: x**y, (0, 1))(0.0, 0.0)
    assert [s.item() for s in slopes] == [0, 0]
