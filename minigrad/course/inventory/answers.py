"""The answers of a class: read from the files of the page and the notebook, in a folder, in the zip
of a platform, or in a student's own zip; and from tables, in a folder. What is in a zip comes from
a student, who may speak for nobody else: a table there does not count.

A file may be anything, so nothing of it is ever shown: what is left out is named by its place in
the folder, because the name of a file may be the name of a student.
"""

import functools
import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.course.gradebook import archives, tables
from minigrad.course.gradebook.platforms import open_submissions
from minigrad.course.grading import notebook
from minigrad.course.inventory.questions import LETTERS, make_form

QUIZ = "minigrad inventory"
WEEKS = ("first", "last")
SHORTEST_CODE = 4  # letters or digits
MOST_BYTES = 1 << 20  # of a file
MOST_PACKED = 1_000  # files in a student's zip
MOST_ROWS = 5_000  # of a table
TABLE = ".csv"
PACKED_TABLE = "it is a table in a zip: put a table of yours into the folder itself"
MOST_FORMS = 10_000
SAVED, FORM = "saved", "form"


class Unusable(ValueError):
    """A file or a row that is left out; its text says why, without a word of the file."""


@dataclass(frozen=True)
class AnswerSheet:
    """The answers of one student in one week: for each question the place of the option in the
    table of questions (0 is the key), or None."""

    code: str
    week: str
    time: float
    options: tuple


class AnswerFile(NamedTuple):
    """A file that may hold answers: its name, when it was written, in seconds, and what returns its
    bytes. That raises `Unusable`, or `Unreadable`, in whose place one sentence stands."""

    name: str
    time: float
    read: Callable


def empty_record(form):
    """Return what is the same in the answer files of all students of a form."""
    return {"quiz": QUIZ, "edition": form.edition, FORM: form.number}


def plain_code(code):
    """Return a code as it is compared: its letters and digits, in small letters."""
    text = unicodedata.normalize("NFKC", code).casefold()
    return "".join(filter(str.isalnum, text))


def read_folder(folder):
    """Return ([AnswerSheet], [what was left out and why]) of all files in a folder and below it, or
    in a zip. Of two sheets of one code and week the newer one counts. Raises where there is no
    answer."""
    newest, left_out = {}, []
    with open_submissions(folder) as (place, damage):
        if not place.is_dir():
            hint = "name the folder with the answer files, or the platform's zip"
            raise ArgumentError(f"{folder} is neither a folder nor a zip", hint)
        found = find_files(place, damage, is_packed=str(place) != str(folder))
        for at, file in enumerate(found, 1):
            own = f"file {at} of {len(found)} in the order of their names"
            for where, sheet in read_file(file, own):
                if isinstance(sheet, Unusable):
                    left_out.append(f"{where}: {sheet}")
                else:
                    left_out += keep_newer(newest, sheet, where)
    if not newest:
        message = f"{folder} holds no answers to the quiz"
        hint = "put the files there that quiz.html or quiz.ipynb has saved, answers-first.json, …"
        raise ArgumentError(message, hint=hint)
    return [sheet for sheet, _ in newest.values()], left_out


def find_files(place, damage, is_packed):
    """Return the `AnswerFile`s in a folder and below it, those in zips in the place of each zip;
    `is_packed` where the folder is what a zip held."""
    found = []
    for path in sorted(path for path in place.rglob("*") if path.is_file()):
        if str(path) in damage:
            found.append(AnswerFile(path.name, 0, refuse("it is damaged in the zip")))
        elif path.suffix.lower() == ".zip":
            found += find_packed(path)
        elif is_packed and path.suffix.lower() == TABLE:
            found.append(AnswerFile(path.name, 0, refuse(PACKED_TABLE)))
        else:
            read = functools.partial(notebook.read_plainly, path)
            found.append(AnswerFile(path.name, path.lstat().st_mtime, read))
    return found


def find_packed(path):
    """Return the `AnswerFile`s of a student's zip; a zip in it is not opened."""
    try:
        packed = archives.list_packed(path, MOST_PACKED)
    except notebook.Unreadable:
        return [AnswerFile(path.name, 0, refuse("it is a zip that cannot be read"))]
    found = []
    for member, time in sorted(dict(packed).items()):
        name = archives.last_name(member)
        read = functools.partial(archives.read_packed, path, member, MOST_PACKED)
        if name.lower().endswith(".zip"):
            read = refuse("it is a zip in a zip of the folder, which you have to unpack")
        if name.lower().endswith(TABLE):
            read = refuse(PACKED_TABLE)
        if name and not member.startswith("__MACOSX"):  # a folder has no name
            found.append(AnswerFile(name, time, read))
    return found


