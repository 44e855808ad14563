"""The course as a whole: what each lesson and assignment is about, how long it takes, its needs.

syllabus.toml says how they hang together; everything else is read from the notebooks.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from minigrad.course import project
from minigrad.course.grading import notebook
from minigrad.course.lessons import form

TABLE = Path(__file__).with_suffix(".toml")


class Unit(NamedTuple):
    """A lesson ("03") or an assignment ("ps1"): `time` as it says it itself ("45 minutes")."""

    name: str
    title: str
    goal: str
    time: str
    needs: tuple
    path: Path

    @property
    def minutes(self):
        """The minutes of a lesson, as a number; of an assignment, which says hours in words, 0."""
        return int(self.time.split()[0]) if self.time.endswith("minutes") else 0


class Chapter(NamedTuple):
    """Some lessons under one heading."""

    title: str
    units: tuple


@cache
def read_table():
    """What stands in syllabus.toml."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def read_lessons(course=None):
    """[Unit] of every lesson of the course folder, in order."""
    folder = (course or project.root()) / "notebooks"
    return [read_unit(path, project.lesson_number(path)) for path in sorted(folder.glob("*.ipynb"))]


def read_assignments(course=None):
    """[Unit] of every assignment that students get, in order."""
    folder = (course or project.root()) / "assignments"
    return [read_unit(path, path.stem) for path in sorted(folder.glob("ps*/ps*.ipynb"))]


def read_unit(path, name):
    """The Unit that a notebook says it is; what it does not say, is empty."""
    cells = notebook.cells(notebook.read_notebook(path))
    text = "\n\n".join(cell.source for cell in cells[:2] if cell.kind == "markdown")
    title = re.search(r"^# (?:\w+ · )?(.+)", text, re.MULTILINE)
    goal = re.search(r"^\*\*Goal\.\*\* (.+(?:\n.+)*)", text, re.MULTILINE)
    time = form.STATED.search(text)
    said = [" ".join(found[1].split()) if found else "" for found in (title, goal, time)]
    return Unit(name, *said, tuple(read_table()["needs"].get(name, ())), path)


def group_lessons(lessons):
    """[Chapter] of the lessons; those that the table does not name stand in a last one."""
    by_name, parts = {unit.name: unit for unit in lessons}, []
    for part in read_table()["part"]:
        units = tuple(by_name.pop(name) for name in part["lessons"] if name in by_name)
        parts += [Chapter(part["title"], units)] * bool(units)
    return parts + [Chapter("More lessons", tuple(by_name.values()))] * bool(by_name)


def plan_weeks():
    """{number of weeks: [the names of what each week holds]}"""
    weeks = read_table()["weeks"].items()
    return {int(count): [week.split() for week in plan] for count, plan in weeks}


def total_hours(units):
    """The hours that these lessons take, rounded."""
    return round(sum(unit.minutes for unit in units) / 60)
