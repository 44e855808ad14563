"""The 41 systems of the sources: a lesson asserts each of them in a cell tagged row-NN.

syllabus.toml says which lesson holds which rows. A lesson is held to its list once it has the form
whose sentences lie in a file; until then its tags may be fewer, and never others.
"""

import re

import pytest

from minigrad.course import project
from minigrad.course.lessons import form, lesson, syllabus

ROWS = set(range(1, 42))
LESSONS = project.lessons(start=__file__)
DONE = {project.lesson_number(path) for path in LESSONS if form.has_words(path)}
TAG = re.compile(r"row-(\d\d)")
ASSERTS = re.compile(r"^\s*assert\b|\bnp\.testing\.assert_", re.MULTILINE)


def planned():
    """{number of a lesson: its rows}, as syllabus.toml says."""
    return {number: entry["rows"] for number, entry in syllabus.read_table()["lessons"].items()}


def tagged(path):
    """{row: [the cells that are tagged with it]} of a lesson."""
    found = {}
    for cell in lesson.read_lesson(path).cells:
        for tag in filter(TAG.fullmatch, cell.metadata.get("tags", ())):
            found.setdefault(int(TAG.fullmatch(tag)[1]), []).append(cell)
    return found


def test_every_row_has_a_lesson_and_every_lesson_is_there():
    assert {row for rows in planned().values() for row in rows} == ROWS
    assert [*planned()] == [project.lesson_number(path) for path in LESSONS]
    assert all(rows == sorted(set(rows)) for rows in planned().values())


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_tagged_as_the_syllabus_says(path):
    number, found = project.lesson_number(path), sorted(tagged(path))
    line = f"in syllabus.toml, below [lessons.{number}], write: rows = {found}"
    if number in DONE:
        assert found == planned()[number], line
    else:
        assert {*found} <= {*planned()[number]}, line


@pytest.mark.parametrize("row", sorted(ROWS))
def test_a_cell_asserts_each_row(row):
    homes = [path for path in LESSONS if row in planned()[project.lesson_number(path)]]
    cells = [cell for path in homes for cell in tagged(path).get(row, ())]
    silent = [cell.id for cell in cells if not ASSERTS.search(cell.source)]
    asserting = len(cells) - len(silent)
    assert asserting or not DONE & {*map(project.lesson_number, homes)}, (
        f"row {row}: no cell tagged row-{row:02} asserts anything; tagged are {silent}"
    )
