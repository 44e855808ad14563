"""A batch as a whole: whatever lies between them, the honest students' grades are the same."""

import csv
import json
import os
import random

import pytest

from minigrad.course import cli
from minigrad.course.commands import grade
from minigrad.course.gradebook import batches, by_hand, feedback, submissions, tables
from minigrad.course.gradebook.roster import people_named
from minigrad.course.gradebook.submissions import find_entries as entries_of
from minigrad.course.grading import assignment, names, notebook, process
from minigrad.course.grading.report import (
    CRASHED,
    GRADED,
    MISSING,
    UNREADABLE,
    Check,
    Code,
    Late,
    Mark,
    Report,
    Written,
)
from minigrad.course.grading.worker import Setting

from ..grading.conftest import KIND, RIGHT, SANDBOX, SOLUTIONS
from ..grading.conftest import notebook as tiny_notebook
from ..grading.test_worker import linux
from . import odd
from .test_gradebook import with_essay

HONEST = json.dumps(tiny_notebook(RIGHT)).encode()


@pytest.fixture
def subs(tiny, course):
    """The folder of submissions."""
    with odd.place(course) as folder:
        (folder / "subs").mkdir()
        yield folder / "subs"


def found(subs, roster=()):
    """The entries of a folder by student."""
    people = people_named(roster)
    return {entry.student: entry for entry in entries_of(subs, "tiny", people)}


def pages(out):
    """{student: the name of the page} of a table of grades."""
    with open(out / "grades.csv", newline="", encoding="utf-8") as file:
        return {row["student"]: row["page"] for row in csv.DictReader(file)}


@linux
def test_whatever_lies_beside_them_honest_students_keep_their_grades(tiny, course):
    odd.many(course, HONEST, 25, "test")


@linux
@pytest.mark.parametrize("kind", [*odd.KINDS, odd.mine], ids=lambda kind: kind.__name__)
def test_one_odd_entry_is_one_row(subs, kind):
    for name in odd.HONEST:
        (subs / f"{name}.ipynb").write_bytes(HONEST)
    kind(subs / "odd.ipynb", random.Random(1), HONEST)
    odd.verify(subs, subs.parent / "grades")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a  b", "a b"),
        ("a\u00a0b\n", "a b"),
        ("\x1b]0;title\x07x", "]0;titlex"),
        ("\u202egnp", "gnp"),
        ("e\u0301", "\u00e9"),
        ("e\u200d\u0301", "\u00e9"),
        ("\udcff", "\\udcff"),
        ("Zoë O'Brien-Łuk (2)", "Zoë O'Brien-Łuk (2)"),
    ],
)
def test_a_name_is_cleaned_once_and_stays_as_it_is(raw, shown):
    assert names.clean_line(raw) == shown == names.clean_line(shown)


@pytest.mark.parametrize(
    "text",
    ["=1+1", "'=x", "''=x", "'t Hooft", "a;=b", "a; @b;-c", "\uff1d1", "O'Brien", ";'+", "-"],
)
def test_a_cell_is_no_formula_and_comes_back_as_it_was(tmp_path, text):
    path = tmp_path / "some.csv"
    path.write_text(tables.csv_text([["student", "comment"], [text, text]]), encoding="utf-8")
    (row,) = tables.read_rows(path, ["student"])
    assert dict(row) == {"student": text, "comment": text}
    cell = path.read_text(encoding="utf-8").splitlines()[1].strip('"')
    assert not any(part.strip()[:1] in tuple("=+-@\uff1d") for part in cell.split(";") if part)


def test_file_names_are_told_apart_on_every_system():
    students = ["Zzz", "zzz", "x?", "x_", "ann", "ann.", "con", "\u00df", "SS", "a" * 300, ".."]
    files = names.file_names(students)
    assert len({file.casefold() for file in files.values()}) == len(students)
    assert max(len(file.encode()) for file in files.values()) < 120
    assert files["con"] != "con" and not any(file.endswith(".") for file in files.values())
    crafted = [*students, files["x?"]]
    assert len({file.casefold() for file in names.file_names(crafted).values()}) == len(crafted)
    assert names.file_names(["ann", "bob"]) == {"ann": "ann", "bob": "bob"}


def test_students_whose_names_clean_to_one_are_two_rows_that_say_so(subs):
    for name in ("ann.ipynb", "ann\u200f.ipynb", "ann (2).ipynb"):
        (subs / name).write_bytes(HONEST)
    entries = found(subs)
    assert list(entries) == ["ann", "ann (2)", "ann (3)"]
    assert entries["ann"].path.name == "ann.ipynb"  # whose own name it is
    assert entries["ann (2)"].notes == ()
    assert entries["ann"].notes == entries["ann (3)"].notes
    assert "handed in 2 times" in entries["ann"].notes[0]


