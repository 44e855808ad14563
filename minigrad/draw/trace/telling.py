"""Telling what happens inside loops and choices, turn by turn, also in those inside them."""

from minigrad.draw.read import PENDING
from minigrad.draw.scene import SIGNS
from minigrad.draw.trace.inside import derived_insides, is_result, own_insides
from minigrad.draw.trace.labels import body_name
from minigrad.draw.trace.turns import rest_words

MOST = 120  # steps of what stands inside a loop that are told each time that the loop is told


class Telling:
    """Tells of Turns, and of those inside of them; `draft` makes an event of each step."""

    def __init__(self, draft):
        self.draft, self.room, self.known = draft, MOST, {}

    def tell(self, inside, turns):
        """The steps, and one sentence about the turns that are left out."""
        inside.start(turns)
        steps = turns.steps if self.room > 0 or inside.around is None else []
        for step in steps:
            self.known |= inside.enter(step)
            deeper = inside.deeper(step)
            if deeper is not None:
                self.tell(deeper, step.inner)
                self.known |= inside.after(deeper)
            found = inside.tell(step, self.known)
            self.event(inside, step, step.sentence(inside.name), found)
        left = rest_words(steps, turns.count)
        if turns.steps and not (steps or left):
            left = "runs in the same way"
        if left:
            self.known |= inside.skip(turns.last)
            self.event(inside, None, left, {"also": as_told(self.known)})

    def event(self, inside, step, words, found):
        """One event, which also tells what became known before it."""
        self.known, turn = {}, inside.place[0]
        self.room -= inside.around is not None
        self.draft(step, inside.path + words, found | {"turn": turn})


def as_told(known):
    """What is known, {(id, is a derivative): text}, as an Event tells it."""
    return tuple((id, text, moved) for (id, moved), text in known.items())


class Inside:
    """What the steps in the bodies of `of`, a loop or a choice, are in a drawing where that is
    opened.

    `id` is that of its node there. `insides` say what nodes are: those of a derivative, of that
    `kind`, may be values that are computed again. `around` is the Inside that `of` stands in.
    """

    def __init__(self, play, of, id, insides, kind=None, around=None):
        self.play, self.of, self.id, self.insides = play, of, id, insides
        self.kind, self.sign, self.around = kind, SIGNS.get(kind), around
        self.ends, self.path, self.below = play.labels.leaving(id), "", {}
        self.place = self.begun = (0,)  # its turn, and before it those of the loops around it
        told = (texts for (loop, _), texts in play.told.items() if loop == id)
        self.met = {(id, False): PENDING for texts in told for id in texts}
        self.texts = {}  # by (id, is a derivative): what was told last

    def start(self, turns):
        """Its Turns come now."""
        self.count = turns.count
        if self.around is not None:
            name = self.around.name(self.of)
            name = self.sign(name) if self.sign else name
            self.path = f"{self.around.path}{self.around.where}, {name} "

    def enter(self, step):
        """What is known when a step begins: {(id, is a derivative): text}."""
        self.where = step.where
        begun = self.begin(step.turn)
        given = {spot: told.text for formal, told in step.given for spot in self.spots(formal)}
        self.keep(given)
        return begun | given | self.mark(step.turn)

    def begin(self, turn):
        """What is known where another turn begins: of the turn before, nothing; where a derivative
        comes to it, the values that were seen in it. Where a loop ends it is still in a turn."""
        self.place = (*(self.around.place if self.around else ()), turn)
        if self.place == self.begun or turn > self.count:
            return {}
        self.begun = self.place
        told = self.play.told.get((self.id, self.place), {}) if self.sign else {}
        return self.met | {(id, False): text for id, text in told.items()}

    def mark(self, turn):
        """What is written on a loop inside another one, as long as it is closed."""
        if self.around is None or not turn or self.sign and not self.around.derives(self.of):
            return {}
        return {(self.id, self.sign is not None): f"turn {turn}"}

    def skip(self, turn):
        """The turns up to this one are not told: what is known then."""
        self.place = (*(self.around.place if self.around else ()), turn)
        return self.mark(turn)

    def after(self, deeper):
        """What is written again on a loop in here that was marked by its turns."""
        spot = deeper.id, self.sign is not None
        return {spot: self.texts[spot]} if spot in self.texts else {}

    def derives(self, node):
        """Whether a derivative of a node of the bodies is among what is told."""
        parts = (part for parts in self.insides.parts.values() for part in parts)
        return any(part.moved and part.of is node for part in parts)

    def deeper(self, step):
        """The Inside of a step that has Turns of its own; None where a drawing has none."""
        of = self.insides.loops.get(id(step.node)) if step.inner else None
        ids = self.play.places.get((self.id, id(of))) if of is not None else None
        if ids and id(step.node) not in self.below:
            insides = derived_insides(of, step.node) if self.sign else own_insides(of)
            self.below[id(step.node)] = Inside(self.play, of, ids[0], insides, self.kind, self)
        return self.below.get(id(step.node))

    def tell(self, step, known):
        """Parts of the Event of a step: what is computed, where, and what else is known now."""
        spots, found, now = self.spots(step.node), {}, {}
        if step.node is not None:
            moved = spots[0][1] if spots else self.sign is not None
            found["derivative" if moved else "value"] = step.value
            now = dict.fromkeys(spots, step.value.text)
        self.keep(now)
        also = as_told({spot: t for spot, t in (known | now).items() if spot not in spots[:1]})
        return found | {"inner": spots[0][0] if spots else "", "also": also}

    def keep(self, known):
        """Remembers what was seen, also for the loops around."""
        self.texts |= known
        for inside in self.line():
            inside.met |= dict.fromkeys(known, PENDING)
            if self.sign is None:
                texts = {id: text for (id, _), text in known.items()}
                self.play.told[inside.id, inside.place] |= texts

    def line(self):
        """Itself, and what it stands in, from inside out."""
        inside = self
        while inside is not None:
            yield inside
            inside = inside.around

    def spots(self, node):
        """(id, whether it is a derivative) of all that a drawing has for a node; a derivative's
        port is another one than that of the value, which several results may share."""
        return [
            (id, part.moved)
            for part in self.insides.parts.get(id_of(node), ())
            for id in self.ids(part)[: 1 if part.moved else None]
        ]

    def ids(self, part):
        """The ids of what a drawing has for an InnerPart."""
        if is_result(part):
            return self.ends[part.of : part.of + 1]
        return self.play.places.get((self.id, id(part.of)), ())

    def name(self, node):
        """What sentences call a node of a body: a result by the name of what it is a result of."""
        parts = self.insides.parts.get(id(node), ())
        for part in parts if node.inputs else parts[::-1]:
            known = self.part_name(part)
            return self.sign(known) if part.moved else known
        return body_name(node)

    def part_name(self, part):
        """What the value is called that an InnerPart is of."""
        if not is_result(part):
            return body_name(part.of)
        return self.play.inner[self.ends[part.of]].name


def id_of(node):
    """The identity of a node; None of none."""
    return None if node is None else id(node)
