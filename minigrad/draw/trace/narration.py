"""Narrating what happens inside loops and choices, iteration by iteration, loop in loop."""

from minigrad.core.spec import spec_of
from minigrad.draw.read import PENDING, clean
from minigrad.draw.scene import SIGNS
from minigrad.draw.trace.formula import EQUALS, substitute, value_symbol, written
from minigrad.draw.trace.inside import derived_roles, is_result, own_roles
from minigrad.draw.trace.iterations import count_iterations, describe_rest
from minigrad.draw.trace.labels import body_name
from minigrad.draw.trace.sentences import MOST as LONGEST
from minigrad.draw.trace.sentences import say_value
from minigrad.draw.trace.symbols import Symbol
from minigrad.draw.trace.telling import Telling
from minigrad.draw.trace.tokens import name_token, tokens_text

MOST = 120  # steps inside a loop in a loop that are narrated, each time that the outer one is


class Narrator:
    """Narrates IterationLogs, and those inside of them; `draft` makes an event of each step.

    `texts`, {(id, is a derivative): text}, became known since the last event.
    """

    def __init__(self, draft):
        self.draft, self.room, self.texts = draft, MOST, {}

    def narrate(self, view, log):
        """The steps, and one sentence about the iterations that are left out."""
        view.start(log)
        steps = log.steps if self.room > 0 or view.around is None else []
        for step in steps:
            self.texts |= view.enter(step)
            deeper = view.view_inside(step)
            if deeper is not None:
                self.narrate(deeper, step.log)
                self.texts |= view.leave(deeper)
            found = view.describe(step, self.texts)
            self.add_event(view, step, view.tell(step), found)
        left = describe_rest(steps, log.count)
        if log.steps and not (steps or left):
            left = "The body runs in the same way."
        if left:
            self.texts |= view.skip(log.last)
            self.add_event(
                view, None, Telling(view.say_rest(left)), {"also": list_texts(self.texts)}
            )

    def add_event(self, view, step, told, found):
        """One event, which also tells what became known before it."""
        self.texts, iteration = {}, view.place[0]
        self.room -= view.around is not None
        self.draft(step, told, found | {"turn": iteration})


def list_texts(texts):
    """Texts, {(id, is a derivative): text}, in the form of an Event."""
    return tuple((id, text, derivative) for (id, derivative), text in texts.items())


