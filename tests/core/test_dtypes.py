"""Every op on every dtype, on single numbers and on empty arrays: what infer says is computed."""

import numpy as np
import pytest
from engines import Dynamic, Static
from ops_table import ROWS, STEPS

import minigrad as mg

DTYPES = [
    bool,
    *(f"{sign}int{bits}" for bits in (8, 16, 32, 64) for sign in ("", "u")),
    "float16",
    "float32",
    "float64",
]
SHAPES = [
    (row, shapes)
    for row in (*ROWS, *STEPS)
    for shapes in (
        row.shapes[0],
        *[s for s in row.shapes if s == ((),) * len(s)][:1],
        tuple((0, *s[1:]) for s in row.shapes[0]),
        tuple((*s[:-1], 0) for s in row.shapes[0]),
    )
]
IDS = [f"{row.name} {shapes}".replace(" ", "") for row, shapes in SHAPES]


def numbers(shapes, dtype):
    """Numbers from 1 to 3 of a dtype; true and false for bool."""
    rng = np.random.default_rng(len(shapes))
    return [
        rng.integers(0 if dtype is bool else 1, 4 if dtype is not bool else 2, size=shape).astype(
            dtype
        )
        for shape in shapes
    ]


def outcome(engine, row, arrays):
    """(what infer says, shape and dtype, numbers) of an op, or the kind of error."""
    try:
        y = row.f(*engine.inputs(arrays))
        (z,) = engine.numbers([y])
    except mg.MinigradError as error:
        assert error.hint and "ufunc" not in error.message and "object has" not in error.message
        return type(error)
    assert (tuple(y.shape), y.dtype) == (z.shape, z.dtype)
    return z.shape, z.dtype, z


@pytest.mark.parametrize("row, shapes", SHAPES, ids=IDS)
@np.errstate(all="ignore")
def test_what_infer_says_is_computed_in_both_engines(row, shapes):
    for dtype in DTYPES:
        arrays = numbers(shapes, dtype)
        dynamic = outcome(Dynamic(), row, arrays)
        for engine in (Static(), Static(optimize=False, backend="numpy")):
            static = outcome(engine, row, arrays)
            if isinstance(dynamic, type):
                assert static is dynamic, dtype
            else:
                assert static[:2] == dynamic[:2]
                np.testing.assert_array_equal(static[2], dynamic[2], err_msg=str(dtype))


ROUNDING = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-12}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
@np.errstate(all="ignore")
def test_a_float_of_integers_is_the_float_of_equal_floats(row):
    for dtype in DTYPES[:-3]:
        arrays = numbers(row.shapes[0], dtype)
        found = outcome(Dynamic(), row, arrays)
        if not isinstance(found, type) and found[1].kind == "f":
            _, kind, z = outcome(Dynamic(), row, [a.astype(found[1]) for a in arrays])
            np.testing.assert_allclose(found[2], z, rtol=ROUNDING[str(kind)], err_msg=str(dtype))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "bool"])
def test_exponentials_shared_by_a_loss_and_its_softmax_are_those_of_each(dtype):
    numbers, labels = np.array([[0, 3, 1], [2, 2, 0]]).astype(dtype), np.array([1, 2])
    with mg.Graph() as graph:
        x = mg.placeholder("x", (2, 3), dtype)
        both = [mg.cross_entropy(x, labels), mg.softmax(x, 1)]
    loss, shares = mg.Session(graph).run(both, {x: numbers})
    np.testing.assert_allclose(loss, mg.cross_entropy(numbers.astype(float), labels), rtol=1e-12)
    np.testing.assert_allclose(shares, mg.softmax(numbers.astype(float), 1), rtol=1e-12)
