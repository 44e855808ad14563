"""Formulas of pages, as MathML."""

import pytest

pytest.importorskip("sphinx", reason="the extra 'site' is not installed")

from docutils import nodes

from minigrad.course.publishing import formulas


def test_a_bar_is_not_drawn_through_its_letter():
    made = formulas.to_mathml(nodes.math(text=r"\bar{x} + \dots"), as_block=False)
    assert "<mover><mi>x</mi><mo" in made and "¯" in made and "accent" not in made


@pytest.mark.parametrize("tex, index", [("2", "<mn>2</mn>"), ("{t-1}", "<mrow><mi>t</mi>")])
def test_the_index_of_a_letter_with_a_bar_or_a_dot_stands_beside_it(tex, index):
    for sign in ("bar", "dot", "hat"):
        made = formulas.to_mathml(nodes.math(text=rf"\{sign} x_{tex} + \sum_i^n i"), as_block=True)
        assert made.count("<msub><mover><mi>x</mi><mo") == 1 and f"</mover>{index}" in made
        assert made.count("<munderover>") == 1  # that of the sum


def test_a_formula_that_cannot_be_typeset_is_a_warning(monkeypatch):
    said = []
    monkeypatch.setattr(formulas.LOGGER, "warning", lambda *words, **place: said.append(words))
    assert formulas.to_mathml(nodes.math(text=r"\nothing{x}"), as_block=True) == ""
    assert said[0][1] == r"\nothing{x}"
