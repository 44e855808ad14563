"""What one run of checks found, as plain data and as text for a terminal."""

from dataclasses import asdict, dataclass, field

GRADED, UNREADABLE, MISSING, CRASHED = "GRADED", "UNREADABLE", "MISSING", "CRASHED"
LOST = ("died", "forged")
UNANSWERED = "not answered yet"


@dataclass(frozen=True)
class Check:
    """One check: its outcome is passed, failed, slow, died, forged or fault (the grader's).
    `message` says everything; `brief` is what gives no input of the check away."""

    name: str
    title: str
    question: str
    points: float
    outcome: str
    message: str = ""
    brief: str = ""
    hint: str = ""
    show: bool = False

    @property
    def passed(self):
        """Whether the check gives its points."""
        return self.outcome == "passed"


@dataclass(frozen=True)
class Report:
    """All checks of one submission, or the reason why there are none."""

    status: str
    checks: tuple = ()
    reason: str = ""
    notes: tuple = ()
    lacking: tuple = field(default=())

    def questions(self):
        """The names of the questions, in order."""
        return list(dict.fromkeys(check.question for check in self.checks))

    def of(self, question):
        """The checks of one question."""
        return [check for check in self.checks if check.question == question]

    def earned(self, question=None):
        """Points earned, for one question or for all."""
        checks = self.checks if question is None else self.of(question)
        return sum(check.points for check in checks if check.passed)

    def possible(self, question=None):
        """Points that can be earned, for one question or for all."""
        checks = self.checks if question is None else self.of(question)
        return sum(check.points for check in checks)

    def undecided(self, question):
        """Whether the question's process ended by itself: its score is unknown, not 0."""
        return any(check.outcome in LOST for check in self.of(question))

    def as_data(self):
        """Plain data, for `from_data`."""
        return asdict(self)


def from_data(data):
    """The `Report` of plain data."""
    checks = tuple(Check(**check) for check in data["checks"])
    return Report(
        data["status"], checks, data["reason"], tuple(data["notes"]), tuple(data["lacking"])
    )


def number(points):
    """Points without a needless `.0`."""
    return f"{points:g}"


def as_text(report):
    """The report for a terminal: a line per question, then what failed and why."""
    lines = []
    for question in report.questions():
        checks, possible = report.of(question), number(report.possible(question))
        mark = "✓" if all(check.passed for check in checks) else "✗"
        lines.append(f"{mark} {question}   {number(report.earned(question))} of {possible} points")
        if all(check.message == UNANSWERED for check in checks):
            lines[-1] += f": {UNANSWERED}"
            continue
        for check in checks:
            lines += [] if check.passed else failure(check)
    lines += [f"note: {note}" for note in report.notes]
    return "\n".join(lines)


def failure(check):
    """The lines about one check that failed."""
    lines = [f"    ✗ {check.title}"]
    lines += [f"        {line}" for line in check.message.splitlines()]
    if check.hint:
        lines.append(f"        hint      {check.hint}")
    return lines
