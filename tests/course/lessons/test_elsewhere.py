"""What is kept of other frameworks' answers is what they answer, wherever they are installed."""

import json

import pytest

from minigrad.course import teach
from minigrad.course.lessons import elsewhere
from minigrad.course.lessons.answer import LessonError

PAGES = sorted(path.stem for path in elsewhere.FOLDER.glob("*.toml"))
PROGRAMS = '''
[sum]
asks = "1 + 1"
minigrad = """
answer = 1 + 1
"""
numpy = """
import numpy
answer = numpy.add(1, 1)
"""
[print]
asks = "how often it prints"
numpy = "answer = 'once'"
'''


@pytest.mark.parametrize("framework", elsewhere.FRAMEWORKS)
@pytest.mark.parametrize("page", PAGES)
def test_the_answers_kept_are_the_answers_given(page, framework):
    asked = {name for row in elsewhere.read_questions(page).values() for name in row}
    if framework not in asked:
        pytest.skip(f"page {page} does not ask {framework}")
    if not elsewhere.is_installed(framework):
        pytest.skip(f"{framework} is not installed")
    kept, given = elsewhere.read_answers(page)[framework], elsewhere.ask_framework(page, framework)
    assert kept | {"version": ""} == given | {"version": ""}


@pytest.mark.parametrize("page", PAGES)
def test_every_question_that_is_asked_has_an_answer(page):
    answers = elsewhere.read_answers(page)
    for question, row in elsewhere.read_questions(page).items():
        for framework in row.keys() - {"asks"}:
            assert answers[framework][question], (question, framework)


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A page of two questions, asked of two packages in this process."""
    (tmp_path / "99.toml").write_text(PROGRAMS)
    monkeypatch.setattr(elsewhere, "FOLDER", tmp_path)
    monkeypatch.setattr(elsewhere, "FRAMEWORKS", ("minigrad", "numpy", "nowhere"))
    monkeypatch.setattr(elsewhere, "ask_framework", elsewhere.run_programs)
    return tmp_path / "99.json"


def test_answers_are_asked_for_kept_and_shown(page):
    page.write_text(json.dumps({"nowhere": {"version": "1", "sum": "two"}}))
    assert elsewhere.write_answers("99") == ["minigrad", "numpy"]
    kept = elsewhere.read_answers("99")
    assert kept["numpy"].keys() == {"version", "sum", "print"}
    assert [line.split() for line in repr(teach.others("99")).split("\n")] == [
        ["minigrad", "numpy", "nowhere"],
        ["1", "+", "1", "2", "2", "two"],
        ["how", "often", "it", "prints", "·", "once", "·"],
    ]
    assert len(teach.others("99", "sum").rows) == 1
    shown = repr(teach.program_of("99", "sum", "numpy"))
    assert shown == "# numpy\nimport numpy\nanswer = numpy.add(1, 1)"


def test_a_program_can_be_read_by_what_it_calls():
    source = "import inspect\ndef f():\n    return 2\nanswer = inspect.getsource(f), f.__module__"
    answer = elsewhere.run_program(source, "<lines, python>")
    assert answer == ("def f():\n    return 2\n", "__main__")


def test_an_unknown_page_is_refused():
    with pytest.raises(LessonError, match="no questions are kept for 'x'"):
        teach.others("x")
