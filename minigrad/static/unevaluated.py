"""What a Node does when it is asked for its numbers: it has none until a Session runs it."""

from collections.abc import Callable
from operator import add, floordiv, matmul, mod, mul, pow, sub, truediv
from typing import TYPE_CHECKING, Any, NoReturn

from minigrad.core.autodiff import label
from minigrad.core.errors import GraphError, UsageError
from minigrad.core.operators import Operand


def rebind(operator: Callable[[Any, Any], Any], sign: str) -> Callable[[Any, Any], Any]:
    """The method behind `x += y`, which binds the name x to a new node: x + y.

    It raises GraphError for an argument of a function that is traced, which Python would change.
    """

    def method(self: Any, x: Any) -> Any:
        if self.graph.tracer:
            self.graph.tracer.refuse_in_place(self, sign)
        return operator(self, x)

    return method


class Unevaluated(Operand):
    """An Operand without numbers: to ask for them is an error that says what to write."""

    __slots__ = ()

    graph: Any

    def _refuse_number(self, *_: Any, **__: Any) -> NoReturn:
        """Raises GraphError: inside a graph there are no Python numbers and no arrays."""
        if self.graph.tracer:
            hint = "compute with the node; read the number from the value that the function returns"
        else:
            hint = "use sess.run(node)"
        raise self._no_value(hint)

    if not TYPE_CHECKING:  # to types, to ask is an error as well
        __int__ = __float__ = __index__ = __array__ = numpy = item = _refuse_number
        __iadd__, __isub__ = rebind(add, "+"), rebind(sub, "-")
        __imul__, __itruediv__ = rebind(mul, "*"), rebind(truediv, "/")
        __ipow__, __ifloordiv__ = rebind(pow, "**"), rebind(floordiv, "//")
        __imod__, __imatmul__ = rebind(mod, "%"), rebind(matmul, "@")

    def __bool__(self) -> bool:
        hint = "choose entries with mg.where, a computation with mg.cond; repeat with mg.while_loop"
        raise self._no_value(f"{hint}; for `and`, `or`, `not` write &, |, ~ and brackets")

    def __iter__(self) -> NoReturn:
        raise self._no_value("take x[i] for i in range(len(x)), or use mg.scan")

    def __setitem__(self, index: Any, value: Any) -> None:
        hint = "choose with mg.where(condition, value, x), or join parts with mg.concatenate"
        raise UsageError(f"entries of {self.name or f'%{self.order}'} cannot be set", hint)

    def _left_over(self) -> GraphError:
        """The error for a node of a function or body whose call is over."""
        message = f"{label(self)} was made inside {self.graph.name}, and has no value outside it"
        return GraphError(message, "return it from there, and use the value that the call returns")

    def _no_value(self, hint: str) -> GraphError:
        """The error for a node that is asked for numbers."""
        tracer = self.graph.tracer
        if self.graph.closed:
            return self._left_over()
        when = f"while {tracer.name} is traced" if tracer else "until a Session runs it"
        return GraphError(f"{label(self)} has no value {when}", hint)