def test_a_second_file_of_one_student_is_said(subs):
    (subs / "alice.ipynb").write_bytes(HONEST)
    (subs / "alice").mkdir()
    (subs / "alice" / "tiny.ipynb").write_bytes(HONEST)
    odd_out = subs.parent / "grades"
    _, rows, said = odd.graded(subs, odd_out)
    assert [row["student"] for row in rows] == ["alice", "alice (2)"]
    for row in rows:
        assert "handed in 2 times, graded each by itself: alice.ipynb, alice" in row["notes"]
    assert "Notes on 2 of them are in the column notes." in said


@linux
def test_the_usual_file_keeps_the_name_that_others_share(subs):
    for name in ("ann.IPYNB", "ann.7z", "ann.ipynb", "ann\u200f.ipynb", "bob.IPYNB", "bob.7z"):
        (subs / name).write_bytes(HONEST)
    for name in ("ann", "bob", "bob.ipynb"):
        (subs / name).mkdir()
        (subs / name / "tiny.ipynb").write_bytes(HONEST)
    entries = found(subs)
    assert entries["ann"].path == subs / "ann.ipynb"
    assert entries["bob"].path == subs / "bob" / "tiny.ipynb"
    assert len(entries) == 9


def test_each_line_names_the_page_of_its_student(subs):
    for name in ("Zzz honest", "zzz honest", "x_", "x?", "=x"):
        (subs / f"{name}.ipynb").write_bytes(HONEST)
    out = subs.parent / "grades"
    odd.graded(subs, out)
    for student, page in pages(out).items():
        assert f"<h1>tiny · {student.removeprefix(chr(39))}</h1>" in (out / page).read_text()


def test_a_roster_names_students_as_their_files_do(subs):
    (subs / "a\u00a0 b.ipynb").write_bytes(HONEST)
    entries = found(subs, ["a  b", "Zoe\u0301", " "])
    assert list(entries) == ["Zo\u00e9", "a b"]
    assert entries["Zo\u00e9"].status == MISSING


def test_points_by_hand_find_a_student_whatever_spaces_the_name_has(subs, tiny):
    tiny.solution.write_text(json.dumps(with_essay(SOLUTIONS, "The model answer.")))
    (subs / "two  spa\u00a0ces\n.ipynb").write_text(json.dumps(with_essay(RIGHT, "An answer.")))
    out = subs.parent / "grades"
    assert odd.graded(subs, out)[0] == 0
    table = (out / "by-hand.csv").read_text()
    assert "two spa ces,q4,,4,," in table
    (out / "by-hand.csv").write_text(table.replace("spa ces,q4,,4", "spa \u00a0 ces,q4,3,4"))
    assert odd.graded(subs, out, "--keep")[0] == 0
    assert odd.graded(subs, out, "--only", "two  spa ces")[0] == 0
    assert "3 of 4 points" in (out / pages(out)["two spa ces"]).read_text()


def test_grades_beside_the_submissions_are_no_submission(subs):
    (subs / "ann.ipynb").write_bytes(HONEST)
    for words in ([], ["--keep"]):
        _, rows, _ = odd.graded(subs, subs / "grades", *words)
        assert [row["student"] for row in rows] == ["ann"]


def test_workers_write_the_same_gradebook_byte_for_byte(subs):
    pytest.importorskip("distributed", reason="the extra workers is not installed")
    for number in range(4):
        raw = tiny_notebook(RIGHT) | {"nbformat_minor": 5}
        raw["metadata"] = {**raw.get("metadata", {}), "number": number}
        (subs / f"student {number}.ipynb").write_text(json.dumps(raw))
    (subs / "broken.ipynb").write_text("{")
    (subs / "empty").mkdir()
    books = []
    for name, words in (("here", []), ("there", ["--workers", "2"])):
        out = subs.parent / name
        cli.main(["grade", "tiny", str(subs), "--out", str(out), "--seed", "one", *SANDBOX, *words])
        books.append({p.relative_to(out): p.read_bytes() for p in out.rglob("*") if p.is_file()})
    assert books[0] == books[1] and len(books[0]) > 10


def run(words):
    """The exit status of a command."""
    return cli.main([str(word) for word in words])


def test_a_file_that_cannot_be_read_is_a_row(subs, monkeypatch):
    (subs / "ann.ipynb").write_bytes(HONEST)
    (subs / "bob.ipynb").write_bytes(HONEST)

    def refuse(path, flags):
        if "bob" in str(path):
            raise PermissionError(13, "Permission denied")
        return os.open(path, flags)

    monkeypatch.setattr(notebook, "open_plainly", refuse)
    entries = found(subs)
    assert (entries["ann"].path is None, entries["bob"].status) == (False, UNREADABLE)
    assert "bob.ipynb cannot be read: Permission denied" in entries["bob"].reason


