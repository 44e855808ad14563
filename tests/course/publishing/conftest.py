"""A course of one assignment as a git clone, with a line of each kind that only teachers have."""

import json

import pytest

from minigrad.course.publishing import leaks

from ..grading.conftest import CHECKS, RIGHT, SOLUTIONS, lay_out, notebook

SECRETS = {  # by kind; each has what JSON or HTML escapes
    "solution": 'return {"twice": x + x + zero}["twice"] if x < 9 else x + x',
    "hidden check": 'expect(student.double(7.25) & 1, 14.5, because="7.25 & <")',
    "bank": 'return {"three times": 3 * x}["three times"]  # & not twice',
}
SHOWN = '# the students\' notebook shows this line of the solution, "too"'
BANK = "# %% three | loses q1: why\ndef double(x):\n    {}\n"


def git(folder, *words):
    """Run git there, as somebody."""
    settings = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    return leaks.git(folder, *settings, *words).decode()


def commit_all(folder, said="One idea"):
    """Commit whatever has changed."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", said)


@pytest.fixture
def clone(course):
    """The clone, with everything committed; nothing of the instructor is public."""
    tiny = lay_out(course)
    body = f"    ### BEGIN SOLUTION\n    {SECRETS['solution']}\n    {SHOWN}\n    ### END SOLUTION"
    raw = notebook(SOLUTIONS | {"q1": f"def double(x):\n{body}"})
    raw["cells"].append({"cell_type": "markdown", "metadata": {}, "source": SHOWN})
    tiny.solution.write_text(json.dumps(raw))
    tiny.notebook.write_text(json.dumps(notebook(RIGHT)))
    tiny.hidden.write_text(f"{CHECKS}    {SECRETS['hidden check']}\n")
    (tiny.instructor / "bank").mkdir()
    (tiny.instructor / "bank" / "q1.py").write_text(BANK.format(SECRETS["bank"]))
    (course / "README.md").write_text("# A course\n")
    (course / ".gitignore").write_text("/my/\n")
    git(course, "init", "--quiet", "--initial-branch=main")
    (course / leaks.LISTED).write_text("")
    git(course, "add", "--all")
    lines = leaks.shared_lines(course)
    (course / leaks.LISTED).write_text("".join(f"{line}\n" for line in lines))
    commit_all(course)
    return course
