"""Whose mistake an exception is: the check's own ends grading, the student's costs the check."""

import pytest

from minigrad.course.grading import plugin, session
from minigrad.course.grading.report import CRASHED, GRADED

HEAD = """
import contextlib
import pytest
from minigrad.course.grading import expect
from minigrad.course.grading.student import during
TABLE = {"one": 1}
def chosen(table, name): return table[name]
def first(came): return came[0]
def wrong(came): return TABLE["lost"]
class Held:
    def __init__(self, student): self.student = student
    def ask(self): return self.student.f[0]

@pytest.mark.question("q1", points=1)
def test_f(student, rng):
"""
OWN = {
    "a key that is not in the check's table": "TABLE['two']",
    "beside an answer": "expect(student.f, 7, because=TABLE['two'])",
    "after an answer": "came = student.f\n    sizes = [1, 2]\n    sizes[2]\n    expect(came, 7)",
    "a helper that is given nothing of it": "came = student.f; chosen(TABLE, 'two')",
    "a constant in a helper that is": "wrong(student.f)",
    "a number that was drawn": "n = rng.randint(5, 6); came = student.f; [0][n]",
    "in a case's block": "with during('f'):\n        student.f\n        1 / 0",
    "in a loop": "for n in range(3):\n        student.f\n        [0, 1][n]",
    "in a comprehension": "[TABLE[name] for name in ('one', 'two')]",
    "unpacked": "a, b = [1, 2, 3]",
    "a name that nobody defined": "student.f\n    undefined",
}
STUDENTS = {
    "an entry of the answer": "student.f[0]",
    "an entry named by the answer": "TABLE[student.f]",
    "one kept in a variable": "came = student.f\n    n = came + 1\n    [0][n]",
    "one put into a list": "found = []\n    found.append(student.f)\n    found[0][0]",
    "a list with fewer": "found = []\n    found.extend([student.f])\n    found[1]",
    "a helper that is given it": "first(student.f)",
    "a helper that keeps it": "Held(student).ask()",
    "a helper that is given it twice": "chosen(TABLE, student.f)",
    "unpacked": "a, b = student.f",
    "gone through": "for one in student.f: pass",
    "in a comprehension": "[one for one in student.f]",
    "by a function inside": "def inner(): return student.f\n    inner()[0]",
    "by a lambda": "inner = lambda: student.f\n    inner()[0]",
    "opened": "with contextlib.nullcontext(student.f) as came:\n        came[0]",
    "named on the way": "if (came := student.f) and came[0]: pass",
    "an entry that is set": "box = {}\n    box['a'] = student.f\n    box['a'][0]",
    "what was caught": "try: student.f[0]\n    except TypeError as error: raise ValueError(error)",
}


class Seven:
    """A bench on which every answer is 7."""

    lacking, came = (), ()

    def turn_to(self, question):
        """It is the same for each."""

    def ask(self, request):
        return {"value": 7}

    def fault(self, beside=False):
        """It has no cells."""

    def close(self):
        """Nothing to end."""


def graded(folder, body):
    """The report of the bench by one check."""
    path = folder / "checks.py"
    path.write_text(f"{HEAD}    {body}\n")
    run = plugin.Plugin(Seven())
    return session.report_of_run(run, plugin.run_checks(path, run))


@pytest.mark.parametrize("body", OWN.values(), ids=OWN)
def test_a_mistake_of_the_check_is_no_failure_of_the_student(tmp_path, body):
    found = graded(tmp_path, body)
    assert (found.status, found.checks) == (CRASHED, ())
    assert found.reason.startswith("the check test_f failed by itself: ")


@pytest.mark.parametrize("body", STUDENTS.values(), ids=STUDENTS)
def test_an_answer_that_a_check_cannot_work_with_fails_it(tmp_path, body):
    found = graded(tmp_path, body)
    assert found.status == GRADED
    assert [check.outcome for check in found.checks] == ["failed"]
