"""A small graph as it was before backward freed it, built again so that it can be asked."""

from typing import Any, NamedTuple

from minigrad.core import autodiff
from minigrad.core.errors import GradientError
from minigrad.core.modes import no_grad
from minigrad.dynamic.tensor import new_tensor, note_graph, numbers_of, one_for, tracked_path


class NotedValue(NamedTuple):
    """What `note_graph` keeps of a value, as a plain tuple, which takes a fifth of the time."""

    data: Any
    op: Any
    inputs: list[int]  # the orders of its operands
    params: Any
    tracked: bool
    name: str | None
    line: Any
    reference: Any  # a weak one, to the value itself

    @property
    def value(self) -> Any:
        """The value itself; None where nobody holds it any more."""
        return self.reference()


def restore_graph(y: Any) -> tuple[Any, dict[int, Any]]:
    """(y's graph as it was, with all adjoints, as values of its own; {id of a value that is still
    there: the one that stands for it}), or (y, {}) where nothing was freed, or noted."""
    noted, seed = (y.extra or {}).get("noted", (None, None))
    if noted is None or y.inputs:
        return y, {}
    made = build_values(noted)
    kept = {order: NotedValue(*each).value for order, each in noted.items()}
    stands = {id(v): made[order] for order, v in kept.items() if v is not None}
    for z, z_bar, _ in sweep_values(made[y.order], seed):
        z.grad = new_tensor(z_bar)
    return made[y.order], stands


def repeat_sweep(y: Any) -> list[tuple[Any, ...]]:
    """The steps (value, adjoint, [(operand, contribution, adjoint so far)]) of a backward pass from
    y, on values as they were then; those that are still there stand for themselves.

    Raises GradientError where y is the result of no small graph, or it was freed and not noted.
    """
    noted, seed = (y.extra or {}).get("noted", (None, None))
    if noted is None:
        y.verify()
        noted, seed = note_graph(y), None if y.grad is None else y.grad.array
    if noted is None:
        message = f"{autodiff.label(y)} has a graph that is too large to be recorded for later"
        raise GradientError(message, "call adjoint_trace(y) before backward")
    made = build_values(noted)
    there = {made[order].order: NotedValue(*each).value for order, each in noted.items()}

    def own(v):
        return there[v.order] if there[v.order] is not None else v

    return [
        (own(z), new_tensor(z_bar), [(own(x), *map(new_tensor, more)) for x, *more in passed])
        for z, z_bar, passed in sweep_values(made[y.order], seed)
    ]


def build_values(noted):
    """{order: a value of its own} for each that was noted."""
    made = {}
    for order in sorted(noted):
        v = NotedValue(*noted[order])
        inputs = tuple([made[x] for x in v.inputs])
        made[order] = value = new_tensor(v.data, v.op, inputs, v.params, v.tracked)
        value.name, value.line = v.name, v.line
    return made


def sweep_values(result, seed):
    """The steps of the reverse sweep from a value, on arrays; a seed that is None stands for 1."""
    seed = one_for(result).array if seed is None else seed
    with no_grad():
        path = tracked_path([result])
        return list(autodiff.reverse_sweep(path, {result.order: seed}, numbers_of, steps=True))
