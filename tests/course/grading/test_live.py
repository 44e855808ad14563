"""The instant check inside a notebook, in a real kernel and beside it."""

import nbformat
import pytest
from nbclient import NotebookClient

from minigrad.core.errors import ArgumentError
from minigrad.course.commands import release
from minigrad.course.grading import check, live
from minigrad.course.grading.notebook import notebook_text

from .conftest import CHECKS, RIGHT
from .paths import ROOT


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """The checks beside the notebook, as `minigrad start` leaves them."""
    (tmp_path / "checks.py").write_text(CHECKS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def defined(*sources):
    """A notebook's namespace after these cells, with `check` in it."""
    namespace = {"check": check}
    for source in sources:
        exec(source, namespace)
    return namespace


def test_the_calling_namespace_is_what_is_checked(beside, capsys):
    namespace = defined(RIGHT["q1"], RIGHT["q3"])
    exec('check("q1"); check("q3")', namespace)
    assert capsys.readouterr().out == "✓ q1   2 of 2 points\n✓ q3   1 of 1 points\n"
    with pytest.raises(live.ChecksFailed, match="`total` is not defined"):
        exec('check("q2")', namespace)
    exec("def double(x): return x", namespace)
    with pytest.raises(live.ChecksFailed) as failed:
        exec('check("q1")', namespace)
    assert str(failed.value).startswith("✗ q1   0 of 2 points\n    ✗ twice a number\n")
    assert failed.value._render_traceback_() == str(failed.value).split("\n")


def test_what_grading_will_lack_is_said_in_the_notebook(tiny, course, capsys, monkeypatch):
    tiny.notebook.write_text(notebook_text(release.student_notebook(tiny)), encoding="utf-8")
    monkeypatch.chdir(tiny.folder)
    answer = "def double(x):\n    import nbformat\n    return two * x"
    cells = ["import numpy as np", "two = 2", answer]
    namespace = defined(*cells) | {"In": ["", *cells]}
    exec('check("q1")', namespace)
    assert capsys.readouterr().out.splitlines()[1:] == [
        "note: q1: two stands in a cell that is not graded; move it into the cell q1",
        "note: q1: nbformat will not be there when this is graded; "
        "the modules to use are Python's own and numpy",
    ]
    exec(RIGHT["q2"], namespace)
    namespace["In"] += [RIGHT["q2"]]
    exec('check("q2")', namespace)
    assert "note" not in capsys.readouterr().out


def test_an_edited_checks_file_is_read_again(beside, capsys):
    namespace = defined(RIGHT["q1"])
    exec('check("q1")', namespace)
    (beside / "checks.py").write_text(CHECKS.replace("2 * x", "3 * x"))
    with pytest.raises(live.ChecksFailed, match="1 of 2 points"):
        exec('check("q1")', namespace)


def test_lying_objects_do_not_pass_here_either(beside):
    liar = "class Yes(float):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
    with pytest.raises(live.ChecksFailed, match="an object of class Yes"):
        exec('check("q1")', defined(liar + "def double(x): return Yes(2 * x)"))


def test_an_interrupted_check_stops(beside):
    with pytest.raises(KeyboardInterrupt):
        exec('check("q1")', defined("def double(x): raise KeyboardInterrupt"))


def test_unknown_questions_and_missing_checks_are_named(beside):
    with pytest.raises(ArgumentError, match="checks.py has no checks for 'q9'") as error:
        check("q9")
    assert error.value.hint == "name one of: q1, q2, q3"
    (beside / "checks.py").unlink()
    with pytest.raises(ArgumentError, match="checks.py is not beside this notebook"):
        check("q1")


def test_the_checks_are_found_by_the_name_of_the_folder(tiny, course, monkeypatch, capsys):
    (course / "my" / "tiny").mkdir(parents=True)
    monkeypatch.chdir(course / "my" / "tiny")
    exec('check("q1")', defined(RIGHT["q1"]))
    assert capsys.readouterr().out == "✓ q1   2 of 2 points\n"


def test_in_a_kernel_the_released_notebook_fails_politely_and_the_answers_pass(tiny, monkeypatch):
    raw = release.student_notebook(tiny)
    raw["cells"].insert(0, {**raw["cells"][0], "id": "import", "source": [
        "import warnings; warnings.simplefilter('error')\n",
        "from minigrad.course.grading import check"]})  # fmt: skip
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    outputs = executed(raw, tiny.folder)
    assert outputs["q1-check"][0]["traceback"][0].startswith("✗ q1   0 of 2 points")
    for cell in raw["cells"]:
        cell["source"] = RIGHT.get(cell["id"], cell["source"])
    outputs = executed(raw, tiny.folder)
    printed = "".join(output["text"] for output in outputs["q3-check"])  # a kernel may part a line
    assert printed == "✓ q3   1 of 1 points\n"


def executed(raw, folder):
    """The outputs by cell after a run from top to bottom."""
    notebook = nbformat.reads(notebook_text(raw), as_version=4)
    NotebookClient(
        notebook, timeout=600, allow_errors=True, resources={"metadata": {"path": str(folder)}}
    ).execute()
    return {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
