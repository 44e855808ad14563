"""The questions: each key is what a program finds, and a wrong one stops the build."""

import ast
import inspect
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from minigrad.core.errors import MinigradError
from minigrad.course.inventory import facts, questions

ROOT = Path(__file__).parents[3]
EDITION, ASKED = questions.read_inventory()
EACH = pytest.mark.parametrize("question", ASKED, ids=lambda question: question.fact)


@EACH
def test_the_key_is_what_the_program_finds_and_no_other_option_is_true(question):
    assert questions.true_options(question) == [question.key.says]


@EACH
def test_a_wrong_key_is_refused(question):
    key, wrong, *others = question.options
    planted = replace(question, options=(wrong, key, *others))
    with pytest.raises(MinigradError, match=re.escape(f"but '{key.says}' is true")):
        questions.refuse_wrong_keys([*ASKED[:3], planted])


def test_a_second_true_option_is_refused():
    (question,) = [one for one in ASKED if one.fact == "keep_every_float"]
    true = replace(question.options[1], says="x / 1 → x")
    planted = replace(question, options=(question.key, true, *question.options[2:]))
    with pytest.raises(MinigradError, match="'x \\* 1 → x', 'x / 1 → x' is true"):
        questions.refuse_wrong_keys([planted])


@EACH
def test_no_program_returns_a_constant(question):
    source = inspect.getsource(getattr(facts, question.fact))
    returned = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Return)]
    assert returned and not any(isinstance(value, ast.Constant) for value in returned)
    called = {node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)}
    words = " ".join(map(ast.unparse, called))
    assert re.search(r"\b(mg\.|leaf|counting_square)", words)  # it asks the engine
    assert not re.search(rf"['\"]{re.escape(question.key.says)}['\"]", source)


def test_a_fault_of_the_engine_changes_what_is_found(monkeypatch):
    (question,) = [one for one in ASKED if one.fact == "derive_two_paths"]
    monkeypatch.setattr(facts.mg, "grad", lambda f: lambda x: f(x))
    with pytest.raises(MinigradError, match="but '6' is true"):
        questions.refuse_wrong_keys([question])


def test_there_are_four_questions_of_each_topic_with_four_different_options():
    topics = [question.topic for question in ASKED]
    assert {topics.count(topic) for topic in topics} == {4} and len(ASKED) == 20
    for question in ASKED:
        texts = [option.says for option in question.options]
        assert len({*texts}) == len(texts) == len(questions.LETTERS)
        assert all(option.misconception.endswith(".") for option in question.options[1:])
        assert "of the above" not in question.stem + " ".join(texts)
        assert question.stem.count("?") == 1


def test_a_key_is_not_known_by_its_length():
    longest = [
        len(question.key.says) > max(len(option.says) for option in question.options[1:])
        for question in ASKED
    ]
    assert sum(longest) <= len(ASKED) / 4
    for question in ASKED:  # and nobody sees it by the form, either
        lengths = [len(option.says) for option in question.options]
        assert max(lengths) - min(lengths) <= 8


def test_every_lesson_that_is_named_exists():
    there = {path.name.partition("_")[0] for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {lesson for question in ASKED for lesson in question.lessons} <= there


@pytest.mark.parametrize("number", range(1, 6))
def test_a_form_is_the_same_again_and_each_letter_is_the_key_five_times(number):
    form = questions.make_form(number)
    assert form == questions.make_form(number) != questions.make_form(number + 1)
    letters = Counter(map(form.key_letter, range(len(form.questions))))
    assert set(letters.values()) == {5}
    assert all(sorted(order) == [0, 1, 2, 3] for order in form.orders)


def test_a_copy_without_the_questions_says_so(tmp_path):
    with pytest.raises(MinigradError, match="are not in this copy"):
        questions.read_inventory(tmp_path / "questions.toml")
