"""The trace of a training step in lanes: the forward pass, the backward pass as its ledger has it,
and the updates. It is played as it was written; a Session computes the same."""

from collections import defaultdict
from functools import cached_property
from typing import NamedTuple

from minigrad.compiler.memory import plan_memory
from minigrad.compiler.schedule import lay_out_program, program_order
from minigrad.core.spec import spec_of
from minigrad.draw.modes.step import StepCards, known_amounts, read_step
from minigrad.draw.read.roles import BACKWARD, FORWARD, SHARED, UPDATE
from minigrad.draw.scene import with_bar
from minigrad.draw.trace.formula import value_symbol
from minigrad.draw.trace.inside import loops_in
from minigrad.draw.trace.labels import Labels
from minigrad.draw.trace.play import Play, nodes_of
from minigrad.draw.trace.symbols import Symbol
from minigrad.draw.trace.tokens import Token, name_token
from minigrad.draw.trace.updates import tell_assignment

DEEP = 8  # steps of an update's formula; values further back are named
ADJOINT, RENEWED = "_bar", "_update"  # how the ids of what belongs to a value end


class Lanes(NamedTuple):
    """How a training step is drawn: its cards, and `places`, {id of a value, or of its adjoint or
    its update: id of the card on which it stands}, of all that does not stand on its own. `rest`
    has the Summary of each leaf, by id, of which no step tells: what an update keeps."""

    cards: StepCards
    places: dict
    rest: dict


def read_lanes(results, wrt, names):
    """(Labels, StepCards) of results that are drawn in lanes; (None, why not) of a training step
    that has no room in them, and (None, "") of what is none."""
    labels = Labels(results, names)
    step, doubt = read_step(labels.graph)
    if step is None:
        return None, doubt
    own = {id(labels.graph.values[at]) for at in step.cards.roles.adjoints}
    wanted = wrt if isinstance(wrt, (list, tuple)) else [] if wrt is None else [wrt]
    return ((labels, step), "") if own.issuperset(map(id, wanted)) else (None, "")


def plan_as_built(program, _):
    """The Plan of a program in the order in which it was built."""
    return plan_memory(lay_out_program(program, program_order))


def trace_step(labels, step, copy, session):
    """The Trace of a training step."""
    player = StepPlayer(labels, step, copy, session)
    player.forward()
    player.backward()
    player.update()
    return player.trace()


