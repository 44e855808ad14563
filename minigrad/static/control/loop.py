"""Loops as ops: While and Scan, and the derivatives that they share.

A loop takes (carries, arrays to be sliced, fixed values) and gives a bundle: (last carries,
stacked ys) and, with `record`, the stacks of the carries that came into each iteration. Its
pullback is a Scan in the other direction over these stacks, which computes each iteration again;
its pushforward is the same loop with doubled carries. Both are loops, so derivatives of any
order exist.
"""

import itertools
from typing import NamedTuple

import numpy as np

from minigrad.core.errors import ShapeError
from minigrad.core.op import Op, bind
from minigrad.core.spec import Spec, copy_in_rows, is_float, spec_of
from minigrad.static.control.bundle import (
    Parts,
    bundle,
    copy_results,
    floating_places,
    items,
    zero_derivative,
)
from minigrad.static.control.fn import pull_cotangents, push_tangents
from minigrad.static.control.nest import keep_steady
from minigrad.static.program import find_needed


def split_operands(values, carries, slices=0, **_):
    """The operands of a loop in three groups: carries, what is sliced, fixed values."""
    end = carries + slices
    return values[:carries], values[carries:end], values[end:]


class Loop(Op):
    """The derivatives of a loop. Its params: `body`, `carries` (how many), `record`, and others."""

    @classmethod
    def pushforward(op, xs, z, x_dots, params):
        body, groups = params["body"], split_operands(range(len(xs)), **params)
        moved = {i for i in groups[0] if is_float(xs[i].dtype)}
        moved |= {i for i, x_dot in enumerate(x_dots) if x_dot is not None}
        layout = double_layout(groups, moved)
        values = [
            xs[i] if not dot else zero_derivative(xs[i]) if x_dots[i] is None else x_dots[i]
            for i, dot in layout
        ]
        last = params["carries"]
        results = double_layout(
            (range(last), range(last, len(body.outputs)), range(len(body.outputs), len(z.dtype))),
            floating_places(z.dtype),
        )
        doubles = {
            "body": double_body(body, layout, last),
            "carries": last + sum(i < last for i in moved),
        }
        if "slices" in params:
            doubles["slices"] = sum(i in groups[1] for i, _ in layout)
        if "condition" in params:
            doubles["condition"] = double_condition(params["condition"], layout)
        z_dots = items(bind(op, *values, **{**params, **doubles}))
        return Parts(z.dtype, {i: z_dots[place] for place, (i, dot) in enumerate(results) if dot})

    @classmethod
    def pullback(op, xs, z, z_bar, wanted, params):
        body, last = params["body"], params["carries"]
        back = StepBack.of_loop(xs, z_bar, wanted, params)
        step, known = back_from_results(body, back)
        recorded = z if params["record"] else bind(op, *xs, **{**params, "record": True})
        results = items(recorded)
        history = results[len(body.outputs) :]
        seeds = [
            z_bar[i] if i < last and i in z_bar else zero_derivative(xs[i]) for i in back.adding
        ]
        slices = [*history, *(xs[i] for i in back.sliced), *(z_bar[i] for i in back.given)]
        slices += [results[i] for i in known]
        options = {
            "body": step,
            "carries": len(back.adding),
            "slices": len(slices),
            "reverse": not params.get("reverse", False),
        }
        fixed = [xs[i] for i in back.fixed]
        found = bind(Scan, *seeds, *slices, *fixed, **options, length=None, record=False)
        x_bars = dict(zip((*back.adding, *back.slicing), items(found)))
        return [x_bars.get(i) for i in range(len(xs))]


