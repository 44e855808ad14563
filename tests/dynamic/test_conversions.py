"""Ways from a Tensor to Python's and NumPy's numbers: a derivative is never lost in silence."""

import array
import cmath
import copy
import math
import pickle
import warnings

import numpy as np
import pytest

import minigrad as mg

REFUSED = {  # a number that Python or NumPy would compute on with
    "float": float,
    "int": int,
    "complex": complex,
    "math": math.sin,
    "floor": math.floor,
    "trunc": math.trunc,
    "isclose": lambda x: math.isclose(x, 2.0),
    "fsum": lambda x: math.fsum([x]),
    "cmath": cmath.exp,
    "percent": lambda x: "%.3f" % x,  # noqa: UP031
    "array.array": lambda x: array.array("d", [x]),
    "np.float64": np.float64,
    "np.array": np.array,
    "np.array of a list": lambda x: np.array([x, 1.0]),
    "np.mean of a list": lambda x: np.mean([x, x]),
    "np.full": lambda x: np.full(2, x),
    "np.linspace": lambda x: np.linspace(0, x, 3),
    "np.interp": lambda x: np.interp(x, [0, 1], [1, 2]),
    "all of an array": lambda x: np.zeros(2).__setitem__(slice(None), x),
    "mg.arange": mg.arange,
    "mg.pad": lambda x: mg.pad(np.ones(2), x),
    "a list as operand": lambda x: mg.tensor([1.0, 2.0]) * [x, 1.0],
    "a list reduced": lambda x: mg.sum([x, x]),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": pickle.dumps,
}
BY_ARRAY = {
    "an entry": lambda x: np.zeros(2).__setitem__(0, x),
    "fill": lambda x: np.ones(2).fill(x),
}
PLAIN = {  # numbers outside of a function that is differentiated, and ways out of it
    "item": lambda x: x.item(),
    "numpy": lambda x: x.numpy(),
    "data": lambda x: x.data,
    "tolist": lambda x: x.tolist(),
    "format": lambda x: float(f"{x:.6f}"),
}
CARRIED = {  # x → (value with a derivative, dvalue/dx at 2)
    "sum": (lambda x: sum([x, x]), 2),
    "prod": (lambda x: math.prod([x, x]), 4),
    "max": (lambda x: max(x, 0.5), 1),
    "sorted": (lambda x: sorted([x, x * 2])[1], 2),
    "round": (lambda x: round(x) * x, 2),
    "pow": (lambda x: pow(x, 3), 12),
    "full": (lambda x: mg.full((2, 3), x).sum(), 6),
    "full as float32": (lambda x: mg.full(3, x, dtype=np.float32).sum(), 3),
    "full_like": (lambda x: mg.full_like(np.zeros(4), x).sum(), 4),
    "linspace": (lambda x: (mg.linspace(0, x, 3) * np.arange(3)).sum(), 2.5),
    "stack": (lambda x: np.stack([x, x]).sum(), 2),
    "tensor": (lambda x: mg.tensor(x) * x, 4),
    "tensor of lists": (lambda x: mg.tensor([[x, 1.0], [2.0, x * x]]).sum(), 5),
    "tensor as float32": (lambda x: mg.tensor([1.0, x, 3.0], dtype=np.float32).sum(), 1),
    "tensor in a trace": (mg.function(lambda x: mg.tensor([x, 3 * x]).sum()), 4),
    "where": (lambda x: mg.where(True, x * x, 0.0), 4),
    "where of 0": (lambda x: mg.where(False, 0.0, x * x), 4),
    "np.where": (lambda x: np.where(True, x, 0.0) * x, 4),
    "list": (lambda x: [*x.reshape(1)].pop(), 1),
    "index": (lambda x: [1.0, 2.0, 3.0][int(x.detach())] * x, 3),
}


def tracked():
    return mg.tensor(2.0, requires_grad=True, name="w") * 1


@pytest.mark.parametrize("lose", REFUSED.values(), ids=REFUSED)
def test_a_number_without_its_derivative_is_refused(lose):
    with pytest.raises((mg.GradientError, mg.ArgumentError)) as caught:
        lose(tracked())
    assert caught.value.hint
    with pytest.raises((mg.GradientError, mg.ArgumentError)):
        mg.grad(lambda x: x + 0 * (lose(x) is None))(2.0)