def refuse(reason):
    """Return a function that says why there is nothing to read."""

    def read():
        raise Unusable(reason)

    return read


def keep_newer(newest, sheet, where):
    """Put a sheet into {(code, week): (sheet, where)}, unless a newer one is there; yield what is
    left out."""
    key = sheet.code, sheet.week
    if key not in newest:
        newest[key] = sheet, where
        return
    old, place = newest[key]
    older = where if sheet.time < old.time else place
    if older == place:
        newest[key] = sheet, where
    yield f"{older}: another file has the same code and week and is newer"


def read_file(file, place):
    """Yield (place, AnswerSheet or Unusable) for each student of an `AnswerFile`."""
    try:
        data = file.read()
        if len(data) > MOST_BYTES:
            raise Unusable("it is larger than 1 MB")
        if file.name.lower().endswith(TABLE):
            yield from read_table_rows(data, file.time, place)
        else:
            yield place, read_record(load_json(data), file.time)
    except Unusable as error:
        yield place, error
    except notebook.Unreadable:  # whose own words name the file
        yield place, Unusable("it cannot be read")


def load_json(data):
    """Return what the bytes of a JSON file hold."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Unusable("it is not a JSON file") from error


def read_table_rows(data, time, place):
    """Yield the same for each row of a table with the columns code, week, q1, q2, …"""
    try:
        rows = tables.read_rows("table", ["code", "week", "q1"], data)
    except ArgumentError as error:
        raise Unusable("it is not a table with the columns code, week, q1, q2, …") from error
    if len(rows) > MOST_ROWS:
        raise Unusable(f"its table has more than {MOST_ROWS:,} rows")
    for at, row in enumerate(rows, 1):
        answers = {name: letter for name, letter in row.items() if re.fullmatch(r"q\d+", name)}
        record = {**row, FORM: row.get(FORM) or "1", "answers": answers}
        try:
            yield f"{place}, row {at}", read_record(record, time, in_table=True)
        except Unusable as error:
            yield f"{place}, row {at}", error


def read_record(record, time, in_table=False):
    """Return the AnswerSheet of a record; `time` counts where it does not say when it was saved."""
    if not isinstance(record, dict) or (record.get("quiz") != QUIZ and not in_table):
        raise Unusable("it is not an answer file of this quiz")
    form = read_form(record, in_table)
    code, week, answers = (record.get(name) for name in ("code", "week", "answers"))
    if not isinstance(code, str) or len(plain_code(code)) < SHORTEST_CODE:
        raise Unusable(f"its code has fewer than {SHORTEST_CODE} letters and digits")
    if week not in WEEKS:
        raise Unusable("its week is neither first nor last")
    if not isinstance(answers, dict):
        raise Unusable("it has no answers")
    options = read_options(form, answers)
    return AnswerSheet(plain_code(code), week, read_time(record.get(SAVED), time), options)


def read_form(record, in_table):
    """Return the `QuizForm` that a record belongs to."""
    number = record.get(FORM)
    if in_table and number.isdecimal() and len(number) < 9:
        number = int(number)
    if type(number) is not int or not 1 <= number <= MOST_FORMS:
        raise Unusable("its form is not a number that a quiz has")
    form = make_form(number)
    if not in_table and record.get("edition") != form.edition:
        raise Unusable(f"it belongs to another edition of the questions than {form.edition}")
    return form


def read_options(form, answers):
    """Return the place of the chosen option for each question, None for no answer."""
    chosen = []
    for question, order in zip(form.questions, form.orders, strict=True):
        letter = answers.get(question.name) or ""
        letter = letter.strip().upper() if isinstance(letter, str) else "?"
        if letter and (len(letter) > 1 or letter not in LETTERS):
            raise Unusable(f"its answer to {question.name} is no letter from A to D")
        chosen.append(order[LETTERS.index(letter)] if letter else None)
    if set(chosen) == {None}:
        raise Unusable("it has no answer to any question")
    return tuple(chosen)


def read_time(text, otherwise):
    """Return the seconds of a time in ISO form, else `otherwise`."""
    try:
        saved = datetime.fromisoformat(text)
        return (saved if saved.tzinfo else saved.replace(tzinfo=UTC)).timestamp()
    except (TypeError, ValueError, OverflowError):
        return otherwise
