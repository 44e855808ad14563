"""Sentences and formulas as the script reads them: pieces, and those that belong to one edge."""

from collections import Counter
from itertools import groupby

from minigrad.draw.trace.formula import DOTS, EQUALS
from minigrad.draw.trace.tokens import KINDS, Token, typeset_number

GAP = Token("   ")  # between a formula and what is no equation
NUMBERS = ("number", "power", "result")
NAMES = ("value", "adjoint", "tangent")


class PieceTable:
    """The pieces of all steps, {(text, kind, of): number}; `moves`: can a reader move inputs?

    `of` is the id that a name stands for. Of a number that follows from inputs it is the step that
    gives it, or −1 − n for the amount of contribution n.
    """

    def __init__(self, moves):
        self.moves, self.pieces = moves, {}
        self.givers, self.count = {}, 0  # {id: the last step that gave it}; contributions so far
        self.amounts = {}  # {(user, operand): the numbers of its contributions}

    def note(self, event, at):
        """An event comes now; the step `at` shows what it gives."""
        if event.contribution:
            ends = event.contribution.user, event.contribution.operand
            self.amounts.setdefault(ends, []).append(self.count)
            self.count += 1
        self.givers[node_id(event.node, mark_of(event))] = at

    def add_step(self, event, at):
        """Which pieces tell of the last event, the step `at`: {"formula": …, "numbers": …}; and the
        sentence as "spoken", where it holds numbers that move."""
        told = {"formula": event.formula, "numbers": self.numbers(event)}
        found = {name: self.terms(event, at, tokens) for name, tokens in told.items()}
        if self.moves and event.spoken:
            found["spoken"] = [n for n, _ in self.places(event, at, event.spoken)]
        return found

    def numbers(self, event):
        """The substitution, or the result alone where a formula ends without one. None is told
        whose result is not that of the step, if that can move."""
        result = Token(typeset_number(event.result), "result")
        tokens, unfinished = event.substitution, event.formula[-1:] == (DOTS,)
        results = [t.text for t in (*event.formula, *tokens) if t.kind == "result"]
        if not tokens and not results:
            return (EQUALS, result) if event.result and not unfinished else ()
        if self.moves and results and result.text not in results:
            return ()
        start = (GAP,) if tokens and tokens[0].text != EQUALS.text else ()
        return *start, *tokens, *[Token(f" at {event.element}", "word")] * bool(event.element)

    def terms(self, event, at, tokens):
        """The numbers of the pieces that Tokens become; those of one edge as a list of their own
        behind the ids that it runs from and to."""
        found = []
        for ends, group in groupby(self.places(event, at, tokens), key=lambda pair: pair[1]):
            numbers = [number for number, _ in group]
            found += [[*ends, *numbers]] if ends else numbers
        return found

    def places(self, event, at, tokens):
        """(number of its piece, ends of its edge) of each Token."""
        seen = Counter()
        for token in tokens:
            of = self.source(event, at, token, seen) if self.moves else ""
            of = node_id(token.node, token.mark) if token.kind in NAMES else of
            piece = token.text, token.kind, of
            yield self.pieces.setdefault(piece, len(self.pieces)), ends_of(event, token)

    def source(self, event, at, token, seen):
        """Which step, or contribution, gives a number; "" for what never moves."""
        if token.kind == "amount":
            whole = len({t.edge for t in event.formula} - {None}) > 1
            numbers = self.amounts[token.edge]
            seen[token.edge] += 1
            return -1 - (numbers[seen[token.edge] - 1] if whole else numbers[-1])
        if token.kind == "result":
            return at
        giver = self.givers.get(node_id(token.node, token.mark)) if token.node else None
        return giver if token.kind in NUMBERS and giver is not None else ""

    def data(self):
        """The pieces as lists [text, place in KINDS, of], without what is empty at the end."""
        return [[text, KINDS.index(kind), of][: 2 + (of != "")] for text, kind, of in self.pieces]


def mark_of(event):
    """The mark of the derivative that an event tells: "bar", "dot"; of an assignment "update"; ""
    for a value."""
    return "update" if event.renews else {"backward": "bar", "tangent": "dot"}.get(event.phase, "")


def node_id(id, mark):
    """The id of a value, or of its adjoint or tangent."""
    return f"{id}_{mark}" if mark and id else id


def ends_of(event, token):
    """The ids of the nodes that the edge of a Token runs from and to; () of one without an edge."""
    own, mark = event.inner or event.node, mark_of(event)
    if token.kind == "result" or token.text in (EQUALS.text, DOTS.text):
        return ()
    if event.edge and token.edge:
        return tuple(node_id(id, "bar") for id in token.edge)
    if token.node and (token.node != own or event.renews):
        return node_id(token.node, token.mark), node_id(own, mark)
    return ()
