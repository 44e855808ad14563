"""Lateness: a table of days or of times of receipt, and what each day keeps of the points."""

import math
from datetime import datetime

from minigrad.course.grading import tables
from minigrad.course.grading.report import Late, number
from minigrad.errors import ArgumentError

SECONDS_PER_DAY = 86_400
CURE = "write percents as --late-keeps 90,75,50, for one day late, two, three"


def policy(text):
    """The percents that one day late keeps, two days, …; all later days keep nothing."""
    try:
        percents = tuple(float(part) for part in text.split(",")) if text else ()
    except ValueError:
        percents = (-1,)
    if not all(0 <= percent <= 100 for percent in percents):
        raise ArgumentError(f"--late-keeps is '{text}'", mend=CURE)
    return percents


def moment(text, what):
    """A date and time in ISO form."""
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentError(f"{what} is '{text}'", mend="write it as 2026-11-20T23:59") from error


def read(path, students, percents=(), due=None, gone=None):
    """{student: `Late`} of a table with the column student, and days or received (with `due`);
    a column keeps (percent) goes before the policy. `gone` is that of `of_students`."""
    found, due = {}, due and moment(due, "--due")
    for student, row in tables.of_students(path, [], students, gone):
        if student in found:
            raise row.fault(f"a second line for '{student}'")
        days = days_of(row, due)
        keeps = row.number("keeps")
        if keeps is None:
            keeps = kept(row, days, percents)
        if keeps > 100:
            raise row.fault(f"keeps is '{number(keeps)}'", mend="write a percent, 0 to 100")
        found[student] = Late(days, keeps)
    return found


def days_of(row, due):
    """How many days late a line says: every day that has begun counts."""
    days = row.number("days")
    if days is not None:
        return math.ceil(days)
    if not row.get("received"):
        raise row.fault("it has neither days nor received")
    received = moment(row["received"], f"{row.place}: received")
    if due is None:
        raise row.fault("received needs a time that it was due", mend="--due 2026-11-20T23:59")
    if (received.tzinfo is None) != (due.tzinfo is None):
        raise row.fault("only one of received and --due names its time zone")
    return max(0, math.ceil((received - due).total_seconds() / SECONDS_PER_DAY))


def kept(row, days, percents):
    """What `days` keep by the policy."""
    if days == 0:
        return 100
    if not percents:
        raise row.fault(f"nothing says what {days} days late keep", mend=CURE)
    return percents[days - 1] if days <= len(percents) else 0


def table(late):
    """The same as lines of a table that `read` takes without any policy."""
    yield ["student", "days", "keeps"]
    for student, one in sorted(late.items()):
        yield [student, number(one.days), number(one.keeps)]
