"""A small graph as it was before backward freed it, built again so that it can be drawn."""

from typing import Any

from minigrad.core import autodiff
from minigrad.core.modes import no_grad
from minigrad.dynamic.tensor import new_tensor, numbers_of, one_for, tracked_path


def restore_graph(y: Any) -> tuple[Any, dict[int, Any]]:
    """(y's graph as it was, with all adjoints, as values of its own; {id of a value that is still
    there: the one that stands for it}), or (y, {}) where nothing was given back, or noted."""
    noted, seed = (y.extra or {}).get("noted", (None, None))
    if noted is None or y.inputs:
        return y, {}
    made, stands = {}, {}
    for order in sorted(noted):
        data, op, inputs, params, tracked, name, line, origin = noted[order]
        inputs = tuple([made[x] for x in inputs])
        made[order] = value = new_tensor(data, op, inputs, params, tracked)
        value.name, value.line = name, line
        if origin() is not None:
            stands[id(origin())] = value
    result = made[y.order]
    seed = one_for(result).data if seed is None else seed
    with no_grad():
        sweep = autodiff.reverse_sweep(tracked_path([result]), {result.order: seed}, numbers_of)
        for z, z_bar, _ in sweep:
            z.grad = new_tensor(z_bar)
    return result, stands
