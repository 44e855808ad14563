"""A student's working folder: the copies in it, and the places beside them."""

import shutil
from pathlib import Path
from typing import NamedTuple

from minigrad.course import project
from minigrad.course.lessons import lesson
from minigrad.errors import ArgumentError


class Desk(NamedTuple):
    """The student's files of one assignment."""

    name: str
    folder: Path

    @property
    def notebook(self):
        """The notebook that the student works in."""
        return self.folder / f"{self.name}.ipynb"

    @property
    def submission(self):
        """The notebook to hand in."""
        return self.folder / f"{self.name}-submission.ipynb"


def desk(name, folder=None):
    """The `Desk` in `folder`, or in my/ of the course."""
    return Desk(name, Path(folder).resolve() if folder else project.workspace() / name)


def started(name, path=None):
    """The student's notebook. Raises an ArgumentError when it is not there."""
    path = Path(path) if path else desk(name).notebook
    if not path.is_file():
        fact = f"there is no {shown(path)}"
        raise ArgumentError(fact, mend=f"minigrad start {name}, or name your notebook with --file")
    return path


def lay_out(assignment, place):
    """Copy what the student lacks; returns the new paths."""
    if not assignment.notebook.is_file():
        fact = f"{assignment.name} has no notebook for students yet"
        raise ArgumentError(fact, mend=f"minigrad release {assignment.name}")
    place.folder.mkdir(parents=True, exist_ok=True)
    new = []
    sources = (
        (assignment.notebook, place.notebook),
        (assignment.checks, place.folder / "checks.py"),
    )
    for source, copy in sources:
        if not copy.exists():
            lesson.write(copy, source.read_text(encoding="utf-8"))
            new.append(copy)
    return new


def put_aside(place):
    """Rename the student's notebook so that nothing is lost; returns the new path."""
    turn = 1
    while (aside := place.folder / f"{place.name}-before-reset-{turn}.ipynb").exists():
        turn += 1
    shutil.move(place.notebook, aside)
    return aside


def shown(path):
    """A path as seen from the course's folder, or whole when it lies elsewhere."""
    try:
        return Path(path).resolve().relative_to(project.root()).as_posix()
    except ValueError:
        return str(path)
