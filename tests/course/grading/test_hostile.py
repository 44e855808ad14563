"""A batch with hostile and broken submissions between honest ones: nobody gains, nobody loses."""

import csv
import json
import os
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from minigrad.course.commands import grade
from minigrad.course.gradebook import batches, feedback, submissions
from minigrad.course.grading import assignment
from minigrad.course.grading.worker import Limits, Setting

from . import attacks
from .conftest import KIND, LIMITS, RIGHT, lay_out, notebook
from .hostile import (
    ANSWERS,
    BREAKOUTS,
    FULL,
    LOST_Q1,
    NO_Q1,
    NOTEBOOKS,
    NOTHING,
    TOKEN,
    UNREADABLE,
    UNSURE,
    WRONG,
    archive,
)
from .test_worker import alive, comes, linux, needs_bwrap

SHORT = Limits(call_seconds=1, question_seconds=3)
ABSENT = ("no file",)
SECRET = "the instructor's password"


def timed(seconds):
    """`grade.grade_entry`, which also notes how long each student took."""
    plain = grade.grade_entry

    def mark(entry, *arguments):
        begun = time.monotonic()
        report = plain(entry, *arguments)
        seconds[entry.student] = time.monotonic() - begun
        return report

    return mark


def hand_in(course, chosen, port):
    """Write all submissions of the batch; returns their folder."""
    folder = course / "submissions"
    folder.mkdir()
    (folder / "renamed").mkdir()
    known = {"course": str(course), "submissions": str(folder), "hidden": str(chosen.hidden)}
    known |= {"parent": os.getpid(), "port": port}
    sources = {name: source for name, (source, _, _) in ANSWERS.items()}
    sources |= {name: source.format(**known) for name, source in BREAKOUTS.items()}
    raws = {name: notebook(RIGHT | {"q1": source}) for name, source in sources.items()}
    raws |= {name: raw for name, (raw, _) in NOTEBOOKS.items()}
    raws |= dict.fromkeys(["aaa honest", "zzz honest", "renamed/homework (2)"], notebook(RIGHT))
    for name, raw in raws.items():
        (folder / f"{name}.ipynb").write_text(json.dumps(raw))
    for name, content in UNREADABLE.items():
        (folder / f"{name}.ipynb").write_bytes(content)
    (folder / "no file").mkdir()
    (folder / "escape.zip").write_bytes(archive())
    (folder / "link.ipynb").symlink_to(folder / "aaa honest.ipynb")
    (folder / "link in folder").mkdir()
    (folder / "link in folder" / "tiny.ipynb").symlink_to(chosen.solution)
    return folder


@pytest.fixture(scope="module")
def attacked():
    """What all attacks on the grading process come to, in one submission; a future, since they
    run beside the batch."""
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(attacks.verdicts, attacks.against(KIND), KIND)


