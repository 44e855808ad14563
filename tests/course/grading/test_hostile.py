"""A batch with hostile and broken submissions between honest ones: nobody gains, nobody loses."""

import copy
import csv
import json
import re
import time

import pytest

from minigrad.course import grade
from minigrad.course.grading import assignment, gradebook, submissions
from minigrad.course.grading.worker import Setting

from .conftest import BWRAP_PROBLEM, LIMITS, RIGHT, lay_out, marked, notebook
from .test_worker import gone, linux, needs_bwrap

TOKEN = f"left behind {time.monotonic_ns()}"
WRONG = "def double(x):\n    return 0"
FULL = {"q1": "2", "q2": "1", "q3": "1"}
NO_Q1 = FULL | {"q1": "0"}
NO_Q3 = FULL | {"q3": "0"}
LOST_Q1 = FULL | {"q1": ""}
UNSURE = FULL | {"q1": "0 or empty"}  # which comes first: its error, or its children's answers
NOTHING = {"q1": "", "q2": "", "q3": ""}

# What stands in the answer cell q1, the points that are expected, and words of the reason.
ANSWERS = {
    "syntax error": ("def double(x) return", NO_Q1, ""),
    "not Python at all": ("\0", NO_Q1, ""),
    "endless loop": ("def double(x):\n    while True: pass", NO_Q1, ""),
    "endless loop at once": (WRONG + "\nwhile True: pass", NO_Q1, ""),
    "endless sleep": ("import time\ndef double(x): time.sleep(1000)", NO_Q1, ""),
    "sys.exit": ("import sys\ndef double(x): sys.exit(0)", NO_Q1, ""),
    "sys.exit at once": (WRONG + "\nimport sys; sys.exit(0)", NO_Q1, ""),
    "os._exit": ("import os\ndef double(x): os._exit(0)", LOST_Q1, "exit status 0"),
    "os._exit at once": (WRONG + "\nimport os; os._exit(0)", LOST_Q1, "exit status 0"),
    "recursion": ("def double(x): return double(x)", NO_Q1, ""),
    "memory": ("def double(x):\n    b = []\n    while True: b.append(bytes(2**27))", NO_Q1, ""),
    "200 MB of print": (
        "def double(x):\n    for _ in range(200): print('x' * 10**6)\n    return 0",
        NO_Q1,
        "",
    ),
    "300,000 prints": ("def double(x):\n    for n in range(300_000): print(n)", NO_Q1, ""),
    "equals everything": (
        "class Yes:\n    def __eq__(self, other): return True\n    __ne__ = __bool__ = __eq__\n"
        "    def __bool__(self): return True\n    __hash__ = None\n"
        "def double(x): return Yes()",
        NO_Q1,
        "",
    ),
    "lying float": (
        "class Yes(float):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        "    def __sub__(self, other): return 0.0\n    __rsub__ = __sub__\n"
        "def double(x): return Yes(x)",
        NO_Q1,
        "",
    ),
    "lying class": (
        "class Yes:\n    __class__ = float\n    def __float__(self): return 1.0\n"
        "    def __array__(self, *a, **k): import numpy; return numpy.array(1.0)\n"
        "def double(x): return Yes()",
        NO_Q1,
        "",
    ),
    "patched assert": (
        "import builtins\nclass E(BaseException): pass\nbuiltins.AssertionError = E\n"
        "builtins.abs = lambda x: 0\nbuiltins.all = lambda *a: True\n" + WRONG,
        NO_Q1,
        "",
    ),
    "patched isinstance": (
        "import builtins\nbuiltins.isinstance = lambda *a: True\n" + WRONG,
        LOST_Q1,
        "ended",
    ),
    "patched modules": (
        "import sys\nfor name in ('pytest', '_pytest', 'minigrad'): sys.modules[name] = sys\n"
        + WRONG,
        NO_Q1,
        "",
    ),
    "input transformer": (
        WRONG + "\nip = get_ipython()\n"
        "ip.input_transformers_cleanup.append(lambda lines: ['pass'])",
        NO_Q1,
        "",
    ),
    "answers on the channel": (
        "import os, struct\ntext = b'{\"value\": 4}'\ndef double(x):\n"
        "    for n in range(3, 10):\n"
        "        try: os.write(n, struct.pack('>I', len(text)) + text)\n"
        "        except OSError: pass",
        LOST_Q1,
        "no question asked for",
    ),
    "patched protocol": (
        "import sys\ndef double(x):\n    f = sys._getframe()\n"
        "    while 'held' not in f.f_locals: f = f.f_back\n"
        "    f.f_locals['held'].answer = lambda request: {'value': 'right'}",
        NO_Q1,
        "",
    ),
}
ANSWERS |= {
    "stops itself": (
        "import os, signal\ndef double(x): os.kill(os.getpid(), signal.SIGSTOP)",
        NO_Q1,
        "",
    ),
    "closes its channel": (
        "import os\ndef double(x): os.closerange(0, 100)",
        LOST_Q1,
        "ended|closed",
    ),
    "endless exit": (
        "import atexit\n@atexit.register\ndef wait():\n    while True: pass\n" + WRONG,
        NO_Q1,
        "",
    ),
    "flood on the channel": (
        "import os, struct\ndef double(x):\n    while True:\n        for n in range(3, 10):\n"
        "            try: os.write(n, struct.pack('>I', 4) + b'null')\n"
        "            except OSError: pass",
        LOST_Q1,
        "no question asked for",
    ),
    "odd names": (
        "class M(type):\n    __name__ = property(lambda self: 1 / 0)\n"
        "class Odd(metaclass=M): pass\ndef double(x): return Odd()",
        NO_Q1,
        "",
    ),
    "odd exception": (
        "def double(x): raise type('\\x1b[2J' * 200, (Exception,), {})(repr(x) * 10**6)",
        NO_Q1,
        "",
    ),
    "no text": ("def double(x): return '\\ud800' * 10", NO_Q1, ""),
    "deep list": (
        "def double(x):\n    d = []\n    for _ in range(10**5): d = [d]\n    return d",
        NO_Q1,
        "",
    ),
    "long number": (
        "import sys\nsys.set_int_max_str_digits(0)\ndef double(x): return 10**100_000",
        NO_Q1,
        "",
    ),
    "no limit of recursion": (
        "import sys\nsys.setrecursionlimit(10**8)\ndef double(x): return double(x)",
        UNSURE,
        "",
    ),
}
if BWRAP_PROBLEM is None:
    ANSWERS["segfault"] = (
        "import ctypes\ndef double(x): ctypes.string_at(0)",
        LOST_Q1,
        "SIGSEGV|exit status",
    )
    ANSWERS["daemon"] = (
        "import os, subprocess, sys\nsubprocess.Popen([sys.executable, '-I', '-S', '-c', "
        f"'import time; time.sleep(300) # {TOKEN}'], start_new_session=True)\n" + WRONG,
        NO_Q1,
        "",
    )
    ANSWERS["fork bomb"] = ("import os\ndef double(x):\n    while True: os.fork()", UNSURE, "")


