"""The operators and methods that Tensors and Nodes share: each is one op applied."""

import numpy as np

from minigrad import ops
from minigrad.errors import ArgumentError
from minigrad.op import Value, bind
from minigrad.ops.elementwise import Add, Detach, Div, Mul, Sub


class Operand(Value):
    """A Value in formulas: x + y, 2 * x, x @ y, x[1:], x.sum()."""

    __slots__ = ()

    def __add__(self, other):
        return ops.add(self, other)

    def __radd__(self, other):
        return bind(Add, other, self)

    def __sub__(self, other):
        return ops.sub(self, other)

    def __rsub__(self, other):
        return bind(Sub, other, self)

    def __mul__(self, other):
        return ops.mul(self, other)

    def __rmul__(self, other):
        return bind(Mul, other, self)

    def __truediv__(self, other):
        return ops.div(self, other)

    def __rtruediv__(self, other):
        return bind(Div, other, self)

    def __neg__(self):
        return ops.negate(self)

    def __pos__(self):
        return self

    def __abs__(self):
        return ops.abs(self)

    def __pow__(self, exponent):
        return ops.power(self, exponent)

    def __rpow__(self, base):
        return ops.power(base, self)

    def __matmul__(self, other):
        return ops.matmul(self, other)

    def __rmatmul__(self, other):
        return ops.matmul(other, self)

    def __eq__(self, other):
        return ops.equal(self, other)

    def __ne__(self, other):
        return ops.not_equal(self, other)

    def __lt__(self, other):
        return ops.less(self, other)

    def __le__(self, other):
        return ops.less_equal(self, other)

    def __gt__(self, other):
        return ops.greater(self, other)

    def __ge__(self, other):
        return ops.greater_equal(self, other)

    __hash__ = object.__hash__  # by identity: == is an op

    def __getitem__(self, index):
        return ops.getitem(self, index)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        """Lets `array * tensor` and `np.exp(tensor)` be the op of the same name."""
        op = UFUNCS.get(ufunc)
        if op is None or method != "__call__" or options:
            raise ArgumentError(f"np.{ufunc.__name__} knows nothing of derivatives",
                                "use minigrad's op of that name, or pass x.numpy()")
        return op(*inputs)

    @property
    def T(self):
        """The value with its axes reversed."""
        return ops.transpose(self)

    @property
    def ndim(self):
        """The number of dimensions."""
        return len(self.shape)

    def __len__(self):
        if not self.shape:
            raise ArgumentError("a single number has no length", "use x.shape")
        return self.shape[0]

    def sum(self, axis=None, keepdims=False):
        """Σ over `axis`."""
        return ops.sum(self, axis, keepdims)

    def mean(self, axis=None, keepdims=False):
        """The mean over `axis`."""
        return ops.mean(self, axis, keepdims)

    def max(self, axis=None, keepdims=False):
        """The largest entry over `axis`."""
        return ops.max(self, axis, keepdims)

    def min(self, axis=None, keepdims=False):
        """The smallest entry over `axis`."""
        return ops.min(self, axis, keepdims)

    def reshape(self, *shape):
        """The entries in another shape: x.reshape(2, 3) or x.reshape((2, 3))."""
        return ops.reshape(self, shape[0] if len(shape) == 1 else shape)

    def transpose(self, *axes):
        """The axes permuted, reversed by default: x.transpose(1, 0) or x.transpose((1, 0))."""
        return ops.transpose(self, (axes[0] if len(axes) == 1 else axes) or None)

    def astype(self, dtype):
        """The value in another dtype."""
        return ops.cast(self, dtype)

    def detach(self):
        """The same numbers, cut off from differentiation."""
        return bind(Detach, self)


UFUNCS = {
    np.add: ops.add, np.subtract: ops.sub, np.multiply: ops.mul, np.divide: ops.div,
    np.power: ops.power, np.negative: ops.negate, np.absolute: ops.abs, np.exp: ops.exp,
    np.log: ops.log, np.sqrt: ops.sqrt, np.sin: ops.sin, np.cos: ops.cos, np.tanh: ops.tanh,
    np.maximum: ops.maximum, np.minimum: ops.minimum, np.matmul: ops.matmul, np.sign: ops.sign,
    np.floor: ops.floor,
    np.equal: ops.equal, np.not_equal: ops.not_equal, np.less: ops.less,
    np.less_equal: ops.less_equal, np.greater: ops.greater, np.greater_equal: ops.greater_equal,
}