@pytest.fixture(scope="module")
def batch(tmp_path_factory, attacked):
    """Rows of grades.csv by student, and the folder of the grades."""
    course, seconds = tmp_path_factory.mktemp("course"), {}
    chosen = lay_out(course)
    setting = Setting(KIND, ("numpy",), SHORT)
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as server:
        patch.setenv("INSTRUCTOR", SECRET)
        patch.setattr(grade, "grade_entry", timed(seconds))
        handed_in = hand_in(course, chosen, server.getsockname()[1])
        before = {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}
        entries = submissions.find_entries(handed_in, "tiny")
        with grade.open_grader(None, False) as (_, one):
            results = grade.GradingRun(chosen, setting, "test", one).grade_all(entries, 2)
        after = {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}
    assert after == before
    questions = assignment.key_master(chosen).points
    batches.write_batch(course / "grades", batches.GradedBatch("tiny", questions, results))
    with open(course / "grades" / "grades.csv", newline="", encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    for student, report in results:
        row = rows["'" + student if student.startswith("=") else student]
        row["seconds"], row["told"] = f"{seconds[student]:.1f}", told(report)
    return rows, course / "grades"


def told(report):
    """What the student reads of the first thing that is wrong, in a line."""
    failed = [check for check in report.checks if not check.passed]
    text = feedback.explain_failure(failed[0]) if failed else feedback.reason(report)
    return " / ".join(text.splitlines())


def points(row):
    """The points of a row by question."""
    return {question: row[question] for question in FULL}


def test_honest_students_before_and_after_keep_their_grade(batch):
    rows, _ = batch
    for name in ("aaa honest", "zzz honest"):
        assert points(rows[name]) == FULL
        assert (rows[name]["status"], rows[name]["score"]) == ("GRADED", "4")


@pytest.mark.parametrize("name", ANSWERS)
@linux
def test_a_hostile_answer_gains_nothing_and_harms_only_itself(batch, name):
    _, wanted, words = ANSWERS[name]
    row = batch[0][name]
    if wanted is UNSURE:
        wanted = LOST_Q1 if row["status"] == "CRASHED" else NO_Q1
    assert points(row) == wanted
    assert row["status"] == ("CRASHED" if wanted is LOST_Q1 else "GRADED")
    assert re.search(words, row["reason"])
    assert bool(row["reason"]) == (row["status"] == "CRASHED")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_changed_notebook_gains_nothing(batch, name):
    row = batch[0]["'" + name if name.startswith("=") else name]
    assert points(row) == NOTEBOOKS[name][1]
    assert row["status"] == "GRADED"


@pytest.mark.parametrize("name", [*UNREADABLE, "link", "link in folder", "escape", *ABSENT])
def test_what_cannot_be_read_has_a_reason_and_no_score(batch, name):
    row = batch[0][name]
    assert points(row) == NOTHING
    assert row["score"] == row["possible"] == ""
    assert row["status"] == ("MISSING" if name in ABSENT else "UNREADABLE")
    assert len(row["reason"]) > 20


@needs_bwrap
@pytest.mark.parametrize("name", BREAKOUTS)
def test_who_breaks_out_sees_and_changes_nothing(batch, name):
    row, page = batch[0][name], (batch[1] / "feedback" / f"{name}.html").read_text()
    assert points(row) in (NO_Q1, LOST_Q1)
    assert not re.search(r"ValueError: \[[^\]]", row["told"] + page)
    if name.startswith("reads"):  # it looked, and came back with nothing
        assert "your code raised ValueError: [] (q1, line 8)" in page
    for secret in (SECRET, "aaa honest", "@pytest", "hidden.py", "solution"):
        assert secret not in page + row["told"] + row["reason"]


def test_a_notebook_of_another_name_is_found(batch):
    assert points(batch[0]["renamed"]) == FULL


def test_the_table_of_the_batch(batch):
    """Shown by pytest -s: what every case got, how long it took, what its student reads."""
    rows = batch[0].values()
    lines = ["", "| case | q1 q2 q3 | status | s | what was visible |", "|---|---|---|---|---|"]
    for row in rows:
        got = " ".join(row[question] or "–" for question in FULL)
        seen = row["told"][:100].replace("|", "/")
        cells = (row["student"], got, row["status"], row["seconds"], seen)
        lines.append(f"| {' | '.join(cells)} |")
    print("\n".join(lines))
    assert len(lines) == len(rows) + 3


def test_every_student_has_a_row_and_files_in_the_order_of_names(batch):
    rows, grades = batch
    cases = (ANSWERS, NOTEBOOKS, UNREADABLE, BREAKOUTS)
    others = ("aaa", "zzz", "renamed", "link", "link in folder", "escape", *ABSENT)
    count = sum(map(len, cases)) + len(others)
    assert len(rows) == count
    names = [name.removeprefix("'") for name in rows]
    assert names == sorted(names)
    assert len(list((grades / "feedback").glob("*.html"))) == count
    assert len(list((grades / "gradescope").glob("*/results.json"))) == count


def test_what_was_done_for_the_student_is_noted(batch):
    rows, _ = batch
    assert "3 cells have this name" in rows["duplicated cells"]["notes"]
    assert "only IPython understands, line 1" in rows["a magic"]["notes"]


def test_feedback_is_small_escaped_and_keeps_the_checks_secret(batch):
    _, grades = batch
    pages = {path.stem: path.read_text() for path in (grades / "feedback").glob("*.html")}
    assert max(map(len, pages.values())) < 8_000
    script = pages["_script_x"]
    assert "<script" not in script and "&lt;script&gt;alert(1)" in script
    assert "equals everything" in pages["equals everything"]
    told = pages["equals everything"]
    assert "Twice a number is the number plus itself." in told
    assert told.count("expected") == 1  # only where the check says show=True
    assert 'name="viewport"' in told


def test_an_exception_does_not_carry_the_checks_input_into_the_feedback(batch):
    _, grades = batch
    told = (grades / "feedback" / "odd exception.html").read_text()
    hidden, shown = told.split("twice a half")  # the second check says show=True
    assert "your code raised an exception (q1, line 1)" in hidden
    assert "0.50.5" not in hidden and "0.50.5" in shown


def test_gradescope_gets_no_number_for_what_is_not_known(batch):
    _, grades = batch

    def results(name):
        return json.loads((grades / "gradescope" / name / "results.json").read_text())

    assert results("aaa honest")["score"] == 4
    assert "score" not in results("truncated")
    assert results("truncated")["output"].startswith("truncated.ipynb is not a notebook")
    lost = results("os._exit")["tests"][0]
    assert "score" not in lost and lost["status"] == "failed"


@pytest.mark.parametrize("name", attacks.against(KIND))
@linux
def test_an_attack_on_the_grader_gains_leaks_and_harms_nothing(batch, attacked, name):
    if KIND == "none" and name == "memory left for later":
        pytest.skip("nothing is private without a sandbox")
    assert attacked.result()[0][name] == set()


@needs_bwrap
def test_nothing_outlives_the_batch(batch):
    assert comes(lambda: not alive(TOKEN))


@linux
@pytest.mark.parametrize(
    "source",
    [
        "import os\ndef double(x): os.kill(os.getppid(), 9)",
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-I', '-S', '-c', "
        f"'import time; time.sleep(300) # bare {TOKEN}'], start_new_session=True)\n" + WRONG,
    ],
    ids=["kills the process that grades it", "leaves a daemon"],
)
def test_without_a_sandbox_a_submission_still_harms_only_itself(tmp_path, source):
    chosen = lay_out(tmp_path)
    for name, q1 in {"ann": RIGHT["q1"], "bob": source, "eve": RIGHT["q1"]}.items():
        path = tmp_path / "submissions" / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(notebook(RIGHT | {"q1": q1})))
    entries = submissions.find_entries(tmp_path / "submissions", "tiny")
    setting = Setting("none", ("numpy",), LIMITS)
    with grade.open_grader(None, False) as (_, one):
        results = dict(grade.GradingRun(chosen, setting, "test", one).grade_all(entries, 2))
    assert [results[name].earned_points() for name in ("ann", "eve")] == [4, 4]
    assert results["bob"].status == "CRASHED" or results["bob"].earned_points("q1") == 0
    assert results["bob"].checks or "grading process failed" in results["bob"].reason
    assert comes(lambda: not alive(f"bare {TOKEN}"))
