"""What is kept of other frameworks' answers is what they answer, wherever they are installed."""

import json
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from minigrad.course import project, teach
from minigrad.course.lessons import elsewhere, lesson, syllabus
from minigrad.course.lessons.answer import LessonError

LESSONS = project.lessons(start=__file__)
PAGES = elsewhere.list_pages()
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


@pytest.mark.parametrize("framework", [*elsewhere.FRAMEWORKS[1:], "optax"])
def test_the_names_in_the_lessons_lead_to_something(framework):
    if not elsewhere.is_installed(framework):
        pytest.skip(f"{framework} is not installed")
    called = [short for short, name in elsewhere.SHORT.items() if name.startswith(framework)]
    pattern = rf"(?<![\w.])(?:{'|'.join([framework, *called])})(?:\.[A-Za-z_]\w*)+"
    found = {
        f"{path.stem}: {name}": elsewhere.is_name(name)
        for path in LESSONS
        for cell in lesson.read_lesson(path).cells
        if cell.cell_type == "markdown"
        for code in re.findall(r"`[^`\n]+`", cell.source)
        for name in re.findall(pattern, code)
    }
    assert [place for place, there in found.items() if not there] == []
    assert found or framework == "onnxruntime"


def test_a_question_named_after_a_lesson_asks_for_its_subject():
    lessons = syllabus.read_table()["lessons"]
    rows = elsewhere.read_questions("17_course")
    assert all(name.removeprefix("lesson_") in lessons for name in rows)
    assert rows["lesson_03"]["asks"] == "lesson 03: Reverse mode"
    assert rows.keys() >= {"lesson_00", "lesson_05b", "lesson_11b"}


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A page of two questions, asked of two packages in this process."""
    (tmp_path / "99.toml").write_text(PROGRAMS)
    monkeypatch.setattr(elsewhere, "FOLDER", tmp_path)
    monkeypatch.setattr(elsewhere, "FRAMEWORKS", ("minigrad", "numpy", "nowhere"))
    monkeypatch.setattr(elsewhere, "ask_framework", elsewhere.run_programs)
    return tmp_path / elsewhere.ANSWERS


def test_answers_are_asked_for_kept_and_shown(page):
    page.write_text(json.dumps({"nowhere": {"version": "1", "99": {"sum": "two"}}}))
    assert elsewhere.write_answers(["99"]) == {"99": ["minigrad", "numpy"]}
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


def test_a_new_version_answers_all_pages(page):
    page.write_text(json.dumps({"numpy": {"version": "1.0", "98": {"sum": "2"}}}))
    before = page.read_text()
    with pytest.raises(LessonError, match="the other answers are those of version 1.0"):
        elsewhere.write_answers(["99"])
    assert page.read_text() == before
    (page.parent / "98.toml").write_text(PROGRAMS)
    elsewhere.write_answers(elsewhere.list_pages())
    assert elsewhere.read_answers("98")["numpy"]["version"] != "1.0"


def test_a_program_can_be_read_by_what_it_calls():
    source = "import inspect\ndef f():\n    return 2\nanswer = inspect.getsource(f), f.__module__"
    answer = elsewhere.run_program(source, "<lines, python>")
    assert answer == ("def f():\n    return 2\n", "__main__")


@pytest.mark.parametrize(
    "program, there",
    [
        ("mg.Tensor.grad_fn", True),
        ("numpy.linalg.norm", True),
        ("mg.Tensor.no_such", False),
        ("nowhere.at.all", False),
        ("minigrad/core/autodiff.py: gradients", True),
        ("minigrad/core/ops/elementwise.py: Tanh", True),
        ("minigrad/core/autodiff.py: Tensor", False),  # it is used there, and defined elsewhere
        ("minigrad/no_such.py: gradients", False),
        ("nowhere/at.py: all", False),
        ("numpy/numpy/ndarraytypes.h: no_such", False),
    ],
)
def test_a_name_or_a_place_is_its_own_answer_where_it_is_found(program, there):
    if there:
        assert elsewhere.find_answer(program, "<test>") == program
    else:
        with pytest.raises(LessonError, match="there is no "):
            elsewhere.find_answer(program, "<test>")


def test_a_header_of_a_package_declares_names(tmp_path, monkeypatch):
    (tmp_path / "include" / "made").mkdir(parents=True)
    (tmp_path / "include" / "made" / "engine.h").write_text("void walk_back(int);")
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(elsewhere, "find_spec", lambda name: spec)
    assert elsewhere.is_place("made/engine.h: walk_back")
    assert not elsewhere.is_place("made/engine.h: walk")


def test_it_runs_by_its_name(tmp_path):
    command = [sys.executable, "-m", elsewhere.__name__, "17", "minigrad"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert json.loads(done.stdout)["saved"] == "2 3"


def test_one_answer_can_be_taken(page):
    page.write_text(json.dumps({"nowhere": {"99": {"sum": "two"}}}))
    assert teach.answer_of("99", "sum", "nowhere") == "two"


def test_a_long_table_is_folded_on_a_page(page):
    page.write_text(json.dumps({"nowhere": {"99": {"sum": "two"}}}))
    plain, folded = teach.others("99"), teach.others("99", fold="Sums & more")
    assert repr(folded) == repr(plain)
    start, end = folded._repr_html_().split(plain._repr_html_())
    assert start == "<details><summary>Sums &amp; more</summary>\n" and end == "\n</details>"


def test_an_unknown_page_is_refused():
    with pytest.raises(LessonError, match="no questions are kept for 'x'"):
        teach.others("x")
