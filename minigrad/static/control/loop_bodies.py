"""The bodies of a loop's derivatives, and the order of what they take and give."""

import itertools
from types import MappingProxyType
from typing import NamedTuple

from minigrad.core.spec import is_float
from minigrad.static.control.bundle import floating_places
from minigrad.static.control.fn import pull_cotangents, push_tangents
from minigrad.static.graph import default_graph
from minigrad.static.program import find_needed

# The operands and the results of a loop, group by group; those of its body stand in the same
# order, with one slice of each sequence, one row of each stack, and no residuals.
#
#   operands:    carries          sequences                         constants
#   loop         c …            │ x …                             │ w …
#   pushforward  c …  ċ …       │ x …  ẋ …                        │ w …  ẇ …
#   pullback     c̄ …  w̄ …       │ r …  x …  ȳ …  r̄ …  y …         │ w …
#
#   results:     last carries     stacks                            residuals, with `record`
#   loop         c …            │ y …                             │ r …
#   pushforward  c …  ċ …       │ y …  ẏ …                        │ r …  ṙ …
#   pullback     c̄ …  w̄ …       │ x̄ …                             │
#
# The pushforward is the same loop, with the tangents of what moves after each group. The pullback
# is a Scan in the other direction. Back from iteration t it computes the body again at r[t] = c[t]:
#
#   c̄[t], x̄[t], w̄' = the body's pullback at (c[t], x[t], w), of (c̄[t+1], ȳ[t])
#   c̄[t] ← c̄[t] + r̄[t],  w̄ ← w̄' + w̄
#
# The ys among its operands are those that the body's pullback reads: they are not computed again.


class LoopSignature(NamedTuple):
    """How many carries, sequences and ys a loop has; its methods pick a group from a list."""

    carry_count: int
    sequence_count: int
    y_count: int

    @classmethod
    def of(cls, body, carries, slices=0, **_):
        """That of a loop with these params."""
        return cls(carries, slices, len(body.outputs) - carries)

    def carries(self, values):
        """The carries among operands, or the last carries among results."""
        return values[: self.carry_count]

    def sequences(self, operands):
        """The arrays that are sliced, or the slices among the operands of the body."""
        return operands[self.carry_count :][: self.sequence_count]

    def constants(self, operands):
        """The values that are the same in every iteration."""
        return operands[self.carry_count + self.sequence_count :]

    def ys(self, results):
        """What is stacked, or a row of it among the results of the body."""
        return results[self.carry_count :][: self.y_count]

    def residuals(self, results):
        """The stacks of the carries that came into each iteration."""
        return results[self.carry_count + self.y_count :]


# forwards ----------------------------------------------------------------------------------------


class TangentLayout(NamedTuple):
    """Groups of values, and after each group the tangents of what moves in it.

    `groups` are ranges of places, `tangent_places` some of these places.
    """

    groups: tuple
    tangent_places: tuple

    def entries(self):
        """(place, whether it is the tangent's) of each entry, in order."""
        for group in self.groups:
            yield from ((i, False) for i in group)
            yield from ((i, True) for i in group if i in self.tangent_places)

    def interleave(self, primals, tangents):
        """One list of values and tangents, each given by place."""
        return [tangents[i] if is_tangent else primals[i] for i, is_tangent in self.entries()]

    def split(self, values):
        """(the primals, {place: its tangent}) of one list."""
        pairs = list(zip(self.entries(), values))
        primals = [value for (_, is_tangent), value in pairs if not is_tangent]
        return primals, {i: value for (i, is_tangent), value in pairs if is_tangent}

    def sizes(self):
        """How many entries each group has with its tangents."""
        return [len(group) + sum(i in self.tangent_places for i in group) for group in self.groups]

    def derive(self, name, fn, f):
        """The Fn of f, which takes operands like those of `fn` in this layout."""
        endings = [dict.fromkeys(range(len(fn.inputs)), end) for end in ("", "dot")]
        like = self.interleave(fn.inputs, fn.inputs)
        names = map(name_derivative, like, self.interleave(*endings))
        return fn.derive((name, self), like, f, names)


def jvp_body(body, layout):
    """The body of the pushforward: values and tangents in, values and tangents out."""
    floating, carries = floating_places(body.specs), len(layout.groups[0])
    results = TangentLayout((range(carries), range(carries, len(body.outputs))), floating)

    def f(values):
        xs, x_dots = layout.split(values)
        ys = body(*xs)
        moved = [xs[i] for i in x_dots]
        y_dots = push_tangents([ys[i] for i in floating], moved, list(x_dots.values()))
        y_dots = dict(zip(floating, y_dots))
        note_derivatives("tangent", {body.inputs[i]: x_dots[i] for i in x_dots}, y_dots)
        return results.interleave(ys, y_dots)

    return layout.derive("pushforward", body, f)


def jvp_condition(condition, layout):
    """The same condition, for an operand list that has tangents in it."""
    return layout.derive("condition", condition, lambda values: condition(*layout.split(values)[0]))


def name_derivative(x, ending=""):
    """What a body calls an operand, or its cotangent or tangent: "h", "h_bar"; None for no name."""
    return x.name and "_".join(filter(None, (x.name, ending)))


def note_derivatives(kind, operands, results=MappingProxyType({})):
    """Writes down what the derivatives in an open body are of: {operand: derivative} of the body
    that is differentiated, {place of its result: derivative}."""
    ledger = default_graph().ledger
    for of, derivative in (*operands.items(), *results.items()):
        ledger.note(kind, derivative, of)


