"""What one run of checks found, as plain data and as text for a terminal."""

from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

GRADED, UNREADABLE, MISSING, CRASHED = "GRADED", "UNREADABLE", "MISSING", "CRASHED"
BY_HAND = "TO BE GRADED BY HAND"
LOST, DECIDED = ("died", "forged"), ("passed", "failed")
UNANSWERED = "not answered yet"
CAUSE = "cause     "  # what says so in a report of version 1, whose checks have no flags


@dataclass(frozen=True)
class Check:
    """One check: its outcome is passed, failed, slow, died, forged or fault (the grader's).
    `message` says everything; `brief` is what gives no input of the check away; `measured` is a
    number in `unit` that the class's table compares. A `core` check is about the idea of its
    question, and a `corner` about a case at its edge. `has_cause` says that `brief` names the cause
    of the failure, and `is_unanswered` that there is no answer to check."""

    name: str
    title: str
    question: str
    points: float
    outcome: str
    message: str = ""
    brief: str = ""
    hint: str = ""
    show: bool = False
    measured: float | None = None
    unit: str = ""
    core: bool = False
    corner: bool = False
    has_cause: bool = False
    is_unanswered: bool = False

    @property
    def advice(self):
        """What a student who failed reads: the cause, where the failed expectation names one, else
        the hint of the check."""
        return "" if self.has_cause else self.hint

    @property
    def passed(self):
        """Whether the check gives its points."""
        return self.outcome == "passed"


class Written(NamedTuple):
    """A question that is graded by hand: its points, and what the student wrote."""

    question: str
    points: float
    text: str


class Code(NamedTuple):
    """The student's own cells that answer a question, for somebody to read."""

    question: str
    text: str


class Mark(NamedTuple):
    """The points that somebody gave for a question, and a word about them."""

    question: str
    points: float
    comment: str = ""


class Late(NamedTuple):
    """How many days late, and the part of the points that is kept, in percent."""

    days: int = 0
    keeps: float = 100


@dataclass(frozen=True)
class Report:
    """All checks of one submission, or the reason why there are none. `codes` has the cells of each
    question whose process was lost, since somebody has to grade it by hand."""

    status: str
    checks: tuple = ()
    reason: str = ""
    notes: tuple = ()
    lacking: tuple = ()
    written: tuple = ()
    marks: tuple = ()
    late: Late = Late()  # noqa: RUF009  a tuple, which nobody can change
    doubtful: bool = False
    codes: tuple = ()

    @property
    def again(self):
        """Whether a busy machine may be to blame: it is graded again, alone, before it counts."""
        return self.doubtful or (self.status == CRASHED and not self.checks)

    def questions(self):
        """The names of the questions, in order."""
        return list(dict.fromkeys(one.question for one in (*self.checks, *self.written)))

    def of(self, question):
        """The checks of one question."""
        return [check for check in self.checks if check.question == question]

    def mark(self, question):
        """The `Mark` given by hand for a question, or None."""
        return next((mark for mark in self.marks if mark.question == question), None)

    def earned_points(self, question=None):
        """Points earned, for one question or for all; a mark given by hand replaces them."""
        if question is None:
            return sum(map(self.earned_points, self.questions()))
        if mark := self.mark(question):
            return mark.points
        return sum(check.points for check in self.of(question) if check.passed)

    def possible(self, question=None):
        """Points that can be earned, for one question or for all."""
        every = (*self.checks, *self.written)
        return sum(one.points for one in every if question in (None, one.question))

    def is_undecided(self, question):
        """Whether the question's score is unknown, which is not 0: its process ended by itself,
        or nobody has graded it by hand yet."""
        waits = any(one.question == question and one.text.strip() for one in self.written)
        lost = any(check.outcome in LOST for check in self.of(question))
        return (waits or lost) and not self.mark(question)

    def stopped_questions(self):
        """The questions of which a check has neither passed nor failed."""
        stopped = {check.question for check in self.checks if check.outcome not in DECIDED}
        return tuple(name for name in self.questions() if name in stopped)

    def with_questions_of(self, other):
        """The report with the checks of another in the place of its own of those questions."""
        checks = []
        for name in self.questions():
            checks += other.of(name) or self.of(name)
        status, reason = status_of_checks(checks, self.written)
        codes = (*other.codes, *(code for code in self.codes if not other.of(code.question)))
        found = replace(self, checks=tuple(checks), status=status, reason=reason, codes=codes)
        return replace(found, doubtful=other.doubtful)

    def lost_questions(self):
        """The questions of which a check has lost its process."""
        lost = {check.question for check in self.checks if check.outcome in LOST}
        return [name for name in self.questions() if name in lost]

    def open_questions(self):
        """The questions that are undecided."""
        return [question for question in self.questions() if self.is_undecided(question)]

    def only_texts_wait(self):
        """Whether nothing but texts of the student keeps the score from being known."""
        return self.status == BY_HAND and {*self.open_questions()} <= {
            one.question for one in self.written
        }

    def score(self):
        """The points that count, after what was lost by being late; None when not known."""
        if not self.checks or self.open_questions():
            return None
        return self.earned_points() * self.late.keeps / 100

    def undecided_throughout(self, possible):
        """The report of nothing that could be graded, with the questions of {question: points}
        undecided, so that points given by hand count."""
        lost = [
            Check("by hand", "", *one, "died", UNANSWERED, is_unanswered=True)
            for one in dict(possible).items()
        ]
        notes = (*self.notes, self.reason) if self.reason else self.notes
        return replace(self, status=BY_HAND, checks=tuple(lost), reason="", notes=notes)

    def complete(self, marks, late, notes=(), possible=()):
        """The report with what the course adds: marks given by hand, lateness, notes. Where nothing
        could be graded, the marks are for the questions of {question: points} `possible`."""
        known = self if self.checks or not marks else self.undecided_throughout(possible)
        notes = (*notes, *known.notes)
        found = replace(known, marks=tuple(marks), late=late or Late(), notes=notes)
        if found.checks and not found.open_questions():
            return replace(found, status=GRADED, reason="")
        return found

    def as_data(self):
        """Plain data, for `from_data`."""
        return asdict(self)


