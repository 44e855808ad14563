"""Derivatives of functions: nests of arguments, nesting of derivatives, both engines."""

import itertools

import numpy as np
import pytest
from engines import Dynamic, Static
from saying import raises_saying

import minigrad as mg

A = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]])


def cubes(x):
    """Σ x³ with every entry coupled to the next."""
    return mg.sum(x**3) + mg.sum(x[1:] * x[:-1])


def pair(x):
    return x, x


def test_grad_and_value_and_grad():
    value, slope = mg.value_and_grad(lambda x, k: mg.sum(x * x) * k)(A, 2.0)
    assert value.item() == 2 * (A * A).sum()
    np.testing.assert_array_equal(slope, 4 * A)
    first, second = mg.grad(lambda x, y: x * y, argnums=(0, 1))(2.0, 3.0)
    assert (first.item(), second.item()) == (3, 2)
    assert mg.grad(lambda x, *, k: x * k)(1.0, k=7).item() == 7


def test_elementwise_grad_is_the_derivative_of_each_entry():
    f = lambda x, k=1.0: mg.sin(x) * k
    np.testing.assert_allclose(mg.elementwise_grad(f)(A), np.cos(A), rtol=1e-15)
    assert mg.elementwise_grad(f)(0.0, k=3.0).item() == 3
    for_x, for_k = mg.elementwise_grad(f, (0, 1))(A, 2 * A)
    np.testing.assert_allclose(for_x, np.cos(A) * 2 * A)
    np.testing.assert_allclose(for_k, np.sin(A))
    assert mg.elementwise_grad(f, argnums=1)(A, 2.0).item() == pytest.approx(np.sin(A).sum())
    assert mg.elementwise_grad(lambda x: 2.0 * A)(A).tolist() == np.zeros((2, 3)).tolist()
    assert mg.elementwise_grad(np.exp)(np.ones((0, 3))).shape == (0, 3)
    nest = mg.elementwise_grad(lambda p: p["a"] * p["b"])({"a": A, "b": 2.0})
    assert (nest["a"].tolist(), nest["b"].item()) == (np.full((2, 3), 2.0).tolist(), A.sum())
    single = mg.elementwise_grad(mg.exp)(np.ones(2, np.float32))
    assert single.dtype == np.float32


def test_nests_of_arguments_and_results():
    net = {"W": A, "b": [np.zeros(2), (np.ones(2),)]}
    slopes = mg.grad(lambda p, x: mg.sum((p["W"] @ x + p["b"][0]) * p["b"][1][0]))(net, np.ones(3))
    assert slopes["W"].data.tolist() == [[1, 1, 1], [1, 1, 1]]
    assert slopes["b"][0].data.tolist() == [1, 1]
    assert slopes["b"][1][0].data.tolist() == A.sum(1).tolist()
    y, pullback = mg.vjp(lambda x: {"twice": 2 * x, "sum": mg.sum(x)}, A)
    (x_bar,) = pullback({"twice": A, "sum": 10.0})
    np.testing.assert_array_equal(x_bar, 2 * A + 10)
    y, y_dot = mg.jvp(lambda p: (p[0] * p[1], p[1]), ([2.0, 3.0],), ([1.0, 0.0],))
    assert [v.item() for v in (*y, *y_dot)] == [6, 3, 3, 0]


def test_jacobians_of_both_modes_and_the_hessian():
    x = np.array([1.0, 2.0, -1.0])
    f = lambda x: A @ mg.tanh(x)
    expected = A * (1 - np.tanh(x) ** 2)
    np.testing.assert_allclose(mg.jacobian(f)(x), expected)
    np.testing.assert_allclose(mg.jacobian(f, mode="forward")(x), expected)
    square = mg.jacobian(lambda m: m @ m)(A[:, :2])
    assert square.shape == (2, 2, 2, 2)
    hessian = np.diag(6 * x) + np.diag([1, 1], 1) + np.diag([1, 1], -1)
    np.testing.assert_allclose(mg.hessian(cubes)(x), hessian)
    np.testing.assert_allclose(mg.hvp(cubes, x, x), hessian @ x)
    assert mg.jacobian(lambda x: x[:0])(x).shape == (0, 3)


