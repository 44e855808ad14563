"""mg.checkpoint: the same numbers and derivatives in less memory, or an error that says why."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.dynamic.checkpoint import Checkpoint

LAYERS = 32


@pytest.fixture
def net():
    """(the weights of 32 layers, a batch of rows that is large beside them)"""
    rng = np.random.default_rng(0)
    weights = [mg.tensor(rng.normal(size=(32, 32)) / 6, requires_grad=True) for _ in range(LAYERS)]
    return weights, rng.normal(size=(1024, 32))


def layers(h, weights):
    """tanh(h @ W) for each of the weights."""
    for w in weights:
        h = mg.tanh(h @ w)
    return h


def train(weights, rows, part, k):
    """The gradients of a step in segments of k layers: of the weights, and of the rows."""
    for w in weights:
        w.grad = None
    h = x = mg.tensor(rows, requires_grad=True)
    for at in range(0, LAYERS, k):
        h = part(h, weights[at : at + k])
    mg.sum(h**2).backward()
    return [w.grad.numpy() for w in (*weights, x)]


@pytest.mark.parametrize("k", [1, 5, 8, 32])
def test_gradients_have_the_same_bits(net, k):
    found = train(*net, mg.checkpoint(layers), k)
    assert all(map(np.array_equal, found, train(*net, layers, k)))


def test_the_peak_memory_of_a_deep_net_halves(net):
    whole = mg.measure.memory(lambda: train(*net, layers, 4))
    assert mg.measure.memory(lambda: train(*net, mg.checkpoint(layers), 4)) < whole / 2


def test_values_that_it_uses_without_being_given_them_get_gradients():
    w, u = (mg.tensor(x, requires_grad=True) for x in ([2.0, 3.0], [1.0, 2.0]))
    h = u * u
    mg.sum(mg.checkpoint(lambda h: h * u * w + h)(h)).backward()
    assert np.allclose(w.grad, [1, 8]) and np.allclose(u.grad, [8, 40])


def test_it_can_be_differentiated_again_and_in_forward_mode():
    def f(x):
        return mg.sum(mg.tanh(x * x))

    x, v = mg.tensor([0.3, 0.7], requires_grad=True), mg.tensor([1.0, 2.0])
    for derivative in (mg.hessian, lambda f: lambda x: mg.hvp(f, x, v), mg.grad):
        assert np.allclose(derivative(mg.checkpoint(f))(x), derivative(f)(x), rtol=1e-14)
    for mine, due in zip(mg.jvp(mg.checkpoint(f), (x,), (v,)), mg.jvp(f, (x,), (v,))):
        assert np.allclose(mine, due, rtol=1e-14)
    assert mg.gradcheck(mg.checkpoint(f), x)


def test_checkpoints_may_lie_in_checkpoints():
    @mg.checkpoint
    def outer(x):
        return mg.checkpoint(lambda y: mg.tanh(y) * y)(x) * x

    x = mg.tensor([0.5, 1.0], requires_grad=True)
    assert np.allclose(mg.grad(lambda x: mg.sum(outer(x)))(x), mg.grad(
        lambda x: mg.sum(mg.tanh(x) * x * x))(x))  # fmt: skip


def test_the_result_shares_no_memory_with_an_operand():
    x = mg.tensor([[1.0, 2.0]], requires_grad=True)
    y = mg.checkpoint(mg.transpose)(x)
    assert y.op is Checkpoint and not np.shares_memory(y.array, x.array)
    assert "function=transpose" in repr(mg.draw(y))


def test_without_derivatives_it_is_the_function_itself():
    double = mg.checkpoint(lambda x: x * 2)
    x = mg.tensor([1.0], requires_grad=True)
    with mg.no_grad():
        assert double(x).op is None
    assert double(mg.tensor([1.0])).op is None
    assert mg.checkpoint(lambda x: x)(x) is x
    assert np.array_equal(double(np.ones(2)), [2, 2])
    assert mg.checkpoint(lambda x: (x.shape, 2))(x) == ((1,), 2)
    with mg.Graph():
        assert str(double(mg.placeholder("p", shape=2)).op) == "Mul"
    assert np.allclose(mg.function(double)(x), 2)


def test_several_results_are_refused():
    with pytest.raises(mg.ArgumentError, match="returned tuple"):
        mg.checkpoint(lambda x: (x, x * 2))(mg.tensor([1.0], requires_grad=True))


def test_other_numbers_in_the_second_call_are_an_error():
    calls = []

    def count(x):
        calls.append(x)
        return x * len(calls)

    y = mg.sum(mg.checkpoint(count)(mg.tensor([1.0], requires_grad=True)))
    with pytest.raises(mg.GradientError, match="count returned different numbers"):
        y.backward()


def test_an_operand_that_was_changed_in_place_is_an_error():
    x, given = mg.tensor([2.0], requires_grad=True), mg.tensor([3.0])
    y = mg.sum(mg.checkpoint(lambda x, given: x * given)(x, given))
    given += 1
    with pytest.raises(mg.GradientError, match="different numbers"):
        y.backward()
    y = mg.sum(mg.checkpoint(lambda x: x * x)(x))
    with mg.no_grad():
        x += 1
    with pytest.raises(mg.GradientError, match="changed in place"):
        y.backward()


def test_a_graph_of_nodes_refuses_it():
    x = mg.tensor([2.0], requires_grad=True)
    y = mg.checkpoint(lambda x: x * x)(x)
    with pytest.raises(mg.GradientError, match="works only with Tensors"):
        Checkpoint.infer(y, **y.params)
