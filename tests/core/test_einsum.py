"""Einsum against NumPy's; convolution and pooling against loops; their errors."""

from functools import partial

import numpy as np
import pytest
from engines import Dynamic, Static, everything
from ops_table import EINSUMS
from saying import raises_saying

import minigrad as mg

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("subscripts", EINSUMS)
def test_einsum_is_numpys(subscripts):
    operands = [RNG.normal(size=shape) for shape in EINSUMS[subscripts]]
    np.testing.assert_allclose(
        mg.einsum(subscripts, *operands), np.einsum(subscripts, *operands), rtol=1e-12
    )


STRETCHED = {
    "...i,...i->...": ((2, 1, 3), (1, 4, 3)),
    "ij,jk->ik": ((2, 1), (3, 4)),
    "ij,ij->ij": ((1, 3), (2, 1)),
    "i,i->": ((1,), (4,)),
    "ij,jk,kl->il": ((2, 1), (3, 1), (5, 2)),
    "...,...->...": ((2, 1), (3,)),
    "ii,i->i": ((3, 3), (1,)),
    "i,i->i": ((1,), (1,)),
    "bij,bjk->bik": ((1, 2, 3), (4, 3, 1)),
}


@pytest.mark.parametrize("subscripts", STRETCHED)
def test_lengths_of_1_are_repeated_in_value_and_derivatives_of_both_engines(subscripts):
    arrays = [RNG.normal(size=shape) for shape in STRETCHED[subscripts]]
    expected = np.einsum(subscripts, *arrays)
    f = partial(mg.einsum, subscripts)
    assert mg.gradcheck(f, *arrays, order=2, numeric="complex")
    dynamic, _ = everything(Dynamic(), f, arrays)
    static, _ = everything(Static(), f, arrays)
    np.testing.assert_allclose(dynamic[0], expected, rtol=1e-12)
    for a, b in zip(static, dynamic, strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_a_known_1_is_repeated_beside_an_unknown_length():
    with mg.Graph() as graph:
        x, y = mg.placeholder("x", (None, 3)), mg.placeholder("y", (1, 3))
        z = mg.einsum("bi,bi->b", x, y)
    session = mg.Session(graph)
    for n in (1, 4):
        assert session.run(z, {x: np.ones((n, 3)), y: np.ones((1, 3))}).tolist() == [3.0] * n


def test_a_graph_refuses_lengths_that_differ_when_it_is_built():
    with mg.Graph(), pytest.raises(mg.ShapeError, match="lengths 3 and 4 of 'j' do not broadcast"):
        mg.einsum("ij,jk->ik", mg.placeholder("x", (2, 3)), mg.placeholder("y", (4, 5)))


def test_convolution_is_the_sum_it_says():
    x, w = RNG.normal(size=(2, 3, 5, 6)), RNG.normal(size=(4, 3, 3, 2))
    z = mg.conv2d(x, w, stride=2, padding=1)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    for n, o, i, j in np.ndindex(z.shape):
        window = padded[n, :, 2 * i : 2 * i + 3, 2 * j : 2 * j + 2]
        assert z[n, o, i, j] == pytest.approx((window * w[o]).sum())
    assert z.shape == (2, 4, 3, 4)


def test_pooling_takes_the_largest_of_each_window():
    x = RNG.normal(size=(1, 1, 5, 4))
    z = mg.max_pool2d(x, 2)
    assert z.shape == (1, 1, 2, 2)
    assert z[0, 0, 1, 0] == x[0, 0, 2:4, 0:2].max()
    assert mg.max_pool2d(x, (3, 2), stride=1).shape == (1, 1, 3, 3)


def test_a_batch_of_unknown_size_can_be_convolved():
    x, w = RNG.normal(size=(3, 2, 5, 5)), RNG.normal(size=(4, 2, 3, 3))
    with mg.Graph() as graph:
        images = mg.placeholder("images", shape=(None, 2, 5, 5))
        weights = mg.Variable(w)
        y = mg.sum(mg.max_pool2d(mg.conv2d(images, weights, padding=1), 2) ** 2)
        slope = mg.gradients(y, [weights])[0]
    expected = mg.grad(lambda w: mg.sum(mg.max_pool2d(mg.conv2d(x, w, padding=1), 2) ** 2))(w)
    np.testing.assert_allclose(mg.Session(graph).run(slope, {images: x}), expected, rtol=1e-12)


def test_the_size_of_filters_must_be_declared():
    with mg.Graph():
        w = mg.placeholder("w", (3, 2, None, 1))
        with pytest.raises(mg.ShapeError, match="the size of the filters is not known") as caught:
            mg.conv2d(np.ones((1, 2, 4, 3)), w)
    assert caught.value.hint == "declare their height and width"


def test_channels_may_be_known_only_when_they_are_fed_unless_one_could_be_repeated():
    x, w, v = RNG.normal(size=(2, 2, 4, 3)), RNG.normal(size=(3, 2, 2, 1)), np.ones((2, 3, 1, 2))
    with mg.Graph() as graph:
        images, filters = mg.placeholder("x", x.shape), mg.placeholder("w", (None, 2, 2, 1))
        y = mg.conv2d(mg.conv2d(images, filters), v)  # as many channels as filters are fed
        grey = mg.conv2d(mg.conv2d(images, filters), np.ones((2, 1, 1, 2)))
        with pytest.raises(
            mg.ShapeError, match="the number of channels is not known before x is fed"
        ):
            mg.conv2d(mg.conv2d(images, filters), mg.placeholder("v", (2, None, 1, 2)))
    session = mg.Session(graph)
    expected = mg.conv2d(mg.conv2d(x, w), v)
    np.testing.assert_allclose(session.run(y, {images: x, filters: w}), expected, rtol=1e-12)
    for wrong in (1, 2):
        with pytest.raises(mg.ShapeError, match="does not have the shape"):
            session.run(y, {images: x, filters: w[:wrong]})
    assert session.run(grey, {images: x, filters: w[:1]}).shape == (2, 2, 3, 2)
    with pytest.raises(mg.ShapeError, match="does not have the shape"):
        session.run(grey, {images: x, filters: w})


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: mg.einsum("ij,jk->ik", np.ones((2, 2))), "names 2 operands, but 1 are given"),
        (lambda: mg.einsum("ij->i", np.ones(2)), "'ij' does not fit 1 dimensions"),
        (lambda: mg.einsum("ij->ii", np.ones((2, 2))), "repeats a letter"),
        (lambda: mg.einsum("ij->k", np.ones((2, 2))), "names one that no operand has"),
        (lambda: mg.einsum("ii->i", np.ones((2, 3))), "names axes of lengths 2 and 3"),
        (lambda: mg.einsum("ij,jk->ik", np.ones((2, 3)), np.ones((4, 2))), "do not broadcast"),
        (lambda: mg.conv2d(np.ones((1, 2, 3, 3)), np.ones((1, 3, 2, 2))), "conv2d of images"),
        (lambda: mg.conv2d(np.ones((1, 2, 3)), np.ones((1, 2, 2, 2))), "conv2d of images"),
        (lambda: mg.conv2d(np.ones((1, 1, 3, 3)), np.ones((1, 1, 4, 2))), "does not fit into"),
        (lambda: mg.conv2d(np.ones((1, 1, 3, 3)), np.ones((1, 1, 2, 2)), stride=0), "stride=0"),
        (lambda: mg.max_pool2d(np.ones((1, 1, 3, 3)), (2, 2, 2)), "size="),
        (lambda: mg.windows(np.ones(3), 2), "known height and width"),
    ],
)
def test_bad_input_is_one_clear_message(call, text):
    with raises_saying(mg.MinigradError, text) as caught:
        call()
    assert "\n  at   test_einsum.py" in str(caught.value) and "\n  try  " in str(caught.value)