# backwards ---------------------------------------------------------------------------------------


class BackOperands(NamedTuple):
    """What a pullback takes, as lists in this order; its body takes one entry of each sequence."""

    carry_bars: list  # its carries
    constant_bars: list
    carries: list  # its sequences
    sequences: list
    y_bars: list
    residual_bars: list
    ys: list
    constants: list

    def flatten(self):
        """All in one list."""
        return list(itertools.chain(*self))

    def unpack(self, values):
        """The values of one list, in groups as large as these."""
        values = iter(values)
        return BackOperands(*(list(itertools.islice(values, len(group))) for group in self))

    def counts(self):
        """The parameters of a Scan that say where its carries and its sequences end."""
        carries, (*sequences, _) = self[:2], self[2:]
        return {"carries": sum(map(len, carries)), "slices": sum(map(len, sequences))}

    def names(self):
        """What the body of the pullback calls them, when they are formals of the loop's own."""
        endings = BackOperands("bar", "bar", "", "", "bar", "bar", "", "")
        return [name_derivative(x, end) for xs, end in zip(self, endings) for x in xs]


class StepBack(NamedTuple):
    """Which cotangents take part in an iteration back.

    The cotangents of `carries` and `constants` are carried, and those of `sequences` are stacked,
    all by their place among the operands. The cotangents of `ys`, by place among the results, and
    of the `residuals` of some carries come in.
    """

    signature: LoopSignature
    carries: tuple
    constants: tuple
    sequences: tuple
    ys: tuple
    residuals: tuple

    @classmethod
    def of_loop(cls, signature, xs, z_bars, wanted):
        """Of a loop on operands xs, whose results have cotangents z_bars, or None."""
        operands, results = range(len(xs)), range(len(z_bars))
        r_bars = signature.residuals(z_bars)
        return cls(
            signature,
            carries=tuple(i for i in signature.carries(operands) if is_float(xs[i].dtype)),
            constants=tuple(i for i in signature.constants(operands) if wanted[i]),
            sequences=tuple(i for i in signature.sequences(operands) if wanted[i]),
            ys=find_given(signature.ys(results), z_bars),
            residuals=find_given(range(len(r_bars)), r_bars),
        )

    def targets(self):
        """The operands whose cotangents are computed, in the order of the pullback's results."""
        return *self.carries, *self.constants, *self.sequences

    def operands_like(self, body):
        """For each operand of the pullback's body, the input or output of the body it is like."""
        return BackOperands(
            carry_bars=[body.inputs[i] for i in self.carries],
            constant_bars=[body.inputs[i] for i in self.constants],
            carries=self.signature.carries(body.inputs),
            sequences=self.signature.sequences(body.inputs),
            y_bars=[body.outputs[i] for i in self.ys],
            residual_bars=[body.inputs[i] for i in self.residuals],
            ys=[],
            constants=self.signature.constants(body.inputs),
        )


def find_given(places, values):
    """The places at which a value is not None."""
    return tuple(i for i in places if values[i] is not None)


def pullback_body(body, back):
    """The body of the pullback, which returns the cotangents of its targets, and the ys besides."""
    like = back.operands_like(body)

    def f(values):
        operands = like.unpack(values)
        xs = [*operands.carries, *operands.sequences, *operands.constants]
        results = body(*xs)
        seeds = dict(zip((*back.carries, *back.ys), (*operands.carry_bars, *operands.y_bars)))
        seeded, targets = [results[i] for i in seeds], [xs[i] for i in back.targets()]
        found = pull_cotangents(seeded, targets, list(seeds.values()))
        found = dict(zip(back.targets(), found))
        for i, r_bar in zip(back.residuals, operands.residual_bars):
            found[i] = found[i] + r_bar
        for i, w_bar in zip(back.constants, operands.constant_bars):
            found[i] = found[i] + w_bar
        note_derivatives("adjoint", {body.inputs[i]: found[i] for i in found}, seeds)
        sums = zip(back.constants, operands.constant_bars)
        note_derivatives("adjoint", {body.inputs[i]: w_bar for i, w_bar in sums})
        return [*found.values(), *back.signature.ys(results)]

    return body.derive(("pullback", back), like.flatten(), f, like.names())


def pullback_from_saved(body, back):
    """(body of the pullback, the places of the loop's results that it takes as saved ys).

    What the loop stacked is not computed again where it is read, but sliced: h = tanh(h w + x),
    where h is also stacked, is no product on the way back.
    """
    step, count = pullback_body(body, back), len(back.targets())
    x_bars, ys = step.outputs[:count], step.outputs[count:]
    places = back.signature.ys(range(len(body.outputs)))
    stacked = {y.order: i for i, y in zip(places, ys) if y.inputs}
    read = [y for y in find_needed(x_bars, stacked) if y.order in stacked]
    saved = tuple(stacked[y.order] for y in read)
    like = back.operands_like(body).unpack(step.inputs)._replace(ys=read)

    def f(values):
        operands = like.unpack(values)
        own = operands._replace(ys=[]).flatten()
        return step(*own, known=zip(read, operands.ys))[:count]

    names = [x.name for x in like.flatten()]
    return body.derive(("pullback", back, saved), like.flatten(), f, names), saved
