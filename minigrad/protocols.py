"""What Python and NumPy ask of a Tensor: its text, float(t), if t, np.asarray(t), a copy."""

import numpy as np

from minigrad.errors import DtypeError, GradientError, ShapeError
from minigrad.spec import spec_of
from minigrad.tensor import Shadow, Tensor, read_numbers, tensor


def tensor_text(t):
    """A Tensor as one writes it, with what differs from a plain array of floats."""
    if type(t) is Shadow:
        return f"<{t.op.verb} of {spec_of(t)}, its numbers are not kept>"
    numbers = np.array2string(np.asarray(t.data), separator=", ", prefix="tensor(")
    notes = [f"name={t.name!r}"] if t.name else []
    notes += [f"grad_fn={t.grad_fn}"] if t.grad_fn else []
    notes += ["requires_grad=True"] if t.differentiable_leaf else []
    notes += [f"dtype={t.dtype}"] if t.dtype not in (np.float64, np.int64, bool) else []
    return f"tensor({', '.join([numbers, *notes])})"


def numbers_alone(t, dtype=None, copy=None):
    """np.asarray(t). Raises GradientError for a value whose derivative NumPy would lose."""
    if t.tracked:
        fact = "NumPy would lose this tensor's derivative"
        raise GradientError(fact, "pass x.numpy() or x.detach() when that is what you want")
    return np.array(read_numbers(t), dtype)


def as_float(t):
    """float(t), of a Tensor with one entry."""
    return float(t.item())


def as_int(t):
    """int(t), of a Tensor with one entry."""
    return int(t.item())


def as_truth(t):
    """bool(t), of a Tensor with one entry. Raises ShapeError for more."""
    if t.size != 1:
        cure = "ask (x > 0).any() or .all(), choose with mg.where, join with & | ~"
        raise ShapeError(f"{t.size} entries are neither true nor false together", cure)
    return bool(t.item())


def as_index(t):
    """The place or count that t is. Raises DtypeError unless it is a whole number."""
    if t.dtype.kind not in "iu":
        fact = f"a {t.dtype} number is no place and no count"
        raise DtypeError(fact, "write int(x) when that is what you want")
    return t.item()


def iterate_rows(t):
    """The rows of t, one after another."""
    return (t[i] for i in range(len(t)))


def reduce_tensor(t):
    """What a copy, or a pickle, is made of: it is a leaf of its own, with numbers of its own."""
    return restore_leaf, (np.array(read_numbers(t)), t.requires_grad, t.name, t.grad)


def restore_leaf(data, requires_grad, name, grad):
    """A leaf as it was copied or pickled."""
    t = tensor(data, requires_grad, name=name)
    t.grad = grad
    return t


def as_dlpack(t, **options):
    """A copy of the numbers for another array library, by the protocol that all know."""
    return np.asarray(t).__dlpack__(**options)


def device_of(t):
    """Where the numbers lie: on the processor."""
    return np.empty(0).__dlpack_device__()


for name, function in {
    "repr": tensor_text,
    "array": numbers_alone,
    "float": as_float,
    "int": as_int,
    "bool": as_truth,
    "index": as_index,
    "iter": iterate_rows,
    "reduce": reduce_tensor,
    "dlpack": as_dlpack,
    "dlpack_device": device_of,
}.items():
    setattr(Tensor, f"__{name}__", function)
