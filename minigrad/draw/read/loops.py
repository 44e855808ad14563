"""What a loop says of itself in formulas: what an iteration computes, and when another follows."""

from typing import NamedTuple

from minigrad.draw.read.bodies import count_of, formal_names
from minigrad.draw.read.formulas import FormulaWriter, Term
from minigrad.draw.read.outline import outline

LINE, ROWS = (60, 1), 2  # letters and rows of a condition; rows of the formula of an iteration
WIDE = 34  # letters of such a row
GO_ON = Term("go on while ", kind="words")


def formal_terms(loop, outer):
    """The Terms of what comes into a body; `outer` has those of what comes from outside."""
    return [*(Term(name, kind="value") for name in formal_names(loop)), *outer]


class BodyGraph(NamedTuple):
    """The Outline of a body, as a writer asks for it that writes on the cards of a step."""

    outline: object
    names: list  # of what nothing else names


class BodyCard(NamedTuple):
    """The card of a closed loop, as such a writer asks for it: the body has no values on others."""

    kind: str = "loop"
    same_as: str = ""
    head: int = -1
    members: tuple = ()


class IterationWriter(FormulaWriter):
    """Writes what a body computes, from the Terms of its formals."""

    def __init__(self, fn, formals, limits):
        graph = outline(list(fn.outputs))
        places = [(graph.place.get(id(x)), term) for x, term in zip(fn.inputs, formals)]
        names = {at: term for at, term in places if at is not None}
        called = [name or id for name, id in zip(graph.names, graph.ids)]
        super().__init__(BodyGraph(graph, called), names, graph.inputs, BodyCard(), limits)

    def write(self, result):
        """The text of a result, with characters for terms."""
        return self.show(self.outline.place[id(result)])


def condition_terms(loop, formals):
    """The Terms of a while loop's condition; () where it is too long to be read."""
    condition = loop.bodies["condition"]
    writer = IterationWriter(condition, formals, LINE)
    rows, is_cut = writer.break_rows([writer.write(condition.outputs[0])])
    return () if is_cut else rows[0]


def iteration_rows(loop, formals):
    """Rows of Terms: x ← w · x, for each carry that changes; () where they are too long."""
    body = loop.bodies["body"]
    writer, found = IterationWriter(body, formals, (WIDE, 1)), []
    for carry, term, result in zip(body.inputs[: loop.carries], formals, body.outputs):
        if result is not carry:
            name = writer.name_char(term.text, term)
            found.append(writer.break_rows([f"{name} ← {writer.write(result)}"]))
    is_cut = any(cut for _, cut in found) or len(found) > ROWS
    return () if is_cut else tuple(row for rows, _ in found for row in rows)


def closed_rows(loop, xs, formals, count=None):
    """The rows of Terms on the card of a closed loop: what an iteration computes, and how often.

    `count` says how many iterations there were, where that is known.
    """
    rows, last = iteration_rows(loop, formals), often_terms(loop, xs, formals, count)
    if len(rows) == 1 and terms_length((*rows[0], *last)) <= WIDE:
        return ((*rows[0], Term("     "), *last),)
    return (*rows, last)


def often_terms(loop, xs, formals, count):
    """The Terms of how often a loop runs: "3 times, while x < 8"."""
    if loop.kind == "scan":
        count = count_of(loop, xs) if count is None else count
        way = ", from last to first" if loop.params.get("reverse") else ""
        return (
            Term(
                (times(count) if count is not None else "once for each slice") + way, kind="words"
            ),
        )
    limit = loop.params.get("limit")
    told = times(count) if count is not None else f"at most {times(limit)}" if limit else ""
    condition = condition_terms(loop, formals) or (Term("a condition holds", kind="words"),)
    return (Term(f"{told}{', ' if told else ''}while ", kind="words"), *condition)


def times(count):
    """How often something is done."""
    return {0: "never", 1: "once"}.get(count) or f"{count:,} times"


def terms_length(terms):
    """How many letters Terms have."""
    return sum(len(term.text) for term in terms)


def numbers_terms(loop, numbers):
    """The Terms of a condition with numbers for the formals, and what follows: 2 < 8, so yes."""
    terms = condition_terms(loop, numbers)
    short = terms and terms_length(terms) <= WIDE
    return (Term("     "), *terms, Term(", so yes", kind="words")) if short else ()
