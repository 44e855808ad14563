"""What a lesson says where an assertion of the course itself does not hold."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from minigrad.course.lessons import faults, names

OURS = "CourseFault: This is a fault of the course, not yours: AssertionError"
READERS = "def theirs(x):\n    assert x > 0, 'below 0'\n    return x"  # a cell of the reader's own


@pytest.fixture
def run(monkeypatch, capsys):
    """A function that runs cells of a notebook, and gives what the last of them says."""
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    names.explain_names()
    shell.run_cell("import numpy as np\nimport minigrad as mg\nfrom minigrad.course.teach import *")
    shell.run_cell("from minigrad.course.teach import observe, predict, check, check_function")

    def run_cells(*cells):
        for cell in cells:
            capsys.readouterr()
            shell.run_cell(cell)
        return capsys.readouterr().out

    return run_cells


def test_an_assertion_in_what_observe_asks_is_told_as_the_courses_fault(run):
    """As in lesson 13, where both engines gave other bits with an old NumPy."""
    asked = "def three_jobs():\n    assert 1 + 1 == 3, 'other bits'\n\nobserve('jobs', three_jobs)"
    said = run("predict('jobs', 'equal')", asked)
    assert said.startswith(f"{OURS}: other bits, in line 2: assert 1 + 1 == 3, 'other bits'\n")
    assert said.endswith(f"  try  {faults.CURE}\n")


@pytest.mark.parametrize(
    "cell",
    [
        "check('sum', 2, 2)\nassert 1 + 1 == 3",
        "check('sum', 2, 2)\nnp.testing.assert_array_equal([1.0], [2.0])",
        "def tried(x):\n    assert x > 9\n\ncheck_function('x', tried, lambda x: x, [(2,)])",
        "def ours(x):\n    assert x > 9\n\ncheck_function('x', lambda x: x, ours, [(2,)])",
    ],
    ids=["below a check", "of NumPy's", "around the reader's function", "of the right answer"],
)
def test_an_assertion_of_a_check_is_told_as_the_courses_fault(run, cell):
    assert OURS in run(cell)


def test_what_debug_finds_wrong_with_the_package_is_no_readers_fault(run, monkeypatch):
    monkeypatch.setattr("minigrad.compiler.verify.is_compatible", lambda *shapes: False)
    theirs = "def theirs(x):\n    return mg.Session(debug=True).run(mg.constant(x) + 1)"
    said = run(theirs, "check_function('x', theirs, lambda x: x + 1, [(2.0,)])")
    assert said.startswith(OURS) and "in line" in said


def test_a_readers_own_assertion_stays_theirs(run):
    said = run(READERS, "check_function('x', theirs, lambda x: x, [(-2,)])")
    assert said.startswith("LessonError: ✗ x: at x = -2: it raised AssertionError: below 0")
    said = run(READERS, "predict('x', 2)\nobserve('x', lambda: theirs(-2))")
    assert said.splitlines()[1].startswith("LessonError: ✗ x: nothing to show yet, it raised")
    assert "Traceback" in run(READERS, "theirs(-2)")
