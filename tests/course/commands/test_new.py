"""An assignment from the template: it can be released, checked, graded and tried at once."""

import csv
import json
from pathlib import Path

import pytest

from minigrad.course import cli
from minigrad.course.grading import assignment, markup, notebook

from ..grading.conftest import KIND, SANDBOX

OWN = ["--sandbox", KIND]


@pytest.fixture
def ps9(course):
    """The new assignment."""
    assert cli.main(["new", "ps9"]) == 0
    return assignment.for_instructor("ps9")


def test_it_names_what_it_wrote_and_what_comes_next(course, capsys):
    assert cli.main(["new", "ps9"]) == 0
    said = capsys.readouterr().out
    new = [Path(line.removeprefix("new: ")) for line in said.splitlines() if line[:4] == "new:"]
    assert len(new) == 6 and all(path.is_file() for path in new)
    assert "minigrad release ps9" in said and "psN" not in said
    assert not [path for path in new if "psN" in path.read_text(encoding="utf-8")]


def hand_in(ps9, path, **answers):
    """Write a submission: the released notebook with these answers."""
    raw = notebook.read_notebook(ps9.notebook)
    for cell, parsed in zip(raw["cells"], notebook.cells(raw)):
        cell["source"] = answers.get(parsed.name, cell["source"])
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(raw))


def test_it_releases_checks_grades_and_tries_its_checks(ps9, course, capsys):
    assert cli.main(["release", "ps9", *OWN]) == 0
    text = ps9.notebook.read_text()
    assert "x_dot * y + x * y_dot" not in text and markup.STUB[0] in text
    assert "<!-- Change" in ps9.solution.read_text() and "<!-- Change" not in text
    assert cli.main(["start", "ps9"]) == 0
    assert cli.main(["check", "ps9", *OWN]) == 1
    right = "def product_speed(x, x_dot, y, y_dot):\n    return y_dot * x + x_dot * y"
    hand_in(ps9, course / "my/ps9/ps9.ipynb", q1=right)
    assert cli.main(["check", "ps9", *OWN]) == 0
    hand_in(ps9, course / "subs/ann.ipynb", q1=right)
    hand_in(ps9, course / "subs/bob.ipynb", q1=right.replace("y_dot * x + ", ""))
    assert cli.main(["grade", "ps9", "subs", *SANDBOX]) == 0
    with open("grades/grades.csv", newline="") as file:
        scores = {row["student"]: row["score"] for row in csv.DictReader(file)}
    assert scores["ann"] == "3" and float(scores["bob"]) < 3
    assert cli.main(["mutants", "ps9", *OWN]) == 0
    capsys.readouterr()
    assert cli.main(["mutants", "ps9", "--automatic", *OWN]) == 0
    assert "✗" not in capsys.readouterr().out


@pytest.mark.parametrize("name", ["instructor", "../ps9", "PS9", "ps 9", "9", "ps"])
def test_a_name_that_is_none_is_refused(course, capsys, name):
    assert cli.main(["new", name]) == 2
    assert f"'{name}' is no name of an assignment" in capsys.readouterr().err
    assert list((course / "assignments").iterdir()) == []


@pytest.mark.parametrize("folder", ["assignments/ps9", "assignments/instructor/ps9"])
def test_nothing_is_written_over(course, capsys, folder):
    (course / folder).mkdir(parents=True)
    assert cli.main(["new", "ps9"]) == 2
    assert f"{folder} is there already" in capsys.readouterr().err
    assert [path for path in course.rglob("*") if path.is_file()] == []


def test_one_more_question_releases_and_is_tried_at_once(ps9, course, capsys):
    for question in ("q2", "q3"):
        assert cli.main(["new", "ps9", "--question", question]) == 0
        said = capsys.readouterr().out
        assert f"bank/{question}.py" in said and "qN" not in said and "psN" not in said
    raw = notebook.read_notebook(ps9.solution)
    assert notebook.cells(raw)[-1].source.startswith("**What we saw.**")
    assert cli.main(["release", "ps9", *OWN]) == 0
    assert assignment.key_master(ps9).points == {"q1": 3, "q2": 3, "q3": 3}
    assert cli.main(["mutants", "ps9", *OWN]) == 0
    assert "bank/q3.py" in capsys.readouterr().out
    assert cli.main(["mutants", "ps9", "--automatic", *OWN]) == 0
    assert "✗" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ps9", "--question", "q1"], "ps9 has q1 already"),
        (["ps9", "--question", "Q 2"], "'Q 2' is not a name of a question"),
        (["ps9", "--question", "../q2"], "is not a name of a question"),
        (["ps8", "--question", "q2"], "'ps8' is not an assignment"),
    ],
)
def test_a_question_that_cannot_be_added_changes_nothing(ps9, course, capsys, words, message):
    before = {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}
    assert cli.main(["new", *words]) == 2
    assert message in capsys.readouterr().err
    assert {path: path.read_bytes() for path in course.rglob("*") if path.is_file()} == before
