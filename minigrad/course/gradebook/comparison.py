"""The class's best: what checks have measured, the least first, under names that tell nobody."""

import hashlib
from pathlib import Path

from minigrad.course import files
from minigrad.course.gradebook import tables

COLUMNS = ("question", "measured", "place", "who", "number", "unit")
LETTERS, LENGTH = "bcdfghjkmnpqrstvwxz", 8  # a spreadsheet takes some digits for a number


def alias_of(student, seed):
    """What a student is called in the table: no word, the same for one batch, made by its seed."""
    digest = hashlib.sha256(f"{seed} {student}".encode(errors="replace")).digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:LENGTH])


def table_lines(results, seed):
    """Lines of cells below `COLUMNS`, for pairs of student and report: each check that has measured
    something, the least first; equal numbers share a place, and their names decide the order."""
    found = {}
    for student, report in results:
        for check in report.checks:
            if check.passed and check.measured is not None:
                line = (check.measured, alias_of(student, seed), check.unit)
                found.setdefault((check.question, check.title), []).append(line)
    for question, title in sorted(found):
        least = sorted(found[question, title])
        numbers = [number for number, *_ in least]
        for number, alias, unit in least:
            place = numbers.index(number) + 1
            yield [question, title, str(place), alias, f"{number:.4g}", unit]


def print_table(out):
    """Print the table of the batch in the folder `out`, or say that nothing was measured."""
    path = Path(out) / "table.csv"
    if not path.is_file():
        print("no check of this assignment has measured anything")
        return
    rows = [dict(row) for row in tables.read_rows(path, COLUMNS)]
    for heading in dict.fromkeys((row["question"], row["measured"]) for row in rows):
        print(f"{heading[0]}, {heading[1]}: the class's best")
        for row in rows:
            if (row["question"], row["measured"]) == heading:
                print(f"  {row['place']:>3}  {row['who']}  {row['number']:>8} {row['unit']}")
    print(f"{files.path_text(path)}: the same; each student's page tells its own name")
