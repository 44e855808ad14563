"""Grades over time: interrupted, done again for one, late, completed by hand."""

import csv
import json
import re
import signal
import subprocess
import sys
import time

import pytest

from minigrad.core.errors import ArgumentError
from minigrad.course import cli
from minigrad.course.commands import grade
from minigrad.course.gradebook import batches, feedback, tables
from minigrad.course.grading.report import (
    BY_HAND,
    CRASHED,
    GRADED,
    UNANSWERED,
    Check,
    Late,
    Mark,
    Report,
    Written,
)

from ..grading.conftest import KIND, RIGHT, SANDBOX, SOLUTIONS, marked, notebook
from ..grading.paths import ROOT

ESSAY = marked("q4", "YOUR ANSWER HERE", 4, solution=True, grade=True) | {"cell_type": "markdown"}
ESSAY = {name: part for name, part in ESSAY.items() if name not in ("outputs", "execution_count")}


def with_essay(answers, text):
    """The small assignment's notebook with a question that is graded by hand."""
    raw = notebook(answers)
    raw["cells"].append(ESSAY | {"source": text})
    return raw


@pytest.fixture
def students(tiny, course):
    """Write submissions: each student's notebook of a name and the answer to q1."""

    def write(**answers):
        (course / "subs").mkdir(exist_ok=True)
        for name, q1 in answers.items():
            (course / "subs" / f"{name}.ipynb").write_text(json.dumps(notebook(RIGHT | {"q1": q1})))

    write(ann=RIGHT["q1"], bob="def double(x): return 0")
    return write


@pytest.fixture
def marked_by(monkeypatch):
    """Replace the run of the checks by a reader of q1; the list of those who were graded."""
    graded = []

    def mark(entry, *_):
        graded.append(entry.student)
        if entry.path is None:
            return Report(entry.status, reason=entry.reason)
        source = entry.path.read_text()
        outcome = "died" if "exit" in source else "passed" if "2 *" in source else "failed"
        checks = (Check("a", "twice", "q1", 2, outcome), Check("b", "sum", "q2", 2, "passed"))
        if "fault" in source:
            return Report(CRASHED, reason="the grader failed")
        lost = outcome == "died"
        return Report(CRASHED if lost else GRADED, checks, "q1: it ended" if lost else "")

    monkeypatch.setattr(grade, "grade_entry", mark)
    return graded


def run(*words):
    """Grade the small assignment; the exit status."""
    return cli.main(["grade", "tiny", "subs", *SANDBOX, *map(str, words)])


