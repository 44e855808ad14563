"""The commands around assignments: what they write, what they say, what they refuse."""

import csv
import json
import sys

import pytest

from minigrad.course import cli
from minigrad.course.commands import release
from minigrad.course.grading import bubblewrap, docker, sandbox
from minigrad.course.grading.notebook import notebook_text
from minigrad.course.grading.worker import Setting

from .conftest import CHECKS, KIND, RIGHT, SANDBOX, SOLUTIONS, UNSAFE, marked, needs_bwrap, notebook


@pytest.fixture
def minigrad(capsys):
    """Run a command; (exit status, what it printed, what it complained of)."""

    def run(*words):
        status = cli.main([str(word) for word in words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def released(tiny):
    """The small assignment with the notebook that `release` would write."""
    tiny.notebook.write_text(notebook_text(release.student_notebook(tiny)), encoding="utf-8")
    return tiny


def write(path, raw):
    """Write a notebook, or any text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(raw if isinstance(raw, str) else json.dumps(raw))
    return path


def test_release_writes_the_same_bytes_twice_and_no_solution(released, minigrad):
    first = released.notebook.read_bytes()
    released.notebook.unlink()
    assert minigrad("release", "tiny", "--sandbox", KIND)[1] == (
        "released: assignments/tiny/tiny.ipynb (the key has full points, the blank file none)\n"
    )
    assert released.notebook.read_bytes() == first
    assert b"return" not in first and first.count(b"raise NotImplementedError()") == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q1": SOLUTIONS["q1"].replace("x + x", "x * x")},
         "the key fails a check of checks.py: twice a number: expected"),
        ({"q1": SOLUTIONS["q1"].replace("    ### END SOLUTION", "")},
         "'### BEGIN SOLUTION' is never ended"),
        ({"q1": SOLUTIONS["q1"].replace("BEGIN", "BEGN")}, "'### END SOLUTION' has no partner"),
        ({"q1": RIGHT["q1"]}, "the answer cell 'q1' marks no solution"),
        ({"q2": SOLUTIONS["q2"] + "\nif 0:\n    return sum(items, start=zero)"},
         "a line of the solution remains in tiny.ipynb: return sum(items, start=zero)"),
        ({"q3": SOLUTIONS["q3"].replace("    ###", "# ###")}, "marks no solution"),
    ],
)  # fmt: skip
def test_release_refuses_what_is_not_fit(tiny, minigrad, change, message):
    write(tiny.solution, notebook(SOLUTIONS | change))
    status, _, complaint = minigrad("release", "tiny", "--sandbox", KIND)
    assert status == 2
    assert message in complaint
    assert not tiny.notebook.exists()


IDLE = '\n\n@pytest.mark.question("q2", points={0})\ndef test_idle(student):\n    """idle"""\n'


@pytest.mark.parametrize(
    ("checks", "facts"),
    [
        (CHECKS + IDLE.format(1), ["q2 has 1 points in the notebook and 2 in hidden.py"]),
        (
            CHECKS.replace('"q2", points=1', '"q2", points=0.5') + IDLE.format(0.5),
            ["the blank notebook passes a check of hidden.py: idle"],
        ),
        ("import nothing_of_that_name", ["hidden.py cannot be run: the checks cannot be loaded"]),
        ("def test_a():\n    pass", ['test_a needs @pytest.mark.question("q1", points=1)']),
        ("x = 1", ["hidden.py cannot be run: it holds no check"]),
    ],
)
def test_release_refuses_checks_that_are_not_fit(released, checks, facts):
    released.hidden.write_text(checks)
    made = release.student_notebook(released)
    setting = Setting(KIND, ("numpy",))
    found = release.objections(released, released.hidden, made, setting)
    assert len(found) == len(facts)
    for said, message in zip(found, facts, strict=True):
        assert message in said


def test_start_copies_once_and_never_over_work(released, minigrad, course):
    status, said, _ = minigrad("start", "tiny")
    assert status == 0
    assert said.splitlines()[:2] == ["new: my/tiny/tiny.ipynb", "new: my/tiny/checks.py"]
    mine = write(course / "my/tiny/tiny.ipynb", "my work")
    assert "kept: my/tiny/tiny.ipynb is there already" in minigrad("start", "tiny")[1]
    assert mine.read_text() == "my work"
    assert minigrad("start", "tiny", "--to", course / "elsewhere")[0] == 0
    assert (course / "elsewhere/tiny.ipynb").read_bytes() == released.notebook.read_bytes()


def test_check_tells_what_failed_and_why(released, minigrad, course):
    minigrad("start", "tiny")
    status, said, _ = minigrad("check", "tiny", "--sandbox", KIND)
    assert status == 1
    assert "✗ q1   0 of 2 points: not answered yet" in said
    wrong = "def double(x):\n    return int(2 * x) + 1"
    write(course / "my/tiny/tiny.ipynb", notebook(RIGHT | {"q1": wrong}))
    status, said, _ = minigrad("check", "tiny", "q1", "q2", "--sandbox", KIND)
    assert status == 1
    assert said.splitlines()[:7] == [
        "tiny · my/tiny/tiny.ipynb · as it was saved",
        "✗ q1   0 of 2 points",
        "    ✗ twice a number",
        "        expected  " + said.split("expected  ")[1].split("\n")[0],
        "        came      " + said.split("came      ")[1].split("\n")[0],
        "        hint      Twice a number is the number plus itself.",
        "    ✗ twice a half",
    ]
    assert "✓ q2   1 of 1 points" in said and "q3" not in said
    write(course / "my/tiny/tiny.ipynb", notebook(RIGHT))
    status, said, _ = minigrad("check", "tiny", "--sandbox", KIND)
    assert status == 0
    assert "4 of 4 points by the visible checks" in said


def test_questions_and_options_come_in_any_order(released, minigrad, course):
    path = write(course / "mine.ipynb", notebook(RIGHT))
    for words in (["q1", "--file", path], ["--file", path, "q1"], ["--file", path, "q1", "q2"]):
        status, said, _ = minigrad("check", "tiny", *words, "--sandbox", KIND)
        assert status == 0
        assert [name in said for name in ("✓ q1", "✓ q2", "q3")] == [True, "q2" in words, False]


def test_what_grading_will_lack_is_said_before_and_after(released, minigrad, course):
    helped = "import pandas\ndef double(x):\n    return helper(x)"
    raw = notebook(RIGHT | {"q1": helped})
    raw["cells"].insert(0, marked("", "def helper(x): return 2 * x"))
    path = write(course / "subs/ann.ipynb", raw)
    facts = [
        "q1: helper stands in a cell that is not graded; move it into the cell q1",
        "q1: pandas will not be there when this is graded; "
        "the modules to use are Python's own and numpy",
    ]
    said = minigrad("submit", "tiny", "--file", path)[1]
    assert [f"note: {message}" in said for message in facts] == [True, True]
    said = minigrad("check", "tiny", "--file", path, "--sandbox", KIND)[1]
    assert [f"note: {message}" in said for message in facts] == [True, True]
    (course / "subs/tiny-submission.ipynb").unlink()
    minigrad("grade", "tiny", "subs", *SANDBOX)
    page = (course / "grades/feedback/ann.html").read_text()
    assert [message.replace("'", "&#39;") in page for message in facts] == [True, True]


def test_another_assignments_notebook_is_refused_by_its_name(released, minigrad, course):
    raw = json.loads(released.notebook.read_text())
    assert raw["metadata"]["minigrad"]["assignment"] == "tiny"
    raw["metadata"]["minigrad"]["assignment"] = "ps1"
    path = write(course / "subs/ann.ipynb", raw)
    for command in ("check", "submit"):
        status, _, complaint = minigrad(command, "tiny", "--file", path)
        assert (status, "this is ps1, not tiny" in complaint) == (2, True)
    assert minigrad("grade", "tiny", "subs", *SANDBOX)[0] == 1
    (row,) = csv.DictReader((course / "grades/grades.csv").read_text().splitlines())
    assert (row["status"], row["score"]) == ("UNREADABLE", "")
    assert row["reason"].startswith("this is ps1, not tiny")


def test_arrays_that_differ_are_drawn(released, minigrad, course):
    wrong = "def sums(table):\n    return table.sum(axis=0) * [1, 2]"
    path = write(course / "mine.ipynb", notebook(RIGHT | {"q3": wrong}))
    said = minigrad("check", "tiny", "q3", "--file", path, "--sandbox", KIND)[1]
    assert "wrong     1 of 2 entries" in said
    assert "          · ✗" in said
    wrong = "def sums(table):\n    return table"
    write(path, notebook(RIGHT | {"q3": wrong}))
    said = minigrad("check", "tiny", "q3", "--file", path, "--sandbox", KIND)[1]
    assert "shapes    expected (2,), came (2, 2)" in said


def test_reset_keeps_every_old_notebook(released, minigrad, course):
    minigrad("start", "tiny")
    for turn in (1, 2):
        write(course / "my/tiny/tiny.ipynb", f"work {turn}")
        said = minigrad("reset", "tiny")[1]
        assert f"kept: my/tiny/tiny-before-reset-{turn}.ipynb" in said
        kept = course / f"my/tiny/tiny-before-reset-{turn}.ipynb"
        assert kept.read_text() == f"work {turn}"
    assert (course / "my/tiny/tiny.ipynb").read_bytes() == released.notebook.read_bytes()


def test_submit_strips_outputs_and_says_what_is_answered(released, minigrad, course):
    raw = notebook(RIGHT | {"q2": "raise NotImplementedError()  # YOUR CODE HERE", "q3": "def ("})
    raw["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "secret"}]
    raw["metadata"]["widgets"] = {"state": "large"}
    write(course / "my/tiny/tiny.ipynb", raw)
    status, said, _ = minigrad("submit", "tiny")
    assert status == 1
    assert said.splitlines() == [
        "✓ q1   answered",
        "✗ q2   still says YOUR CODE HERE",
        "✗ q3   is not Python; it will get no points",
        "hand in: my/tiny/tiny-submission.ipynb",
    ]
    text = (course / "my/tiny/tiny-submission.ipynb").read_text()
    assert "secret" not in text and "large" not in text and "2 * x" in text


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["start", "nothing"], "'nothing' is not an assignment\n  try  name one of: tiny"),
        (["check", "instructor"], "'instructor' is not an assignment"),
        (["check", "../tiny"], "'../tiny' is not an assignment"),
        (["check", "tiny"], "there is no my/tiny/tiny.ipynb\n  try  minigrad start tiny"),
        (["check", "tiny", "q7", "--file", "a.ipynb"],
         "'q7' is not a question of this assignment\n  try  one of: q1, q2, q3"),
        (["check", "tiny", "--file", "a.ipynb"], "a.ipynb is not a notebook: no JSON, line 1"),
        (["submit", "tiny", "--file", "a.ipynb"], "a.ipynb is not a notebook: no JSON, line 1"),
        (["submit", "tiny", "--file", "b.ipynb"],
         "the notebook holds no answer cell of this assignment"),
        (["grade", "tiny", "nowhere"], "there is no folder nowhere"),
        (["grade", "tiny", "notebooks"], "notebooks holds no notebook"),
        (["grade", "tiny", "subs", "--out", "a.ipynb"], "a.ipynb is a file, not a folder"),
        (["grade", "tiny", "subs", "--out", "subs"], "subs/ holds other things than grades"),
        (["grade", "tiny", "subs", "--roster", "none.txt"], "the roster none.txt cannot be read"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_bad_input_is_one_message(released, minigrad, course, words, complaint):
    write(course / "a.ipynb", "no json")
    write(course / "b.ipynb", notebook({}))
    write(course / "subs/ann.ipynb", notebook(RIGHT))
    before = sorted(course.rglob("*"))
    status, said, error = minigrad(*words)
    assert (status, said) == (2, "")
    assert error.startswith(f"minigrad {words[0]}: {complaint}")
    assert sorted(course.rglob("*")) == before


def test_the_instructors_files_can_be_absent(released, minigrad):
    released.hidden.unlink()
    for command in ("release", "mutants"):
        assert "the instructor's file hidden.py of tiny is not here" in minigrad(command, "tiny")[2]
    assert minigrad("start", "tiny")[0] == 0


def test_an_assignment_that_was_not_released_cannot_be_started(tiny, minigrad, course):
    status, _, complaint = minigrad("start", "tiny")
    assert status == 2
    assert "tiny has no notebook for students yet" in complaint
    assert not (course / "my").exists()


def test_grade_writes_all_or_nothing(released, minigrad, course, monkeypatch):
    write(course / "subs/ann/tiny.ipynb", notebook(RIGHT))
    write(course / "subs/bob.ipynb", notebook(RIGHT | {"q2": "def total(items): return 0"}))
    write(course / "roster.txt", "ann\nbob\n\neve\n")
    words = ["grade", "tiny", "subs", *UNSAFE, "--roster", "roster.txt"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        status, said, bar = minigrad(*words)
    assert status == 1  # eve's score is not known
    assert "grades/grades.csv: 2 GRADED, 1 MISSING" in said
    assert "No sandbox: a submission can give itself every point" in said
    assert "3/3" in bar
    first = (course / "grades/grades.csv").read_bytes()
    rows = {row["student"]: row for row in csv.DictReader(first.decode().splitlines())}
    assert [rows[name]["score"] for name in ("ann", "bob", "eve")] == ["4", "3", ""]
    assert minigrad(*words)[2].startswith("minigrad grade: grades/ already holds grades")
    status, _, bar = minigrad(*words, "--replace", "--jobs", "1")
    assert (status, bar) == (1, "")  # where no terminal shows it
    assert (course / "grades/grades.csv").read_bytes() == first
    monkeypatch.setattr("minigrad.course.gradebook.feedback.feedback_page", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        minigrad(*words, "--replace")
    assert (course / "grades/grades.csv").read_bytes() == first
    left = sorted(path.name for path in (course / ".grades-unfinished").iterdir())
    assert left == ["reports", "seed.txt"]  # from which the next run goes on


def test_a_grading_process_that_fails_is_a_crash_without_a_score(released, minigrad, course):
    write(course / "subs/ann.ipynb", notebook(RIGHT))
    released.hidden.write_text("import os\nos._exit(3)")
    status, said, _ = minigrad("grade", "tiny", "subs", *SANDBOX)
    assert status == 1
    assert "ann: CRASHED: the grading process failed (status 3)" in said
    (row,) = csv.DictReader((course / "grades/grades.csv").read_text().splitlines())
    assert (row["status"], row["score"], row["q1"]) == ("CRASHED", "", "")


def test_what_lost_its_process_is_shown_with_its_code_to_be_graded_by_hand(
    released, minigrad, course
):
    own = "import os\ndef double(x):\n    os._exit(0)"
    write(course / "subs/ann.ipynb", notebook(RIGHT | {"q1": own, "q2": "1 / 0"}))
    for words in ([], ["--keep"]):
        assert minigrad("grade", "tiny", "subs", *SANDBOX, *words)[0] == 1
        page = (course / "grades/by-hand.html").read_text()
        assert own in page and "1 / 0" not in page


@pytest.mark.parametrize(
    ("checks", "message"),
    [
        ("def broken(:", "the checks cannot be loaded: "),
        ("x = 1", "it holds no check"),
    ],
)
def test_checks_that_cannot_be_loaded_end_the_batch_at_once(
    released, minigrad, course, checks, message
):
    for name in ("ann", "bob", "eve"):
        write(course / f"subs/{name}.ipynb", notebook(RIGHT))
    released.hidden.write_text(checks)
    status, said, complaint = minigrad("grade", "tiny", "subs", *SANDBOX, "--jobs", "1")
    assert status == 2
    assert f"minigrad grade: nobody can be graded: {message}" in complaint
    assert complaint.endswith(
        "  at   assignments/instructor/tiny/hidden.py\n"
        "  try  fix it; minigrad release tiny runs the checks on the key\n"
    )
    assert "once more alone" not in complaint and not (course / "grades").exists()


@pytest.mark.parametrize(
    ("change", "message", "cell", "hint"),
    [
        ({"q2": SOLUTIONS["q2"].replace("    ### END SOLUTION", "")},
         "'### BEGIN SOLUTION' is never ended", "q2", "correct the markers"),
        ({"q1": RIGHT["q1"]},
         "the answer cell 'q1' marks no solution", "q1", "correct the markers"),
        ({"q4": "def f():\n    ### BEGIN SOLUTION\n    return 4\n    ### END SOLUTION"},
         "points are None", "q4-check", "write a number as the cell's points"),
    ],
)  # fmt: skip
def test_a_key_that_is_not_fit_is_one_message(tiny, minigrad, course, change, message, cell, hint):
    write(course / "subs/ann.ipynb", notebook(RIGHT))
    write(tiny.solution, notebook(SOLUTIONS | change))
    for words in (["grade", "tiny", "subs", *SANDBOX], ["mutants", "tiny"], ["release", "tiny"]):
        status, said, complaint = minigrad(*words)
        assert (status, said) == (2, "")
        place = f"  at   solution.ipynb, the cell '{cell}'\n  try  {hint}\n"
        assert complaint == f"minigrad {words[0]}: {message}\n{place}"


def test_mutants_says_which_member_does_not_keep_its_word(released, minigrad):
    bank = released.instructor / "bank"
    write(bank / "q1.py", '"""Wrong."""\n# %% off | loses q1: by one\ndouble = lambda x: x + 1')
    write(bank / "right.py", "# %% other | right: fine\n# %% q1\n" + RIGHT["q1"])
    status, said, _ = minigrad("mutants", "tiny", "--sandbox", KIND)
    assert (status, said.count("✓")) == (1, 2)
    assert "✗ q2: no answer in bank/q2.py loses it" in said and "✗ q1" not in said
    for question in ("q2", "q3"):
        write(bank / f"{question}.py", f"# %% no_{question} | loses {question}: it is empty")
    status, said, _ = minigrad("mutants", "tiny", "--sandbox", KIND)
    assert (status, said.count("✓"), said.count("✗")) == (0, 4, 0)
    write(bank / "q1.py", '"""Wrong."""\n\n# %% two | loses q2: both\n# %% q1\n\n# %% q2\n')
    status, said, _ = minigrad("mutants", "tiny", "--sandbox", KIND)
    assert status == 1
    assert "✗ bank/q1.py:3 two: loses q1, loses q2   loses q2: both\n" in said
    write(bank / "q1.py", "\n# %% two\nx = 1")
    message = "this code belongs to no answer of the bank\n  at   bank/q1.py:3\n  try  '# %% name |"
    assert message in minigrad("mutants", "tiny")[2]


def test_an_empty_bank_is_no_success(released, minigrad):
    status, said, _ = minigrad("mutants", "tiny", "--sandbox", KIND)
    assert (status, said.count("✓")) == (1, 0)
    assert "the bank of tiny is empty" in said


@needs_bwrap
def test_bubblewrap_is_used_where_it_works(released, minigrad, course):
    write(course / "subs/ann.ipynb", notebook(RIGHT))
    assert "Sandbox: bubblewrap." in minigrad("grade", "tiny", "subs")[1]


def test_asking_for_a_sandbox_that_does_not_work_is_refused(released, minigrad, monkeypatch):
    monkeypatch.setattr(bubblewrap, "works", lambda: "bubblewrap is not installed")
    assert sandbox.choose("auto") == "none"
    complaint = minigrad("release", "tiny", "--sandbox", "bwrap")[2]
    assert complaint.startswith("minigrad release: bubblewrap is not installed")


def test_a_notebook_from_elsewhere_is_checked_in_a_sandbox_or_by_an_express_word(
    released, minigrad, course, monkeypatch
):
    monkeypatch.setattr(bubblewrap, "works", lambda: "bubblewrap is not installed")
    monkeypatch.setattr(docker, "works", lambda: "docker is not installed")
    for folder in ("my/tiny", "mail"):
        open_file = f"open({str(course / folder / 'ran')!r}, 'w')\n"
        write(course / folder / "tiny.ipynb", notebook(RIGHT | {"q1": open_file + RIGHT["q1"]}))
    status, _, said = minigrad("check", "tiny", "--file", "mail/tiny.ipynb")
    assert status == 2
    assert "tiny.ipynb lies outside my/ and may not be yours; no sandbox" in said
    assert "add --sandbox none, which runs it with all your rights" in said
    assert not (course / "mail/ran").exists()
    for words in (["--file", "my/tiny/tiny.ipynb"], [], ["--sandbox", "none"]):
        assert minigrad("check", "tiny", *words)[0] == 0
    assert (course / "my/tiny/ran").exists() and not (course / "mail/ran").exists()
    assert minigrad("check", "tiny", "--file", "mail/tiny.ipynb", "--sandbox", "none")[0] == 0
    assert (course / "mail/ran").exists()


def test_what_ran_in_a_notebook_is_graded_as_it_ran(released, minigrad, course):
    first, last = RIGHT["q1"].split("\n")
    split = notebook({name: text for name, text in RIGHT.items() if name != "q1"})
    split["cells"] += [marked("q1", half, solution=True) for half in (first, last)]
    awaits = (
        "async def two():\n    return 2\n\n\nn = await two()\n\n\ndef double(x):\n    return n * x"
    )
    write(course / "subs/ann.ipynb", split)
    write(course / "subs/bob.ipynb.txt", notebook(RIGHT | {"q1": awaits}))
    assert minigrad("grade", "tiny", "subs", *SANDBOX)[0] == 0
    with open("grades/grades.csv", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert {name: row["score"] for name, row in rows.items()} == {"ann": "4", "bob": "4"}
    assert rows["ann"]["notes"] == "q1: 2 cells have this name; they are joined, in their order"
    assert rows["ann"]["notes"] in (course / "grades" / rows["ann"]["page"]).read_text()
