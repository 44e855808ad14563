"""Forward mode in a graph: which node is the tangent of which value, read off the ledger, and what
each computes. The picture has one card for a value and its tangent."""

from typing import NamedTuple

from minigrad.draw.read import peek
from minigrad.draw.read.cards import Card
from minigrad.draw.read.formulas import FormulaWriter, Term
from minigrad.draw.read.loops import BodyGraph
from minigrad.draw.read.outline import Outline
from minigrad.draw.read.roles import behind_outside, read_sweeps
from minigrad.draw.read.signs import PICKS
from minigrad.draw.scene import with_dot

LIMITS = (20, 2)  # letters and rows of a formula


class TangentPass(NamedTuple):
    """A graph whose tangents stand on the cards of their values; positions are those of `graph`."""

    whole: Outline
    graph: Outline  # the values without their tangents
    tangents: dict  # position → the positions, in the whole, of its tangent: of a bundle one a part
    formulas: dict  # position → the Formula of its tangent, in ids of the whole
    homes: dict  # id of a node of the forward sweep → position of the value on whose card it is
    sums: dict  # position → of a tangent of several contributions, pairs (operand, that in whole)

    def known_sums(self, numbers):
        """{position: pairs (operand, number)} of the sums of which all numbers, by positions in the
        whole, are known."""
        known = ((at, [(x, numbers.get(made)) for x, made in passed])
                 for at, passed in self.sums.items())  # fmt: skip
        return {at: pairs for at, pairs in known if all(n is not None for _, n in pairs)}


def read_tangents(whole):
    """The TangentPass of an Outline; None where tangents are not all that was computed from values:
    no sweep or several, bodies that are open, a tangent that is read, or one of no value here."""
    sweeps = read_sweeps(whole)
    if [sweep.kind for sweep in sweeps] != ["tangent"] or whole.frames:
        return None
    (sweep,) = sweeps
    pairs = {at: parts for at, parts in sorted(sweep.derivatives.items()) if at not in sweep.nodes}
    homes = find_homes(whole, sweep.nodes | given_seeds(whole, sweep, pairs), pairs)
    kept = [at for at in range(len(whole.values)) if at not in homes]
    read = any(x in homes for at in kept for x in whole.inputs[at])
    if read or not sweep.nodes <= homes.keys():
        return None
    shown = {part: value for value, parts in pairs.items() for part in parts if part in homes}
    new = {at: number for number, at in enumerate(kept)}
    formulas = write_tangents(whole, pairs, homes)
    return TangentPass(
        whole,
        part_without(whole, kept, new, [shown.get(at, at) for at in whole.results]),
        {new[at]: parts for at, parts in pairs.items()},
        {new[at]: formula for at, formula in formulas.items()},
        {whole.ids[at]: new[home] for at, home in homes.items()},
        {new[at]: [(new[x], made) for x, made in passed]
         for at, passed in find_sums(whole, pairs, homes)},
    )  # fmt: skip


def given_seeds(whole, sweep, pairs):
    """The positions of leaves that were given as tangents, and that nothing else reads."""
    users = whole.users()
    found = {at for value in sweep.seeds for at in pairs.get(value, ())} - sweep.nodes
    return {at for at in found if not whole.inputs[at] and sweep.nodes >= {*users[at]}}


def find_homes(whole, made, pairs):
    """{position of what a sweep made: the first value whose tangent is computed from it}."""
    found, outside = {}, {at for at in range(len(whole.values)) if at not in made}
    for value, parts in pairs.items():
        for part in parts:
            found |= dict.fromkeys(behind_outside(whole, part, outside | found.keys()), value)
    for at in sorted(made - found.keys()):  # what a loop computes along with tangents
        if whole.ops[at] in PICKS and whole.inputs[at][0] in found:
            found[at] = found[whole.inputs[at][0]]
    return found


def find_sums(whole, pairs, homes):
    """(position of a value, pairs (operand, contribution)) of tangents that a rule added up."""
    for value, parts in pairs.items():
        rules = peek(whole.values[value].op, "partials", "jvp", default=())
        passed = [x for x, rule in zip(whole.inputs[value], rules) if rule and x in pairs]
        made, rest = [], parts[0]
        while len(made) < len(passed) - 1 and whole.ops[rest] == "Add" and homes.get(rest) == value:
            rest, last = whole.inputs[rest]
            made.insert(0, last)
        found = list(zip(passed, [rest, *made]))
        follows = (whole.behind({one}).issuperset(pairs[x]) for x, one in found)
        if made and len(found) == len(passed) and not parts[1:] and all(follows):
            yield value, found


def part_without(whole, kept, new, results):
    """The Outline of the positions that are kept; ids stay as they are."""
    pick = [whole.values[at] for at in kept]
    return whole._replace(
        values=pick,
        inputs=[tuple(new[x] for x in whole.inputs[at]) for at in kept],
        **{name: [getattr(whole, name)[at] for at in kept] for name in LISTS},
        results=tuple(dict.fromkeys(new[at] for at in results if at in new)),
        place={one: new[at] for one, at in whole.place.items() if at in new},
        precedences=[(new[a], new[b]) for a, b in whole.precedences if a in new and b in new],
    )


LISTS = ("ops", "roles", "names", "scopes", "ids")


# what they compute -------------------------------------------------------------------------------


def write_tangents(whole, pairs, homes):
    """{position of a value: the Formula of its tangent}."""
    named = [name or whole.numbered_name(at) for at, name in enumerate(whole.names)]
    terms = {
        at: Term(name, whole.ids[at], "variable" if whole.roles[at] == "variable" else "value")
        for at, name in enumerate(named)
        if at not in homes and (whole.roles[at] != "constant" or whole.names[at])
    }
    first = {}  # of a tangent: the first value that it is the whole tangent of
    for value, parts in pairs.items():
        if len(parts) == 1 and parts[0] in homes:
            first.setdefault(parts[0], value)
    terms |= {
        at: Term(with_dot(named[value]), whole.ids[at], "tangent") for at, value in first.items()
    }
    cards, found = BodyGraph(whole, named), {}
    for value, parts in pairs.items():
        own = [at for at in parts if first.get(at) == value]
        card = Card("", "tangent", "", parts[-1], tuple(own), same_as="" if own else "another")
        writer = FormulaWriter(cards, terms, whole.inputs, card, LIMITS)
        known = parts[1:] or not own and parts[0] in terms
        found[value] = writer.write_parts(parts) if known else writer.write_values()
    return found
