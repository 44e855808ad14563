"""The first page of a batch: points by question, which checks failed and whose, what to read."""

from math import fsum
from statistics import StatisticsError, correlation, fmean
from typing import NamedTuple

from minigrad.course.gradebook import feedback
from minigrad.course.grading.report import GRADED

FEWEST = 10  # graded students: a discrimination of fewer is not shown


class QuestionLine(NamedTuple):
    """One question: its points, the mean, how many have all, some, none, or wait, and its
    discrimination, where that is known."""

    name: str
    possible: float
    mean: float | None
    full: int
    some: int
    none: int
    waiting: int
    discrimination: float | None = None


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
        fewest=FEWEST,
        unanimous=[(who, checks) for who, checks in unanimous_checks(results).items() if checks],
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
    some, found = len(points) - full - none, discrimination(name, reports)
    return QuestionLine(name, possible, mean, full, some, none, waiting, found)


def discrimination(name, reports):
    """The corrected item-rest correlation of a question: Pearson's, over the students all of whose
    questions are decided, between its points and the sum of those of all others. None for fewer
    than ten such students, or where one of the two is the same for all of them."""
    graded = [one for one in reports if name in one.questions() and one.score() is not None]
    points = [report.earned_points(name) for report in graded]
    rest = [
        fsum(report.earned_points(other) for other in {*report.questions()} - {name})
        for report in graded
    ]
    if len(graded) < FEWEST:
        return None
    try:
        return correlation(points, rest)
    except StatisticsError:  # one of them is constant
        return None


def failed_checks(results):
    """The `FailedCheck`s, those of most students first. Students who answered nothing failed
    nothing."""
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


def unanimous_checks(results):
    """{"everybody" or "nobody": (question, title) of the checks that they pass}, of those who
    answered the question."""
    passed = {}
    for _, report in results:
        for check in report.checks:
            if not feedback.is_unanswered(report, check.question):
                passed.setdefault((check.question, check.title), set()).add(check.passed)
    return {
        who: sorted(key for key, seen in passed.items() if seen == {verdict})
        for who, verdict in (("everybody", True), ("nobody", False))
    }


def texts_to_read(results):
    """{question: how many written answers wait for points}."""
    found = {}
    for _, report in results:
        for one in report.written:
            if report.is_undecided(one.question):
                found[one.question] = found.get(one.question, 0) + 1
    return found
