"""What changes a Tensor, or its gradient, from outside: x[0] = 1, x += 1, hooks."""

from operator import add, mul, sub, truediv

import numpy as np

from minigrad import autodiff
from minigrad.errors import DtypeError, GradientError, ShapeError, user_line
from minigrad.modes import mode
from minigrad.spec import NUMBERS, copy_in_rows
from minigrad.tensor import Tensor, changes, new_constant, new_tensor, tick

# numbers -----------------------------------------------------------------------------------------


def change(t, data, value):
    """Gives t new numbers, where no derivative can get lost by it.

    Other values that share t's old array keep it: the new numbers lie in an array of their own.
    """
    if mode().recording and (t.tracked or getattr(value, "requires_grad", False)):
        raise GradientError(
            f"{autodiff.label(t)} takes part in derivatives; a change in place "
            "would not be remembered",
            f"make a new value: {t.name or 'x'} = …, or change it inside no_grad()",
        )
    fits = data.dtype is t.dtype or np.can_cast(data.dtype, t.dtype, "same_kind")
    if data.shape != t.shape or not fits:
        fact = f"{data.dtype}{list(data.shape)} does not fit into {t.dtype}{list(t.shape)}"
        raise ShapeError(fact, "make a new value instead")
    data = data.astype(t.dtype, copy=False)
    t.data = data if data.shape else data[()]
    changes.latest = tick()
    t.changed = changes.latest, user_line()
    return t


def numbers_for(t, value):
    """The array of a value about to be written into t."""
    if type(value) is np.ndarray and value.dtype.kind in NUMBERS:
        return copy_in_rows(value)
    return value.data if isinstance(value, Tensor) else new_constant(value, (t,)).data


def set_entries(t, index, value):
    """t[index] = value."""
    data, numbers = np.array(t.data), numbers_for(t, value)
    if not np.can_cast(numbers.dtype, data.dtype, "same_kind"):
        fact = f"{numbers.dtype} numbers do not fit into {data.dtype}"
        raise DtypeError(fact, "write x = x.astype(float) first")
    try:
        data[index] = numbers
    except (IndexError, ValueError) as error:
        cure = "count from 0, and give one value or one for each place"
        raise ShapeError(f"{error}", cure) from None
    change(t, data, value)


def in_place(operator):
    """The function t, x → t with operator(t, x) in its place."""
    return lambda t, x: change(t, operator(t.data, numbers_for(t, x)), x)


# gradients ---------------------------------------------------------------------------------------


class HookHandle:
    """Takes a hook away again."""

    def __init__(self, hooks):
        self.hooks = hooks

    def remove(self):
        """The hook is not called any more."""
        self.hooks.pop(self, None)


def register_hook(t, function):
    """Calls `function(grad)` when this value's gradient is complete; a result replaces it.

    Returns a handle whose remove() takes the hook away.
    """
    check_gradient_comes(t)
    t.hooks = t.hooks or {}
    handle = HookHandle(t.hooks)
    t.hooks[handle] = function
    return handle


def run_hooks(t, x_bar):
    """A cotangent after this value's hooks have seen it."""
    for function in list(t.hooks.values()):
        seen = x_bar if isinstance(x_bar, Tensor) else new_tensor(x_bar)
        replaced = function(seen)
        if replaced is not None:
            (new,) = autodiff.seed_values([t], [replaced], "what the hook returned", None)
            x_bar = new if isinstance(x_bar, Tensor) else new.data
    return x_bar


def retain_grad(t):
    """Makes backward keep this value's gradient in `grad`, as it does for leaves."""
    check_gradient_comes(t)
    t.keeps_grad = True


def check_gradient_comes(t):
    """Raises GradientError for a value that no gradient reaches."""
    if not t.tracked:
        fact = f"{autodiff.label(t)} does not require grad: no gradient comes"
        raise GradientError(fact, "create its leaves with requires_grad=True")


def recompute(t, path, checkpoints):
    """Raises GradientError: what was computed at once is held by the graph of Tensors."""
    fact = "checkpoints save nothing here: Tensors hold their numbers already"
    raise GradientError(fact, "build the net in a Graph, and differentiate its nodes")


for function in (register_hook, run_hooks, retain_grad, recompute):
    setattr(Tensor, function.__name__, function)
for name, operator in (("add", add), ("sub", sub), ("mul", mul), ("truediv", truediv)):
    setattr(Tensor, f"__i{name}__", in_place(operator))
Tensor.__setitem__ = set_entries
