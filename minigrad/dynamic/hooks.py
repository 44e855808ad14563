"""Hooks: functions that see a Tensor's gradient when it is complete, and may replace it."""

from collections.abc import Callable
from typing import Any

from minigrad.core import autodiff
from minigrad.core.errors import GradientError
from minigrad.core.op import Value
from minigrad.core.operators import Operand


class HookHandle:
    """Takes a hook away again."""

    def __init__(self, hooks: dict) -> None:
        self.hooks = hooks

    def remove(self) -> None:
        """The hook is not called any more."""
        self.hooks.pop(self, None)


class Hooks(Operand):
    """An Operand whose gradient can be kept, looked at and replaced."""

    __slots__ = ()

    def register_hook(self, function: Callable) -> HookHandle:
        """Calls `function(grad)` when this value's gradient is complete; a result replaces it.

        Returns a handle whose remove() takes the hook away.
        """
        check_gradient_comes(self)
        self.hooks = self.hooks or {}
        handle = HookHandle(self.hooks)
        self.hooks[handle] = function
        return handle

    def run_hooks(self, x_bar: Any) -> Any:
        """A cotangent after this value's hooks have seen it."""
        for function in list(self.hooks.values()):
            replaced = function(x_bar if isinstance(x_bar, Value) else self.lift(x_bar))
            if replaced is not None:
                (new,) = autodiff.seed_values([self], [replaced], "what the hook returned", None)
                x_bar = new if isinstance(x_bar, Value) else new.array
        return x_bar

    def retain_grad(self) -> None:
        """Makes backward keep this value's gradient in `grad`, as it does for leaves."""
        check_gradient_comes(self)
        self.keeps_grad = True


def check_gradient_comes(t: Any) -> None:
    """Raises GradientError for a value that no gradient reaches."""
    if not t.tracked:
        message = f"{autodiff.label(t)} does not require grad, so it receives no gradient"
        raise GradientError(message, "create its leaves with requires_grad=True")
