"""The table of points that Canvas imports: the columns of its own gradebook, and one assignment.

How many points the assignment has there, the gradebook says; an import changes nothing of it.
"""

from pathlib import Path

from minigrad.core.errors import ArgumentError
from minigrad.course.gradebook import tables
from minigrad.course.grading.report import points_number

KINDS = ("canvas",)
HEADER = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
POINTS = "Points Possible"


def refuse_export(kind, people):
    """Raises unless the roster knows by what Canvas finds each student."""
    if kind is None:
        return
    if not people:
        message = "an export to Canvas needs the students' ids"
        raise ArgumentError(
            message,
            hint="pass --roster with the gradebook that Canvas exports, or with columns name,id",
        )
    if unknown := [
        person.name for person in people if not (person.id or person.sis or person.login)
    ]:
        message = f"the roster has no id for {', '.join(unknown[:5])}"
        raise ArgumentError(message, hint="fill the column id: it is the ID of Canvas's gradebook")


def points_in_canvas(title, possible, *gradebooks):
    """(how many points the assignment has by the first of some files that says so, else those
    `possible` here; what to tell where the two differ, or "")."""
    said = possible
    for path in gradebooks:
        if path and Path(path).suffix.lower() == ".csv" and Path(path).is_file():
            found = [row for row in tables.read_rows(path, []) if is_points_line(row)]
            if found and found[0].get(title):
                said = found[0].number(title)
                break
    if said == possible:
        return said, ""
    here, there = points_number(possible), points_number(said)
    return said, f"'{title}' has {there} points in Canvas and {here} here: change it there"


def is_points_line(row):
    """Whether a line of a gradebook says how many points each assignment has."""
    return any((text or "").strip().casefold() == POINTS.casefold() for text in row.values())


def canvas_table(title, results, roster, people, possible):
    """The text of the table: a line for each of the `roster`, below one with the points of all. A
    score that is not known, or of which there are two, is an empty cell, which Canvas leaves as
    it is there."""
    scores = {}
    for student, report in results:
        if person := people.get(student):
            scores.setdefault(person, []).append(report.score())
    lines = [[*HEADER, title], [POINTS, "", "", "", "", points_number(possible)]]
    for person in roster:
        known = scores.get(person, [])
        score = points_number(known[0]) if len(known) == 1 and known[0] is not None else ""
        name = person.name.removesuffix(f" ({person.id})")  # which tells apart only here
        own = [name, person.id, person.sis, person.login or person.email, person.section]
        lines.append([*own, score])
    return tables.csv_text(lines).replace(f"\n{POINTS},", f"\n    {POINTS},", 1)
