"""What lesson cells call: guesses, checks, quotes."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.course import teach
from minigrad.course.teach import LessonError, check, observe, predict, show


@pytest.fixture(autouse=True)
def no_guesses(monkeypatch):
    monkeypatch.setattr(teach, "guesses", {})


def test_a_guess_is_kept_and_shown_beside_the_result(capsys):
    predict("slope", 2)
    observe("slope", mg.tensor(5.001))
    observe("slope", 2.0)
    assert capsys.readouterr().out.splitlines() == [
        "slope: you predict 2", "slope: predicted 2, found 5.001: a surprise?",
        "slope: predicted 2, found 2: as you predicted"]


def test_no_guess_no_result():
    with pytest.raises(LessonError, match="slope: no guess yet\n  try  replace the ..."):
        predict("slope", ...)
    with pytest.raises(LessonError, match="predict before you look"):
        observe("slope", 5)


def test_a_right_answer_is_said_to_be_right(capsys):
    check("y", mg.tensor([1.0, 2.0]), [1, 2 + 1e-12])
    check("text", "abc", "abc")
    assert capsys.readouterr().out == "✓ y\n✓ text\n"


@pytest.mark.parametrize("found, expected, text", [
    (..., 3, "nothing to check yet"), (None, 3, "nothing to check yet"),
    (4, 3, "✗ q: found 4, expected 3"), ([1, 2], 3, r"the shape is \(2,\), expected \(\)"),
    ("four", 4, "four is no number"), (1 / 3, 2.0, "found 0.3333, expected 2"),
    ([[1.0, 5.0], [3.0, 4.0]], [[1, 2], [3, 4]],
     r"1 of 4 entries are wrong; the first, at \[0, 1\], is 5, expected 2\n     · ✗\n     · ·"),
])
def test_a_wrong_answer_says_what_came_and_draws_where(found, expected, text):
    with pytest.raises(LessonError, match=text):
        check("q", found, expected)


def test_a_hint_names_the_misconception():
    with pytest.raises(LessonError, match="try  count both paths"):
        check("slope", 2, 5, hints=[(3, "count w + 1 too"), (2, "count both paths")])
    with pytest.raises(LessonError) as caught:
        check("slope", 7, 5, hints=[(3, "no")])
    assert caught.value._render_traceback_() == ["LessonError: ✗ slope: found 7, expected 5"]


def test_show_quotes_the_source():
    quoted = show(mg.ops.elementwise.Exp)
    assert repr(quoted).startswith("class Exp(Elementwise):") and "np.exp" in repr(quoted)
    assert "lambda x, z: z" in quoted._repr_html_()
    with pytest.raises(LessonError, match="has no Python source"):
        show(np.exp)
