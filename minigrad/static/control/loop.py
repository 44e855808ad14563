"""Loops as ops: While and Scan, and the derivatives that they share.

An iteration computes c[t+1], y[t] = body(c[t], x[t], w). A loop gives the last carries, the ys
stacked and, with `record`, the residuals: the stacks of the carries that came into each iteration.
Its derivatives are loops again, so those of any order exist.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from minigrad.core.errors import ShapeError
from minigrad.core.op import Op, bind
from minigrad.core.spec import Spec, as_contiguous, is_float, spec_of
from minigrad.static.control.bundle import (
    Parts,
    bundle,
    copy_results,
    floating_places,
    items,
    zero_derivative,
)
from minigrad.static.control.loop_bodies import (
    BackOperands,
    LoopSignature,
    StepBack,
    TangentLayout,
    jvp_body,
    jvp_condition,
    pullback_from_saved,
)
from minigrad.static.control.pytrees import check_invariant


def split_operands(values, carries, slices=0, **_):
    """The operands of a loop in three groups: carries, sequences, constants."""
    end = carries + slices
    return values[:carries], values[carries:end], values[end:]


class Loop(Op):
    """The derivatives of a loop. Its params: `body`, `carries` (how many), `record`, and others."""

    says_back = "The iterations run backwards, and {to} receives the sum of what they give."

    @classmethod
    def pushforward(op, xs, z, x_dots, params):
        signature, places = LoopSignature.of(**params), range(len(xs))
        moved = {i for i in signature.carries(places) if is_float(xs[i].dtype)}
        moved |= {i for i in places if x_dots[i] is not None}
        moved = tuple(sorted(moved))
        layout = TangentLayout(split_operands(places, **params), moved)
        tangents = {i: fill_zero(x_dots[i], xs[i]) for i in moved}
        carries, slices, _ = layout.sizes()
        params = {**params, "body": jvp_body(params["body"], layout), "carries": carries}
        if "slices" in params:
            params["slices"] = slices
        if "condition" in params:
            params["condition"] = jvp_condition(params["condition"], layout)
        z_dots = items(bind(op, *layout.interleave(xs, tangents), **params))
        places = range(len(z.dtype))
        groups = signature.carries(places), signature.ys(places), signature.residuals(places)
        results = TangentLayout(groups, floating_places(z.dtype))
        return Parts(z.dtype, results.split(z_dots)[1])

    @classmethod
    def pullback(op, xs, z, z_bar, wanted, params):
        signature = LoopSignature.of(**params)
        z_bars = [z_bar.get(i) for i in range(len(z.dtype))]
        back = StepBack.of_loop(signature, xs, z_bars, wanted)
        body, saved = pullback_from_saved(params["body"], back)
        results = items(z if params["record"] else bind(op, *xs, **{**params, "record": True}))
        operands = BackOperands(
            carry_bars=[fill_zero(z_bars[i], xs[i]) for i in back.carries],
            constant_bars=[fill_zero(None, xs[i]) for i in back.constants],
            carries=signature.residuals(results),
            sequences=signature.sequences(xs),
            y_bars=[z_bars[i] for i in back.ys],
            residual_bars=[signature.residuals(z_bars)[i] for i in back.residuals],
            ys=[results[i] for i in saved],
            constants=signature.constants(xs),
        )
        way = {"reverse": not params.get("reverse", False), "length": None, "record": False}
        x_bars = items(bind(Scan, *operands.flatten(), body=body, **operands.counts(), **way))
        x_bars = dict(zip(back.targets(), x_bars))
        return [x_bars.get(i) for i in range(len(xs))]


def fill_zero(derivative, x):
    """The derivative of x, zero for None."""
    return zero_derivative(x) if derivative is None else derivative


# the two loops -----------------------------------------------------------------------------------


class While(Loop):
    """carries ← body(carries, constants) while condition of the same, at most `limit` times."""

    builtin = True
    says = "{z} is what the loop carries after {iterations}."

    def infer(*xs, condition, body, carries, limit, record):
        last = keep_carries(xs, body, carries, body.infer(xs))
        condition.infer(xs)
        return bundle([*last, *([Spec((None, *s.shape), s.dtype) for s in last] if record else ())])

    def compute(*xs, condition, body, carries, limit, record):
        state, _, constants = split_operands(xs, carries)
        state, iterations, residuals = copy_results(state), 0, []
        while (limit is None or iterations < limit) and condition.run([*state, *constants])[0]:
            if record:
                residuals.append(state)
            state, iterations = copy_results(body.run([*state, *constants])), iterations + 1
        if not record:
            return state
        none = [np.zeros((0, *np.shape(x)), x.dtype) for x in xs[:carries]]
        return state + tuple(map(np.stack, zip(*residuals)) if residuals else none)


class Scan(Loop):
    """(carries, y[t]) ← body(carries, x[t], constants) for each t, backwards if `reverse`."""

    builtin = True
    says = "{z} is what the scan carries and stacks in {iterations}."

    def infer(*xs, body, carries, slices, reverse, length, record):
        before, sequences, constants = split_operands(xs, carries, slices)
        iterations = common_length(sequences, length)
        one = [Spec(x.shape[1:], x.dtype) for x in sequences]
        results = body.infer([*before, *one, *constants])
        last = keep_carries(xs, body, carries, results)
        stacked = [*results[carries:], *(last if record else ())]
        return bundle([*last, *(Spec((iterations, *s.shape), s.dtype) for s in stacked)])

    def compute(*xs, body, carries, slices, reverse, length, record):
        state, sequences, constants = split_operands(xs, carries, slices)
        state, iterations, stacks = copy_results(state), common_length(sequences, length), None
        for t in reversed(range(iterations)) if reverse else range(iterations):
            results = body.run([*state, *[as_contiguous(x[t]) for x in sequences], *constants])
            row = [*results[carries:], *(state if record else ())]
            if stacks is None:
                stacks = [np.empty((iterations, *np.shape(y)), y.dtype) for y in row]
            for stack, y in zip(stacks, row):
                stack[t] = y
            state = copy_results(results[:carries])
        if stacks is None:
            params = {"slices": slices, "reverse": reverse, "length": length, "record": record}
            none = Scan.infer(*map(spec_of, xs), body=body, carries=carries, **params)
            stacks = [np.zeros(s.shape, s.dtype) for s in none.dtype[carries:]]
        return state + tuple(stacks)


def keep_carries(xs, body, carries, results):
    """The Specs of the carries, which no iteration changes."""
    return [
        check_invariant(formal.name or "a carry", spec_of(x), after)
        for formal, x, after in zip(body.inputs, xs[:carries], results)
    ]


def common_length(sequences: Iterable[Any], length: int | None) -> Any:
    """How many slices all of these have; None when that is not known yet."""
    lengths = {x.shape[0] for x in sequences} | {length}
    known = lengths - {None}
    if len(known) > 1:
        message = f"what is scanned has lengths {' and '.join(map(str, sorted(known)))}"
        raise ShapeError(message, "give all the same number of slices")
    return known.pop() if known else None
