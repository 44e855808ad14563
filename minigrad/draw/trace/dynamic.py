"""The trace of Tensors: the values as they were computed, then adjoints back or tangents on."""

import operator
from typing import NamedTuple

from minigrad.core import autodiff
from minigrad.core.autodiff import label, list_floating, seed_values
from minigrad.core.errors import ArgumentError
from minigrad.core.modes import no_grad
from minigrad.core.ops.shape import fill_ones_like
from minigrad.core.stepwise import leaves
from minigrad.draw.read import UNKEPT, is_meta
from minigrad.draw.trace.event import TraceRecord
from minigrad.draw.trace.labels import Labels
from minigrad.draw.trace.summary import summary
from minigrad.draw.trace.telling import Teller, Telling
from minigrad.draw.trace.tokens import Token, name_token, typeset_number
from minigrad.dynamic.tensor import LEAST_FREED

numbers = operator.attrgetter("array")


def trace_tensors(results, wrt, mode, names, accumulates=False):
    """The Trace of `results`; the first of them is differentiated. It `accumulates` where the pass
    is that of backward(), which adds to each leaf's .grad."""
    record = TensorRecord(Labels(results, names))
    record.forward(mode)
    with no_grad():
        if mode == "reverse":
            record.backward(results[0], wrt)
            record.accumulate(leaves(results[0]) if accumulates else ())
        else:
            record.tangents(results[0], wrt)
    return record.trace(mode, results)


class Passing(NamedTuple):
    """Memory that was taken for a value until its last use."""

    nbytes: int


def freed_memory(graph):
    """{order: its memory} of the values that are freed after their last use; views share one.

    Of what a traced function makes, all numbers are there to be looked at: by rights they go.
    """
    kept, found, lasting = kept_orders(graph), {}, {}
    large = [v for v in graph.values if v.op and v.array.nbytes >= LEAST_FREED]
    going = {v.order for v in large if is_meta(v) or v.line and v.order not in kept}
    for v in reversed(graph.values):  # memory lasts as long as a view that stays
        if looks_into(v) and (v.order not in going or v.order in lasting):
            lasting[v.inputs[0].order] = lasting.get(v.order, v.array)
    for v in graph.values:
        if v.order in going:
            own = lasting.get(v.order, Passing(v.array.nbytes))
            found[v.order] = found.get(v.inputs[0].order, own) if looks_into(v) else own
    return found


def kept_orders(graph):
    """The orders of the results, and of all values that a rule reads."""
    kept = {graph.values[at].order for at in graph.results}
    for v in graph.values:
        read = v.op.values_read([x.tracked for x in v.inputs]) if v.op else ()
        kept |= {v.order if at == "z" else v.inputs[at].order for at in read}
    return kept


def looks_into(v):
    """Whether v shares the memory of its first input."""
    return v.op is not None and v.op.gives_view(len(v.inputs))


