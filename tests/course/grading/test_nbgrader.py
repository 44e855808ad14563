"""nbgrader can use the same source: `nbgrader generate_assignment` makes the same cells of it."""

import json
import os
import shutil
import subprocess

import pytest

from minigrad.course.commands import release
from minigrad.course.grading import notebook

from .test_assignments import each

pytestmark = pytest.mark.skipif(not shutil.which("nbgrader"), reason="nbgrader is not installed")


@each
def test_nbgrader_makes_the_same_cells_of_the_source(chosen, tmp_path):
    source = tmp_path / "source" / chosen.name
    source.mkdir(parents=True)
    shutil.copy(chosen.solution, source / f"{chosen.name}.ipynb")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        ["nbgrader", "generate_assignment", chosen.name, "--create", "--course-dir", tmp_path],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "release" / chosen.name / f"{chosen.name}.ipynb").read_text())
    ours = notebook.cells(release.student_notebook(chosen))
    theirs = notebook.cells(made)
    assert [(cell.kind, cell.name, cell.source.rstrip()) for cell in theirs] == [
        (cell.kind, cell.name, cell.source.rstrip()) for cell in ours
    ]
