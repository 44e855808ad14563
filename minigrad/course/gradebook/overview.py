"""The first page of a batch: points by question, which checks failed and whose, what to read."""

from statistics import fmean
from typing import NamedTuple

from minigrad.course.gradebook import feedback
from minigrad.course.grading.report import GRADED


class QuestionLine(NamedTuple):
    """One question: its points, the mean, and how many have all, some, none, or wait."""

    name: str
    possible: float
    mean: float | None
    full: int
    some: int
    none: int
    waiting: int


class FailedCheck(NamedTuple):
    """One check that somebody failed: how many answers it was run on, and who failed."""

    question: str
    title: str
    attempts: int
    students: list


def overview_page(assignment, results, pages, similar, texts):
    """The page, given {student: page}, what is `Compared`, {question: how many texts to read}."""
    statuses = {}
    for student, report in results:
        statuses.setdefault(report.status, []).append(student)
    reports = [report for _, report in results if report.checks]
    return feedback.render_template(
        "overview.html",
        title=f"{assignment} · {len(results)} students",
        statuses=sorted(statuses.items(), key=lambda pair: pair[0] != GRADED),
        questions=question_lines(reports),
        totals=[report.score() for report in reports if report.score() is not None],
        failed=failed_checks(results),
        similar=similar,
        texts=texts,
        results=results,
        pages=pages,
        noted=[(student, report.notes) for student, report in results if report.notes],
    )


def question_lines(reports):
    """A `QuestionLine` for each question that a report has."""
    names = dict.fromkeys(name for report in reports for name in report.questions())
    return [question_line(name, reports) for name in names]


def question_line(name, reports):
    """The `QuestionLine` of one question. What is not decided counts for nothing else."""
    own = [report for report in reports if name in report.questions()]
    possible = max(report.possible(name) for report in own)
    points = [report.earned_points(name) for report in own if not report.is_undecided(name)]
    full, none = points.count(possible), sum(not one for one in points)
    waiting, mean = len(own) - len(points), fmean(points) if points else None
    return QuestionLine(name, possible, mean, full, len(points) - full - none, none, waiting)


def failed_checks(results):
    """The `FailedCheck`s, those of most students first. Who answered nothing failed nothing."""
    asked, failed = {}, {}
    for student, report in results:
        for check in report.checks:
            key = check.question, check.title
            if not feedback.is_unanswered(report, check.question):
                asked[key] = asked.get(key, 0) + 1
                if not check.passed:
                    failed.setdefault(key, []).append(student)
    found = [FailedCheck(*key, asked[key], students) for key, students in failed.items()]
    return sorted(found, key=lambda one: (-len(one.students), one.question, one.title))


def texts_to_read(results):
    """{question: how many written answers wait for points}."""
    found = {}
    for _, report in results:
        for one in report.written:
            if report.is_undecided(one.question):
                found[one.question] = found.get(one.question, 0) + 1
    return found