def rows(course):
    """The rows of grades.csv by student."""
    with open(course / "grades/grades.csv", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def contents(folder):
    """Every file below a folder."""
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_only_one_student_is_graded_again(students, marked_by, course, capsys):
    assert run() == 0
    students(bob=RIGHT["q1"])
    before = contents(course / "grades")
    assert run("--only", "ann") == 2  # bob's submission has changed: his old grade is not kept
    assert contents(course / "grades") == before
    assert marked_by == ["ann", "bob"]
    assert run("--only", "bob") == 0
    assert marked_by == ["ann", "bob", "bob"]
    assert [row["score"] for row in rows(course).values()] == ["4", "4"]
    assert run("--only", "nobody") == 2
    assert run("--only", "Bob") == 2
    assert "try  write it as in grades.csv (bob)" in capsys.readouterr().err


def test_what_has_not_changed_can_be_kept_but_not_under_another_name(students, marked_by, course):
    assert run() == 0
    (course / "subs/ann.ipynb").rename(course / "subs/eve.ipynb")
    assert run("--keep") == 0
    assert marked_by == ["ann", "bob", "eve"]
    assert list(rows(course)) == ["bob", "eve"]


def test_other_checks_make_every_old_grade_invalid(students, marked_by, tiny):
    assert run() == 0
    tiny.hidden.write_text(tiny.hidden.read_text() + "\n# other checks\n")
    assert run("--keep") == 0
    assert marked_by == ["ann", "bob"] * 2


def test_a_fault_of_the_grader_is_tried_again(students, marked_by, course, monkeypatch):
    students(bob="fault")
    monkeypatch.setattr("minigrad.course.gradebook.feedback.feedback_page", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run()
    monkeypatch.undo()
    kept = list((course / ".grades-unfinished/reports").iterdir())
    assert len(kept) == 1  # ann's


HOLD = """
import glob, os, time
while os.path.exists("{course}/hold") and len(glob.glob("{course}/.grades-*/reports/*.json")) == 2:
    time.sleep(0.02)
"""


def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(tiny, students, course):
    students(**{f"s{number}": RIGHT["q1"] for number in range(4)})
    (course / "subs/ann.ipynb").write_text("truncated")
    tiny.hidden.write_text(tiny.hidden.read_text() + HOLD.format(course=str(course)))
    (course / "hold").touch()
    words = [sys.executable, "-m", "minigrad.course.cli", "grade", "tiny", "subs"]
    words += [*SANDBOX, "--jobs", "1"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(words, cwd=course, env=environment, stderr=subprocess.PIPE) as process:
        begun = course / ".grades-unfinished/reports"
        while len(list(begun.glob("*.json"))) < 2 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    (course / "hold").unlink()
    assert len(list(begun.glob("*.json"))) == 2
    assert not (course / "grades").exists()
    assert run("--jobs", 2) == 1
    seed = (course / "grades/seed.txt").read_text()
    assert run("--out", "whole", "--jobs", 2, "--seed", seed) == 1
    assert contents(course / "grades") == contents(course / "whole")
    assert not begun.parent.exists()


def test_grades_that_were_moved_aside_come_back(students, marked_by, course):
    assert run() == 0
    before = contents(course / "grades")
    (course / ".grades-unfinished").mkdir()
    (course / "grades").rename(course / ".grades-unfinished/old")
    assert run("--keep") == 0
    assert contents(course / "grades") == before
    assert marked_by == ["ann", "bob"]


def test_what_others_put_beside_grades_stays(students, marked_by, course):
    assert run() == 0
    assert {path.name for path in (course / "grades").iterdir()} <= batches.WRITTEN
    (course / "grades/notes.txt").write_text("call bob")
    (course / "grades/talks").mkdir()
    (course / "grades/talks/bob.txt").write_text("he will try again")
    (course / "grades/feedback/gone.html").write_text("of a student who has left")
    for option in ("--keep", "--replace"):
        assert run(option) == 0
        assert (course / "grades/notes.txt").read_text() == "call bob"
        assert (course / "grades/talks/bob.txt").exists()
        assert not (course / "grades/feedback/gone.html").exists()
    assert not (course / ".grades-unfinished").exists()


def test_a_folder_that_only_has_the_name_of_an_unfinished_batch_is_kept(students, course, capsys):
    (course / ".grades-unfinished").mkdir()
    (course / ".grades-unfinished/thesis.txt").write_text("a year of it")
    assert run() == 2
    assert "holds other things than an unfinished batch" in capsys.readouterr().err
    assert (course / ".grades-unfinished/thesis.txt").exists()
    assert not (course / "grades").exists()


def test_late_days_take_their_part_everywhere(students, marked_by, course, capsys):
    (course / "late.csv").write_text("student,days\nann,1.5\nbob,9\n")
    assert run("--late", "late.csv", "--late-keeps", "90,75") == 0
    ann, bob = rows(course).values()
    assert (ann["score"], ann["days late"], ann["keeps %"], ann["q1"]) == ("3", "2", "75", "2")
    assert (bob["score"], bob["keeps %"], bob["q2"]) == ("0", "0", "2")
    page = (course / "grades/feedback/ann.html").read_text()
    assert "3 of 4 points" in page and "2 days late: 75 % of 4 points are kept" in page
    results = json.loads((course / "grades/gradescope/ann/results.json").read_text())
    assert results["score"] == 3
    assert "75 %" in results["output"]
    assert run("--only", "bob") == 0  # the lateness that is known is not forgotten
    assert "grades/late.csv is used again" in capsys.readouterr().out
    assert rows(course)["ann"]["score"] == "3"


def test_who_has_left_is_a_note_of_a_table_that_is_used_again(students, marked_by, course, capsys):
    (course / "late.csv").write_text("student,days,keeps\nann,1,90\nbob,1,90\n")
    assert run("--late", "late.csv") == 0
    (course / "grades/by-hand.csv").write_text("student,question,points\nbob,q1,2\n")
    (course / "subs/bob.ipynb").unlink()
    capsys.readouterr()
    assert run("--keep") == 0
    said = capsys.readouterr().out
    assert "late.csv, line 3: bob has handed in nothing this time, and the line is left out" in said
    assert "by-hand.csv, line 2: bob has handed in nothing this time" in said
    assert "bob" not in (course / "grades/late.csv").read_text()
    assert rows(course)["ann"]["score"] == "3.6"
    assert run("--keep", "--late", "late.csv") == 2  # in a table that is given it is an error
    assert "late.csv, line 3: 'bob' is not a student" in capsys.readouterr().err


DUE = "2026-11-20T12:00"


@pytest.mark.parametrize(
    ("line", "days", "keeps"),
    [
        ("ann,,2026-11-20T11:59,", 0, 100),
        ("ann,,2026-11-20T12:00,", 0, 100),
        ("ann,,2026-11-20T12:01,", 1, 90),
        ("ann,,2026-11-22T12:00,", 2, 75),
        ("ann,,2026-11-22 12:00:01,", 3, 0),
        ("ann,0,,", 0, 100),
        ("ann,3,,100", 3, 100),
    ],
)
def test_every_day_that_has_begun_counts(tmp_path, line, days, keeps):
    path = tmp_path / "late.csv"
    path.write_text(f"student,days,received,keeps\n{line}\n")
    assert tables.read_late(path, ["ann"], (90, 75), DUE) == {"ann": Late(days, keeps)}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("eve,1,,", "late.csv, line 2: 'eve' is not a student"),
        ("ann,-1,,", "days is '-1'"),
        ("ann,nan,,", "days is 'nan'"),
        ("ann,one,,", "days is 'one'"),
        ("ann,1,,101", "keeps is '101'"),
        ("ann,,,", "it has no days and no received time"),
        ("ann,,yesterday,", "received is 'yesterday'"),
        ("ann,,2026-11-22T12:00+01:00,", "only one of received and --due names its time zone"),
        ("ann,1,,\nann,1,,", "line 3: a second line for 'ann'"),
    ],
)
def test_a_table_that_is_wrong_names_its_line(tmp_path, line, message):
    path = tmp_path / "late.csv"
    path.write_text(f"student,days,received,keeps\n{line}\n")
    with pytest.raises(ArgumentError) as error:
        tables.read_late(path, ["ann"], (90,), DUE)
    assert message in error.value.message


@pytest.mark.parametrize("text", ['student;days;keeps\n"Lee, Ann";1;87,5\n',
                                  'student\tdays\tkeeps\nLee, Ann\t1\t87.5\n',
                                  'student,days,keeps\n"Lee, Ann",1,"87,5"\n'])  # fmt: skip
def test_a_table_of_another_country_is_read(tmp_path, text):
    (tmp_path / "late.csv").write_text(text)
    assert tables.read_late(tmp_path / "late.csv", ["Lee, Ann"]) == {"Lee, Ann": Late(1, 87.5)}


def test_a_table_in_another_encoding_names_the_cure(tmp_path):
    (tmp_path / "late.csv").write_bytes("student,days\nJörg,1\n".encode("latin-1"))
    with pytest.raises(ArgumentError, match="late.csv is not in UTF-8") as error:
        tables.read_late(tmp_path / "late.csv", ["Jörg"])
    assert error.value.hint == "save it as 'CSV UTF-8' in the spreadsheet"


CLASS = ["Lee, Ann", "Lee, Bo", "Ng, Wei (1)", "Ng, Wei (2)"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Ann Lee", " (Lee, Ann)"),
        ("Lee", " (Lee, Ann or Lee, Bo)"),
        ("wei ng", " (Ng, Wei (1) or Ng, Wei (2))"),
        ("Lee, An", " (Lee, Ann"),
        ("Zoe", ""),
        ("", ""),
    ],
)
def test_a_name_that_is_not_there_calls_up_those_that_are_near(tmp_path, name, near):
    assert tables.near_names(name, CLASS).startswith(near) and bool(near) == bool(
        tables.near_names(name, CLASS)
    )
    (tmp_path / "late.csv").write_text(f'student,days\n"{name}",1\n')
    with pytest.raises(ArgumentError) as error:
        tables.read_late(tmp_path / "late.csv", CLASS, (90,))
    assert f"write it as in grades.csv{near}" in error.value.hint