def patched_numpy():
    """All right but q3, which makes NumPy say that everything is close to everything."""
    source = "import numpy\nnumpy.isclose = numpy.allclose = numpy.all = lambda *a, **k: True\n"
    return notebook(RIGHT | {"q3": source + "def sums(table): return table[0] * 0"})


def edited_checks():
    """Check cells that pass whatever comes, and give more points."""
    raw = notebook(RIGHT | {"q1": WRONG})
    for cell in raw["cells"]:
        if cell["metadata"]["nbgrader"]["grade"]:
            cell["source"] = "pass"
            cell["metadata"]["nbgrader"]["points"] = 1000
    return raw


def without_checks():
    """Check cells and setup deleted, the wrong answer declared to be a check."""
    raw = notebook(RIGHT | {"q1": WRONG})
    raw["cells"] = [c for c in raw["cells"] if c["metadata"]["nbgrader"]["solution"]]
    return raw


def duplicated(source):
    """Every cell twice; the second answer to q1 is `source`."""
    raw = notebook(RIGHT | {"q1": WRONG})
    raw["cells"] += copy.deepcopy(raw["cells"])
    raw["cells"].append(marked("q1", source, solution=True))
    return raw


NOTEBOOKS = {
    "patched numpy": (patched_numpy(), NO_Q3),
    "edited checks": (edited_checks(), NO_Q1),
    "deleted checks": (without_checks(), NO_Q1),
    "duplicated cells": (duplicated(WRONG), NO_Q1),
    "duplicated, last right": (duplicated(RIGHT["q1"]), FULL),
    "a magic": (notebook(RIGHT | {"q1": "%matplotlib inline\n" + RIGHT["q1"]}), FULL),
    "metadata of odd types": (
        notebook(RIGHT) | {"metadata": {"minigrad": {"libraries": ["os"]}, "name": [1]}},
        FULL,
    ),
    "=formula(1)": (notebook(RIGHT), FULL),
    "<script>x": (notebook(RIGHT | {"q1": "raise ValueError('<script>alert(1)</script>')"}), NO_Q1),
}
UNREADABLE = {
    "truncated": json.dumps(notebook(RIGHT))[:-40].encode(),
    "no notebook": b"\x89PNG\r\n\x1a\n\0\0",
    "empty file": b"",
    "deep json": b"[" * 10**6,
    "old format": json.dumps(notebook(RIGHT) | {"nbformat": 3}).encode(),
    "cells of numbers": b'{"nbformat": 4, "cells": [1]}',
    "another notebook": json.dumps(notebook(RIGHT) | {"cells": []}).encode(),
    "too large": b" " * (20 * 2**20 + 1),
}


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    """Rows of grades.csv by student, and the folder of the grades."""
    course = tmp_path_factory.mktemp("course")
    chosen = lay_out(course)
    handed_in = course / "submissions"
    handed_in.mkdir()
    raws = {name: notebook(RIGHT | {"q1": source}) for name, (source, _, _) in ANSWERS.items()}
    raws |= {name: raw for name, (raw, _) in NOTEBOOKS.items()}
    raws |= {"aaa honest": notebook(RIGHT), "zzz honest": notebook(RIGHT)}
    for name, raw in raws.items():
        (handed_in / f"{name}.ipynb").write_text(json.dumps(raw))
    for name, content in UNREADABLE.items():
        (handed_in / f"{name}.ipynb").write_bytes(content)
    (handed_in / "no file").mkdir()
    (handed_in / "link.ipynb").symlink_to(handed_in / "aaa honest.ipynb")
    (handed_in / "link in folder").mkdir()
    (handed_in / "link in folder" / "tiny.ipynb").symlink_to(chosen.solution)
    entries = submissions.entries(handed_in, "tiny")
    setting = Setting("none" if BWRAP_PROBLEM else "bwrap", ("numpy",), LIMITS)
    results = grade.graded(entries, chosen, setting, jobs=2, seed="test")
    questions = assignment.key_master(chosen).questions
    gradebook.write(course / "grades", gradebook.Batch("tiny", questions, results))
    with open(course / "grades" / "grades.csv", newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}, course / "grades"


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


@pytest.mark.parametrize("name", [*UNREADABLE, "link", "link in folder", "no file"])
def test_what_cannot_be_read_has_a_reason_and_no_score(batch, name):
    row = batch[0][name]
    assert points(row) == NOTHING
    assert row["score"] == row["possible"] == ""
    assert row["status"] == ("MISSING" if name == "no file" else "UNREADABLE")
    assert len(row["reason"]) > 20


def test_every_student_has_a_row_and_files_in_the_order_of_names(batch):
    rows, grades = batch
    count = len(ANSWERS) + len(NOTEBOOKS) + len(UNREADABLE) + 5
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


@needs_bwrap
def test_nothing_outlives_the_batch(batch):
    assert gone(TOKEN)


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
    entries = submissions.entries(tmp_path / "submissions", "tiny")
    setting = Setting("none", ("numpy",), LIMITS)
    results = dict(grade.graded(entries, chosen, setting, jobs=2, seed="test"))
    assert [results[name].earned() for name in ("ann", "eve")] == [4, 4]
    assert results["bob"].status == "CRASHED" or results["bob"].earned("q1") == 0
    assert results["bob"].checks or "grading process failed" in results["bob"].reason
    assert gone(f"bare {TOKEN}")
