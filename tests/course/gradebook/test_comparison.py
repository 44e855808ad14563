"""The table of the class's best: what checks have measured, under names that tell nobody."""

import csv
import json

import pytest

from minigrad.course import cli
from minigrad.course.gradebook import comparison, feedback
from minigrad.course.grading import report as reports
from minigrad.course.grading.report import GRADED, Check, Report, from_data

from ..grading.conftest import RIGHT, SANDBOX, notebook

MEASURED = '''

@pytest.mark.question("q1", points=1)
def test_size(student, measure):
    """bytes for a double"""
    measure(student.double(8), "bytes")
    expect(student.double(1), 2)
'''
ANSWERS = {
    "ann": "def double(x): return 2 * x",
    "bob": "def double(x): return 2 * x if x < 8 else x - 7",  # the least
    "cem": "def double(x): return 2 * x if x < 8 else x - 7.0",  # as little
    "dee": "def double(x): return 0",  # less than all, and wrong
}


@pytest.fixture
def graded(tiny, course):
    """The small assignment with a check that measures, and four students; runs the command."""
    raw = json.loads(tiny.solution.read_text())
    for cell in raw["cells"]:
        if cell["id"] == "q1-check":
            cell["metadata"]["nbgrader"]["points"] = 3
    tiny.solution.write_text(json.dumps(raw))
    tiny.hidden.write_text(tiny.hidden.read_text() + MEASURED)
    (course / "subs").mkdir()
    for name, q1 in ANSWERS.items():
        (course / "subs" / f"{name}.ipynb").write_text(json.dumps(notebook(RIGHT | {"q1": q1})))
    return lambda *words: cli.main(["grade", "tiny", "subs", *SANDBOX, "--seed", "s", *words])


def rows(course):
    """The lines of the table."""
    with open(course / "grades/table.csv", newline="") as file:
        return list(csv.DictReader(file))


def one(student, number, passed="passed", title="bytes"):
    """A report whose only check has measured a number."""
    return student, Report(GRADED, (Check("a", title, "q1", 2, passed, measured=number, unit="B"),))


def test_the_table_names_nobody_and_has_the_best_first(graded, course, capsys):
    assert graded("--table") == 0
    said, found = capsys.readouterr().out, rows(course)
    assert [(row["place"], row["number"], row["unit"]) for row in found] == [
        ("1", "1", "bytes"), ("1", "1", "bytes"), ("3", "16", "bytes"),
    ]  # fmt: skip
    assert {row["measured"] for row in found} == {"bytes for a double"}
    assert found[2]["who"] == comparison.alias_of("ann", "s")
    text = (course / "grades/table.csv").read_text()
    assert not any(name in text or name in said for name in ANSWERS)
    lines = [line.split() for line in said.splitlines()]
    assert [line for line in lines if line[-1:] == ["bytes"]] == [
        [row["place"], row["who"], row["number"], "bytes"] for row in found
    ]


def test_a_page_tells_a_student_the_own_name_alone(graded, course):
    assert graded() == 0
    pages = {name: (course / f"grades/feedback/{name}.html").read_text() for name in ANSWERS}
    for name, page in pages.items():
        others = {comparison.alias_of(other, "s") for other in ANSWERS} - {
            comparison.alias_of(name, "s")
        }
        assert (comparison.alias_of(name, "s") in page) == (name != "dee")
        assert not any(other in page for other in others)
    assert "16 bytes; in the class's table this is" in " ".join(pages["ann"].split())


def test_grades_that_are_kept_are_compared_again(graded, course, capsys):
    assert graded() == 0
    before = (course / "grades/table.csv").read_bytes()
    assert graded("--keep", "--table") == 0
    assert (course / "grades/table.csv").read_bytes() == before
    assert rows(course)[0]["who"] in capsys.readouterr().out


def test_where_nothing_is_measured_the_table_says_so(tiny, course, capsys):
    (course / "subs").mkdir()
    (course / "subs/ann.ipynb").write_text(json.dumps(notebook(RIGHT)))
    assert cli.main(["grade", "tiny", "subs", *SANDBOX, "--table"]) == 0
    assert "no check of this assignment has measured anything" in capsys.readouterr().out
    assert not (course / "grades/table.csv").exists()


def test_only_what_passed_is_compared_each_title_by_itself():
    results = [one("a", 2.5), one("b", 0.125), one("c", 0.0, "failed"), one("d", None)]
    lines = list(comparison.table_lines([*results, one("a", 9, title="also")], "s"))
    name = comparison.alias_of
    assert lines == [
        ["q1", "also", "1", name("a", "s"), "9", "B"],
        ["q1", "bytes", "1", name("b", "s"), "0.125", "B"],
        ["q1", "bytes", "2", name("a", "s"), "2.5", "B"],
    ]
    assert name("a", "s") != name("a", "t") != name("b", "t")


def test_a_number_is_shown_and_survives_a_file():
    student, found = one("ann", 0.12345)
    assert from_data(json.loads(json.dumps(found.as_data()))) == found
    assert "    0.1235 B" in reports.terminal_text(found).splitlines()
    page = feedback.feedback_page(student, "tiny", found)
    assert "0.1235 B" in page and "the class's table" not in page