class StepBack(NamedTuple):
    """What one iteration of a pullback takes and gives, by places among operands and results.

    `carried`, `sliced` and `fixed` are the loop's operands. Cotangents are added up for those in
    `adding`, and found anew in each iteration for those in `slicing`; `given` are the results of
    each iteration, and the recorded carries, whose cotangents come in.
    """

    carried: tuple
    sliced: tuple
    fixed: tuple
    adding: tuple
    slicing: tuple
    given: tuple

    @classmethod
    def of_loop(cls, xs, z_bar, wanted, params):
        """Of a loop on operands xs, whose results have the cotangents z_bar."""
        carried, sliced, fixed = map(tuple, split_operands(range(len(xs)), **params))
        moving = [i for i in carried if is_float(xs[i].dtype)]
        adding = (*moving, *(i for i in fixed if wanted[i]))
        slicing = tuple(i for i in sliced if wanted[i])
        given = tuple(i for i in sorted(z_bar) if i >= len(carried))
        return cls(carried, sliced, fixed, adding, slicing, given)

    def take_apart(self, values):
        """({place: cotangent so far}, the operands of the body, {place: cotangent of a result})."""
        inner = len(self.carried) + len(self.sliced)
        first, second, third = itertools.accumulate((len(self.adding), inner, len(self.given)))
        operands = [*values[first:second], *values[third:]]
        so_far = dict(zip(self.adding, values[:first]))
        return so_far, operands, dict(zip(self.given, values[second:third]))


def double_layout(groups, moved):
    """[(place, is a tangent)]: each group followed by the tangents of what moves in it."""
    return [
        (i, dot)
        for group in groups
        for dot in (False, True)
        for i in group
        if not dot or i in moved
    ]


def primal_and_tangent(layout, values):
    """Two dicts from places: the primals and the tangents among values of this layout."""
    return [
        {i: v for (i, dot), v in zip(layout, values) if dot is which} for which in (False, True)
    ]


def double_body(body, layout, last):
    """The body of the pushforward: values and tangents in, values and tangents out."""

    def f(values):
        xs, x_dots = primal_and_tangent(layout, values)
        ys, moves = body(*[xs[i] for i in sorted(xs)]), floating_places(body.specs)
        moved = [xs[i] for i in x_dots]
        y_dots = push_tangents([ys[i] for i in moves], moved, list(x_dots.values()))
        y_dots = dict(zip(moves, y_dots))
        groups = range(last), range(last, len(ys))
        return [y_dots[i] if dot else ys[i] for i, dot in double_layout(groups, moves)]

    like = [body.inputs[i] for i, _ in layout]
    names = [name_derivative(body.inputs[i], "dot" * dot) for i, dot in layout]
    return body.derive(("pushforward", tuple(layout), last), like, f, names)


def double_condition(condition, layout):
    """The same condition, for an operand list that has tangents in it."""

    def f(values):
        xs, _ = primal_and_tangent(layout, values)
        return condition(*[xs[i] for i in sorted(xs)])

    like = [condition.inputs[i] for i, _ in layout]
    names = [name_derivative(condition.inputs[i], "dot" * dot) for i, dot in layout]
    return condition.derive(("condition", tuple(layout)), like, f, names)


def name_derivative(x, ending=""):
    """What a body calls an operand, or its cotangent or tangent: "h", "h_bar"; None for no name."""
    return x.name and "_".join(filter(None, (x.name, ending)))


def back_body(body, back):
    """The body of the pullback, one iteration back.

    Takes the cotangents so far; the carries that came into the iteration and its slices; the
    cotangents of its results and of its recorded carries; the fixed values. Returns the cotangents
    for before the iteration, those of its slices, and what the iteration stacked.
    """
    last, count, targets = len(back.carried), len(body.outputs), (*back.adding, *back.slicing)

    def f(values):
        so_far, xs, y_bars = back.take_apart(values)
        outs = body(*xs)
        seeds = {i: so_far[i] for i in back.adding if i < last}
        seeds |= {i: y_bars[i] for i in back.given if i < count}
        ys, given = [outs[i] for i in seeds], list(seeds.values())
        found = dict(zip(targets, pull_cotangents(ys, [xs[i] for i in targets], given)))
        for i in back.adding:
            more = so_far[i] if i >= last else y_bars.get(count + i)
            found[i] = found[i] if more is None else found[i] + more
        return [*(found[i] for i in targets), *outs[last:]]

    so_far = [body.inputs[i] for i in back.adding]
    inner = [body.inputs[i] for i in (*back.carried, *back.sliced)]
    given = [body.outputs[i] if i < count else body.inputs[i - count] for i in back.given]
    fixed = [body.inputs[i] for i in back.fixed]
    endings = [(so_far, "bar"), (inner, ""), (given, "bar"), (fixed, "")]
    names = [name_derivative(x, ending) for some, ending in endings for x in some]
    return body.derive(("pullback", *back), [*so_far, *inner, *given, *fixed], f, names)


