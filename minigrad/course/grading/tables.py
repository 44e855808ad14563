"""The instructor's CSV files: what is written can be read again, by this and by a spreadsheet.

A spreadsheet takes a cell that begins with = + - @ for a formula, some also what follows a
semicolon: a quote stands before those, and is not part of the text.
"""

import csv
import io
import re
from pathlib import Path

from minigrad.course.grading.names import clean
from minigrad.errors import ArgumentError

FORMULA = r"(?='*[-=+@\uff1d\uff0b\uff0d\uff20])"  # also in full width
START, QUOTE = re.compile(rf"(^|;)(\s*){FORMULA}"), re.compile(rf"(^|;)(\s*)'{FORMULA}")


class Row(dict):
    """One line of a table, {column: text}; `fault` makes the error that names the line."""

    place = ""

    def fault(self, fact, mend=None):
        """An ArgumentError about this line."""
        return ArgumentError(f"{self.place}: {fact}", mend=mend)

    def number(self, column):
        """The number in a column, at least 0; None when it is empty."""
        text = self.get(column, "")
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = -1
        if not 0 <= value < float("inf"):
            raise self.fault(f"{column} is '{text}'", mend="write a number that is not negative")
        return value


def rows(path, required):
    """The `Row`s of the CSV file at `path`. Raises when it lacks a column of `required`."""
    path = Path(path)
    columns = ", ".join(required)
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            table = csv.DictReader(file)
            missing = [name for name in required if name not in (table.fieldnames or ())]
            found = [made(path, table.line_num, cells) for cells in table]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        fact = f"the table {path.name} cannot be read: {getattr(error, 'strerror', error)}"
        raise ArgumentError(fact, mend=f"name a CSV file with the columns {columns}") from error
    if missing:
        fact = f"{path.name} has no column {', '.join(missing)}"
        raise ArgumentError(fact, mend=f"its first line must name the columns {columns}")
    return found


def made(path, line, cells):
    """The `Row` of one line; cells without a column are left out."""
    plain = {name: (text or "").strip() for name, text in cells.items() if name is not None}
    row = Row({name: QUOTE.sub(r"\1\2", text) for name, text in plain.items()})
    row.place = f"{path.name}, line {line}"
    return row


def known(row, column, names):
    """The text in a column, which must be one of `names` once it is as clean as they are."""
    if (name := clean(row[column])) not in names:
        mend = "write it as in grades.csv, or take the line out"
        raise row.fault(f"there is no {column} '{name}'", mend=mend)
    return name


def as_text(lines):
    """CSV of lines of cells, each in one line and none a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([START.sub(r"\1\2'", clean(cell)) for cell in line] for line in lines)
    return text.getvalue()
