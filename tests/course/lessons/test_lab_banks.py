"""Lessons of the new form as students try them: which sentence each wrong answer meets, and that
right answers in another style pass.

Of each lesson lab_banks/ has a module bank_NN.py with these tables:
- SIGNATURES: {function: its parameters}, and NAMES: what else its body may use, beside np and mg;
  what has no parameters is a class: then the body is all of it;
- WRONG_FUNCTIONS and WRONG_VALUES: {name: [(body or value, the start of the sentence it meets)]};
  where a hint of the TOML is meant, the name of its known wrong answer stands there;
- RIGHT_FUNCTIONS and RIGHT_VALUES: {name: [bodies or values in several styles]};
- PREDICTIONS: {prediction: ([what is no prediction], the result that the lesson observes)}.
"""

import importlib
import io
import linecache
import textwrap
import zlib
from contextlib import redirect_stdout

import numpy as np
import pytest

import minigrad as mg
from minigrad.course.lab import FOLDER
from minigrad.course.lessons.answer import LessonError

NUMBERS = sorted(path.stem for path in FOLDER.glob("[0-9]*.toml"))


def logic_of(number):
    """The module of a lesson."""
    return importlib.import_module(f"minigrad.course.lessons.l{number}")


def bank_of(number):
    """The module with the answers to a lesson."""
    return importlib.import_module(f"{__package__}.lab_banks.bank_{number}")


def entries_of(table):
    """(number of a lesson, name, entry) for each entry of each name in a table of all banks."""
    return [
        (number, name, entry)
        for number in NUMBERS
        for name, entries in getattr(bank_of(number), table, {}).items()
        for entry in entries
    ]


@pytest.fixture(autouse=True, scope="module")
def other_exercises_done():
    """What a bank names of other exercises is right, and its check was ✓."""
    with pytest.MonkeyPatch.context() as patch:
        for number in NUMBERS:
            lesson, names = logic_of(number).lesson, getattr(bank_of(number), "NAMES", {})
            for name in names.keys() & lesson.words["check"].keys():
                patch.setitem(lesson.passes, name, names[name])
        yield


def made(number, name, body):
    """A learner's function with this body, or class."""
    source, signatures = textwrap.dedent(body).strip("\n") + "\n", bank_of(number).SIGNATURES
    if name in signatures:
        source = f"def {name}({signatures[name]}):\n{textwrap.indent(source, '    ')}"
    file = f"<{name} {zlib.crc32(source.encode())}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names = {"np": np, "mg": mg} | getattr(bank_of(number), "NAMES", {})
    exec(compile(source, file, "exec"), names)
    return names[name]


def outcome(check, *answer):
    """What a check says of an answer: the LessonError, or what it prints."""
    with redirect_stdout(io.StringIO()) as printed:
        try:
            check(*answer)
        except LessonError as error:
            return error
    return printed.getvalue()


def refuses_calls(lesson, function):
    """Whether a check refuses what a function computes, before it shows anything."""
    name = function.__name__
    words = lesson.words["check"][name]
    return isinstance(outcome(lesson.check_calls, name, function, words), LessonError)


def data_of(module):
    """The lists of a module, as texts."""
    return {name: repr(kept) for name, kept in vars(module).items() if isinstance(kept, list)}


def words_of(number):
    """The sentences of a lesson."""
    return logic_of(number).lesson.words


def sentence(number, name, expected):
    """The start of a hint: that of a known wrong answer by its name, or as it is written."""
    hints = words_of(number)["check"][name].get("hint", ())
    return next((hint["say"] for hint in hints if hint["when"] == expected), expected)


FUNCTIONS = [  # (number of a lesson, name of an exercise that asks for a function)
    (number, name)
    for number in NUMBERS
    for name in bank_of(number).SIGNATURES
    if name in words_of(number)["check"]
]