def test_jacobians_for_several_arguments():
    f = lambda w, x, *, k: k * mg.tanh(w @ x)
    x = np.array([1.0, 2.0, -1.0])
    slope = 1 - np.tanh(A @ x) ** 2
    for mode in ("reverse", "forward"):
        for_w, for_x = mg.jacobian(f, mode, argnums=(0, 1))(A, x, k=3)
        np.testing.assert_allclose(for_x, 3 * slope[:, None] * A)
        np.testing.assert_allclose(for_w, 3 * np.einsum("i,ij,k->ijk", slope, np.eye(2), x))
        np.testing.assert_array_equal(mg.jacobian(f, mode, argnums=-1)(A, x, k=3), for_x)
        apart = mg.jacobian(lambda w, x: 2 * x, mode, argnums=(0, 1))(A, x)
        assert not apart[0].data.any() and (apart[1].data == 2 * np.eye(3)).all()


def test_nested_derivatives_are_not_confused():
    assert mg.grad(lambda x: x * mg.grad(lambda y: x + y)(1.0))(1.0).item() == 1
    inner = lambda x: mg.jvp(lambda y: x * y, (x,), (1.0,))[1]
    assert mg.jvp(inner, (3.0,), (1.0,))[1].item() == 1
    assert mg.grad(lambda x: mg.jvp(lambda y: x * x * y, (x,), (1.0,))[1])(3.0).item() == 6
    mixed = mg.grad(lambda x: mg.jvp(mg.grad(lambda y: y**3 * x), (2.0,), (1.0,))[1])
    assert mixed(5.0).item() == 12


TANH = [
    lambda t: t,
    lambda t: 1 - t**2,
    lambda t: -2 * t * (1 - t**2),
    lambda t: -2 * (1 - t**2) * (1 - 3 * t**2),
    lambda t: 8 * t * (1 - t**2) * (2 - 3 * t**2),
]


@pytest.mark.parametrize("order", range(5))
def test_derivatives_of_tanh_of_any_order(order):
    f = mg.tanh
    for _ in range(order):
        f = mg.grad(f)
    assert float(f(0.3)) == pytest.approx(TANH[order](np.tanh(0.3)), rel=1e-12)


def test_results_hold_no_history_unless_an_outer_derivative_needs_it():
    assert mg.grad(mg.tanh)(0.3).is_leaf
    w = mg.tensor(2.0, requires_grad=True)
    slope = mg.grad(lambda x: x * w)(3.0)
    slope.backward()
    assert w.grad.item() == 1
    with mg.no_grad():
        assert mg.grad(lambda x: x * w)(3.0).is_leaf


def test_an_argument_that_requires_grad_is_differentiated_for_in_no_grad_too():
    w = mg.tensor([2.0, 3.0], requires_grad=True)
    f = lambda x: mg.sum(x * x)
    with mg.no_grad():
        slopes = [mg.grad(f)(w), mg.vjp(f, w)[1](1.0)[0], mg.jacobian(f)(w)]
        slopes += [mg.jvp(f, (w,), (e,))[1] for e in np.eye(2)]
    assert [s.numpy().tolist() for s in slopes] == [[4, 6]] * 3 + [4, 6]


def test_one_seed_for_a_result_that_is_given_twice():
    pullback = mg.vjp(lambda x: (x, x, x * x), 3.0)[1]
    assert pullback((1.0, 2.0, 3.0))[0].item() == 1 + 2 + 3 * 6
    assert np.signbit(mg.vjp(lambda x: x, 3.0)[1](-0.0)[0].item())
    again = mg.vjp(lambda x: x**3, 2.0)[1]
    assert [again(s)[0].item() for s in (1.0, 2.0)] == [12, 24]


def test_a_tangent_that_requires_grad_keeps_its_part_of_the_history():
    x_dot = mg.tensor(5.0, requires_grad=True)
    mg.jvp(lambda x: x**3, (2.0,), (x_dot,))[1].backward()
    assert x_dot.grad.item() == 12


