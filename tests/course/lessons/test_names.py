"""What a notebook says of a name that stands for nothing."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from minigrad.course.lessons import names


@pytest.fixture
def shell(monkeypatch):
    """A notebook's Python, without a kernel, that tells of names."""
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    names.explain_names()
    return shell


@pytest.mark.parametrize("cell", ["guess = lower", "f = lambda: lower\nf()"])
def test_a_name_that_no_cell_has_made_is_told_with_its_line_and_a_cure(shell, cell, capsys):
    done = shell.run_cell(cell)
    assert isinstance(done.error_in_exec, NameError)
    said = capsys.readouterr().out
    line = cell.split("\n")[0]
    assert said == (
        f"LessonError: ✗ name 'lower' is not defined, in line 1: {line}\n  try  {names.HINT}\n"
    )


@pytest.mark.parametrize("cell", ["1 / 0", "def f():\n    x += 1\nf()"])
def test_other_errors_are_shown_as_ever(shell, cell, capsys):
    shell.run_cell(cell)
    assert "Traceback" in capsys.readouterr().out


def test_a_slip_of_the_package_is_no_learners(shell, capsys, monkeypatch):
    monkeypatch.setattr(names, "PACKAGE", "")  # every file is the package's
    shell.run_cell("lower")
    assert "Traceback" in capsys.readouterr().out


def test_without_a_notebook_nothing_happens(monkeypatch):
    monkeypatch.setattr("IPython.get_ipython", lambda: None)
    names.explain_names()
