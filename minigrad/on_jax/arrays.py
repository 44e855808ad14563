"""JAX's arrays where NumPy's are expected: each call of a NumPy function becomes one of JAX's.

NumPy asks its operands whether they compute its functions in their own way (`__array_ufunc__` for
np.add, np.exp and their kind, `__array_function__` for the others): so an op's formula runs as it
stands. Dtypes are NumPy's in each step, since JAX would choose others: int64 + float32 is float64.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from numpy.lib.mixins import NDArrayOperatorsMixin

from minigrad.core.errors import ArgumentError, GraphError, MissingError

PLACES = (jnp, jax.scipy.special)  # where JAX keeps a function of the same name
IGNORED = ("order", "casting", "subok")  # options about memory
METHODS = """all any argmax argmin argsort clip conj copy cumprod cumsum diagonal dot max mean min
nonzero prod ravel repeat reshape round sort squeeze std sum swapaxes take trace transpose
var""".split()


class JaxArray(NDArrayOperatorsMixin):
    """An array of JAX's, `value`, that NumPy's functions take.

    Where `count` is given, only so many entries of the first axis are meant: how many, a run tells.
    Writing into it replaces `value`: it is a view of nothing.
    """

    __slots__ = ("count", "value")

    def __init__(self, value, count=None):
        value = jnp.asarray(value)
        self.value, self.count = lax.convert_element_type(value, value.dtype), count  # not weak

    shape = property(lambda self: self.value.shape)
    ndim = property(lambda self: self.value.ndim)
    size = property(lambda self: self.value.size)
    dtype = property(lambda self: np.dtype(self.value.dtype))
    itemsize = property(lambda self: self.dtype.itemsize)
    T = property(lambda self: JaxArray(self.value.T))

    @property
    def strides(self):
        """As of an array that lies row by row."""
        sizes = [self.itemsize, *self.shape[:0:-1]]
        return tuple(int(n) for n in np.cumprod(sizes)[: self.ndim][::-1])

    def __len__(self):
        return len(self.value)

    def __getitem__(self, index):
        return JaxArray(self.value[plain_index(index)])

    def __setitem__(self, index, x):
        new = lax.convert_element_type(bare(x), self.value.dtype)
        self.value = self.value.at[plain_index(index)].set(new)

    def astype(self, dtype, **_):
        """The entries in another dtype."""
        return JaxArray(self.value.astype(dtype))

    def __getattr__(self, name):
        if name not in METHODS:
            raise MissingError(
                f"an array on JAX has no {name}", f"use a function of NumPy's, if it has np.{name}"
            )
        return lambda *arguments, **options: getattr(np, name)(self, *arguments, **options)

    # NumPy's protocols ---------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        options = {name: value for name, value in options.items() if name not in IGNORED}
        z = UFUNC_METHODS[method](ufunc, *inputs, **options)
        if out is None:
            return z
        out[0][...] = z
        return out[0]

    def __array_function__(self, function, types, inputs, options):
        options = {
            name: value
            for name, value in options.items()
            if name not in IGNORED and (name, value) != ("out", None)
        }
        own = FUNCTIONS.get(function)
        if own is not None:
            return own(*inputs, **options)
        z = find_function(function)(*bare(inputs), **bare(options))
        return tuple(map(JaxArray, z)) if isinstance(z, (tuple, list)) else JaxArray(z)

    # there are no numbers ------------------------------------------------------------------------

    def refuse(self, *_, **__):
        """Raises ArgumentError: while a program is compiled there are no numbers."""
        raise ArgumentError(
            "its code asks for the numbers of an operand, and on JAX it is compiled before "
            "there are any",
            "write it with NumPy's functions of whole arrays, or give it "
            'lowerings={"jax": a function of JAX arrays}, or use backend="codegen"',
        )

    __array__ = __bool__ = __int__ = __float__ = __index__ = __complex__ = refuse
    tolist = item = tobytes = refuse


def bare(x):
    """x as JAX takes it: without the covers of arrays, in any nest of lists, tuples and dicts."""
    if isinstance(x, JaxArray):
        return x.value
    if isinstance(x, dict):
        return {name: bare(value) for name, value in x.items()}
    return type(x)(map(bare, x)) if type(x) in (tuple, list) else x


def unknown_length():
    """The error for a length that only a run tells, where JAX must know it."""
    return GraphError(
        "how long it is, the iterations of a while_loop, only a run tells: JAX must know it before",
        'use scan with a length, or backend="codegen"',
    )


def plain_index(index):
    """An index in which integer arrays are as wide as NumPy would make them."""
    if isinstance(index, tuple):
        return tuple(map(plain_index, index))
    index = bare(index)
    places = hasattr(index, "dtype") and index.dtype.kind in "iu"
    return jnp.asarray(index).astype(np.intp) if places else index


def find_function(function):
    """JAX's function of a NumPy function's name. Raises ArgumentError where there is none."""
    name, room = function.__name__, getattr(function, "__module__", None) or "numpy"
    places = PLACES if room in ("numpy", "") else (getattr(jnp, room.removeprefix("numpy."), jnp),)
    for place in places:
        if hasattr(place, name):
            return getattr(place, name)
    raise ArgumentError(
        f"JAX has no {name}",
        'write it with other functions, or give it lowerings={"jax": a function of JAX arrays}',
    )


# ufuncs: functions of single entries --------------------------------------------------------------


def map_ufunc(ufunc, *inputs):
    """ufunc(inputs), computed in the dtypes that NumPy computes in."""
    kinds = [weak_type(x) for x in inputs]
    *taken, given = ufunc.resolve_dtypes((*kinds, *(None,) * ufunc.nout))[: ufunc.nin + 1]
    xs = [lax.convert_element_type(jnp.asarray(bare(x)), kind) for x, kind in zip(inputs, taken)]
    z = UFUNCS.get(ufunc.__name__, find_function(ufunc))(*xs)
    return JaxArray(lax.convert_element_type(z, given))


def weak_type(x):
    """The dtype of an array; the type of a Python number, which widens nothing."""
    if isinstance(x, (bool, np.bool_)):
        return np.dtype(bool)
    return type(x) if type(x) in (int, float) else x.dtype


def reduce_ufunc(ufunc, x, axis=0, keepdims=False, dtype=None):
    """ufunc.reduce(x), in the dtype that NumPy adds up in."""
    dtype = dtype or ufunc.reduce(np.ones(1, x.dtype)).dtype
    kind = x.dtype if dtype.kind == "b" else dtype
    z = REDUCTIONS[ufunc.__name__](x.value.astype(kind), axis=axis, keepdims=keepdims)
    return JaxArray(lax.convert_element_type(z, dtype))


def change_at(ufunc, x, index, y):
    """ufunc.at(x, index, y): entries that repeat in the index add up."""
    place = x.value.at[plain_index(index)]
    x.value = getattr(place, ufunc.__name__)(lax.convert_element_type(bare(y), x.value.dtype))


def divide_down(x, y):
    """⌊x / y⌋; of whole numbers and 0, as NumPy has it, 0."""
    if x.dtype.kind == "f":
        return jnp.where(y == 0, x / y, jnp.floor_divide(x, y))  # before JAX 0.10.2 NaN, not ±inf
    return jnp.where(y == 0, jnp.zeros_like(x), jnp.floor_divide(x, jnp.where(y == 0, 1, y)))


def divide_rest(x, y):
    """x - y ⌊x / y⌋; of whole numbers and 0, as NumPy has it, 0."""
    if x.dtype.kind == "f":
        return jnp.remainder(x, y)
    return jnp.where(y == 0, jnp.zeros_like(x), jnp.remainder(x, jnp.where(y == 0, 1, y)))


UFUNC_METHODS = {"__call__": map_ufunc, "reduce": reduce_ufunc, "at": change_at}
UFUNCS = {"floor_divide": divide_down, "remainder": divide_rest}
REDUCTIONS = {
    "add": jnp.sum,
    "multiply": jnp.prod,
    "maximum": jnp.max,
    "minimum": jnp.min,
    "logical_or": jnp.any,
    "logical_and": jnp.all,
}

# functions of whole arrays ------------------------------------------------------------------------


def widen_together(arrays):
    """Arrays and Python numbers in the dtype in which NumPy joins them."""
    dtype = np.result_type(*[x if isinstance(x, (int, float)) else x.dtype for x in arrays])
    return [lax.convert_element_type(jnp.asarray(bare(x)), dtype) for x in arrays]


def choose_entries(condition, x, y):
    """np.where."""
    return JaxArray(jnp.where(bare(condition), *widen_together([x, y])))


def join(arrays, axis=0):
    """np.concatenate."""
    return JaxArray(jnp.concatenate(widen_together(arrays), axis))


def put_side_by_side(arrays, axis=0):
    """np.stack."""
    return JaxArray(jnp.stack(widen_together(arrays), axis))


def hold_within(x, low, high):
    """np.clip."""
    return np.minimum(np.maximum(x, low), high)


def round_places(x, decimals=0):
    """np.round; whole numbers change only for places before the point."""
    if x.dtype.kind == "f":
        return JaxArray(jnp.round(x.value, decimals))
    if decimals >= 0 or x.dtype == bool:
        return x.astype(np.float16) if x.dtype == bool else JaxArray(x.value)
    steps = 10.0**-decimals
    return (np.rint(x / steps) * steps).astype(x.dtype)


def widen_sums(function):
    """cumsum or cumprod, in the dtype in which NumPy adds up."""

    def run(x, axis=None, dtype=None):
        dtype = dtype or getattr(np, function.__name__)(np.ones(1, x.dtype)).dtype
        return JaxArray(function(x.value.astype(dtype), axis))

    return run


def new_filled(fill):
    """np.zeros or np.empty `like` an array of JAX's."""
    return lambda shape, dtype=float, **_: JaxArray(fill(shape, dtype))


def slide_windows(x, window_shape, axis):
    """np.lib.stride_tricks.sliding_window_view, as a copy."""
    value = x.value
    for length, a in zip(window_shape, axis):
        a = a % x.ndim
        starts = np.arange(x.shape[a] - length + 1)[:, None]
        value = jnp.moveaxis(jnp.take(value, starts + np.arange(length), a), a + 1, -1)
    return JaxArray(value)


FUNCTIONS = {
    np.argsort: lambda x, axis=-1, kind=None: JaxArray(jnp.argsort(x.value, axis, stable=True)),
    np.clip: hold_within,
    np.concatenate: join,
    np.cumprod: widen_sums(jnp.cumprod),
    np.cumsum: widen_sums(jnp.cumsum),
    np.empty: new_filled(jnp.zeros),
    np.lib.stride_tricks.sliding_window_view: slide_windows,
    np.may_share_memory: lambda x, y: False,
    np.ndim: lambda x: x.ndim,
    np.round: round_places,
    np.shape: lambda x: x.shape,
    np.stack: put_side_by_side,
    np.where: choose_entries,
    np.zeros: new_filled(jnp.zeros),
}
