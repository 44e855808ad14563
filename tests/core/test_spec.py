"""Shapes, dtypes and nests: the plain functions under both engines."""

from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import mutually_broadcastable_shapes

import minigrad as mg
from minigrad.core import spec
from minigrad.core.ops.axes import normalize_axes
from minigrad.core.ops.reduce import sum_to
from minigrad.core.pytree import flatten, unflatten


@given(mutually_broadcastable_shapes(num_shapes=3, max_dims=4))
def test_broadcasting_is_numpys(shapes):
    assert spec.broadcast_shapes(*shapes.input_shapes) == shapes.result_shape


def test_unknown_lengths_pair_with_one_with_themselves_and_with_known_ones():
    assert spec.broadcast_shapes((None, 3), (1, 3)) == (None, 3)
    assert spec.broadcast_shapes((None,), (2, None)) == (2, None)
    assert spec.broadcast_shapes((None,), (5,)) == (5,)
    assert spec.broadcast_shapes() == ()
    with pytest.raises(mg.ShapeError, match="lengths 2 and 3 do not broadcast"):
        spec.broadcast_shapes((2,), (3,))


@given(mutually_broadcastable_shapes(num_shapes=2, max_dims=4, min_side=0, max_side=4))
def test_sum_to_is_the_transpose_of_broadcast_to(shapes):
    small, _ = shapes.input_shapes
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=small), rng.normal(size=shapes.result_shape)
    assert sum_to(w, small).shape == small
    assert np.sum(sum_to(w, small) * x) == pytest.approx(np.sum(w * (x + 0 * w)))


@pytest.mark.parametrize(
    "axis, rank, normal",
    [
        (None, 3, (0, 1, 2)),
        (-1, 2, (1,)),
        ((1, -3), 3, (0, 1)),
        (np.int64(0), 1, (0,)),
        ((), 2, ()),
    ],
)
def test_axes(axis, rank, normal):
    assert normalize_axes(axis, rank) == normal


@pytest.mark.parametrize("axis", [2, -3, (0, 0), (0, -2), "a", 0.5])
def test_axes_that_do_not_exist(axis):
    with pytest.raises((mg.ArgumentError, TypeError)):
        normalize_axes((axis,) if isinstance(axis, float) else axis, 2)


def test_specs_print_as_in_messages():
    assert str(spec.spec_of(np.ones((3, 2)))) == "float64[3,2]"
    assert str(spec.Spec((None, 2), np.dtype("int8"))) == "int8[?,2]"
    assert spec.spec_of([1, 2]) == ((2,), np.dtype(int))


def test_nests_are_taken_apart_and_put_together():
    Point = namedtuple("Point", "x y")
    nest = {"a": [1, (2, 3)], "b": Point(4, {"c": 5}), "d": []}
    leaves, structure = flatten(nest)
    assert leaves == [1, 2, 3, 4, 5]
    assert unflatten(structure, leaves) == nest
    assert isinstance(unflatten(structure, leaves)["b"], Point)
    assert flatten({"a": [1, (2, 3)], "b": Point(9, {"c": 9}), "d": []})[1] == structure
    assert flatten(7)[0] == [7]