@pytest.mark.parametrize("name", ["Ann Lee", "ann lee", "Lee"])
def test_a_table_that_is_used_again_keeps_no_line_under_another_form_of_a_name(tmp_path, name):
    (tmp_path / "late.csv").write_text(f"student,days\n{name},1\n")
    gone = []
    with pytest.raises(ArgumentError, match=f"'{name}' is not a student"):
        tables.read_late(tmp_path / "late.csv", CLASS, (90,), gone=gone)
    assert gone == []


def test_a_line_with_more_cells_than_columns_is_refused(tmp_path):
    (tmp_path / "late.csv").write_text("student,days\nLee, Ann,1\n")
    with pytest.raises(ArgumentError, match="line 2.* more cells than the first line") as error:
        tables.read_late(tmp_path / "late.csv", CLASS, (90,))
    assert '"Lovelace, Ada"' in error.value.hint
    (tmp_path / "late.csv").write_text('student,days\n"Lee, Ann",1,,\n')
    assert tables.read_late(tmp_path / "late.csv", CLASS, (90,)).keys() == {"Lee, Ann"}


def test_lateness_without_a_policy_is_refused(tmp_path):
    path = tmp_path / "late.csv"
    path.write_text("student,days\nann,1\n")
    with pytest.raises(ArgumentError, match="--late-keeps has no percent for 1 days late"):
        tables.read_late(path, ["ann"])
    path.write_text("name,days\n")
    with pytest.raises(ArgumentError, match="late.csv has no column student"):
        tables.read_late(path, ["ann"])
    for text in ("90;75", "101", "-1"):
        with pytest.raises(ArgumentError, match="--late-keeps is"):
            tables.late_policy(text)


