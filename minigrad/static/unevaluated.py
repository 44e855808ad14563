"""What a Node answers to whom asks for its numbers: it has none until a Session runs it."""

from typing import TYPE_CHECKING, Any, NoReturn

from minigrad.core.autodiff import label
from minigrad.core.errors import GraphError, UsageError
from minigrad.core.operators import Operand


class Unevaluated(Operand):
    """An Operand without numbers: to ask for them is an error that says what to write."""

    __slots__ = ()

    graph: Any

    def _refuse_number(self, *_: Any, **__: Any) -> NoReturn:
        """Raises GraphError: inside a graph there are no Python numbers and no arrays."""
        if self.graph.tracer:
            hint = "keep computing with the node; take the number from what the function returns"
        else:
            hint = "use sess.run(node)"
        raise self._no_value(hint)

    if not TYPE_CHECKING:  # to types, to ask is an error as well
        __int__ = __float__ = __index__ = __array__ = numpy = item = _refuse_number

    def __bool__(self) -> bool:
        hint = "choose entries with mg.where, a computation with mg.cond; repeat with mg.while_loop"
        raise self._no_value(f"{hint}; for `and`, `or`, `not` write &, |, ~ and brackets")

    def __iter__(self) -> NoReturn:
        raise self._no_value("take x[i] for i in range(len(x)), or use mg.scan")

    def __setitem__(self, index: Any, value: Any) -> None:
        hint = "choose with mg.where(condition, value, x), or join parts with mg.concatenate"
        raise UsageError(f"entries of {self.name or f'%{self.order}'} cannot be set", hint)

    def _no_value(self, hint: str) -> GraphError:
        """The error for a node that is asked for numbers."""
        tracer = self.graph.tracer
        when = f"while {tracer.name} is traced" if tracer else "until a Session runs it"
        return GraphError(f"{label(self)} has no value {when}", hint)
