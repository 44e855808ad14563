"""The course as a whole: what each lesson and assignment is about, how long it takes, its needs.

syllabus.toml says what each lesson is and how they hang together. Goals, the times of assignments,
and all about a lesson that the table does not know are read from the notebooks.
"""

import json
import re
import tomllib
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import NamedTuple

from minigrad.course import files, project
from minigrad.course.grading import notebook
from minigrad.course.lessons import badges, form

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
        """The minutes of a lesson, as a number; of an assignment, which says hours, 0."""
        return int(self.time.split()[0]) if self.time.endswith("minutes") else 0

    @property
    def hours(self):
        """The hours of an assignment ("3½ hours"), as a number; of a lesson, 0."""
        found = re.match(r"(\d+)(½?) hours?$", self.time)
        return int(found[1]) + len(found[2]) / 2 if found else 0


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
    """The Unit that the table says a notebook is, or it says itself; else its parts are empty."""
    title, goal, time = read_opening(path)
    entry = listed_lesson(path)
    if entry:
        title, time = entry["title"], f"{entry['minutes']} minutes"
    return Unit(name, title, goal, time, needs_of(name), path)


def listed_lesson(path):
    """What the table says of the lesson in this file; nothing where it knows none of this name."""
    number, _, slug = path.stem.partition("_")
    entry = read_table()["lessons"].get(number, {})
    return entry if entry.get("slug") == slug else {}


def needs_of(name):
    """What should be done before a lesson; before an assignment, the lessons that lead to it."""
    lessons = read_table()["lessons"]
    if name in lessons:
        return tuple(lessons[name]["needs"])
    return tuple(number for number, entry in lessons.items() if entry.get("assignment") == name)


def lesson_before(assignment):
    """The lessons that an assignment continues, by number and title; "" of others."""
    numbers = needs_of(assignment)
    titles = (read_table()["lessons"][number]["title"] for number in numbers)
    return " and ".join(f"{number} ({title})" for number, title in zip(numbers, titles))


def read_opening(path):
    """(title, goal, time) as a notebook says them in its first cells; what it lacks, is empty."""
    cells = notebook.cells(notebook.read_notebook(path))
    text = "\n\n".join(cell.source for cell in cells[:2] if cell.kind == "markdown")
    title = re.search(r"^# (?:\w+ · )?(.+)", text, re.MULTILINE)
    goal = re.search(r"^\*\*Goal\.\*\* (.+(?:\n.+)*)", text, re.MULTILINE)
    time = form.STATED.search(text)
    return [" ".join(found[1].split()) if found else "" for found in (title, goal, time)]


def find_differences(path):
    """(what the table says otherwise than a lesson, the line to write there) of each."""
    if not (entry := listed_lesson(path)):
        return
    number, (title, _, time) = project.lesson_number(path), read_opening(path)
    said = {"title": title, "minutes": time.removesuffix(" minutes")}
    for key, value in said.items():
        if value and value != str(entry[key]):
            shown = value if key == "minutes" else json.dumps(value, ensure_ascii=False)
            fact = f"its {key} in syllabus.toml: {entry[key]}"
            yield fact, f"write there, below [lessons.{number}]: {key} = {shown}"


def group_lessons(lessons):
    """[Chapter] of the lessons; those that the table does not name stand in a last one."""
    by_name, parts = {unit.name: unit for unit in lessons}, []
    for part in read_table()["part"]:
        units = tuple(by_name.pop(name) for name in part["lessons"] if name in by_name)
        parts += [Chapter(part["title"], units)] * bool(units)
    return parts + [Chapter("More lessons", tuple(by_name.values()))] * bool(by_name)


def read_plans():
    """{"4 weeks": [the names of what each week holds]}"""
    plans = read_table()["plans"].items()
    return {length: [part.split() for part in plan] for length, plan in plans}


def count_hours(names, units):
    """(hours of the lessons, hours of the assignments) among these names, in halves."""
    names = {*names}
    taken = [unit for unit in units if unit.name in names]
    minutes = sum(unit.minutes for unit in taken)
    return round(minutes / 30) / 2, sum(unit.hours for unit in taken)


def renew_tables(course):
    """Write the tables of lessons and weeks into README and guide, and each lesson's row of links;
    the files that are new."""
    pages = {"README.md": readme_table, "assignments/GUIDE.md": weeks_table}
    changed = []
    for name, make in pages.items():
        path = course / name
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        head, *rows = make(course)
        table = re.compile(rf"^{re.escape(head)}\n(\|.*\n)*", re.MULTILINE)
        if found := table.search(text):
            made = "\n".join([head, *rows, ""])
            new = text[: found.start()] + made + text[found.end() :]
            changed += [name] * files.renew(path, new)
    return changed + badges.renew_rows(course)


def readme_table(course):
    """The lines of the README's table of lessons."""
    yield from ("| lesson | title | minutes |", "|---|---|---|")
    for unit in read_lessons(course):
        link = f"[{unit.name}](notebooks/{unit.path.name})"
        yield f"| {link} | {unit.title} | {unit.minutes} |"


def weeks_table(course):
    """The lines of the guide's table of plans: a row for each day or week, then the hours."""
    plans, units = read_plans(), [*read_lessons(course), *read_assignments(course)]
    yield f"| | {' | '.join(plans)} |"
    yield "|---" * (len(plans) + 1) + "|"
    for at, row in enumerate(zip_longest(*plans.values(), fillvalue=()), 1):
        weeks = " | ".join(week_text(names) for names in row)
        yield f"| {at} | {weeks} |".replace("|  |", "| |").replace("|  |", "| |")
    hours = [count_hours(chain(*plan), units) for plan in plans.values()]
    for what, found in zip(("lessons", "assignments"), zip(*hours)):
        yield f"| hours of {what} | {' | '.join(map(hours_text, found))} |"


def hours_text(hours):
    """A number of hours, in halves: "10½"."""
    return f"{int(hours)}{'½' * (hours % 1 == 0.5)}"


def week_text(names):
    """A week in words: its lessons, then its assignment."""
    return " ".join(names).replace(" ps", ", ps")


def total_hours(units):
    """The hours that these lessons take, rounded."""
    return round(sum(unit.minutes for unit in units) / 60)