def test_a_fault_over_one_entry_is_that_entrys_crash(subs, monkeypatch):
    (subs / "ann.ipynb").write_bytes(HONEST)
    (subs / "bob.ipynb").write_bytes(HONEST)
    plain = notebook.read_plainly

    def content(path, *hint):
        return 1 / 0 if "bob" in str(path) else plain(path, *hint)

    monkeypatch.setattr(notebook, "read_plainly", content)
    _, rows, _ = odd.graded(subs, subs.parent / "grades")
    assert [row["status"] for row in rows] == [GRADED, CRASHED]
    assert rows[1]["reason"] == "the grader failed: ZeroDivisionError: division by zero"


def test_a_page_that_cannot_be_made_is_that_entrys_crash(subs, monkeypatch):
    for name in ("ann", "bob"):
        (subs / f"{name}.ipynb").write_bytes(HONEST)
    plain = feedback.feedback_page

    def page(student, name, report, *rest):
        return 1 / 0 if student == "bob" and report.checks else plain(student, name, report, *rest)

    monkeypatch.setattr(feedback, "feedback_page", page)
    _, rows, said = odd.graded(subs, subs.parent / "grades")
    assert "1 CRASHED, 1 GRADED" in said
    assert [row["status"] for row in rows] == [GRADED, CRASHED]
    assert rows[1]["score"] == ""


def test_whatever_is_put_into_a_page_is_escaped():
    tag = "<i>&"
    checks = [
        Check(tag, tag, question, 1, outcome, tag, tag, tag, show)
        for question in (tag, "q1")
        for outcome in ("passed", "failed", "died")
        for show in (False, True)
    ]
    beside = {"written": (Written("q4", 1, tag),), "codes": (Code("q1", tag),)}
    found = Report(CRASHED, tuple(checks), tag, (tag,), (tag,), **beside)
    marked = found.complete([Mark(tag, 1, tag)], Late(1, 50))
    texts = [
        feedback.feedback_page(tag, tag, one)
        for one in (found, marked, Report(UNREADABLE, (), tag))
    ]
    lines = [[tag, name, "", "1", tag, tag] for name in ("q1", "q4", "all")]
    rubric = f"# q4\n\n{tag} [a](javascript:x)"
    texts.append(by_hand.answers_page(tag, rubric, [(tag, found)], lines, {"q1": rubric}))
    for text in texts:
        assert "<i>" not in text and "&lt;i&gt;&amp;" in text and 'href="javascript' not in text


def test_what_changes_while_it_is_graded_is_not_graded_for_something_else(subs, tiny):
    (subs / "ann.ipynb").write_bytes(HONEST)
    entry = found(subs)["ann"]._replace(copy=b"")
    (subs / "ann.ipynb").write_bytes(HONEST + b" ")
    master = assignment.key_master(tiny)
    report = grade.grade_entry(entry, tiny, master, Setting(KIND, ("numpy",)), "seed")
    assert report.status == CRASHED and "has changed while the batch was graded" in report.reason
    (subs / "ann.ipynb").unlink()
    report = grade.grade_entry(entry, tiny, master, Setting(KIND, ("numpy",)), "seed")
    assert report.status == CRASHED and "cannot be read" in report.reason


def test_keys_hold_the_whole_digest(subs):
    (subs / "ann.ipynb").write_bytes(HONEST)
    entry = found(subs)["ann"]
    assert len(entry.digest) == 64
    twin = entry._replace(digest=entry.digest[:12] + "0" * 52)
    assert batches.report_key(entry, "") != batches.report_key(twin, "")


def test_a_hard_link_harms_nobody_and_is_said(subs):
    (subs / "ann.ipynb").write_bytes(HONEST)
    os.link(subs / "ann.ipynb", subs / "bob.ipynb")
    for name, entry in found(subs).items():
        said = f"{name}.ipynb has 2 names (hard links): the same file may stand in another row"
        assert entry.path and entry.notes == (said,)


@pytest.mark.skipif(not process.running_as_root(), reason="only root gives files away")
def test_who_links_to_the_file_of_another_has_handed_in_nothing(subs):
    for number, name in enumerate(("ann", "eve"), 1000):
        (subs / name).mkdir()
        os.chown(subs / name, number, number)
    (subs / "ann/tiny.ipynb").write_bytes(HONEST)
    os.chown(subs / "ann/tiny.ipynb", 1000, 1000)
    os.link(subs / "ann/tiny.ipynb", subs / "eve/tiny.ipynb")
    ann, eve = found(subs).values()
    assert ann.path and (eve.path, eve.status) == (None, UNREADABLE)
    assert "its owner is not its folder's" in eve.reason


