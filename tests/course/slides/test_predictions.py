"""The slides of predictions: where there is little room, and what a question is about."""

from types import SimpleNamespace

import pytest

pytest.importorskip("sphinx", reason="the extra 'slides' is not installed")

from minigrad.course import project
from minigrad.course.slides import matter, predictions
from minigrad.course.slides.parts import LessonParts, asked_code


@pytest.mark.parametrize(
    ("room", "kept"),
    [
        (
            10,
            [("answer", 0), ("answer", 1), ("answer", 2), ("answer", 3), ("build", 0), ("code", 0)],
        ),
        (9, [("answer", 0), ("answer", 1), ("answer", 2), ("build", 0), ("code", 0)]),
        (8, [("answer", 0), ("answer", 2), ("build", 0), ("code", 0)]),
        (7, [("answer", 0), ("answer", 2), ("code", 0)]),
        (6, [("answer", 0), ("answer", 2)]),
        (5, [("answer", 0)]),
        (4, []),
    ],
)
def test_slides_go_in_an_order_where_there_is_no_room(room, kept):
    asked = LessonParts(project.lessons(["03"])[0]).predictions
    assert sorted(predictions.plan_slides(asked, room, has_build=True)) == kept


def test_an_answer_that_has_no_slide_appears_below_its_question():
    asked = LessonParts(project.lessons(["03"])[0]).predictions
    kept = predictions.plan_slides(asked, 6)
    slides = [*predictions.prediction_slides(asked, kept)]
    assert [slide.key for slide in slides] == [
        "grad",
        "grad",
        "visits",
        "nearer",
        "nearer",
        "depth",
    ]
    assert '<div class="fragment told"><p class="answer">' in slides[2].body
    assert "<b>2047</b>" in slides[2].body and slides[2].title.startswith(
        "Predict · Second attempt"
    )


def test_short_answers_that_fit_join_their_questions_with_room_to_spare():
    asked = LessonParts(project.lessons(["00"])[0]).predictions
    joined = [one.name for one in asked if predictions.fits(one) and predictions.has_few_lines(one)]
    assert joined == ["cost"]


def test_a_question_shows_its_code_or_the_picture_that_it_names():
    found = {one.name: one for one in LessonParts(project.lessons(["03"])[0]).predictions}
    assert matter.question_matter(found["grad"], True).startswith("<figure><img")
    assert "def backward_by_paths" in matter.question_matter(found["visits"])
    assert matter.question_matter(found["depth"]) == ""


def test_code_that_defines_something_stays_beside_its_picture():
    grad = LessonParts(project.lessons(["03"])[0]).predictions[0]
    shown = matter.question_matter(grad)
    assert shown.startswith("<pre><code>def backward_at_once") and "<figure><img" in shown
    assert matter.needs_code_slide(grad)
    (softmax,) = [
        one for one in LessonParts(project.lessons(["12"])[0]).predictions if one.name == "softmax"
    ]
    assert not matter.needs_code_slide(softmax) and "def " in matter.question_matter(softmax)


def test_an_answer_shows_what_the_cell_that_asks_has_printed():
    asked = LessonParts(project.lessons(["03"])[0]).predictions
    (shown,) = predictions.answer_slides(asked[2], False)
    assert "<pre>backward_at_once: -89\nbackward_in_order: -18</pre>" in shown.body


def test_a_small_number_is_written_as_in_a_lesson():
    assert predictions.choice_text(1e-7) == "1e-7" and predictions.choice_text("a<b") == "a&lt;b"


def test_the_code_of_a_question_is_without_its_prediction():
    code = 'require(f)\nx = f(2)\n\ndisplay(mg.draw(x))\nx_is = 2  # your prediction\npredict("x")'
    assert asked_code(SimpleNamespace(source=code)) == "x = f(2)"