def test_a_written_answer_waits_for_its_points_and_takes_them(tiny, course, capsys):
    tiny.solution.write_text(json.dumps(with_essay(SOLUTIONS, "The model answer.")))
    rubric = "# Points\n\nOthers.\n\n## q4\n\n| point |\n|---|\n| one per <reason> |\n"
    (tiny.instructor / "rubric.md").write_text(rubric)
    (course / "subs").mkdir()
    for name, text in {"ann": "Because <b>two</b>.", "bob": "YOUR ANSWER HERE"}.items():
        (course / "subs" / f"{name}.ipynb").write_text(json.dumps(with_essay(RIGHT, text)))
    assert run() == 0
    row = rows(course)["ann"]
    assert (row["status"], row["score"], row["possible"]) == ("TO BE GRADED BY HAND", "", "8")
    assert (row["q1"], row["q4"]) == ("2", "")
    assert "Fill the points in grades/by-hand.csv" in capsys.readouterr().out
    read = (course / "grades/by-hand.html").read_text()
    assert "Because &lt;b&gt;two&lt;/b&gt;." in read and "&lt;reason&gt;" in read
    assert "<td>one per" in read and "Others." not in read  # the part about q4 alone
    assert "Nothing was written by bob: 0 points." in read and "The model answer" not in read
    results = json.loads((course / "grades/gradescope/ann/results.json").read_text())
    assert "score" not in results and results["output"] == "q4 is to be graded by hand"
    filled = (course / "grades/by-hand.csv").read_text()
    assert "bob" not in filled  # who wrote nothing has 0 points, and nobody waits for more
    assert (rows(course)["bob"]["status"], rows(course)["bob"]["q4"]) == ("GRADED", "0")
    assert "Nothing was written." in (course / "grades/feedback/bob.html").read_text()
    results = json.loads((course / "grades/gradescope/bob/results.json").read_text())
    assert results["score"] == 4
    assert results["tests"][-1] == {
        "name": "q4: nothing was written", "number": "q4", "max_score": 4, "score": 0, "output": "",
    }  # fmt: skip
    filled = filled.replace("ann,q4,,4,,", "ann,q4,2.5,4,Well said.,")
    (course / "filled.csv").write_text(filled)
    assert run("--keep", "--by-hand", "filled.csv") == 0
    ann, bob = rows(course).values()
    assert (ann["status"], ann["score"], ann["q4"]) == ("GRADED", "6.5", "2.5")
    assert (bob["status"], bob["score"], bob["q4"]) == ("GRADED", "4", "0")
    page = (course / "grades/feedback/ann.html").read_text()
    assert "q4: 2.5 of 4 points" in page and "Graded by hand. Well said." in page
    results = json.loads((course / "grades/gradescope/ann/results.json").read_text())
    assert results["score"] == 6.5
    assert results["tests"][-1] == {
        "name": "q4: graded by hand", "number": "q4", "max_score": 4, "score": 2.5,
        "output": "Well said.",
    }  # fmt: skip
    (course / "subs/ann.ipynb").write_text(json.dumps(with_essay(RIGHT, "Now I know.")))
    capsys.readouterr()
    assert run("--keep") == 0
    assert "ann has handed in again since q4 was graded by hand" in capsys.readouterr().out
    assert [row["q4"] for row in rows(course).values()] == ["", "0"]


