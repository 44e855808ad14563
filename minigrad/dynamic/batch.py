"""Many directions at once: a Batch stands for one tangent or cotangent in each of them.

The rules of the ops know nothing of it: `bind` hands it over like any other kind of value, and the
op is applied to all directions together, along one more axis in front. A derivative is linear in
its direction, so only the ops that occur there have an entry in `ALONG`.
"""

import math
import string
from typing import Any

import numpy as np

from minigrad.core import ops
from minigrad.core.op import Elementwise, ZerosLike, bind
from minigrad.core.operators import Operand
from minigrad.core.ops import arrange, index, linalg, nn, product, reduce, shape
from minigrad.dynamic.tensor import MetaTensor


class Unbatched(Exception):
    """What was asked of a Batch cannot be done for all directions together."""


class Batch(Operand):
    """Values of one shape, one for each direction: `values` [directions, *shape]."""

    __slots__ = ("values",)
    priority = 4

    def __init__(self, values: Any) -> None:
        self.values = values

    @property
    def shape(self):
        """The shape in one direction."""
        return self.values.shape[1:]

    @property
    def dtype(self):
        """The number type."""
        return self.values.dtype

    def extend(self, op, inputs, params):
        """Applies op in every direction. Raises Unbatched for an op without an entry."""
        along = batch_elementwise if issubclass(op, Elementwise) else ALONG.get(op)
        if along is None or not all(map(is_sized, inputs)):
            raise Unbatched(op.verb)
        return Batch(along(op, inputs, count_directions(inputs), **params))

    def lift(self, x):
        """x as it is: what is the same in all directions is no Batch."""
        return x

    def no_numbers(self, *arguments, **_):
        """Raises Unbatched: a rule that looks at numbers is for one direction."""
        raise Unbatched("numbers")

    __array__ = __bool__ = __iter__ = __float__ = __int__ = __len__ = no_numbers
    __getattr__ = no_numbers  # data, item, numpy: what only one engine has


def is_sized(x):
    """True when every length of an input is known."""
    return None not in shape_of(x)


def shape_of(x):
    """x's shape, () for a Python number; np.shape would ask Tensors in a roundabout way."""
    return getattr(x, "shape", ())


def count_directions(inputs):
    """The number of directions."""
    return next(x.values.shape[0] for x in inputs if isinstance(x, Batch))


def align_axes(x, rank):
    """x's values with axes of length 1 put before its own, so that these are `rank`."""
    if not isinstance(x, Batch):
        return x
    missing = rank - len(x.shape)
    if not missing:
        return x.values
    return ops.reshape(x.values, (x.values.shape[0], *(1,) * missing, *x.shape))


def repeat_shared(x, count):
    """x's values; what is the same in all directions is repeated."""
    return x.values if isinstance(x, Batch) else ops.broadcast_to(x, (count, *shape_of(x)))


def repeat_shape(x, count):
    """Something of x's shape in each direction, where only the shape counts."""
    return repeat_shared(x.array if isinstance(x, MetaTensor) else x, count)


def take_only_first(inputs):
    """The values of the first input. Raises Unbatched when another one is a Batch too."""
    if not isinstance(inputs[0], Batch) or any(isinstance(x, Batch) for x in inputs[1:]):
        raise Unbatched("an operand that only steers")
    return inputs[0].values


# how ops are applied: functions (op, inputs, number of directions, parameters) → values ----------


def batch_elementwise(op, inputs, count, **params):
    """Axes pair from the last one on, so the axis of the directions must stand before all."""
    rank = max([len(shape_of(x)) for x in inputs])
    return bind(op, *[align_axes(x, rank) for x in inputs], **params)


def batch_later_axes(op, inputs, count, *, axis, **params):
    """Ops of one operand that name axes: each is one further on."""
    return bind(op, take_only_first(inputs), axis=tuple(a + 1 for a in axis), **params)


def batch_later_axis(op, inputs, count, *, axis):
    """Ops of one operand that name one axis."""
    return bind(op, take_only_first(inputs), axis=axis + 1)


def batch_last_axes(op, inputs, count, **params):
    """Ops that work on the last axes alone."""
    return bind(op, take_only_first(inputs), **params)


def batch_transpose(op, inputs, count, *, axes):
    """The axis of the directions stays in front."""
    return bind(op, take_only_first(inputs), axes=(0, *(a + 1 for a in axes)))


def batch_reshape(op, inputs, count, *, shape):
    """The axis of the directions stays in front."""
    new = ops.shape.resolved_shape(inputs[0].shape, shape)
    return bind(op, take_only_first(inputs), shape=(count, *new))


def batch_broadcast(op, inputs, count, *, shape):
    """Repeated in each direction."""
    take_only_first(inputs)
    return bind(op, align_axes(inputs[0], len(shape)), shape=(count, *shape))


