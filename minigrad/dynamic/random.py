"""Random values of both engines, by explicit seeds.

A Tensor is drawn at once, and again the same for the same seed and key. A Node is drawn again in
every run of a Session: its key is the number of the run, unless one is given, so a Session repeats
itself.
"""

from typing import Any

import numpy as np

from minigrad.core.errors import ArgumentError
from minigrad.core.modes import open_graph
from minigrad.core.op import Op, Value, bind
from minigrad.core.ops.elementwise import cast, greater_equal
from minigrad.core.ops.precision import working_dtype
from minigrad.core.ops.random import Normal, Uniform
from minigrad.core.ops.shape import lengths_tuple
from minigrad.core.signatures import ShapeLike, takes_one
from minigrad.core.spec import is_float, is_scalar, number_type, spec_of
from minigrad.dynamic.creation import require_grad
from minigrad.dynamic.tensor import Tensor, TensorOrNode, tensor


def random_normal(
    shape: ShapeLike, seed: int, key: Any = None, dtype: Any = float, requires_grad: bool = False
) -> TensorOrNode:
    """Sample from the normal distribution with mean 0 and variance 1.

    >>> mg.random_normal((2, 3), seed=1).shape
    (2, 3)
    """
    return require_grad(draw_values(Normal, shape, seed, key, dtype), requires_grad)


def random_uniform(
    shape: ShapeLike, seed: int, key: Any = None, dtype: Any = float, requires_grad: bool = False
) -> TensorOrNode:
    """Sample from the uniform distribution on [0, 1); no dtype rounds a sample to 1.

    >>> mg.random_uniform((2, 3), seed=1).shape
    (2, 3)
    """
    return require_grad(draw_values(Uniform, shape, seed, key, dtype), requires_grad)


def draw_values(op: type[Op], shape: ShapeLike, seed: int, key: Any, dtype: Any) -> TensorOrNode:
    """A Node inside `with Graph():`, else a Tensor."""
    dtype = number_type(dtype)
    if not is_float(dtype):
        raise ArgumentError(f"random {dtype} numbers", "sample floats, and cast them")
    graph = open_graph()
    key = check_draw_key(key, graph)
    if graph is not None and not isinstance(key, Value):
        key = graph.constant(key)
    numbers = bind(op, key, seed=check_seed(seed), shape=lengths_tuple(shape), dtype=dtype)
    return numbers if isinstance(numbers, Value) else tensor(numbers)


@takes_one
def dropout(x: Any, rate: float, seed: int, key: Any = None) -> Any:
    """Compute z = x / (1 - rate) where a uniform sample is at least `rate`, else 0; the mean stays.

    Raises ArgumentError unless 0 ≤ rate < 1.

    >>> mg.dropout(np.ones(4), rate=0.0, seed=1)
    array([1., 1., 1., 1.])
    """
    if not is_scalar(rate) or not 0 <= rate < 1:
        raise ArgumentError(
            f"the dropout rate {rate!r} is not in the range 0 ≤ rate < 1", "use for example 0.5"
        )
    dtype = spec_of(x).dtype
    if not is_float(dtype):
        raise ArgumentError(
            f"dropout needs floats, not {dtype} numbers", "cast them first: x.astype(float)"
        )
    is_node = isinstance(x, Value) and not isinstance(x, Tensor)
    key = check_draw_key(key, x.graph if is_node else None)
    exact = working_dtype(dtype)  # a rate has more digits than a draw in half precision
    draws = bind(Uniform, key, x, seed=check_seed(seed), shape=None, dtype=exact)
    return x * cast(greater_equal(draws, rate), dtype) / (1 - rate)


def check_seed(seed: Any) -> int:
    """A seed as a whole number."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not (0 <= seed < 2**64):
        raise ArgumentError(
            f"the seed {seed!r} is not a whole number in range",
            "give a whole number from 0 to 2**64 - 1",
        )
    return int(seed)


def check_draw_key(key: Any, graph: Any) -> Any:
    """A key: the one given, else the number of the run of the graph, else 0.

    A Python number gets a dtype of its own here: beside float16 numbers it would be rounded.
    """
    if key is None:
        return 0 if graph is None else graph.run_index()
    if spec_of(key).dtype.kind not in "iu" or spec_of(key).shape:
        raise ArgumentError(
            f"the key is {spec_of(key)}, not one whole number", "pass one whole number"
        )
    return key if isinstance(key, Value) else np.asarray(key)
