"""A lesson that is opened alone, where the course is not installed, says how to install it."""

import copy
import sys

import pytest

from minigrad.course import project
from minigrad.course.lessons import form, handout, lesson

LESSONS = project.lessons(start=__file__)
LINE = 'UsageError: Install the course first: %pip install "minigrad-course[course]"'


@pytest.fixture
def shell(monkeypatch, tmp_path):
    """A notebook's Python in an empty folder."""
    monkeypatch.chdir(tmp_path)
    interactive = pytest.importorskip("IPython.core.interactiveshell")
    return interactive.InteractiveShell()


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
@pytest.mark.parametrize("missing", ["minigrad", "what it calls"])
def test_where_the_course_is_missing_the_first_cell_says_one_line(
    path, missing, shell, monkeypatch, capsys
):
    if missing != "minigrad":
        own = f"lessons.l{project.lesson_number(path)}" if form.has_words(path) else "teach"
        missing = f"minigrad.course.{own}"
    whole = lesson.read_lesson(path)
    for notebook in (whole, handout.hand_out(copy.deepcopy(whole))):
        source = next(cell.source for cell in notebook.cells if cell.cell_type == "code")
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, missing, None)
            done = shell.run_cell(source)
        printed, complained = capsys.readouterr()
        assert done.error_in_exec is not None and not printed
        assert complained.strip() == LINE
