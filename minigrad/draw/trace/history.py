"""What a loop carried into each of its iterations, and the adjoints of that, from the arrays of its
operands; in one iteration, also of all that is computed there."""

from itertools import repeat
from typing import NamedTuple

import numpy as np

from minigrad.core.errors import MinigradError
from minigrad.core.spec import as_contiguous, is_float, spec_of
from minigrad.draw.read.bodies import loop_of
from minigrad.static.control.fn import Fn, new_formal, pull_cotangents
from minigrad.static.graph import Graph, Node
from minigrad.static.program import infer_node

MOST = 1_000  # iterations; a longer loop, or one that never ends, has no history
LARGE = 10_000  # entries of an operand


class LoopHistory(NamedTuple):
    """`carries` are lists of arrays: what was carried into each iteration, and last out of the
    loop. `bars` are their adjoints, or (); `shares` {place of a constant operand: what each
    iteration adds to its adjoint}. `values` and `value_bars` are those of one iteration, by the
    identity of a node of the body; `shown` is its number."""

    carries: list
    bars: list
    shares: dict
    shown: int
    values: dict
    value_bars: dict


def loop_history(z, xs, z_bars=(), shown=2):
    """The LoopHistory of a loop, from the arrays of its operands and {place of a result: its
    adjoint}; None of no loop of the static engine, of one that is too long, and of one with loops
    in it, which may be too long themselves."""
    loop = loop_of(z)
    if not isinstance(z, Node) or loop is None or loop.kind == "choice":
        return None
    if any(map(holds_loop, loop.bodies.values())):
        return None
    if max((np.size(x) for x in xs), default=0) > LARGE:
        return None
    arrays = convert_numbers(xs, [v.dtype for v in z.inputs])
    bars = convert_numbers(dict(z_bars).values(), repeat(float))
    if arrays is None or bars is None:
        return None
    try:
        infer_node(z, [spec_of(array) for array in arrays])
        with np.errstate(all="ignore"):
            return compute_history(z, loop, arrays, dict(zip(dict(z_bars), bars)), shown)
    except MinigradError:  # these numbers do not fit together, or an op of the body refuses them
        return None


def convert_numbers(given, dtypes):
    """What was given as arrays; None where something of it is not made of numbers."""
    try:
        return [np.asarray(x, dtype=dtype) for x, dtype in zip(given, dtypes)]
    except (TypeError, ValueError, OverflowError):
        return None


def holds_loop(fn):
    """Whether a body runs others again and again, also in a choice."""
    inner = [loop for loop in map(loop_of, fn.nodes) if loop is not None]
    return any(i.kind != "choice" or any(map(holds_loop, i.bodies.values())) for i in inner)


def compute_history(z, loop, arrays, z_bars, shown):
    """The LoopHistory of a loop; None of one that is too long. May raise."""
    operands, last = run_iterations(z, loop, arrays)
    if operands is None:
        return None
    carries, shown = [one[: loop.carries] for one in operands], min(shown, len(operands))
    values = values_in_body(loop.bodies["body"], operands[shown - 1]) if operands else {}
    history = LoopHistory([*carries, last], [], {}, shown, values, {})
    return with_adjoints(history, loop, operands, last, z_bars) if z_bars else history


def run_iterations(z, loop, xs):
    """(the operands of the body in each iteration, what is carried out); (None, None) of too many.

    Iterations have the numbers in which they run.
    """
    body, condition = loop.bodies["body"], loop.bodies.get("condition")
    end = loop.carries + loop.slices
    state, sequences, constants = xs[: loop.carries], xs[loop.carries : end], xs[end:]
    slices, found = slices_of(z, sequences), []
    while len(found) <= MOST:
        goes_on = condition.run([*state, *constants])[0] if condition else len(found) < len(slices)
        if not goes_on or len(found) == z.params.get("limit"):
            return found, state
        row = [] if condition else slices[len(found)]
        found.append([*state, *row, *constants])
        state = body.run(found[-1])[: loop.carries]
    return None, None


def slices_of(z, sequences):
    """What a scan takes into each iteration, in the order in which these run."""
    length = len(sequences[0]) if sequences else z.params.get("length") or 0
    rows = [[as_contiguous(x[t]) for x in sequences] for t in range(length)]
    return rows[::-1] if z.params.get("reverse") else rows


def values_in_body(body, operands):
    """{identity of a formal or a node: its array} in one iteration."""
    nodes = [v for v in (*body.inputs, *body.nodes) if isinstance(v.dtype, np.dtype)]
    arrays = Fn(body.name, body.inputs, nodes).run(operands)
    return dict(zip(map(id, nodes), arrays))


def with_adjoints(history, loop, operands, last, z_bars):
    """The history with adjoints, from those of the results by their places."""
    body = loop.bodies["body"]
    given = [i for i in range(loop.carries) if is_float(last[i].dtype)]
    outside = range(loop.carries + loop.slices, len(body.inputs))
    wanted = [i for i in (*given, *outside) if is_float(body.inputs[i].dtype)]
    back = adjoints_in_body(body, wanted, given)
    bars = {i: np.asarray(z_bars.get(i, np.zeros_like(last[i])), last[i].dtype) for i in given}
    rows, shares, inner = [bars], {i: [] for i in wanted if i not in given}, {}
    for number in range(len(operands), 0, -1):
        found = back.run([*operands[number - 1], *bars.values()])
        if number == history.shown:
            inner = dict(zip(map(id, floating_nodes(body)), found[len(wanted) :]))
        new = dict(zip(wanted, found))
        bars = {i: new[i] for i in given}
        rows.append(bars)
        for i, parts in shares.items():
            parts.insert(0, new[i])
    return history._replace(bars=rows[::-1], shares=shares, value_bars=inner)


def floating_nodes(body):
    """The nodes of a body that have an adjoint."""
    arrays = [v for v in body.nodes if v.inputs and isinstance(v.dtype, np.dtype)]
    return [v for v in arrays if is_float(v.dtype)]


def adjoints_in_body(body, wanted, given):
    """(operands, adjoints of the results at places `given`) → adjoints of `wanted` operands, then
    of the body's nodes."""
    nodes = floating_nodes(body)
    everything = Fn(body.name, body.inputs, (*(body.outputs[i] for i in given), *nodes))
    with Graph(f"back through {body.name}") as graph:
        like = [*body.inputs, *(body.outputs[i] for i in given)]
        inputs = [new_formal(graph, spec_of(x)) for x in like]
        xs, y_bars = inputs[: len(body.inputs)], inputs[len(body.inputs) :]
        ys = everything(*xs)
        ends = [*(xs[i] for i in wanted), *ys[len(given) :]]
        outputs = pull_cotangents(ys[: len(given)], ends, y_bars)
    return Fn(graph.name, inputs, outputs)