def test_the_same_calls_build_nodes():
    x = np.array([0.5, -1.0, 2.0])
    calls = [
        lambda x: mg.grad(cubes)(x),
        lambda x: mg.hvp(cubes, x, np.ones(3)),
        lambda x: mg.elementwise_grad(mg.elementwise_grad(mg.tanh))(x),
        lambda x: mg.jacobian(mg.exp)(x),
        lambda x: mg.hessian(cubes)(x),
        lambda x: mg.jvp(cubes, (x,), (np.ones(3),))[1],
    ]
    for call in calls:
        results = []
        for engine in (Dynamic(), Static()):
            results += engine.numbers([call(*engine.inputs([x]))])
        np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("make", [float, np.asarray, mg.tensor, mg.constant])
def test_seeds_belong_to_arguments_and_results_by_the_keys_of_a_dict(make):
    def f(d):
        return d["a"] * d["a"] * d["b"]

    with mg.Graph():
        at, seed = {"a": make(3.0), "b": make(2.0)}, {"b": 1.0, "a": 0.0}
        _, tangent = mg.jvp(f, (at,), (seed,))
        product = mg.hvp(f, at, seed)
        _, pullback = mg.vjp(lambda x: {"a": x * x, "b": x}, make(3.0))
        found = [tangent, product["a"], product["b"], *pullback({"b": 5.0, "a": 0.0})]
        if make is mg.constant:
            found = mg.Session().run(found)
    assert [float(x) for x in found] == [9, 6, 0, 5]


def test_a_constant_function_has_slope_zero():
    assert mg.grad(lambda x: 3.0)(1.0).item() == 0
    assert mg.jvp(lambda x: 3.0, (1.0,), (1.0,))[1].item() == 0


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (lambda: mg.grad(lambda x: x * 2)(A), mg.GradientError, "grad needs one number"),
        (lambda: mg.elementwise_grad(pair)(A), mg.GradientError, "one array from pair, not tuple"),
        (lambda: mg.elementwise_grad(cubes, 1)(A), mg.ArgumentError, "argnums names argument 1"),
        (lambda: mg.elementwise_grad(mg.exp)(3), mg.DtypeError, "only floats have derivatives"),
        (lambda: mg.grad(cubes, argnums=1)(A), mg.ArgumentError, "argnums names argument 1"),
        (lambda: mg.grad(pair, (0, -1))(A), mg.ArgumentError, "names an argument twice"),
        (lambda: mg.jacobian(pair, argnums=[0, 0])(A), mg.ArgumentError, "names an argument twice"),
        (lambda: mg.grad(cubes, None)(A), mg.ArgumentError, "argnums is None, not a number"),
        (lambda: mg.grad(cubes, True)(A), mg.ArgumentError, "argnums is True, not a number"),
        (lambda: mg.grad(cubes(A), [A]), mg.UsageError, "grad takes a function, and this is a"),
        (lambda: mg.grad(cubes)(3), mg.DtypeError, "only floats have derivatives"),
        (lambda: mg.jacobian(cubes, mode="backward"), mg.ArgumentError, "no mode 'backward'"),
        (lambda: mg.jacobian(cubes, argnums=1)(A), mg.ArgumentError, "argnums names argument 1"),
        (lambda: mg.jacobian(lambda x: (x, x))(A), mg.ArgumentError, "takes or returns a list"),
        (lambda: mg.jacobian(lambda x: x[0])([A]), mg.ArgumentError, "takes or returns a list"),
        (lambda: mg.jacobian(lambda x: x > 0)(A), mg.GradientError, "only floats have derivatives"),
        (lambda: mg.jvp(cubes, (A,), ()), mg.ArgumentError, "structure of the primals"),
        (lambda: mg.vjp(pair, A)[1](A), mg.ArgumentError, "structure that pair returned"),
        (lambda: mg.vjp(cubes, A)[1]([1.0, 2.0]), mg.ShapeError, "grad_ys for"),
        (lambda: mg.hvp(cubes, A[0], np.ones(2)), mg.ShapeError, "tangents for"),
        (lambda: mg.gradcheck(mg.exp, 3), mg.ArgumentError, "gradcheck needs float64, not int64"),
        (lambda: mg.gradcheck(mg.exp, 3.0, order=0), mg.ArgumentError, "order ≥ 1"),
    ],
)
def test_bad_input_is_one_clear_message(call, kind, text):
    with raises_saying(kind, text) as caught:
        call()
    assert "\n  at   test_transform.py" in str(caught.value)


