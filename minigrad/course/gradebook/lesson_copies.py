"""The copies of lessons that a class handed in, a student at a time, and which of them counts.

A file that does not count has a reason, in words that say nothing of the file or of its owner.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from minigrad.course.gradebook import submissions
from minigrad.course.gradebook.choosing import (
    Candidate,
    by_name,
    is_notebook,
    is_zip,
    newest,
    notebooks_below,
    packed_notebooks,
    time_and_read,
)
from minigrad.course.gradebook.platforms import parse_origin
from minigrad.course.grading import notebook
from minigrad.course.grading.names import clean_line
from minigrad.course.lessons import questions

MOST_NOTEBOOKS = 100  # of one student
NOT_JSON, MALFORMED = "not JSON", "not a notebook"
TOO_LARGE, DAMAGED = "too large, or not a plain file", "damaged"
BAD_ZIP = "a zip that cannot be read"
NO_LESSON, NO_NOTEBOOK = "a notebook of no lesson", "without a notebook"
ANSWERS, COPY = "a published lesson with its answers", "an earlier copy of a lesson"
TOO_MANY = f"beyond the {MOST_NOTEBOOKS} notebooks that are read of one student"


class Predicted(NamedTuple):
    """A student's copy of a lesson: where it comes from, {question: prediction or None}, and which
    questions the lesson itself has called right."""

    candidate: Candidate
    predictions: dict
    right: set

    @property
    def prediction_count(self):
        """How many questions have a prediction."""
        return sum(prediction is not None for prediction in self.predictions.values())


class LeftOut(Exception):
    """Why a file is not counted, in words that say nothing of the file itself."""


def group_by_student(things):
    """[the files and folders] of each student, as their names tell. A platform's number tells two
    students of one name apart; without a platform, a file and a folder of one name are one's."""
    found = {}
    for handed in submissions.group_things(sorted(things, key=lambda thing: thing.name)):
        origin = handed.origin
        key = origin.platform, origin.number, clean_line(origin.owner)
        found.setdefault(key, []).extend(handed.things)
    return list(found.values())


def read_student(things, lessons, damage):
    """({lesson's number: the `Predicted` copies} of one student, {reason: number of files})."""
    candidates, reasons = find_candidates(things)
    found = {}
    for candidate in candidates:
        try:
            number, copy = read_copy(candidate, lessons, damage)
            found.setdefault(number, []).append(copy)
        except LeftOut as error:
            reasons[str(error)] += 1
    return found, reasons


def find_candidates(things):
    """(the `Candidate`s among the files of one student, {reason: number of other files})."""
    found, reasons = [], Counter()
    for thing in things:
        try:
            found += candidates_in(thing, reasons)
        except notebook.Unreadable:
            reasons[TOO_MANY] += 1
    plain = [one for one in found if one.own.lower().endswith(".ipynb")] or found
    if len(plain) > MOST_NOTEBOOKS:
        reasons[TOO_MANY] += len(plain) - MOST_NOTEBOOKS
    if not plain and not reasons:
        reasons[NO_NOTEBOOK] += 1
    return plain[:MOST_NOTEBOOKS], reasons


def candidates_in(thing, reasons):
    """The `Candidate`s that a file or folder is or holds. Raises `Unreadable` for too many."""
    path = Path(thing.path)
    files, packed = [path] * is_notebook(thing), [path] * is_zip(thing)
    if thing.is_dir(follow_symlinks=False):
        files, packed, _ = notebooks_below(path)
    found = [Candidate(one, submitted_name(one), *time_and_read(one)) for one in files]
    for one in packed:
        try:
            found += packed_notebooks(one)
        except notebook.Unreadable:
            reasons[BAD_ZIP] += 1
    return found


def submitted_name(path):
    """A file's own name, without what a platform puts before it."""
    origin = parse_origin(clean_line(path.name), False)
    return origin.file if origin and origin.file else path.name


def read_copy(candidate, lessons, damage):
    """(the number of a lesson, the `Predicted` copy of it). Raises `LeftOut`."""
    if str(candidate.key) in damage:
        raise LeftOut(DAMAGED)
    raw = read_json(candidate)
    number = questions.find_lesson(raw, lessons)
    if number is None:
        raise LeftOut(NO_LESSON)
    if questions.is_published(raw, lessons[number]):
        raise LeftOut(ANSWERS)
    asked, cells = questions.questions_of(lessons[number]), questions.bounded_cells(raw)
    own = questions.read_predictions(cells, asked), questions.read_confirmed(cells, asked)
    return number, Predicted(candidate, *own)


def read_json(candidate):
    """The JSON of a notebook. Raises `LeftOut`: an error's own words would name the file."""
    try:
        data = candidate.read()
    except notebook.Unreadable as error:  # what a system or a zip refused is the cause
        raise LeftOut(DAMAGED if error.__cause__ else TOO_LARGE) from None
    try:
        return notebook.read_notebook("", data)
    except notebook.Unreadable as error:
        raise LeftOut(NOT_JSON if error.__cause__ else MALFORMED) from None


def latest(copies, name):
    """The one that counts of a student's copies of a lesson, as in grading: the only one with a
    prediction, else the newest, else by its name; where nothing tells, that with most of them."""
    working = [one for one in copies if one.prediction_count] or copies
    if len(working) == 1:
        return working[0]
    candidates = [one.candidate for one in working]
    chosen = newest(candidates, name) or by_name(candidates, name)
    if chosen is None:
        return max(working, key=lambda one: one.prediction_count)
    return next(one for one in working if one.candidate is chosen)
