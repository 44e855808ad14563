"""What is noted of a small graph before backward gives it back, so that it can still be drawn."""

import functools
import weakref

from minigrad import autodiff
from minigrad.modes import mode, no_grad
from minigrad.tensor import Tensor, new_tensor, numbers_of, one_for, tracked_path

VALUES, ENTRIES = 60, 4  # a graph of more values, or of one with more entries, is not noted
give_back = Tensor.backward


@functools.wraps(give_back)
def give_back_noted(self, gradient=None, retain_graph=False, create_graph=False):
    now = mode()
    if now.plain or now.tracing or retain_graph or create_graph:
        return give_back(self, gradient, retain_graph, create_graph)
    noted = note_graph(self)
    give_back(self, gradient)
    if noted:
        seed = None
        if gradient is not None:
            seed = autodiff.fit_seed(self, gradient, "gradient").data
        self.extra = {**(self.extra or {}), "noted": (noted, seed)}
    return None


Tensor.backward = give_back_noted  # type: ignore[method-assign]


def note_graph(y):
    """All that y was computed from, y included: {order: (its numbers, how they were computed, from
    the values of these orders, …)}; None where that is not small. In few steps: who trains on
    single numbers waits for it."""
    found, waiting = {}, [y]
    while waiting:
        v = waiting.pop()
        if v.order in found:
            continue
        data, extra, inputs = v.data, v.extra, [x.order for x in v.inputs]
        if data.size > ENTRIES or len(found) == VALUES or type(v) is not Tensor:
            return None
        own = (extra.get("name"), extra.get("line")) if extra else (None, None)
        found[v.order] = data, v.op, inputs, v.params, v.tracked, *own, weakref.ref(v)
        waiting += v.inputs
    return found


def restore_graph(y):
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


Tensor.restore_graph = restore_graph  # type: ignore[attr-defined]  # drawings ask a value for it