class Wrong(mg.core.op.Elementwise):
    """z = x², with a partial that forgets the 2."""

    compute = np.square
    partials = (lambda x, z: x,)


class Transposed(mg.core.op.Linear):
    """z = sum over the rows, with a transpose that only a square matrix lets through."""

    def infer(x):
        return mg.core.spec.Spec(x.shape[1:], x.dtype)

    def compute(x):
        return np.add.reduce(x, 0)

    def transpose(z_bar, x):
        return mg.broadcast_to(mg.expand_dims(z_bar, 1), x.shape)


@pytest.mark.parametrize("numeric", ["central", "complex"])
@pytest.mark.parametrize("scale", [1e-3, 1e-5, 1e-7])
def test_gradcheck_finds_a_wrong_derivative_of_small_values(scale, numeric):
    def constant(x):  # half of it, to the derivative
        y = x * scale
        return 0.5 * y + 0.5 * (y.detach() if isinstance(y, mg.Tensor) else y)

    for x in (3.0, np.array([1.0, 2.0, -3.0])):
        assert mg.gradcheck(lambda x: x * scale, x, numeric=numeric)
        with pytest.raises(mg.GradientError, match="the difference quotient"):
            mg.gradcheck(constant, x, numeric=numeric)


SCALED = {
    "sine": mg.sin,
    "exp": mg.exp,
    "softmax": mg.softmax,
    "a sum of rounding errors": lambda x: mg.sum(x - mg.mean(x)),
    "a constant of sines": lambda x: mg.sin(x) ** 2 + mg.cos(x) ** 2,
    "far from 0": lambda x: 1e6 + x,
    "cancelled": lambda x: (x + 1e6) - 1e6,
    "a difference of roundings": lambda x: mg.exp(x) - 1 - mg.expm1(x),
    "quick": lambda x: mg.sin(1e4 * x),
    "steep": lambda x: mg.tanh(1e3 * x),
    "a kink at 0": mg.abs,
    "a pole at 0": lambda x: mg.log(x * x),
    "a norm": lambda x: mg.sqrt(mg.sum(x * x)),
    "no derivative": mg.floor,
}


@pytest.mark.parametrize("f", SCALED.values(), ids=SCALED)
def test_gradcheck_refuses_no_right_derivative_of_small_values(f):
    rng = np.random.default_rng(0)
    for near, scale, seed in itertools.product((1e-3, 1, 30), (1e-12, 1e-9, 1e-7), range(3)):
        x = near * rng.standard_normal(3)
        assert mg.gradcheck(lambda x: scale * f(x), x, seed=seed)


@pytest.mark.parametrize("name", ["a kink at 0", "a norm", "sine", "softmax", "far from 0"])
def test_gradcheck_refuses_no_right_derivative_nearer_to_a_kink_than_its_step(name):
    x = 1e-12 * np.array([1.0, -2.0, 3.0])
    assert all(mg.gradcheck(lambda x: 1e-7 * SCALED[name](x), x, seed=seed) for seed in range(5))


def test_gradcheck_finds_wrong_rules():
    with pytest.raises(mg.GradientError, match="forward mode gives"):
        mg.gradcheck(lambda x: mg.core.op.bind(Wrong, x), np.ones(3))
    square = np.arange(9.0).reshape(3, 3)
    with pytest.raises(mg.GradientError, match="reverse mode gives"):
        mg.gradcheck(lambda x: mg.core.op.bind(Transposed, x), square)
    assert mg.gradcheck(lambda x: mg.core.op.bind(Transposed, x), square, modes=("forward",))


def test_a_pullback_after_a_change_in_place_is_refused_not_wrong():
    w = mg.tensor([2.0, 3.0])
    _, pull = mg.vjp(lambda x: x * w, np.ones(2))
    assert pull(np.ones(2))[0].tolist() == [2.0, 3.0]
    w[0] = 100.0
    with pytest.raises(mg.GradientError, match="was changed in place"):
        pull(np.ones(2))
