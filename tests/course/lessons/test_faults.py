"""What a lesson says where an assertion of the course itself does not hold."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from minigrad.course import lab
from minigrad.course.lessons import faults

OURS = "CourseFault: This is a fault of the course, not yours: AssertionError"
READERS = "def theirs(x):\n    assert x > 0, 'below 0'\n    return x"  # a cell of the reader's own
WORDS = """
[predict.jobs]
ask = "The jobs"
answer = "equal"
because = "They are the same."

[check.theirs]
title = "theirs"
start = "Write it."
otherwise = "Compare the numbers."

[check.total]
title = "the total"
answer = 2
start = "Write it."
otherwise = "Add them."
"""


class Logic:
    """What a lesson's module holds."""

    def cases_theirs(self):
        return [(-2.0,)]

    def reference_theirs(self, x):
        return x + 1


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """A function that runs cells of a notebook, and gives what the last of them says."""
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    (tmp_path / "99.toml").write_text(WORDS, "utf-8")
    monkeypatch.setattr(lab, "FOLDER", tmp_path)
    lesson = lab.Lesson("99", Logic())  # as a notebook imports it, it tells of names, too
    shell.push({name: getattr(lesson, name) for name in ("check", "observe", "predict")})
    shell.run_cell("import numpy as np\nimport minigrad as mg")

    def run_cells(*cells):
        for cell in cells:
            capsys.readouterr()
            shell.run_cell(cell)
        return capsys.readouterr().out

    return run_cells


def test_an_assertion_in_what_observe_asks_is_told_as_the_courses_fault(run):
    """As in lesson 13, where both engines gave other bits with an old NumPy."""
    asked = "def jobs():\n    assert 1 + 1 == 3, 'other bits'\n\nobserve('jobs', jobs())"
    said = run("predict('jobs', 'equal')", asked)
    assert said.startswith(f"{OURS}: other bits, in line 2: assert 1 + 1 == 3, 'other bits'\n")
    assert said.endswith(f"  try  {faults.HINT}\n")


@pytest.mark.parametrize(
    "cell",
    [
        "check('total', 2)\nassert 1 + 1 == 3",
        "check('total', 2)\nnp.testing.assert_array_equal([1.0], [2.0])",
    ],
    ids=["below a check", "of NumPy's"],
)
def test_an_assertion_of_a_check_is_told_as_the_courses_fault(run, cell):
    assert OURS in run(cell)


def test_what_debug_finds_wrong_with_the_package_is_no_readers_fault(run, monkeypatch):
    monkeypatch.setattr("minigrad.compiler.verify.is_compatible", lambda *shapes: False)
    theirs = "def theirs(x):\n    return mg.Session(debug=True).run(mg.constant(x) + 1)"
    said = run(theirs, "check(theirs)")
    assert said.startswith(OURS) and "in line" in said


def test_a_readers_own_assertion_stays_theirs(run):
    for cells in ((READERS, "check(theirs)"), (f"{READERS}\n\ncheck(theirs)",)):
        said = run(*cells)
        assert said.startswith("LessonError: ✗ theirs: your line 2 raised AssertionError: below 0")
    assert "Traceback" in run(READERS, "theirs(-2)")
