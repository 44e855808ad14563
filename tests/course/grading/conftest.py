"""A small assignment in a course of its own, and the kinds of sandbox that this machine has."""

import json

import pytest

from minigrad.course.grading import assignment, bubblewrap, process
from minigrad.course.grading.worker import Limits, Setting

SOLUTIONS = {
    "q1": "def double(x):\n    ### BEGIN SOLUTION\n    return x + x + zero\n    ### END SOLUTION",
    "q2": "def total(items):\n    ### BEGIN SOLUTION\n    return sum(items, start=zero)"
    "\n    ### END SOLUTION",
    "q3": "def sums(table):\n    ### BEGIN SOLUTION\n    return table.sum(axis=zero)"
    "\n    ### END SOLUTION",
}
RIGHT = {
    "q1": "def double(x):\n    return 2 * x",
    "q2": "def total(items):\n    return sum(items)",
    "q3": "def sums(table):\n    return table.sum(axis=0)",
}
POINTS = {"q1": 2, "q2": 1, "q3": 1}
CHECKS = '''
"""Checks of a small assignment."""

import pytest

from minigrad.course.grading import expect


@pytest.mark.question("q1", points=1, hint="Twice a number is the number plus itself.")
def test_double(student, rng):
    """twice a number"""
    x = rng.randint(2, 9)
    expect(student.double(x), 2 * x)


@pytest.mark.question("q1", points=1, show=True)
def test_double_of_a_half(student):
    """twice a half"""
    expect(student.double(0.5), 1.0)


@pytest.mark.question("q2", points=1)
def test_total(student):
    """a sum"""
    expect(student.total([1, 2, 4]), 7)


@pytest.mark.question("q3", points=1)
def test_sums(student):
    """sums of columns"""
    import numpy as np

    expect(student.sums(np.array([[1.0, 2.0], [3.0, 5.0]])), np.array([4.0, 7.0]))
'''
LIMITS = Limits(call_seconds=2, question_seconds=6)
BWRAP_PROBLEM = bubblewrap.works()
needs_bwrap = pytest.mark.skipif(BWRAP_PROBLEM is not None, reason=str(BWRAP_PROBLEM))
UNSAFE = ["--sandbox", "none", *(["--as-root"] if process.running_as_root() else [])]
# where any sandbox will do: with bubblewrap one grading process does many jobs, without it one
KIND = "none" if BWRAP_PROBLEM else "bwrap"
SANDBOX = UNSAFE if BWRAP_PROBLEM else ["--sandbox", "bwrap"]
KINDS = ["none", pytest.param("bwrap", marks=needs_bwrap)]


def marked(name, source, points=None, **roles):
    """A code cell with nbgrader's metadata."""
    mark = {"grade_id": name, "schema_version": 3, "locked": False, "grade": False}
    mark |= {"solution": False, **roles} | ({"points": points} if points else {})
    return {
        "cell_type": "code",
        "id": name,
        "metadata": {"nbgrader": mark},
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def notebook(answers):
    """The small assignment's notebook with these answers."""
    cells = [marked("setup", "zero = 0", locked=True)]
    for name, source in answers.items():
        cells.append(marked(name, source, solution=True))
        check = f'check("{name}")'
        cells.append(marked(f"{name}-check", check, POINTS.get(name), locked=True, grade=True))
    metadata = {"minigrad": {"libraries": ["numpy"]}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def lay_out(folder):
    """Write the small assignment into the course in `folder`; returns it."""
    for name in ("notebooks", "assignments/tiny", "assignments/instructor/tiny"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    tiny = assignment.Assignment(
        "tiny", folder / "assignments/tiny", folder / "assignments/instructor/tiny"
    )
    tiny.solution.write_text(json.dumps(notebook(SOLUTIONS)))
    tiny.checks.write_text(CHECKS)
    tiny.hidden.write_text(CHECKS)
    return tiny


@pytest.fixture
def tiny(course):
    """The small assignment in the current course."""
    return lay_out(course)


@pytest.fixture(params=KINDS)
def setting(request):
    """The small assignment's setting in each kind of sandbox."""
    return Setting(request.param, ("numpy",), LIMITS)