def test_what_is_graded_is_a_copy_made_at_the_start(subs, tiny, monkeypatch):
    (subs / "ann.ipynb").write_bytes(HONEST)
    (ann,) = entries_of(subs, "tiny")
    monkeypatch.setattr(submissions, "MOST_KEPT_BYTES", 10)
    assert entries_of(subs, "tiny")[0].copy == b""
    (subs / "ann.ipynb").write_bytes(b"{}")
    assert submissions.read_entry(ann) == ("ann.ipynb", HONEST)


def test_what_is_no_notebook_is_no_silent_loss(subs):
    for name in ("bob.IPYNB", "eve.txt", "ned.ipynb", ".hid.ipynb", "._ned.ipynb", ".own.json"):
        (subs / name).write_bytes(HONEST)
    (subs / ".DS_Store").write_bytes(b"")
    entries = found(subs)
    assert list(entries) == [".hid", "bob", "eve.txt", "ned"]
    assert [bool(entry.path) for entry in entries.values()] == [True, True, False, True]
    assert "eve.txt is neither a notebook nor a folder" in entries["eve.txt"].reason


def test_another_attempt_meets_other_hidden_inputs(subs, tiny):
    seeds = []

    def mark(name, data, hidden, master, setting, seed, questions):
        seeds.append(seed)
        return Report(GRADED, ())

    for number in (1, 1, 2):
        (subs / "ann.ipynb").write_bytes(HONEST + b"\n" * number)
        entry = found(subs)["ann"]
        master = assignment.key_master(tiny)
        grade.grade_entry(entry, tiny, master, Setting(KIND, ("numpy",)), "seed", mark)
    assert seeds[0] == seeds[1] != seeds[2]


def test_hidden_inputs_come_from_a_secret_that_is_kept(subs, monkeypatch):
    (subs / "ann.ipynb").write_bytes(HONEST)
    used, out = [], subs.parent / "grades"

    def mark(entry, chosen, master, setting, seed, _=None):
        used.append(seed)
        return Report(GRADED, (Check("a", "a", "q1", 2, "passed"),))

    monkeypatch.setattr(grade, "grade_entry", mark)
    words = ["grade", "tiny", subs, "--out", out, *SANDBOX]
    assert run(words) == 0
    assert run([*words, "--only", "ann"]) == 0
    assert run([*words, "--keep"]) == 0  # nothing to do
    assert run([*words, "--replace"]) == 0
    assert run([*words, "--replace", "--seed", "mine"]) == 0
    assert run([*words, "--only", "ann"]) == 0
    first, only, other, mine, kept = used
    assert first == only and len(first) == 32
    assert other != first and (mine, kept) == ("mine", "mine")
    text = "".join(path.read_text() for path in (out / "feedback").iterdir())
    assert "mine" not in text


def test_what_was_lost_is_graded_once_more_alone(subs, monkeypatch, capsys):
    for name in ("ann", "bob", "eve", "ned"):
        (subs / f"{name}.ipynb").write_bytes(HONEST)
    turns, running, alone = {}, [], []

    def mark(entry, *_):
        running.append(entry.student)
        turn = turns[entry.student] = turns.get(entry.student, 0) + 1
        outcome = {("bob", 1): "slow", ("eve", 1): "died", ("eve", 2): "died"}
        if turn == 2:
            alone.append((entry.student, len(running)))
        result = outcome.get((entry.student, turn), "passed")
        running.remove(entry.student)
        if (entry.student, turn) == ("ned", 1):
            return Report(CRASHED, reason="grading took longer")
        status = CRASHED if result == "died" else GRADED
        lost = {"doubtful": result != "passed", "reason": "why" * (result == "died")}
        return Report(status, (Check("a", "a", "q1", 2, result),), **lost)

    monkeypatch.setattr(grade, "grade_entry", mark)
    out = subs.parent / "grades"
    assert run(["grade", "tiny", subs, "--out", out, *SANDBOX, "--jobs", "2"]) == 1
    assert turns == {"ann": 1, "bob": 2, "eve": 2, "ned": 2}
    assert alone == [("bob", 1), ("eve", 1), ("ned", 1)]
    with open(out / "grades.csv", newline="") as file:
        assert [row["score"] for row in csv.DictReader(file)] == ["2", "2", "", "2"]
    assert capsys.readouterr().err == ""  # the bar that says so is for terminals
