"""What a student predicted, read from the saved notebook: every question of every lesson."""

import contextlib
import importlib
import io
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minigrad.course import lab
from minigrad.course.commands import lint
from minigrad.course.grading import notebook
from minigrad.course.lessons import questions

from ..gradebook.predicting import LESSONS, blank_text, find_cell, printed, show, write_predictions

QUESTIONS = {number: questions.questions_of(path) for number, path in LESSONS.items()}
GRAD = {one.name: one for one in QUESTIONS["03"]}["grad"]


def read(raw, number="03"):
    """The predictions of a notebook."""
    return questions.read_predictions(questions.bounded_cells(raw), QUESTIONS[number])


def read_grad(cells):
    """The prediction for the question "grad" of lesson 03 in these cells."""
    return questions.read_predictions(questions.bounded_cells({"cells": cells}), [GRAD])["grad"]


@pytest.mark.parametrize("number", LESSONS)
def test_every_question_of_a_lesson_is_found(number):
    raw = notebook.read_notebook(LESSONS[number])
    code = "\n".join(cell.source for cell in notebook.cells(raw) if cell.kind == "code")
    asked = [name for call, name in lint.questions(code) if call == "predict"]
    found = [one.name for one in QUESTIONS[number]]
    assert found == asked and found
    words = tomllib.loads((lab.FOLDER / f"{number}.toml").read_text("utf-8"))["predict"]
    variants = {name for name in words if any(name.startswith(f"{one}_") for one in found)}
    assert {*words} - variants == {*found}


@pytest.mark.parametrize("number", LESSONS)
def test_every_choice_is_read_as_it_is_written_and_as_it_is_printed(number):
    for question in QUESTIONS[number]:
        assert question.choice_of(str(question.answer)) == str(question.answer)
        for choice in question.choices:
            raw = write_predictions(number, {question.name: repr(choice)})
            others = {one.name: None for one in QUESTIONS[number]} | {question.name: str(choice)}
            assert read(raw, number) == others
            for function in ("predict", "observe"):
                text = printed(number, question.name, choice, function)
                raw = write_predictions(number, {})
                show(raw, function, question.name, f"before it\n{text}after it\n")
                prediction = read(raw, number)[question.name]
                assert question.choice_of(prediction) == str(choice), (function, text)


@pytest.mark.parametrize("number", LESSONS)
def test_a_copy_is_of_its_lesson_and_the_answers_are_nobodys(number):
    blank = write_predictions(number, {})
    whole = notebook.read_notebook(LESSONS[number])
    assert questions.find_lesson(blank, LESSONS) == questions.find_lesson(whole, LESSONS) == number
    assert questions.is_published(whole, LESSONS[number])
    assert not questions.is_published(blank, LESSONS[number])
    assert {*read(blank, number).values()} == {None}
    assert "..." in blank_text(number)


def test_what_is_beside_the_answer_counts_before_what_is_written_later():
    raw = write_predictions("03", {"grad": "4"})
    assert read(raw)["grad"] == "4"
    show(raw, "predict", "grad", printed("03", "grad", 3))
    assert read(raw)["grad"] == "3"
    show(raw, "observe", "grad", printed("03", "grad", 2, "observe"))
    assert read(raw)["grad"] == "2"


def test_a_question_without_a_prediction_stays_blank_when_it_has_run():
    raw = write_predictions("03", {})
    show(raw, "predict", "grad", printed_blank("03", "grad"))
    assert read(raw)["grad"] is None


def printed_blank(number, name):
    """What `predict` prints of the blank that a copy holds."""
    own = importlib.import_module(f"minigrad.course.lessons.l{number}").lesson
    with contextlib.redirect_stdout(io.StringIO()) as out:
        own.predict(name, ...)
    assert "no prediction yet" in out.getvalue()
    return out.getvalue()


@pytest.mark.parametrize(
    ("code", "prediction", "choice"),
    [
        ("2.0", "2.0", "2"),
        ('"4"', "4", "4"),
        ("'3 '", "3", "3"),
        ("2 + 2", "2 + 2", None),
        ("never mind", "never mind", None),
        ('"a # b"', "a # b", None),
        ("never # I think", "never", None),
        ("None", None, None),
        ("[...]", None, None),
        ("''", None, None),
        ("[1, 2]", "[1, 2]", None),
        ("{[]: 1}", "{[]: 1}", None),
        ('"\\d"', "\\d", None),
        ("9" * 200, "9" * 200, None),
        ("1e999", "inf", None),
        ("(" * 120, "(" * 120, None),
        ("__import__('os').abort()", "__import__('os').abort()", None),
    ],
)
def test_what_stands_there_is_read_and_not_run(code, prediction, choice, recwarn):
    found = read(write_predictions("03", {"grad": code}))["grad"]
    assert found == prediction
    assert found is None or GRAD.choice_of(found) == choice
    assert not recwarn.list


def test_a_prediction_may_stand_in_the_call_and_a_cell_without_a_call_asks_nothing():
    raw = write_predictions("03", {})
    cell = find_cell(raw, "predict", "grad")
    cell["source"] = 'predict("grad", 3)  # here\n'
    assert read(raw)["grad"] == "3"
    cell["source"] = "grad_prediction = 3  # your prediction\n"
    assert read(raw)["grad"] is None


def test_of_choices_closer_than_rounding_the_equal_one_is_meant():
    step = QUESTIONS["02"][0]
    assert [step.choice_of(str(one)) for one in step.choices] == [str(one) for one in step.choices]
    assert step.choice_of("0.0000001") == "1e-07"


@given(st.text(max_size=40))
def test_no_text_keeps_a_prediction_from_being_told(text):
    raw = {"cells": [{"cell_type": "code", "source": f'predict("grad", {text})', "outputs": []}]}
    prediction = questions.read_predictions(questions.bounded_cells(raw), [GRAD])["grad"]
    assert prediction is None or GRAD.choice_of(prediction) in ("2", "3", "4", None)


@pytest.mark.parametrize(
    "text",
    [
        'predict("grad", ' * 6_000,
        'predict("grad", x' + " " * 90_000,
        f"{GRAD.ask}: you predict " * 2_000,
        f"{GRAD.ask}: . You predicted " * 2_000,
        "(" * 99_000,
    ],
)
def test_a_text_made_to_be_slow_holds_no_prediction(text):
    cell = {"cell_type": "code", "source": f'observe("grad")\n{text}', "outputs": [{"text": text}]}
    assert read_grad([cell] * 3) is None


def test_of_a_very_long_cell_or_notebook_only_the_beginning_is_read():
    call = 'predict("grad", 3)'
    for lead, prediction in ((questions.MOST_TEXT // 2, "3"), (questions.MOST_TEXT, None)):
        cell = {"cell_type": "code", "source": "#" * lead + f"\n{call}", "outputs": []}
        assert read_grad([cell]) == prediction
    empty, asks = ({"cell_type": "code", "source": text, "outputs": []} for text in ("", call))
    for lead, prediction in ((questions.MOST_CELLS - 1, "3"), (questions.MOST_CELLS, None)):
        assert read_grad([empty] * lead + [asks]) == prediction