class TensorRecord(TraceRecord):
    """What the engine does, with the arrays that reference counting holds."""

    def __init__(self, labels):
        super().__init__(labels, [v.array for v in labels.graph.values if v.op is None])
        self.sums = {}  # order → the adjoint so far
        self.meta_orders = {v.order for v in labels.graph.values if is_meta(v)}
        self.teller = Teller(labels, self.array)

    def array(self, v):
        """The array of a Tensor; None where nobody has kept it."""
        value = self.labels.graph.values[self.labels.place(v)]
        return None if value.order in self.meta_orders else value.array

    def forward(self, mode):
        """Every value, in the order in which it was computed."""
        values, passing = self.labels.graph.values, freed_memory(self.labels.graph)
        last = {x.order: v for v in values for x in v.inputs}
        for v in values:
            if v.op is not None:
                self.memory.hold(passing.get(v.order, v.array))
                array, tracked = self.array(v), [x.tracked for x in v.inputs]
                saved = self.teller.why_saved(v, tracked) if mode == "reverse" else ""
                told = self.teller.value(v, array, saved)
                self.add("forward", v, told, value=summary(UNKEPT if array is None else array))
                ends = [x.order for x in v.inputs if last[x.order] is v and x.order in passing]
                self.memory.release(*map(passing.get, dict.fromkeys(ends)))
            elif self.labels.role(v) != "constant":
                self.add("forward", v, self.tell_leaf(v), value=summary(v.array))

    def tell_leaf(self, v):
        """A leaf."""
        if self.labels.role(v) == "variable":
            return self.teller.leaf_value(v, "{z} is a leaf. Its value is {value}.")
        return self.teller.leaf_value(v, "{z} is an input. Its value is {value}.")

    def backward(self, y, wrt):
        """Every contribution to an adjoint, as Tensor.backward computes and frees them."""
        (y,) = autodiff.list_floating(y, "y")
        xs = leaves(y) if wrt is None else autodiff.list_floating(wrt, "wrt")
        path = autodiff.differentiable_path(xs, [y])
        refuse_nothing(path, y)
        seed = autodiff.ones_for(y).array
        self.memory.hold(seed)
        self.add("backward", y, self.teller.seed(y, seed), derivative=summary(seed))
        sweep = autodiff.reverse_sweep(path, {y.order: seed}, numbers, steps=True)
        for z, z_bar, passed in sweep:
            self.pass_on(z, z_bar, passed, path)
            self.memory.release(*[z.array] * (z is not y), *[z_bar] * (z.op is not None))

    def pass_on(self, z, z_bar, passed, path):
        """The contributions of one value. All are computed before the first is added."""
        found = self.teller.contributions(z, z_bar, path, [(x, share) for x, share, _ in passed])
        shares = [share for _, share, _ in passed]
        for share in shares:
            self.memory.hold(share)
        for (x, _, total), one in zip(passed, found):
            self.memory.hold(total)
            more = {"edge": (one.user, one.operand), "contribution": one}
            self.add("backward", x, one.alone, by=z, derivative=summary(total), **more)
            self.memory.release(self.sums.pop(x.order, None))
            self.sums[x.order] = total
        self.memory.release(*shares)

    def tangents(self, y, wrt):
        """Every tangent, in the order in which the values were computed."""
        xs, seeds = tangent_seeds(y, wrt)
        path = autodiff.differentiable_path(xs, [y])
        refuse_nothing(path, y)
        seeds = {order: seed.array for order, seed in seeds.items()}
        dots = {}
        for v, v_dot, moved in tangent_steps(path, seeds, numbers):
            dots[v.order] = v_dot
            told = tell_tangent(self.teller, v, moved, dots, v_dot)
            self.memory.hold(v_dot)
            self.add("tangent", v, told, derivative=summary(v_dot))

    def accumulate(self, leaves):
        """What a backward pass adds to the .grad of leaves that have one."""
        for x in leaves:
            if x.order in self.sums and x.grad is not None:
                told = tell_grad(self.labels, x, x.grad.array, self.sums[x.order])
                self.add("backward", x, told, derivative=summary(self.sums[x.order]))


def tell_grad(labels, x, before, x_bar):
    """That an adjoint is added to what .grad was before."""
    name, id = labels.name(x), labels.id(x)
    was, now = summary(before), summary(before + x_bar)
    number = f", which was {typeset_number(was.text)} from an earlier call" if not was.shape else ""
    call = "Call zero_grad() to start from 0."
    sentence = f"backward() adds to {name}.grad{number}. {call}"
    left = Token(f"{name}.grad", "word", id, "bar")
    formula = left, Token(" += "), name_token(name, id, "adjoint")
    if was.shape:
        return Telling(sentence, formula)
    texts = [typeset_number(found.text) for found in (was, summary(x_bar), now)]
    old, added = Token(texts[0], "number"), Token(texts[1], "number", id, "bar")
    return Telling(
        sentence, formula, (old, Token(" + "), added, Token(" = "), Token(texts[2], "result"))
    )


def tangent_seeds(y, wrt):
    """(values that move, {order: tangent}): from a dict, or 1 in every place of those listed."""
    if wrt is None:
        wrt = leaves(y)
        if len(wrt) != 1:
            raise ArgumentError(
                f"{label(y)} depends on {len(wrt)} inputs, and a tangent needs one direction",
                "choose it: wrt=x, or wrt={x: 1.0, w: 0.0}",
            )
    moved = wrt if isinstance(wrt, dict) else {}
    xs = list_floating(list(moved) or wrt, "wrt")
    given = [moved.get(x) if moved else x.lift(fill_ones_like(x)) for x in xs]
    return xs, {x.order: s for x, s in zip(xs, seed_values(xs, given, "wrt", None))}


def tangent_steps(path, seeds, values=autodiff.itself):
    """(v, its tangent so far, which of its inputs move) of each tangent that is given, where the
    last is None, or comes from the inputs."""
    found = autodiff.forward_sweep(path, dict(seeds), values)
    for v in path.values():
        seed, v_dot = seeds.get(v.order), found.get(v.order)
        if seed is not None:
            yield v, seed, None
        if v_dot is not seed:
            yield v, v_dot, [x.order in found for x in v.inputs]


def tell_tangent(teller, v, moved, dots, v_dot):
    """What is told of such a step; `dots` are the tangents of the inputs, by order."""
    if moved is None:
        return teller.given_tangent(v, v_dot)
    found = [(x, moves, dots.get(x.order)) for x, moves in zip(v.inputs, moved)]
    return teller.tangent(v, found, v_dot)


def refuse_nothing(path, y):
    """Raises ArgumentError when y depends on nothing that is differentiated."""
    if not path:
        raise ArgumentError(
            f"{label(y)} has no recorded computation to differentiate",
            "create a leaf with requires_grad=True, and compute the value again",
        )
