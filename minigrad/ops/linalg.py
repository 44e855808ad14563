"""Matrix products."""

import numpy as np

from minigrad.errors import ShapeError
from minigrad.op import Op, bind
from minigrad.ops.shape import expand_dims, squeeze, swap_last
from minigrad.spec import Spec, broadcast_shapes


class Matmul(Op):
    """z[…,i,k] = Σ_j x[…,i,j] y[…,j,k].   x […,n,m], y […,m,p] → z […,n,p]."""

    def infer(x, y):
        n, m, m_y, p = *x.shape[-2:], *y.shape[-2:]
        if m != m_y and None not in (m, m_y):
            raise ShapeError("{x}'s columns must equal {y}'s rows",
                             "transpose one side, or check the layer sizes")
        batch = broadcast_shapes(x.shape[:-2], y.shape[:-2])
        return Spec((*batch, n, p), np.result_type(x.dtype, y.dtype))

    compute = np.matmul
    jvp = (lambda x, y, z, x_dot: x_dot @ y,
           lambda x, y, z, y_dot: x @ y_dot)
    vjp = (lambda x, y, z, z_bar: z_bar @ swap_last(y),
           lambda x, y, z, z_bar: swap_last(x) @ z_bar)


def matmul(x, y):
    """z = x @ y: matrices, stacks of matrices, and vectors (a row on the left, a column right)."""
    row, column = np.ndim(x) == 1, np.ndim(y) == 1
    if not np.ndim(x) or not np.ndim(y):
        raise ShapeError("matmul needs vectors or matrices, not single numbers", "write x * y")
    z = bind(Matmul, expand_dims(x, 0) if row else x, expand_dims(y, 1) if column else y)
    dropped = (-2,) * row + (-1,) * column
    return squeeze(z, dropped) if dropped else z