@pytest.mark.parametrize(("number", "name", "entry"), entries_of("WRONG_FUNCTIONS"))
def test_a_wrong_function_meets_the_sentence_for_what_it_computes(number, name, entry):
    body, expected = entry
    said = outcome(logic_of(number).check, made(number, name, body))
    assert isinstance(said, LessonError), said
    assert said.hint.startswith(sentence(number, name, expected)), str(said)
    assert str(said).startswith(f"✗ {words_of(number)['check'][name]['title']}")


@pytest.mark.parametrize(("number", "name", "body"), entries_of("RIGHT_FUNCTIONS"))
def test_a_right_function_in_another_style_passes(number, name, body):
    title = words_of(number)["check"][name]["title"]
    assert f"✓ {title}" in str(outcome(logic_of(number).check, made(number, name, body)))


@pytest.mark.parametrize("change", [list.clear, list.reverse])
@pytest.mark.parametrize(("number", "name"), FUNCTIONS)
def test_a_function_that_changes_its_lists_leaves_those_of_the_lesson(number, name, change):
    logic, changed = logic_of(number), []
    reference = getattr(logic, f"reference_{name}")

    def changing(*given):
        found, lists = reference(*given), [each for each in given if isinstance(each, list)]
        changed.extend(map(change, lists))
        return found

    changing.__name__ = name
    before = data_of(logic)
    refused = refuses_calls(logic.lesson, changing)  # for the change, in words
    if changed and not refused:
        assert "✓" in str(outcome(logic.check, changing))
    assert data_of(logic) == before


@pytest.mark.parametrize(("number", "name", "entry"), entries_of("WRONG_VALUES"))
def test_a_wrong_value_meets_its_sentence(number, name, entry):
    value, expected = entry
    said = outcome(logic_of(number).check, name, value)
    assert isinstance(said, LessonError), said
    assert said.hint.startswith(expected), str(said)


@pytest.mark.parametrize(("number", "name", "value"), entries_of("RIGHT_VALUES"))
def test_a_right_value_in_another_style_passes(number, name, value):
    assert "✓" in str(outcome(logic_of(number).check, name, value))


@pytest.mark.parametrize("number", NUMBERS)
def test_every_exercise_is_answered_wrongly_and_in_two_right_styles(number):
    bank, words = bank_of(number), words_of(number)
    wrong, right = (
        bank.WRONG_FUNCTIONS | bank.WRONG_VALUES,
        bank.RIGHT_FUNCTIONS | bank.RIGHT_VALUES,
    )
    assert set(wrong) == set(right) == set(words["check"])
    assert all(len(answers) > 1 for answers in right.values())
    for name, check in words["check"].items():
        tried = {expected for _, expected in bank.WRONG_FUNCTIONS.get(name, ())}
        named = {hint["when"] for hint in check.get("hint", ()) if isinstance(hint["when"], str)}
        assert named <= tried or name in bank.WRONG_VALUES, name


@pytest.mark.parametrize("number", NUMBERS)
def test_each_prediction_meets_its_reason(number):
    for name, words in words_of(number).get("predict", {}).items():
        result = bank_of(number).PREDICTIONS[name][1]
        for prediction in words.get("choices", [result]):
            outcome(logic_of(number).predict, name, prediction)
            said = outcome(logic_of(number).observe, name, result)
            reason = words.get("if", {}).get(str(prediction), "")
            told = " ".join(f"{reason} {words['because']}".split())
            assert " ".join(said.split()).endswith(told)
            assert said.startswith("✓" if prediction == result else "→")


@pytest.mark.parametrize("number", NUMBERS)
def test_what_is_no_prediction_is_asked_for_again(number):
    for name in words_of(number).get("predict", {}):
        others, result = bank_of(number).PREDICTIONS[name]
        for prediction in others:
            assert "Replace ... with your prediction" in " ".join(
                outcome(logic_of(number).predict, name, prediction).split()
            )
            said = outcome(logic_of(number).observe, name, result)
            assert "no prediction yet" in str(said)
