"""Formulas of cards with a second text that can be evaluated: in it n3 is the value of that id, as
it is before the step. There is none where a loop or a choice is passed, or a text is too long."""

from contextlib import contextmanager
from unittest import mock

from minigrad.draw.read import formulas, tangents
from minigrad.draw.read.formulas import (
    ATOM,
    INFIX,
    LEAF_KINDS,
    MORE,
    SIGN,
    Formula,
    FormulaWriter,
    Phrase,
    constant_number,
)
from minigrad.draw.read.signs import known_params, known_shape

join_formulas = formulas.join_formulas


class ExactFormula(Formula):
    """A Formula with pairs (id of a value, text for it)."""

    exact = ()


def texts_of(formula):
    """The pairs of a formula; none where it is no ExactFormula."""
    return getattr(formula, "exact", ())


def with_texts(formula, pairs):
    """The ExactFormula of these pairs; of no formula none."""
    found = formula and ExactFormula(*formula)
    if found:
        found.exact = tuple(pair for pair in pairs if "…" not in pair[1])
    return found


class ExactWriter(FormulaWriter):
    """Writes as every writer does, and then the exact texts."""

    def write_values(self):
        """The ExactFormula of a card that computes values; None for a leaf."""
        formula = super().write_values()
        outputs, bare = self.outputs(), len(self.other_parts()) > 1
        leaf = not outputs or self.card.kind in LEAF_KINDS and not self.outline.inputs[outputs[0]]
        if bare or leaf or self.flows(outputs):
            return with_texts(formula, ())
        spelled = (self.spell(at, not self.card.same_as) for at in outputs)
        return with_texts(formula, zip((self.outline.ids[at] for at in outputs), spelled))

    def write_update(self):
        """The ExactFormula of an update."""
        formula, outline = super().write_update(), self.outline
        assigns = self.cards.roles.assigns[self.variable()]
        targets = (outline.ids[outline.inputs[assign][0]] for assign in assigns)
        spelled = (self.spell(*self.assigned_value(assign)) for assign in assigns)
        return with_texts(formula, zip(targets, spelled))

    def spell(self, at, opened):
        """The exact text of a value."""
        speller = Speller.__new__(Speller)
        speller.__dict__.update(vars(self))
        return speller.show(at, opened)


class Speller(FormulaWriter):
    """Writes the exact text in place of a textbook's."""

    def show_leaf(self, at):
        """A value by its id, or a constant number in full."""
        number = constant_number(self.outline, at)
        if at in self.names or number is None or known_shape(self.outline, at):
            return Phrase(self.names[at].id if at in self.names else self.outline.ids[at])
        return Phrase(repr(number), SIGN if number < 0 else ATOM)

    def show_op(self, at, parts):
        """The exact Phrase of an op on these Phrases."""
        op, value = self.outline.ops[at], self.outline.values[at]
        if op == "Assign" and len(parts) == 2:
            return parts[1]
        if op in INFIX and len(parts) == 2:
            sign, _, firm = INFIX[op]
            return Phrase(f"{parts[0].within(firm)} {sign} {parts[1].within(firm + MORE)}", firm)
        settings = [f"{key}={setting!r}" for key, setting in known_params(value).items()]
        return Phrase(f"{op}({', '.join([*(part.text for part in parts), *settings])})")


@contextmanager
def exact_texts():
    """Within the block, formulas have their exact texts; a pile has those of all in it."""

    def join(card, piled):
        """The ExactFormula of a pile."""
        return with_texts(join_formulas(card, piled), (p for one in piled for p in texts_of(one)))

    with (
        mock.patch.object(formulas, "FormulaWriter", ExactWriter),
        mock.patch.object(tangents, "FormulaWriter", ExactWriter),
        mock.patch.object(formulas, "join_formulas", join),
    ):
        yield
