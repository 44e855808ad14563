"""Ops of a learner's own: how many operands they take, what may go wrong in them."""

import functools

import numpy as np
import pytest

import minigrad as mg


@pytest.mark.parametrize("ufunc, operands", [(np.add, 2), (np.exp, 1), (np.hypot, 2)])
def test_a_ufunc_says_itself_how_many_operands_it_has(ufunc, operands):
    rules = {1: lambda x, z, z_bar: z_bar * z, 2: lambda x, y, z, z_bar: (z_bar, z_bar)}
    op = mg.custom_op(ufunc, vjp=rules[operands])
    xs = [mg.tensor([0.5, 1.5], requires_grad=True) for _ in range(operands)]
    assert np.array_equal(op(*xs).numpy(), ufunc(*[x.numpy() for x in xs]))
    with pytest.raises(mg.ArgumentError, match=f"takes {operands} operands"):
        op(*xs, 1.0)


def positive_root(x):
    if (x < 0).any():
        raise ValueError("a root of a negative number")
    return np.sqrt(x)


def without_ones(x):
    if (x == 1).any():
        raise ValueError("no ones")
    return 2 * x


def test_an_error_of_compute_is_told_for_its_operands_whether_it_can_be_tried_on_ones_or_not():
    for compute, bad in ((positive_root, [-2.0, 3.0]), (without_ones, [1.0, 3.0])):
        op = mg.custom_op(compute)
        assert op(mg.tensor([4.0, 9.0])).shape == (2,)
        with pytest.raises(mg.ArgumentError, match=rf"^{compute.__name__}\(x: float64\[2\]\): "):
            op(mg.tensor(bad))
    with mg.Graph(), pytest.raises(mg.ArgumentError, match="tried on ones.*no ones\n.*\n.*infer="):
        mg.custom_op(without_ones)(mg.constant([4.0, 9.0]))


@pytest.mark.parametrize(
    "compute", [lambda x: 2 * float(x.sum()), lambda x: [2 * float(v) for v in x.ravel()]]
)
def test_compute_may_return_python_numbers(compute):
    op, x = mg.custom_op(compute), np.array([1.5, 2.5])
    wanted = np.asarray(compute(x)) + 1
    with mg.Graph() as graph:
        y = op(mg.constant(x) * 1) + 1
    found = [(op(mg.tensor(x)) + 1).numpy(), mg.Session(graph).run(y)]
    found.append(mg.Session(graph, optimize=False, backend="numpy").run(y))
    for value in found:
        np.testing.assert_array_equal(value, wanted)


def test_a_partial_of_a_function_has_the_name_of_the_function():
    def scaled(factor, x):
        return factor * x

    double = functools.partial(scaled, 2.0)
    op = mg.custom_op(double, vjp=lambda x, z, z_bar: 2 * z_bar)
    assert mg.grad(op)(3.0).item() == 2 and op.__name__ == "scaled"
    assert mg.composite(double)(mg.tensor(3.0)).item() == 6
    twice = functools.partial(lambda factor, x: (factor * x, x), 2.0)
    with pytest.raises(mg.ArgumentError, match="checkpoint: <lambda> returned tuple"):
        mg.checkpoint(twice)(mg.tensor(3.0, requires_grad=True))
