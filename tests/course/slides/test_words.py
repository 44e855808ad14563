"""A lesson's text on slides."""

import pytest

pytest.importorskip("sphinx", reason="the extra 'slides' is not installed")

from minigrad.course.slides import words


def test_a_text_is_cut_after_a_sentence():
    text = "One is 1. Two is `a.B`\nand $x. Y$. Three."
    assert words.first_sentences(text, 12) == "One is 1."
    assert words.first_sentences(text, 40) == "One is 1. Two is `a.B` and $x. Y$. Three."
    assert words.first_sentences(text, 1) == "One is 1."  # one at least


def test_an_initial_ends_no_sentence():
    assert words.divide_sentences("By A. Karpathy. Then B.") == ["By A. Karpathy.", "Then B."]


def test_letters_of_markup_are_not_counted():
    assert words.visible_length(r"**a** `b` $\frac{c}{d}$") == len("a b cd")


def test_a_formula_is_mathml_and_a_link_its_words():
    made = words.inline_html("See [this](https://example.org) $x_1$.")
    assert made.startswith('See this <span class="whole"><math') and "<msub>" in made
    assert "example.org" not in made


def test_a_full_stop_stays_with_its_formula_and_a_small_number_is_whole():
    made = words.inline_html("Take $x$. Then 1e-8 or $y$ alone.")
    assert '</math>.</span> Then <span class="whole">1e-8</span> or <math' in made


def test_a_fraction_of_two_digits_has_both():
    made = words.inline_html(r"$\tfrac12 h$")
    assert "<mn>12</mn>" not in made and "<mn>1</mn>" in made and "<mn>2</mn>" in made


def test_the_last_question_comes_with_what_fits_before_it():
    text = "One. Two is here. Why? Not this."
    assert words.last_question(text, 18) == "Two is here. Why?"
    assert words.last_question("Write `f`.", 99) == ""


def test_the_last_paragraph_is_whole_or_left_out():
    assert words.last_paragraph("One.\n\nTwo is\nhere.", 20) == "Two is\nhere."
    assert words.last_paragraph("Two is here.", 5) == words.last_paragraph("A.\n\n$x$", 9) == ""


def test_prose_leaves_out_what_a_slide_has_elsewhere():
    text = "## Trap: one\n\nProse.\n\n> box\n\n**Predict.** What?\n\n### Exercise 1\n\nDo."
    assert words.cell_prose(text) == "Prose."