class LoopView:
    """What the steps in the bodies of `of`, a loop or a choice, are in a drawing where that is
    opened.

    `id` is that of its node there. `bodies`, BodyRoles, say what nodes are: those of a derivative,
    of that `kind`, may be values that are computed again. `around` is the view that it stands in.
    """

    def __init__(self, play, of, id, bodies, kind=None, around=None):
        self.play, self.of, self.id, self.bodies = play, of, id, bodies
        self.sign, self.kind, self.around = SIGNS.get(kind), kind, around
        self.ends, self.path, self.views = play.labels.leaving(id), "", {}
        self.where, self.symbols = "", {}  # of contributions in this iteration, by id of a node
        self.place = self.begun = (0,)  # its iteration, and before it those of the loops around it
        seen = (texts for (loop, _), texts in play.first_texts.items() if loop == id)
        self.pending = {(id, False): PENDING for texts in seen for id in texts}
        self.texts = {}  # by (id, is a derivative): the last one

    def start(self, log):
        """Its IterationLog comes now."""
        self.count = log.count
        if self.around is not None:
            name = self.around.name(self.of)
            name = self.sign(name) if self.sign else name
            self.path = f"{self.around.place_words()}, in {name} "

    def enter(self, step):
        """What is known when a step begins: {(id, is a derivative): text}."""
        self.where, self.symbols = step.where, self.symbols if self.is_here(step) else {}
        begun = self.begin(step.iteration)
        operands = {key: seen.text for formal, seen in step.operands for key in self.keys(formal)}
        self.remember(operands)
        return begun | operands | self.mark(step.iteration)

    def begin(self, iteration):
        """What is known where another iteration begins: of the one before, nothing; where a
        derivative comes to it, the values that were seen in it. Where a loop ends it is still in
        an iteration."""
        self.place = (*(self.around.place if self.around else ()), iteration)
        if self.place == self.begun or iteration > self.count:
            return {}
        self.begun = self.place
        seen = self.play.first_texts.get((self.id, self.place), {}) if self.sign else {}
        return self.pending | {(id, False): text for id, text in seen.items()}

    def mark(self, iteration):
        """What is written on a loop inside another one, as long as it is closed."""
        shown = self.around is not None and iteration
        if not shown or self.sign and not self.around.differentiates(self.of):
            return {}
        return {(self.id, self.sign is not None): f"iteration {iteration}"}

    def skip(self, iteration):
        """The iterations up to this one are not narrated: what is known then."""
        self.place = (*(self.around.place if self.around else ()), iteration)
        return self.mark(iteration)

    def leave(self, deeper):
        """What is written again on a loop in here that was marked by its iterations."""
        key = deeper.id, self.sign is not None
        return {key: self.texts[key]} if key in self.texts else {}

    def differentiates(self, node):
        """Whether a derivative of a node of the bodies is among what is narrated."""
        roles = (role for roles in self.bodies.roles.values() for role in roles)
        return any(role.derivative and role.of is node for role in roles)

    def view_inside(self, step):
        """The view of a step that has a log of its own; None where a drawing has none."""
        of = self.bodies.loops.get(id(step.node)) if step.log else None
        ids = self.play.places.get((self.id, id(of))) if of is not None else None
        if ids and id(step.node) not in self.views:
            bodies = derived_roles(of, step.node) if self.sign else own_roles(of)
            view = LoopView(self.play, of, ids[0], bodies, self.kind, self)
            self.views[id(step.node)] = view
        return self.views.get(id(step.node))

    def describe(self, step, texts):
        """Parts of the Event of a step: what is computed, where, and what else is known now."""
        keys, found, now = self.keys(step.node), {}, {}
        if step.node is not None:
            derivative = keys[0][1] if keys else self.sign is not None
            found["derivative" if derivative else "value"] = step.value
            now = dict.fromkeys(keys, step.value.text)
        self.remember(now)
        also = list_texts({key: t for key, t in (texts | now).items() if key not in keys[:1]})
        return found | {"inner": keys[0][0] if keys else "", "also": also}

    def remember(self, texts):
        """Keeps what was seen, also for the loops around."""
        self.texts |= texts
        view = self
        while view is not None:
            view.pending |= dict.fromkeys(texts, PENDING)
            if self.sign is None:
                seen = {id: text for (id, _), text in texts.items()}
                self.play.first_texts[view.id, view.place] |= seen
            view = view.around

    def keys(self, node):
        """(id, whether it is a derivative) of all that a drawing has for a node; a derivative's
        port is another one than that of the value, which several results may share."""
        return [
            (id, role.derivative)
            for role in self.bodies.roles.get(id_of(node), ())
            for id in self.ids(role)[: 1 if role.derivative else None]
        ]

    def ids(self, role):
        """The ids of what a drawing has for a BodyRole."""
        if is_result(role):
            return self.ends[role.of : role.of + 1]
        return self.play.places.get((self.id, id(role.of)), ())

    def is_here(self, step):
        """Whether a step is one of the iteration that is told by now."""
        return self.place[-1] == step.iteration

    # what a step tells ---------------------------------------------------------------------------

    def tell(self, step):
        """What is told of a step: its place, then what is computed."""
        node = step.node
        if node is None:
            return Telling(self.say_here("the values stay as they are."))
        arrays = step.arrays or (None,) * (len(node.inputs) + 1)
        known = {id(x): array for x, array in zip(node.inputs, arrays)}
        symbol = value_symbol(node, lambda x: self.leaf(x, known.get(id(x))))
        numbers, element = substitute(symbol, arrays[-1])
        self.symbols[id(node)] = symbol
        told = (self.token(node), EQUALS, *written(symbol)), numbers, element
        return Telling(self.say_step(step, symbol), *told)

    def leaf(self, node, array):
        """An operand as a Symbol: a contribution that is not drawn by its formula."""
        made = self.symbols.get(id(node))
        if made is not None and id(node) in self.bodies.contributions and not self.keys(node):
            return made
        return Symbol(spec_of(node), self.token(node), read=lambda: array)

    def say_step(self, step, symbol):
        """The sentence of a step."""
        node = step.node
        part = next((x for x in (node, *node.inputs) if self.is_told(x, node)), None)
        if part is None:
            first, *_, array = step.arrays or (None, None)
            more = {"iterations": count_iterations(step.log), "first": first} if step.log else {}
            value = say_value(node, self.name, array, **more)
            return self.say_here(value, f"{value} {self.say_end(step)}" if step.ends else "")
        x, user = self.bodies.contributions[id(part)]
        amount = tokens_text(written(symbol if part is node else self.symbols[id(part)]))
        own = tokens_text(written(value_symbol(user, self.own_leaf)))
        receives = f"{body_name(x)} receives {amount}."
        return self.say_here(receives, f"{self.result_name(user)} = {own}, so {receives}")

    def is_told(self, x, node):
        """Whether a step of a node tells the contribution x: the node itself where it is drawn, or
        an operand that is not."""
        drawn = bool(self.keys(x))
        return id(x) in self.bodies.contributions and drawn == (x is node)

    def say_end(self, step):
        """What follows from a condition."""
        number = step.value.text
        goes_on = f"iteration {step.iteration} runs" if number == "True" else "the loop ends"
        return f"It is {number.lower()}, so {goes_on}."

    def say_here(self, short, long=""):
        """A sentence with its place: the long one if there is room, else the short one."""
        told = [f"{self.place_words()}: {words}" for words in (long, short) if words]
        told.append(f"{clean(self.place_words(), LONGEST - 1)}.")
        return next(t for t in told if len(t) <= LONGEST)

    def say_rest(self, left):
        """The sentence about iterations that are left out."""
        return self.path + left[0].lower() + left[1:] if self.path else left

    def place_words(self):
        """The iteration, and before it those of the loops around it."""
        where = self.where
        return self.path + where[:1].lower() + where[1:] if self.path else where

    def own_leaf(self, node):
        """A value of the body itself as a Symbol."""
        return Symbol(spec_of(node), name_token(body_name(node)))

    def result_name(self, node):
        """What a value of the body is called: as a result that leaves it, where it is one."""
        body = self.of.params.get("body")
        outputs = [id(y) for y in body.outputs] if body is not None else []
        at = outputs.index(id(node)) if id(node) in outputs else len(self.ends)
        return self.play.inner[self.ends[at]].name if at < len(self.ends) else body_name(node)

    def token(self, node):
        """The Token of a node of a body: its name, and where it is drawn."""
        name, kind = self.naming(node)
        keys = self.keys(node)
        return name_token(name, keys[0][0] if keys else "", kind)

    def name(self, node):
        """What sentences call a node of a body: a result by the name of what it is a result of."""
        name, kind = self.naming(node)
        return name if kind == "value" else self.sign(name)

    def naming(self, node):
        """(the name of the value that a node is, or is a derivative of; which of them it is)."""
        roles = self.bodies.roles.get(id(node), ())
        for role in roles if node.inputs else roles[::-1]:
            return self.value_name(role), self.kind if role.derivative else "value"
        return body_name(node), "value"

    def value_name(self, role):
        """What the value is called that a BodyRole is of."""
        if not is_result(role):
            return body_name(role.of)
        return self.play.inner[self.ends[role.of]].name


def id_of(node):
    """The identity of a node; None of none."""
    return None if node is None else id(node)