def back_from_results(body, back):
    """(body of the pullback, the places of the loop's results that it takes besides).

    What the loop stacked is not computed again where it is read, but sliced: h = tanh(h w + x),
    where h is also stacked, is no product on the way back. It comes before the fixed values.
    """
    step, fixed = back_body(body, back), len(back.fixed)
    count = len(back.adding) + len(back.slicing)
    stacked = {
        y.order: len(back.carried) + i for i, y in enumerate(step.outputs[count:]) if y.inputs
    }
    read = [y for y in find_needed(step.outputs[:count], stacked) if y.order in stacked]
    end = len(step.inputs) - fixed

    def f(values):
        last = len(values) - fixed
        return step(*values[:end], *values[last:], known=zip(read, values[end:last]))[:count]

    known = tuple(stacked[y.order] for y in read)
    like = [*step.inputs[:end], *read, *step.inputs[end:]]
    return body.derive(("pullback", *back, known), like, f, [x.name for x in like]), known


# the two loops -----------------------------------------------------------------------------------


class While(Loop):
    """carries ← body(carries, fixed) while condition(carries, fixed), at most `limit` times."""

    ours = True

    def infer(*xs, condition, body, carries, limit, record):
        last = keep_carries(xs, body, carries, body.infer(xs))
        condition.infer(xs)
        return bundle([*last, *([Spec((None, *s.shape), s.dtype) for s in last] if record else ())])

    def compute(*xs, condition, body, carries, limit, record):
        state, _, fixed = split_operands(xs, carries)
        state, iterations, history = copy_results(state), 0, []
        while (limit is None or iterations < limit) and condition.run([*state, *fixed])[0]:
            if record:
                history.append(state)
            state, iterations = copy_results(body.run([*state, *fixed])), iterations + 1
        if not record:
            return state
        none = [np.zeros((0, *np.shape(x)), x.dtype) for x in xs[:carries]]
        return state + tuple(map(np.stack, zip(*history)) if history else none)


class Scan(Loop):
    """(carries, y[t]) ← body(carries, fixed, x[t]) for each t, backwards if `reverse`."""

    ours = True

    def infer(*xs, body, carries, slices, reverse, length, record):
        before, sliced, fixed = split_operands(xs, carries, slices)
        iterations = common_length(sliced, length)
        one = [Spec(x.shape[1:], x.dtype) for x in sliced]
        results = body.infer([*before, *one, *fixed])
        last = keep_carries(xs, body, carries, results)
        stacked = [*results[carries:], *(last if record else ())]
        return bundle([*last, *(Spec((iterations, *s.shape), s.dtype) for s in stacked)])

    def compute(*xs, body, carries, slices, reverse, length, record):
        state, sliced, fixed = split_operands(xs, carries, slices)
        state, iterations, stacks = copy_results(state), common_length(sliced, length), None
        for t in reversed(range(iterations)) if reverse else range(iterations):
            results = body.run([*state, *[copy_in_rows(x[t]) for x in sliced], *fixed])
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
        keep_steady(formal.name or "a carry", spec_of(x), after)
        for formal, x, after in zip(body.inputs, xs[:carries], results)
    ]


def common_length(sliced, length):
    """How many slices all of these have; None when that is not known yet."""
    lengths = {x.shape[0] for x in sliced} | {length}
    known = lengths - {None}
    if len(known) > 1:
        fact = f"what is scanned has lengths {' and '.join(map(str, sorted(known)))}"
        raise ShapeError(fact, "give all the same number of slices")
    return known.pop() if known else None
