"""The instructor's CSV files: what is written can be read again, by this and by a spreadsheet;
among them the table of lateness, in days or times of receipt, and what each day keeps.

A spreadsheet of a country that writes 2,5 puts semicolons between cells: both are read.

A spreadsheet takes a cell that begins with = + - @ for a formula, one that separates at semicolons
also what follows a semicolon or a double quote: a quote stands before those, and is not part of
the text.
"""

import csv
import difflib
import io
import math
import re
from datetime import datetime
from pathlib import Path

from minigrad.core.errors import ArgumentError
from minigrad.course.grading.names import clean_line
from minigrad.course.grading.report import Late, points_number

SECONDS_PER_DAY = 86_400
HINT = "write percents for one, two, three days late: --late-keeps 90,75,50"
FORMULA = r"(?='*[-=+@\uff1d\uff0b\uff0d\uff20])"  # also in full width
START, QUOTE = re.compile(rf'(^|[;"])(\s*){FORMULA}'), re.compile(rf"""(^|[;"])(\s*)'{FORMULA}""")


class Row(dict):
    """One line of a table, {column: text}; `fault` makes the error that names the line."""

    place = ""

    def fault(self, message, hint=None):
        """An ArgumentError about this line."""
        return ArgumentError(f"{self.place}: {message}", hint=hint)

    def number(self, column):
        """The number in a column, at least 0; None when it is empty."""
        text = self.get(column, "")
        if not text:
            return None
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            value = -1
        if not 0 <= value < float("inf"):
            raise self.fault(f"{column} is '{text}'", hint="write a number that is not negative")
        return value


def read_rows(path, required, data=None):
    """The `Row`s of the CSV file at `path`, or of its bytes `data`. Raises when it lacks one of the
    `required` columns."""
    path = Path(path)
    columns = ", ".join(required)
    try:
        with open_table(path, data) as file:
            first = file.readline()
            file.seek(0)
            table = csv.DictReader(file, delimiter=find_delimiter(first))
            missing = [name for name in required if name not in (table.fieldnames or ())]
            found = [make_row(path, table.line_num, cells) for cells in table]
    except UnicodeDecodeError as error:
        message = f"the table {path.name} is not in UTF-8"
        raise ArgumentError(message, hint="save it as 'CSV UTF-8' in the spreadsheet") from error
    except (OSError, csv.Error) as error:
        message = f"the table {path.name} cannot be read: {getattr(error, 'strerror', error)}"
        raise ArgumentError(message, hint=f"name a CSV file with the columns {columns}") from error
    if missing:
        message = f"{path.name} has no column {', '.join(missing)}"
        raise ArgumentError(message, hint=f"its first line must name the columns {columns}")
    return found


def open_table(path, data=None):
    """A stream of the text of a CSV file, or of its bytes."""
    how = {"newline": "", "encoding": "utf-8-sig"}
    return open(path, **how) if data is None else io.TextIOWrapper(io.BytesIO(data), **how)


def find_delimiter(line):
    """What stands between the cells of a table that begins with this line."""
    return max(",;\t", key=lambda one: len(next(csv.reader([line], delimiter=one), [])))


def make_row(path, line, cells):
    """The `Row` of one line. Raises where it has more cells than there are columns."""
    plain = {name: (text or "").strip() for name, text in cells.items() if name is not None}
    row = Row({name: QUOTE.sub(r"\1\2", text) for name, text in plain.items()})
    row.place = f"{path.name}, line {line}"
    if any(cells.get(None) or ()):
        raise row.fault(
            "it has more cells than the first line", hint='put a comma in quotes: "Lovelace, Ada"'
        )
    return row


def read_known(row, column, names):
    """The text in a column, which must be one of `names` once it is as clean as they are."""
    if (name := clean_line(row[column])) not in names:
        hint = f"write it as in grades.csv{near_names(name, names)}, or take the line out"
        raise row.fault(f"'{name}' is not a {column}", hint=hint)
    return name


def namesakes(name, names):
    """Those of `names` with the same words in whatever order, else with all words of `name`."""
    words = {one: set(re.findall(r"\w+", one.casefold())) for one in (name, *names)}
    found = [one for one in names if words[one] == words[name]]
    return found or [one for one in names if words[name] and words[name] <= words[one]]


def near_names(name, names):
    """For a hint, the namesakes of `name`, else those of `names` that look alike; or nothing."""
    found = namesakes(name, names) or difflib.get_close_matches(name, list(names), 3)
    return f" ({' or '.join(sorted(found)[:3])})" if found else ""


def of_students(path, columns, students, gone=None):
    """(student, `Row`) of each line. A line for nobody of `students` is an error; of a table that
    is used again it becomes a note in `gone`, unless it is another form of a student's name."""
    for row in read_rows(path, ["student", *columns]):
        name = clean_line(row["student"])
        if gone is None or name in students or namesakes(name, students):
            yield read_known(row, "student", students), row
        else:
            message = "has handed in nothing this time, and the line is left out"
            gone.append(f"{row.place}: {name} {message}")


def csv_text(lines):
    """CSV of lines of cells, each in one line and none a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([START.sub(r"\1\2'", clean_line(cell)) for cell in line] for line in lines)
    return text.getvalue()


# lateness ----------------------------------------------------------------------------------------


def late_policy(text):
    """The percents that one day late keeps, two days, …; all later days keep nothing."""
    try:
        percents = tuple(float(part) for part in text.split(",")) if text else ()
    except ValueError:
        percents = (-1,)
    if not all(0 <= percent <= 100 for percent in percents):
        raise ArgumentError(f"--late-keeps is '{text}'", hint=HINT)
    return percents


def moment(text, what):
    """A date and time in ISO form."""
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentError(f"{what} is '{text}'", hint="write it like 2026-11-20T23:59") from error


def read_late(path, students, percents=(), due=None, gone=None):
    """{student: `Late`} of a table with the column student, and days or received (with `due`);
    a column keeps (percent) goes before the policy. `gone` is that of `of_students`."""
    found, due = {}, due and moment(due, "--due")
    for student, row in of_students(path, [], students, gone):
        if student in found:
            raise row.fault(f"a second line for '{student}'")
        days = days_of(row, due)
        keeps = row.number("keeps")
        if keeps is None:
            keeps = percent_kept(row, days, percents)
        if keeps > 100:
            raise row.fault(f"keeps is '{points_number(keeps)}'", hint="write a percent, 0 to 100")
        found[student] = Late(days, keeps)
    return found


def days_of(row, due):
    """How many days late a line says: every day that has begun counts."""
    days = row.number("days")
    if days is not None:
        return math.ceil(days)
    if not row.get("received"):
        raise row.fault("it has no days and no received time")
    received = moment(row["received"], f"{row.place}: received")
    if due is None:
        raise row.fault(
            "the column received needs a deadline: --due", hint="--due 2026-11-20T23:59"
        )
    if (received.tzinfo is None) != (due.tzinfo is None):
        raise row.fault("only one of received and --due names its time zone")
    return max(0, math.ceil((received - due).total_seconds() / SECONDS_PER_DAY))


def percent_kept(row, days, percents):
    """What `days` keep by the policy."""
    if days == 0:
        return 100
    if not percents:
        raise row.fault(f"--late-keeps has no percent for {days} days late", hint=HINT)
    return percents[days - 1] if days <= len(percents) else 0


def late_table(late):
    """The same as lines of a table that `read_late` takes without any policy."""
    yield ["student", "days", "keeps"]
    for student, one in sorted(late.items()):
        yield [student, points_number(one.days), points_number(one.keeps)]
