"""After backward: a small graph of small values is noted, and can be built again as it was."""

import gc
import weakref

import numpy as np
import pytest

import minigrad as mg
from minigrad.dynamic import history as afterwards
from minigrad.dynamic.tensor import VALUES


def two_paths():
    x, w = mg.tensor(2.0, name="x"), mg.tensor(1.0, requires_grad=True, name="w")
    a = x + w
    return x, w, a, a * (w + 1)


def test_the_graph_is_rebuilt_with_its_numbers_and_adjoints():
    x, w, a, y = two_paths()
    y.backward()
    mg.optim.SGD([w], 0.5).step()  # what is drawn is how it was
    result, stands = afterwards.restore_graph(y)
    assert y.inputs == () and result.item() == 6 and result.grad.item() == 1
    assert [stands[id(v)].item() for v in (x, w, a)] == [2, 1, 3]
    assert stands[id(w)].grad.item() == 5 and stands[id(a)].grad.item() == 2
    assert stands[id(w)].name == "w" and w.grad.item() == 5 and w.item() == -1.5


def test_the_seed_is_that_of_the_backward():
    w = mg.tensor([1.0, 2.0], requires_grad=True)
    y = w * w
    y.backward([1.0, 10.0])
    result, stands = afterwards.restore_graph(y)
    assert [*result.grad.numpy()] == [1, 10] and [*stands[id(w)].grad.numpy()] == [2, 40]


def test_values_in_between_are_given_back_all_the_same():
    _, w, a, y = two_paths()
    gone = weakref.ref(a)
    y.backward()
    del a
    gc.collect()
    assert gone() is None
    with pytest.raises(mg.GradientError, match="freed"):
        y.backward()


def long_chain(w):
    for _ in range(VALUES):
        w = w + 1
    return w


@pytest.mark.parametrize("make", [lambda w: mg.sum(w * np.ones(5)), long_chain])
def test_what_is_not_small_is_not_noted(make):
    y = make(mg.tensor(1.0, requires_grad=True))
    y.backward()
    assert afterwards.restore_graph(y) == (y, {})


@pytest.mark.parametrize("option", ["retain_graph", "create_graph"])
def test_a_graph_that_stays_is_drawn_itself(option):
    *_, y = two_paths()
    y.backward(**{option: True})
    assert afterwards.restore_graph(y) == (y, {})