def test_an_answer_that_was_not_written_is_said_before_it_is_handed_in(tiny, course, capsys):
    tiny.solution.write_text(json.dumps(with_essay(SOLUTIONS, "A model answer.")))
    (tiny.instructor / "rubric.md").write_text("q4: four points.\n")
    assert cli.main(["release", "tiny", "--sandbox", KIND]) == 0
    for text, said in {" \n": "; nothing is written yet", "Text.": ""}.items():
        (course / "a.ipynb").write_text(json.dumps(with_essay(RIGHT, text)))
        words = ["check", "tiny", "--file", "a.ipynb", "--sandbox", KIND, "q1"]
        assert cli.main(words) == 0
        assert capsys.readouterr().out.endswith(f"q4 is graded by hand: 4 points{said}\n")


def test_release_asks_for_a_rubric_and_hides_the_model_answer(tiny, course, capsys):
    tiny.solution.write_text(json.dumps(with_essay(SOLUTIONS, "A model answer to tell.")))
    assert cli.main(["release", "tiny", "--sandbox", KIND]) == 2
    assert "q4 is graded by hand, and rubric.md does not say how" in capsys.readouterr().err
    (tiny.instructor / "rubric.md").write_text("q4: four points.\n")
    assert cli.main(["release", "tiny", "--sandbox", KIND]) == 0
    text = tiny.notebook.read_text()
    assert "YOUR ANSWER HERE" in text and "model answer" not in text
    tiny.checks.write_text(tiny.checks.read_text() + '"""\nA model answer to tell.\n"""\n')
    assert cli.main(["release", "tiny", "--sandbox", KIND]) == 2
    assert "a line of the solution remains in checks.py" in capsys.readouterr().err


def test_a_question_whose_process_ended_can_be_graded_by_hand(students, marked_by, course):
    students(bob="exit")
    assert run() == 1
    bob = rows(course)["bob"]
    assert (bob["status"], bob["score"], bob["q1"], bob["q2"]) == ("CRASHED", "", "", "2")
    (course / "points.csv").write_text("student,question,points\nbob,q1,1\n")
    assert run("--keep", "--by-hand", "points.csv") == 0
    bob = rows(course)["bob"]
    assert (bob["status"], bob["score"], bob["q1"], bob["reason"]) == ("GRADED", "3", "1", "")