@pytest.mark.parametrize("lose", BY_ARRAY.values(), ids=BY_ARRAY)
def test_numpy_says_why_an_entry_cannot_be_a_tensor(lose):
    with pytest.raises(ValueError) as caught:  # NumPy's own error, raised from ours
        lose(tracked())
    assert isinstance(caught.value.__cause__, mg.GradientError)


@pytest.mark.parametrize("look", PLAIN.values(), ids=PLAIN)
def test_a_look_is_free_outside_and_refused_inside_a_function_that_is_differentiated(look):
    assert float(look(tracked())) == 2
    outer = tracked()
    assert mg.grad(lambda x: x * look(outer))(3.0).item() == 2
    assert mg.grad(lambda x: x * look(x.detach()))(3.0).item() == 3
    with pytest.raises(mg.GradientError, match="would lose the derivative of this function"):
        mg.grad(lambda x: x * look(x * 1))(3.0)
    with pytest.raises(mg.GradientError, match="would lose the derivative of this function"):
        mg.jvp(lambda x: x * look(x), (3.0,), (1.0,))
    with pytest.raises(mg.GradientError, match="would lose the derivative of this function"):
        mg.grad(lambda x: x * mg.grad(lambda y: y * look(x))(1.0))(3.0)
    with mg.no_grad():
        assert float(look(mg.tensor(2.0, requires_grad=True))) == 2


@pytest.mark.parametrize("f, slope", CARRIED.values(), ids=CARRIED)
def test_what_python_computes_with_operators_keeps_its_derivative(f, slope):
    assert mg.grad(f)(2.0).item() == pytest.approx(slope, rel=1e-6)
    x = mg.tensor(2.0, requires_grad=True)
    f(x).backward()
    assert x.grad.item() == pytest.approx(slope, rel=1e-6)
    assert mg.jvp(f, (2.0,), (1.0,))[1].item() == pytest.approx(slope, rel=1e-6)


def test_what_has_no_derivative_is_a_number():
    x = mg.tensor([1.5])
    assert (float(x), int(x), math.trunc(x), f"{x:.1f}") == (1.5, 1, 1, "1.5")
    with mg.no_grad():
        assert float(tracked()) == 2


# what is told ------------------------------------------------------------------------------------


def test_the_gradient_of_a_computed_value_is_told_about():
    w = mg.tensor([1.0, 2.0], requires_grad=True)
    column = w.reshape(2, 1)
    mg.sum(column * 2).backward()
    with pytest.warns(UserWarning, match="the result of reshape has no gradient.*\n.*retain_grad"):
        assert column.grad is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert w.grad.tolist() == [2, 2] and mg.tensor(1.0, requires_grad=True).grad is None
        kept = w * 2
        kept.retain_grad()
        assert kept.grad is None and w.detach().grad is None
        mg.draw(kept)


@pytest.mark.parametrize("mode", [mg.enable_grad, mg.plain])
def test_backward_says_that_no_grad_or_detach_cut_the_graph(mode):
    w = mg.tensor(2.0, requires_grad=True)
    with mode():
        with mg.no_grad():
            y = mg.exp(w * 3) + 1
        for cut in (y, y * 2, mg.sum(w.detach() * 2), mg.tensor(1.0) - y):
            with pytest.raises(mg.GradientError, match="inside no_grad.*or from a detached value"):
                cut.backward()
        for free in (mg.tensor(1.0) * 2, w > 0, mg.floor(w)):
            with pytest.raises(mg.GradientError, match="does not depend on anything that requires"):
                free.backward()


def test_none_and_texts_are_equal_to_no_value():
    t = mg.tensor([1.0, 2.0])
    with mg.Graph():
        x = mg.placeholder("x")
    for value in (t, x):
        assert (value == None) is False and (value != None) is True  # noqa: E711
        assert (value == "adam") is False and value not in [None, "adam"]
    assert (t == [1, 3]).tolist() == [True, False]


@pytest.mark.parametrize("function, shape", [(np.atleast_1d, (1,)), (np.atleast_2d, (1, 1))])
def test_one_axis_at_least_makes_an_array_where_no_derivative_is_lost(function, shape):
    w, t = mg.tensor(3.0, requires_grad=True), mg.tensor(2.0)
    function(w * w).sum().backward()
    assert w.grad.item() == 6
    arrays = [function(t), function(mg.grad(mg.exp)(0.0)), *function(t, 1.0)]
    assert all(type(a) is np.ndarray and a.shape == shape for a in arrays)
    function(t)[:] = 5
    assert t.item() == 2 and isinstance(function(t, w)[1], mg.Tensor)
