"""Every cell of a lesson whose sentences lie in a file says something true, run again in any order
and with any one answer left blank.

The key runs from top to bottom, then backward, then shuffled: nothing but a LessonError in two
lines may stop a cell, and what is said about an answer stays the same. Then each prediction and
each exercise is left blank alone, in a fresh notebook: some cell asks for it, and no cell ends in
another error. Where the hint offers `skip`, taking it lets all that follows run.
"""

import importlib
import io
import os
import random
import re
from contextlib import redirect_stdout

import pytest

from minigrad.course import project
from minigrad.course.lessons import form, handout, lesson
from minigrad.course.lessons.answer import LessonError

LESSONS = [path for path in project.lessons(start=__file__) if form.has_words(path)]
MARKS = ("✓", "→", "◦", "✗")  # of the lines in which a cell judges an answer
FUNCTION = re.compile(r"^check\((\w+)\)", re.MULTILINE)


class Notebook:
    """A lesson's code cells and a fresh Python for them; nobody has answered anything yet."""

    def __init__(self, path, monkeypatch):
        from IPython.core.interactiveshell import InteractiveShell

        monkeypatch.setitem(os.environ, "MPLBACKEND", "agg")
        number = project.lesson_number(path)
        answers = importlib.import_module(f"minigrad.course.lessons.l{number}").lesson
        answers.predictions.clear()
        answers.passes.clear()
        self.cells = [c for c in lesson.read_lesson(path).cells if c.cell_type == "code"]
        self.shell = InteractiveShell()
        self.shell.showtraceback = lambda *given, **options: None

    def run(self, cell, source=None):
        """(what a cell raises, or None; the lines in which it judges, and where it measures, only
        how it judges)"""
        from matplotlib import pyplot

        with redirect_stdout(io.StringIO()) as said:
            done = self.shell.run_cell(cell.source if source is None else source, silent=True)
        pyplot.close("all")
        raised = done.error_before_exec or done.error_in_exec
        tagged = "raises-exception" in cell.metadata.get("tags", ())
        if tagged and not isinstance(raised, LessonError):
            raised = None if raised else AssertionError("its error stays out")
        told = [line for line in said.getvalue().splitlines() if line.startswith(MARKS)]
        measured = "nbval-ignore-output" in cell.metadata.get("tags", ())
        return raised, [line[0] for line in told] if measured else told


def fault(cell, raised):
    """What is wrong with an error, in words; None for a LessonError of a message and a hint."""
    if raised is None or (isinstance(raised, LessonError) and len(str(raised).splitlines()) == 2):
        return None
    return f"{cell.id}: {type(raised).__name__}: {raised}"


def blank_of(cell):
    """The cell as a student gets it, where it asks for an answer; else None."""
    blank = handout.blank_answers(cell.source)[0]
    return blank if blank != cell.source else None


@pytest.mark.no_cover
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_cells_run_again_in_any_order(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    key = Notebook(path, monkeypatch)
    first = {cell.id: key.run(cell) for cell in key.cells}
    assert [fault(c, first[c.id][0]) or c.id for c in key.cells if first[c.id][0]] == []
    found, shuffled = [], [*key.cells]
    random.Random(path.stem).shuffle(shuffled)
    for order, cells in (("backward", key.cells[::-1]), ("shuffled", shuffled)):
        for cell in cells:
            raised, marks = key.run(cell)
            if wrong := fault(cell, raised):
                found.append(f"{order}, {wrong}")
            elif raised is None and marks != first[cell.id][1]:
                found.append(f"{order}, {cell.id}: it says {marks}, and said {first[cell.id][1]}")
    assert not found, "\n" + "\n".join(found)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("path", "at"),
    [
        pytest.param(path, at, id=f"{path.stem}-{cell.id}")
        for path in LESSONS
        for at, cell in enumerate(lesson.read_lesson(path).cells)
        if cell.cell_type == "code" and blank_of(cell)
    ],
)
def test_one_answer_is_left_blank(path, at, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    tried = Notebook(path, monkeypatch)
    gap = next(c for c in tried.cells if c.id == lesson.read_lesson(path).cells[at].id)
    place, found, asked = tried.cells.index(gap), [], []
    for cell in tried.cells:
        raised, marks = tried.run(cell, blank_of(cell) if cell is gap else None)
        found += filter(None, [fault(cell, raised)])
        asked += [cell.id] if isinstance(raised, LessonError) else []
    if not asked:
        found.append(f"{gap.id}: no cell asks for it")
    if (lent := lend_all(gap, tried.cells[place:])) and offers_skip(tried.cells):
        for cell in tried.cells[place:]:
            raised, _ = tried.run(cell, lent if cell is gap else None)
            found += [f"{cell.id}, after skip: {raised!r}"] if raised else []
    assert not found, "\n" + "\n".join(found)


def offers_skip(cells):
    """Whether a lesson can say that `skip` lends a function."""
    code = "\n".join(cell.source for cell in cells)
    return bool(re.search(r"^require\(|\bskip\b", code, re.MULTILINE))


def lend_all(gap, below):
    """The lines that take the course's functions for those of a gap; nothing where no check of a
    function follows."""
    asked = FUNCTION.findall("\n".join(cell.source for cell in below))
    names = re.findall(r"^(?:def|class) (\w+)", gap.source, re.MULTILINE)
    return "\n".join(f"{name} = skip({name!r})" for name in names if name in asked)