def test_nothing_handed_in_can_have_points_by_hand(students, marked_by, course, capsys):
    (course / "subs/bob.ipynb").unlink()
    (course / "subs/bob").mkdir()
    (course / "class.csv").write_text("name\nann\nbob\neve\n")
    assert run("--roster", "class.csv") == 1
    assert "grades/by-hand.csv takes points for them" in capsys.readouterr().out
    page = (course / "grades/feedback/eve.html").read_text()
    assert page.casefold().count("nothing was handed in") == 1
    listed = (course / "grades/by-hand.csv").read_text()
    assert re.findall("(?m)^.*,all,.*,", listed) == ["bob,all,,4,,", "eve,all,,4,,"]
    (course / "grades/by-hand.csv").write_text(
        listed.replace("eve,all,,4,,", "eve,all,0,4,Nothing came.,").replace("bob,all,", "bob,q1,1")
    )
    assert run("--keep") == 1  # q2 and q3 of bob wait
    found = rows(course)
    assert [found["eve"][name] for name in ("status", "score", "q1")] == ["GRADED", "0", "0"]
    assert [found["bob"][name] for name in ("score", "q1", "q2")] == ["", "1", ""]
    assert found["bob"]["status"] == "TO BE GRADED BY HAND"
    assert found["bob"]["notes"] == "the folder holds no notebook"
    page = (course / "grades/feedback/eve.html").read_text()
    assert "0 of 4 points" in page and "Nothing came." in page and "not answered" not in page
    assert "<p>None.</p>" in (course / "grades/index.html").read_text()  # no check was failed
    results = json.loads((course / "grades/gradescope/eve/results.json").read_text())
    assert results["score"] == 0 and [test["score"] for test in results["tests"]] == [0, 0, 0]
    students(eve=RIGHT["q1"])
    capsys.readouterr()
    assert run("--keep") == 1
    assert "eve has handed in again since q1 was graded by hand" in capsys.readouterr().out
    assert rows(course)["eve"]["score"] == "4"


def test_what_waits_stands_before_who_is_missing(students, marked_by, course):
    students(zoe="exit")
    (course / "class.csv").write_text("name\nann\nbob\neve\nzoe\n")
    assert run("--roster", "class.csv") == 1
    with open(course / "grades/by-hand.csv", newline="") as file:
        lines = [(row["student"], row["question"]) for row in csv.DictReader(file)]
    assert lines == [("zoe", "q1"), ("eve", "all")]


def test_points_for_all_questions_are_none_or_all(students, marked_by, course, capsys):
    (course / "points.csv").write_text("student,question,points\nbob,all,4\n")
    assert run("--by-hand", "points.csv") == 0
    assert [rows(course)["bob"][name] for name in ("q1", "q2")] == ["2", "1"]
    for points, message in {
        "2": "2 points are not between 0 and 4 for all",
        "5": "5 points are not between 0 and 4 for all",
    }.items():
        (course / "points.csv").write_text(f"student,question,points\nbob,all,{points}\n")
        assert run("--keep", "--by-hand", "points.csv") == 2
        assert message in capsys.readouterr().err
    (course / "points.csv").write_text("student,question,points\nbob,q2,1\nbob,all,0\n")
    assert run("--keep", "--by-hand", "points.csv") == 2
    assert "line 3: a second line for 'bob' and q2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("eve,q1,1", "points.csv, line 2: 'eve' is not a student"),
        ("bob,q9,1", "'q9' is not a question"),
        ("bob,q1,2.5", "2.5 points are not between 0 and 2 for q1"),
        ("bob,q1,-1", "points is '-1'"),
        ("bob,q1,1\nbob,q1,2", "line 3: a second line for 'bob' and q1"),
    ],
)
def test_points_that_cannot_be_are_refused_before_anything_is_graded(
    students, marked_by, course, capsys, line, message
):
    (course / "points.csv").write_text(f"student,question,points\n{line}\n")
    assert run("--by-hand", "points.csv") == 2
    assert message in capsys.readouterr().err
    assert marked_by == []
    assert not (course / "grades").exists()


