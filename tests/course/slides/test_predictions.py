"""The slides of predictions: where there is little room, and what a question is about."""

from types import SimpleNamespace

import pytest

pytest.importorskip("sphinx", reason="the extra 'slides' is not installed")

from minigrad.course import project
from minigrad.course.slides import predictions
from minigrad.course.slides.parts import LessonParts, asked_code


def test_answers_without_a_picture_join_their_questions_from_the_end():
    assert predictions.choose_joined([False, True, False, True], 8) == set()
    assert predictions.choose_joined([False, True, False, True], 7) == {2}
    assert predictions.choose_joined([False, True, False, True], 5) == {0, 2, 3}


def test_a_deck_of_many_predictions_keeps_to_its_room():
    asked = LessonParts(project.lessons(["03"])[0]).predictions
    keys = [slide.key for slide in predictions.prediction_slides(asked, 6)]
    assert keys == ["grad", "grad", "visits", "nearer", "nearer", "depth"]
    joined = [*predictions.prediction_slides(asked, 6)][2]
    assert (
        '<div class="fragment"><p class="answer">' in joined.body and "<b>2047</b>" in joined.body
    )
    assert [slide.key for slide in predictions.prediction_slides(asked, 3)] == [
        "grad",
        "visits",
        "nearer",
    ]


def test_a_question_shows_its_code_or_the_picture_that_it_names():
    found = {one.name: one for one in LessonParts(project.lessons(["03"])[0]).predictions}
    assert predictions.question_matter(found["grad"]).startswith("<figure><img")
    assert "def backward_by_paths" in predictions.question_matter(found["visits"])
    assert predictions.question_matter(found["depth"]) == ""


def test_a_small_number_is_written_as_in_a_lesson():
    assert predictions.choice_text(1e-7) == "1e-7" and predictions.choice_text("a<b") == "a&lt;b"


def test_the_code_of_a_question_is_without_its_guess():
    code = 'x = f(2)\n\ndisplay(mg.draw(x))\nx_guess = 2  # your guess\npredict("x", x_guess)'
    assert asked_code(SimpleNamespace(source=code)) == "x = f(2)"