def batch_pad(op, inputs, count, *, widths):
    """No zeros before the first direction or after the last."""
    return bind(op, take_only_first(inputs), widths=((0, 0), *widths))


def batch_concatenate(op, inputs, count, *, axis):
    """All operands need the axis of the directions."""
    return bind(op, *[repeat_shared(x, count) for x in inputs], axis=axis + 1)


def index_in_each(template):
    """An index template that takes all directions. Raises Unbatched where NumPy would move axes."""
    advanced = [i for i, part in enumerate(template) if part == index.ARRAY or type(part) is int]
    if index.ARRAY in template and advanced[-1] - advanced[0] >= len(advanced):
        raise Unbatched("index arrays apart from one another")
    return ("slice", None, None, None), *template


def batch_getitem(op, inputs, count, *, template):
    """The same entries in each direction."""
    return bind(op, take_only_first(inputs), *inputs[1:], template=index_in_each(template))


def batch_scatter(op, inputs, count, *, template):
    """Zeros like `like` in each direction."""
    return bind(
        op,
        take_only_first(inputs),
        repeat_shape(inputs[1], count),
        *inputs[2:],
        template=index_in_each(template),
    )


def batch_take_along(op, inputs, count, *, axis):
    """The same places in each direction."""
    return bind(op, take_only_first(inputs), ops.expand_dims(inputs[1], 0), axis=axis + 1)


def batch_add_along(op, inputs, count, *, axis):
    """Zeros like `like` in each direction."""
    values, like = take_only_first(inputs), repeat_shape(inputs[1], count)
    return bind(op, values, like, ops.expand_dims(inputs[2], 0), axis=axis + 1)


def batch_diag(op, inputs, count, *, k):
    """The entries of a diagonal in each direction, picked from matrices or put into them."""
    values, matrix = take_only_first(inputs), max(map(shape_of, inputs), key=len)
    if len(matrix) == 1:
        matrix = op.infer(inputs[0], k=k).shape
    places = arrange.diagonal_places(matrix, k)
    if len(inputs[0].shape) == 2:
        return ops.getitem(values, (slice(None), *places))
    like = np.zeros((count, *matrix), values.dtype)
    template = index_in_each((index.ARRAY, index.ARRAY))
    return bind(index.Scatter, values, like, *places, template=template)


def batch_matmul(op, inputs, count):
    """One operand is the same in all directions; unless a stack, one product of two does."""
    x, y = inputs
    if isinstance(y, Batch):  # x y = (yᵀ xᵀ)ᵀ
        z = batch_matmul(op, (Batch(turn(y.values, len(y.shape))), turn(x, len(x.shape))), count)
        return shape.swap_last(z) if 1 not in (len(x.shape), len(y.shape)) else z
    if len(y.shape) > 2:
        rows = x if len(x.shape) > 1 else Batch(ops.expand_dims(x.values, -2))
        z = bind(op, align_axes(rows, max(len(rows.shape), len(y.shape))), y)
        return z if rows is x else ops.squeeze(z, -2)
    rows = ops.reshape(x.values, (math.prod(x.values.shape[:-1]), x.shape[-1]))
    return ops.reshape(bind(op, rows, y), (*x.values.shape[:-1], *y.shape[1:]))


def turn(x, rank):
    """xᵀ of a matrix or a stack of them; a vector, of `rank` 1, as it is."""
    return shape.swap_last(x) if rank > 1 else x


def batch_einsum(op, inputs, count, *, subscripts):
    """One more letter, for the directions."""
    *operands, result = linalg.terms(subscripts)
    letter = next(a for a in string.ascii_letters if a not in subscripts)
    operands = [letter * isinstance(x, Batch) + o for x, o in zip(inputs, operands)]
    values = [x.values if isinstance(x, Batch) else x for x in inputs]
    return bind(op, *values, subscripts=f"{','.join(operands)}->{letter}{result}")


ALONG = {
    **dict.fromkeys((ZerosLike, nn.Windows, nn.Overlap), batch_last_axes),
    **dict.fromkeys((reduce.Sum, reduce.Mean, shape.Flip, arrange.Roll), batch_later_axes),
    **dict.fromkeys((shape.ExpandDims, shape.Squeeze), batch_later_axes),
    reduce.TiesApart: batch_elementwise,
    product.CumSum: batch_later_axis,
    shape.Transpose: batch_transpose,
    shape.Reshape: batch_reshape,
    shape.BroadcastTo: batch_broadcast,
    index.Pad: batch_pad,
    index.Concatenate: batch_concatenate,
    index.GetItem: batch_getitem,
    index.Scatter: batch_scatter,
    arrange.TakeAlongAxis: batch_take_along,
    arrange.AddAlongAxis: batch_add_along,
    **dict.fromkeys((arrange.Diag, arrange.PlaceDiag), batch_diag),
    linalg.Matmul: batch_matmul,
    linalg.Einsum: batch_einsum,
}
