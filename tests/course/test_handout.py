"""The lessons as students open them: blank where an answer belongs, and whole elsewhere."""

import re

import pytest
from nbclient import NotebookClient

from minigrad.course import cli, handout, lesson, project

LESSONS = project.lessons(start=__file__)


def test_guesses_and_answers_are_blank_and_worked_answers_unfold(course, add_lesson, capsys):
    add_lesson("guess = 2 * 3  # your guess", "a = 1\nt = a + 1  # fill in\nprint(t)",
               "def f(x):\n    # begin answer\n    y = x\n    return y\n    # end answer\nf(1)")
    assert cli.main(["lab", "--copy-only"]) == 0
    cells = lesson.read(course / "my" / "01_small.ipynb").cells
    assert [c.source for c in cells] == [
        "guess = ...  # your guess",
        "a = 1\nt = ...  # fill in\nprint(t)",
        "<details><summary>A worked answer</summary>\n\n```python\nt = a + 1\n```\n\n</details>",
        "def f(x):\n    ...\nf(1)",
        "<details><summary>A worked answer</summary>\n\n```python\n    y = x\n    return y\n```\n\n"
        "</details>"]


def test_what_can_be_left_blank():
    lines = ["    u.grad += v.grad * s  # fill in", "    return a + b  # fill in",
             "x.slope, n[0] = 1, 2  # fill in", "f(1)  # fill in"]
    source, answer = handout.blank("\n".join(lines))
    assert source.split("\n") == ["    u.grad += ...  # fill in", "    return ...  # fill in",
                                  "x.slope, n[0] = ...  # fill in", "f(1)  # fill in"]
    assert answer == ["    u.grad += v.grad * s", "    return a + b", "x.slope, n[0] = 1, 2"]


def test_the_key_keeps_the_answers_and_lies_apart(course, add_lesson, capsys):
    add_lesson("guess = 6  # your guess")
    assert cli.main(["lab", "--copy-only", "--key"]) == 0
    assert not (course / "my" / "01_small.ipynb").exists()
    (cell,) = lesson.read(course / "my" / "key" / "01_small.ipynb").cells
    assert cell.source == "guess = 6  # your guess"


@pytest.mark.parametrize("path", LESSONS, ids=lambda p: p.stem)
def test_a_blank_lesson_asks_for_each_answer_and_breaks_nowhere_else(path):
    blank = handout.handed_out(lesson.read(path))
    waiting = [c for c in blank.cells if c.cell_type == "code" and "..." in c.source]
    NotebookClient(blank, timeout=60, allow_errors=True).execute()
    said = [output for cell in blank.cells for output in cell.get("outputs", ())
            if output.output_type == "error"]
    assert len(said) >= len(waiting) > 0
    for error in said:
        assert error.ename in ("LessonError", "DtypeError")
        assert re.match(r"✗|.*predict before you look", error.evalue) or (
            "try  replace the ..." in error.evalue)


@pytest.mark.parametrize("path", LESSONS, ids=lambda p: p.stem)
def test_every_answer_of_a_lesson_is_marked_for_blanking(path):
    key = lesson.read(path)
    asked = [c for c in key.cells if c.cell_type == "code" and "predict(" in c.source]
    assert asked and all("# your guess" in c.source for c in asked if "import" not in c.source)
