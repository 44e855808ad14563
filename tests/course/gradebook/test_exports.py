"""The table for Canvas: its columns, everyone on the roster, and no score that is not known."""

import csv
import json
from pathlib import Path

import pytest

from minigrad.course import cli
from minigrad.course.gradebook import exports
from minigrad.course.gradebook.roster import Person
from minigrad.course.grading.report import CRASHED, GRADED, MISSING, Check, Late, Report

from ..grading.conftest import RIGHT, SANDBOX, notebook

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,tiny (4711)
    Points Possible,,,,,4
"Lovelace, Ada",12345,S1,ada,One,
"Hopper, Grace",222,S2,grace,Two,
"""
GOOD = (Check("a", "a", "q1", 4, "passed"),)
DEAD = (Check("a", "a", "q1", 4, "died"),)


def test_its_own_gradebook_goes_in_and_comes_out_with_points(tiny, course):
    Path("class.csv").write_text(CANVAS)
    Path("subs").mkdir()
    half = RIGHT | {"q1": "def double(x): return 0"}
    Path("subs/lovelaceada_12345_1_tiny.ipynb").write_text(json.dumps(notebook(half)))
    Path("subs/mallory_9_2_tiny.ipynb").write_text(json.dumps(notebook(RIGHT)))
    words = ["grade", "tiny", "subs", "--roster", "class.csv", "--export", "canvas", *SANDBOX]
    assert cli.main([*words, "--column", "tiny (4711)"]) == 1
    found = Path("grades/canvas.csv").read_text()
    assert found == CANVAS.replace("ada,One,", "ada,One,2")


def test_the_points_of_its_own_gradebook_stay_and_a_difference_is_said(tiny, course, capsys):
    Path("class.csv").write_text(CANVAS.replace(",,,,,4", ",,,,,10"))
    Path("subs").mkdir()
    Path("subs/lovelaceada_12345_1_tiny.ipynb").write_text(json.dumps(notebook(RIGHT)))
    words = ["grade", "tiny", "subs", "--export", "canvas", "--column", "tiny (4711)", *SANDBOX]
    for more in (["--roster", "class.csv"], ["--keep"]):
        cli.main([*words, *more])
        said = capsys.readouterr().out
        assert "'tiny (4711)' has 10 points in Canvas and 4 here: change it there" in said
        assert "    Points Possible,,,,,10\n" in Path("grades/canvas.csv").read_text()
    cli.main([*words, "--keep", "--column", "another"])
    assert "in Canvas and" not in capsys.readouterr().out
    assert "    Points Possible,,,,,4\n" in Path("grades/canvas.csv").read_text()


def test_who_share_a_name_have_it_as_canvas_does():
    people = [Person("Li, Wei (122)", "122"), Person("Li, Wei (123)", "123")]
    results = [(person.name, Report(GRADED, GOOD)) for person in people]
    known = {person.name: person for person in people}
    text = exports.canvas_table("ps1", results, people, known, 4)
    rows = list(csv.reader(text.splitlines()))
    assert [row[:2] for row in rows[2:]] == [["Li, Wei", "122"], ["Li, Wei", "123"]]


def test_what_is_not_known_is_empty_and_late_points_are_lost():
    people = {name: Person(name, str(at)) for at, name in enumerate("abcde", 1)}
    twin = people["e"]
    results = [
        ("a", Report(GRADED, GOOD, late=Late(1, 75))),
        ("b", Report(CRASHED, DEAD)),
        ("c", Report(MISSING)),
        ("e", Report(GRADED, GOOD)),
        ("e (2)", Report(GRADED, GOOD)),
        ("nobody", Report(GRADED, GOOD)),
    ]
    text = exports.canvas_table("ps1", results, [*people.values()], {**people, "e (2)": twin}, 4)
    rows = list(csv.reader(text.splitlines()))
    assert rows[0] == [*exports.HEADER, "ps1"] and rows[1] == [
        "    Points Possible",
        "",
        "",
        "",
        "",
        "4",
    ]
    assert [(row[0], row[5]) for row in rows[2:]] == [
        ("a", "3"), ("b", ""), ("c", ""), ("d", ""), ("e", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "an export to Canvas needs the students' ids"),
        ("name,id\nAnn,1\nBob,\n", "the roster has no id for Bob"),
        (CANVAS.replace(",,,,,4", ",,,,,(read only)"), "tiny (4711) is '(read only)'"),
    ],
)
def test_what_canvas_cannot_import_is_refused_before_anything_is_graded(
    tiny, course, capsys, text, message
):
    Path("subs").mkdir()
    Path("subs/ann.ipynb").write_text(json.dumps(notebook(RIGHT)))
    words = ["grade", "tiny", "subs", "--export", "canvas", "--column", "tiny (4711)", *SANDBOX]
    if text:
        Path("class.csv").write_text(text)
        words += ["--roster", "class.csv"]
    assert cli.main(words) == 2
    said = capsys.readouterr().err
    assert message in said and "try  " in said and not Path("grades").exists()