class StepPlayer:
    """Tells a training step. `own(node)` is the program's node for one of the learner's."""

    def __init__(self, labels, step, copy, session):
        self.graph, self.cards, self.new = labels.graph, step.cards, copy.new
        self.step, self.copy, self.lanes = step, copy, step.cards.roles.lanes
        constants = [role == "constant" for role in self.graph.roles]
        pairs = zip(labels.texts, self.cards.names, constants)
        labels.texts = [text if constant else name for text, name, constant in pairs]
        self.name_adjoints(labels)
        self.learn_copies(labels)
        shown = [self.own(v) for v, lane in zip(self.graph.values, self.lanes) if lane == FORWARD]
        self.play = Play(copy.program, labels, copy, session, shown, plan_as_built)
        self.ids, self.owners = self.graph.ids, self.cards.card_of()
        self.places = {self.ids[at]: owner for at, owner in self.owners.items()}
        self.sweep = self.last_sweep()
        self.leaves = defaultdict(list)  # of an assignment: the program's nodes in its formula

    def name_adjoints(self, labels):
        """Where a value reads an adjoint, that has the name of its variable with a bar."""
        for value, parts in self.cards.roles.adjoints.items():
            for at in parts:
                if self.lanes[at] == BACKWARD and not self.graph.inputs[value]:
                    labels.texts[at] = with_bar(labels.texts[value])

    def learn_copies(self, labels):
        """The program's nodes are called as those that they stand for."""
        place = labels.graph.place
        for made in self.copy.program.nodes():
            place[id(made)] = place[id(made.source)]

    def own(self, derivative):
        """The program's node for one of the learner's graph, or those for the parts of a bundle;
        None where the program does not need it."""
        if isinstance(derivative, dict):
            parts = {key: self.new.get(node.order) for key, node in derivative.items()}
            parts = {key: node for key, node in parts.items() if node is not None}
            return parts or None
        return None if derivative is None else self.new.get(derivative.order)

    def last_sweep(self):
        """The steps of the backward pass, seeds first."""
        roles = self.cards.roles
        last = [one for one in roles.sweeps if {self.lanes[at] for at in one.nodes} & {BACKWARD}]
        seeds = [self.graph.values[at] for one in last for at in one.seeds]
        return seeds[0].graph.ledger.last_sweep(seeds[0]) if seeds else []

    # what happens --------------------------------------------------------------------------------

    def forward(self):
        """The values of the forward pass."""
        passed = [(x, total) for one in self.sweep for x, _, total in one.contributions]
        path = {self.own(x).order for x, total in passed if self.own(total) is not None}
        path |= {self.own(s.value).order for s in self.sweep if self.own(s.value) is not None}
        self.play.forward("forward", path)

    def backward(self):
        """The contributions to adjoints, as the ledger has them."""
        play, done = self.play, {}
        start = max((play.position[v.order] for v in play.shown), default=0)
        for y, seed, _ in self.sweep[0].contributions if self.sweep else ():
            y, seed = self.own(y), self.own(seed)
            if y is not None and seed is not None:
                done[y.order] = play.seed(y, seed, start)
        for one in self.sweep[1:]:
            z = self.own(one.value)
            if z is not None and z.order in done:
                self.pass_on(one, z, done)

    def pass_on(self, one, z, done):
        """What one value contributes to the adjoints of its operands."""
        loops = [loop for loop in map(self.own, loops_in(one)) if loop is not None]
        found = [(*map(self.own, each), each[2]) for each in one.contributions]
        found = [each for each in found if None not in each[:3]]
        passed = [each[:3] for each in found]
        own = one._replace(value=z, derivative=self.own(one.derivative), contributions=passed)
        self.play.pass_on(own, {x.order: x for x, *_ in passed}, done, loops)
        for x, *_, made in found:
            self.place_adjoint(self.play.labels.id(x), made)

    def place_adjoint(self, name, made):
        """Notes the card on which the adjoint of a value stands."""
        key = name + ADJOINT
        found = [self.at(node) for node in nodes_of(made)]
        owners = [self.owners[at] for at in found if at is not None]
        self.places[key] = key if key in self.card_ids else (owners or [key])[-1]

    def at(self, node):
        """The position of a node; None of one that is not in the picture."""
        return self.graph.place.get(id(node))

    @cached_property
    def card_ids(self):
        """The ids of all cards."""
        return {card.id for card in self.cards.cards}

    def update(self):
        """What several updates read, and the assignments."""
        end = len(self.play.plan.order) - 1
        for at, v in enumerate(self.graph.values):
            if self.lanes[at] == SHARED and self.own(v) is not None:
                self.play.tell(end, "update", self.own(v))
        symbols = {at: self.update_symbol(self.new_value(at), at, DEEP) for at in self.assigns}
        for at in self.sort_assigns():
            self.assign(at, symbols[at], end)

    @cached_property
    def assigns(self):
        """The positions of the assignments, in the order of the graph."""
        return [at for at, op in enumerate(self.graph.ops) if op == "Assign"]

    def new_value(self, at):
        """The program's node for what an assignment stores."""
        return self.own(self.graph.values[at])

    def sort_assigns(self):
        """The assignments: each behind those whose results it reads, and before those that replace
        what it reads."""
        target = {self.graph.inputs[at][0]: at for at in self.assigns}  # of each variable the last
        before, waiting, found = {at: set() for at in self.assigns}, list(self.assigns), []
        for at in self.assigns:
            for node in self.leaves[at]:
                if node.order in self.targets:
                    before[at].add(target[self.at(self.targets[node.order])])
                elif self.at(node) in target:
                    before[target[self.at(node)]].add(at)
        while waiting:
            free = (at for at in waiting if before[at].isdisjoint({*waiting} - {at}))
            found.append(next(free, waiting[0]))
            waiting.remove(found[-1])
        return found

    def assign(self, at, symbol, end):
        """One assignment."""
        play, node, made = self.play, self.graph.values[at], self.new_value(at)
        variable = node.inputs[0]
        name, old = play.labels.id(variable), self.copy.program.variables.get(variable.order)
        array, used = play.array(made), None if old is None else play.array(old)
        told = tell_assignment(self.token(variable), symbol, array, used)
        found = {"value": play.summary(made), "renews": True}
        play.draft(end, "update", variable, told, node, **found)
        self.places[name + RENEWED] = self.owners[at]

    def token(self, v):
        """The name of a value, as a Token."""
        return name_token(self.play.labels.name(v), self.play.labels.id(v))

    def update_symbol(self, node, assign, deep):
        """A node as a Symbol: a formula of variables, adjoints, and values of other cards."""
        play, root = self.play, self.new_value(assign)
        variable = self.graph.values[assign].inputs[0]
        known = self.known_token(node, variable, node is root)
        if play.labels.role(node) == "constant":
            known = name_token(play.labels.name(node))
        inner = node is root or self.lanes[self.at(node)] == UPDATE
        if known is None and node.inputs and deep and inner:
            return value_symbol(node, lambda x: self.update_symbol(x, assign, deep - 1))
        self.leaves[assign].append(node)
        token = known or self.token(node)
        return Symbol(spec_of(node), token, read=lambda: play.array(node))

    def known_token(self, node, variable, is_root):
        """The name of an adjoint, first that of the `variable`; or of what was assigned before."""
        labels, values = self.play.labels, self.adjoints.get(node.order, ())
        if values:
            value = variable if any(v is variable for v in values) else values[0]
            return Token(labels.name(value), "adjoint", labels.id(value), "bar")
        before = None if is_root else self.targets.get(node.order)
        return None if before is None else self.token(before)

    @cached_property
    def adjoints(self):
        """{number of a node: the values whose adjoint it is}."""
        found = defaultdict(list)
        for value, parts in self.cards.roles.adjoints.items():
            for made in (self.own(self.graph.values[at]) for at in parts):
                if made is not None:
                    found[made.order].append(self.graph.values[value])
        return found

    @cached_property
    def targets(self):
        """{number of a node: the variable that it is assigned to}."""
        values = self.graph.values
        return {self.new_value(at).order: values[at].inputs[0] for at in self.assigns}

    def trace(self):
        """The Trace."""
        places = {key: place for key, place in self.places.items() if key != place}
        found = self.play.trace("reverse")
        told = {event.node for event in found.events if not event.renews}
        rest = {
            name: self.play.summary(self.own(v))
            for name, v in zip(self.ids, self.graph.values)
            if v.role in ("variable", "input") and name not in told and self.own(v) is not None
        }
        return found._replace(lanes=Lanes(self.step._replace(amounts=self.amounts()), places, rest))

    def amounts(self):
        """What passes between adjoints, for sums of which each part comes from a number on a card:
        not from the name of an equal adjoint, nor from the 1 that a backward pass begins with."""
        formulas, found = self.step.formulas, known_amounts(self.cards, self.number)
        bare = {c.id for c in self.cards.cards
                if c.same_as or c.id in formulas and formulas[c.id].texts() == ("1",)}  # fmt: skip
        open_sums = {pair[1] for pair in found if bare & {*pair}}
        return {pair: text for pair, text in found.items() if pair[1] not in open_sums}

    def number(self, made):
        """The array at the only one of some positions; None where it is not computed, and of
        several, which are several steps."""
        node = self.own(self.graph.values[made[0]]) if len(made) == 1 else None
        return None if node is None else self.play.array(node)