def test_a_page_says_only_what_is_known():
    checks = (
        Check("a", "twice", "q1", 2, "passed"),
        Check("b", "sums", "q2", 1, "died", "expected  7", "it ended", hint="Try <1, 2>."),
    )
    found = Report(CRASHED, checks, "q2: it ended", written=(Written("q4", 4, "text"),))
    page = feedback.feedback_page("ann", "tiny", found.complete([], Late(2, 75)))
    assert "so far 2 of 7 points" in page
    assert "2 days late: 75 % of the points are kept" in page
    assert "q2: undecided; so far 0 of 1 points" in page
    assert "q4: to be graded by hand, 4 points" in page
    assert "<p>Try &lt;1, 2&gt;.</p>" in page and "<pre>it ended</pre>" in page
    assert "expected" not in page
    done = found.complete([Mark("q2", 1), Mark("q4", 3, "Fine.")], Late(2, 75))
    page = feedback.feedback_page("ann", "tiny", done)
    assert "4.5 of 7 points" in page and "75 % of 6 points are kept" in page


def test_a_report_is_the_same_after_a_passage_through_a_file():
    from minigrad.course.grading.report import from_data

    checks = (Check("a", "twice", "q1", 2, "passed", hint="Twice."),)
    found = Report(BY_HAND, checks, "why", ("note",), ("memory",), (Written("q4", 4, "text"),))
    assert from_data(json.loads(json.dumps(found.as_data()))) == found
    assert found.open_questions() == ["q4"]
    assert found.score() is None


def test_a_report_of_an_earlier_version_says_by_its_words_what_flags_say_now():
    from minigrad.course.grading.report import from_data

    blank = Check("c", "two", "q1", 1, "failed", UNANSWERED, UNANSWERED, is_unanswered=True)
    found = Report(GRADED, (*failed_checks(), blank))
    old = json.loads(json.dumps(found.as_data()))
    for check in old["checks"]:
        del check["has_cause"], check["is_unanswered"]
    assert from_data(old) == found


def test_only_a_cause_that_is_named_takes_the_place_of_a_hint():
    words = "case      words: cause     and effect"
    check = Check("a", "twice", "q1", 2, "failed", brief=words, hint="Twice.")
    assert check.advice == "Twice."
    assert feedback.is_unanswered(Report(GRADED, (check,)), "q1") is False
    page = feedback.feedback_page("ann", "tiny", Report(GRADED, (check,)))
    assert "Twice." in page and "not answered yet" not in page


def failed_checks(**more):
    """Three checks of two questions: one passed, a corner and a core check failed."""
    words = "case      f(x)\ncause     It has the wrong shape."
    corner = {"corner": True, "has_cause": True}
    return (
        Check("a", "numbers", "q1", 3, "passed", core=True),
        Check("b", "empty", "q2", 1, "failed", "expected  7", words, "A hint.", **corner),
        Check("c", "sums", "q2", 3, "failed", "expected  8", hint="Another hint.", core=True),
    )


def test_a_page_says_what_works_what_to_fix_first_and_the_cause():
    guide = feedback.Guide({"q1": "A number", "q2": "Sums"}, "02 (Forward mode)")
    page = feedback.feedback_page("ann", "tiny", Report(GRADED, failed_checks()), guide=guide)
    assert "q1 passes every check." in page and "<h2>q1 A number: 3 of 3 points</h2>" in page
    assert "Fix this first: q2 Sums, the check “sums”." in page
    assert "This assignment continues lesson 02 (Forward mode)." in page
    assert "It has the wrong shape." in page and "A hint." not in page
    assert "Another hint." in page and "expected" not in page


def test_a_page_of_a_whole_answer_has_nothing_to_fix():
    page = feedback.feedback_page("ann", "tiny", Report(GRADED, failed_checks()[:1]))
    assert "Fix this first" not in page