def status_of_checks(checks, written=()):
    """(the status of a report with these checks and texts, the reason where it is CRASHED)."""
    lost = [f"{c.question}: {c.message}" for c in checks if c.outcome in LOST]
    status = CRASHED if lost else BY_HAND if written else GRADED
    return status, "; ".join(dict.fromkeys(lost))


def from_data(data):
    """The `Report` of plain data."""
    made = {name: tuple(data[name]) for name in ("notes", "lacking")}
    made["late"] = Late(*data["late"])
    made["checks"] = tuple(map(check_from_data, data["checks"]))
    made["written"] = tuple(Written(*one) for one in data["written"])
    made["marks"] = tuple(Mark(*mark) for mark in data["marks"])
    made["codes"] = tuple(Code(*one) for one in data["codes"])
    return Report(**{**data, **made})


def check_from_data(data):
    """The `Check` of plain data; in a report that was saved before checks had flags, words tell."""
    flags = {"has_cause": CAUSE in data["brief"], "is_unanswered": data["message"] == UNANSWERED}
    return Check(**flags | data)


def points_number(points):
    """Points without a needless `.0`."""
    return f"{points:g}"


def terminal_text(report):
    """The report for a terminal: a line per question, then what failed and why."""
    lines = []
    for question in report.questions():
        checks, possible = report.of(question), points_number(report.possible(question))
        mark = "✓" if all(check.passed for check in checks) else "✗"
        earned = points_number(report.earned_points(question))
        lines.append(f"{mark} {question}   {earned} of {possible} points")
        if said := in_common(checks):
            lines[-1] += f": {said}"
            continue
        for check in checks:
            lines += [f"    {measured_text(check)}"] if check.measured is not None else []
            lines += [] if check.passed else failure(check)
    lines += [f"note: {note}" for note in report.notes]
    return "\n".join(lines)


def measured_text(check):
    """What a check has measured, in words."""
    return f"{check.measured:.4g} {check.unit}"


def in_common(checks):
    """The line that is all there is to say about all checks of a question, or ""."""
    said = {check.message for check in checks if not check.passed}
    hints = any(check.hint for check in checks if not check.is_unanswered)
    alike = len(said) == 1 and not hints and not any(check.passed for check in checks)
    return said.pop() if alike and "\n" not in min(said) else ""


def failure(check):
    """The lines about one check that failed."""
    lines = [f"    ✗ {check.title}"]
    lines += [f"        {line}" for line in check.message.splitlines()]
    if check.hint:
        lines.append(f"        hint      {check.hint}")
    return lines
