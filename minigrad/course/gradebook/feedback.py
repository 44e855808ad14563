"""What one student gets back: a page for a browser, and the file that Gradescope reads."""

import functools
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from minigrad.course.grading import report as reports
from minigrad.course.grading.names import clean_text
from minigrad.course.grading.report import CRASHED, points_number

TEMPLATES = Path(__file__).parent / "pages"
ADVICE = {
    "CRASHED": "Not every question could be decided; your instructor sees the reason.",
    "TO BE GRADED BY HAND": "The other questions are decided.",
    "UNREADABLE": "Nothing could be graded.",
    "MISSING": "Nothing was handed in.",
}


class Guide(NamedTuple):
    """What a page says of an assignment: the titles of its questions, the lesson before it, and
    the texts of the questions, in Markdown."""

    titles: dict = {}
    lesson: str = ""
    texts: dict = {}


def feedback_page(student, assignment, report, alias="", guide=Guide()):  # noqa: B008  immutable
    """The feedback page; in the class's table the student is called `alias`."""
    values = {"title": f"{assignment} · {student}", "report": report, "alias": alias}
    return render_template("feedback.html", **values, guide=guide)


def heading(guide, question):
    """A question by its name and its title."""
    title = guide.titles.get(question, "")
    return f"{question} {title}" if title else question


def first_to_fix(report):
    """The failed check to begin with: the first one about the idea of its question, else the first
    that is not about a corner; None where all pass or nothing is answered."""
    failed = [check for check in report.checks if not check.passed]
    failed = [check for check in failed if not check.is_unanswered]
    groups = [check for check in failed if check.core], [c for c in failed if not c.corner], failed
    return next((group[0] for group in groups if group), None)


def encouragement(report):
    """One line about what works already."""
    whole = [q for q in report.questions() if report.of(q) and passes_all(report, q)]
    if not whole:
        passed = sum(check.passed for check in report.checks)
        return f"{passed} of {len(report.checks)} checks pass already." if passed else ""
    names = " and ".join(filter(None, (", ".join(whole[:-1]), whole[-1])))
    return f"{names} pass{'es' * (len(whole) == 1)} every check. Well done."


def passes_all(report, question):
    """Whether every check of a question passes."""
    return all(check.passed for check in report.of(question))


@functools.cache
def templates():
    """The pages' templates, which clean and escape whatever is put into them."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    blocks = {"trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined}
    blocks |= {"finalize": lambda value: clean_text(value) if type(value) is str else value}
    found = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, **blocks)
    words = (score, lateness, points_text, reason, outcome, is_blank, is_unanswered, points_number)
    words += (reports.measured_text, heading, first_to_fix, encouragement)
    found.globals |= {"advice": ADVICE, "unanswered": reports.UNANSWERED}
    found.globals |= {word.__name__: word for word in words}
    found.filters["address"] = quote  # a name may hold # or %
    return found


def render_template(template, **values):
    """A page made of a template and values."""
    return templates().get_template(template).render(values)


def score(report):
    """The points that count, or those so far while some are not known."""
    possible = points_number(report.possible())
    if report.score() is not None:
        return f"{points_number(report.score())} of {possible} points"
    return f"so far {points_number(report.earned_points())} of {possible} points"


def lateness(report):
    """What was lost by being late, in words; empty for nothing."""
    days, keeps = report.late
    if not days:
        return ""
    late = f"{points_number(days)} day{'' if days == 1 else 's'} late"
    points = "the" if report.score() is None else points_number(report.earned_points())
    return f"{late}: {points_number(keeps)} % of {points} points are kept"


def points_text(report, question):
    """The points of one question in words, as far as they are known."""
    possible = f"{points_number(report.possible(question))} points"
    earned = f"{points_number(report.earned_points(question))} of {possible}"
    if not report.is_undecided(question):
        return earned
    waits = not report.of(question)
    return f"to be graded by hand, {possible}" if waits else f"undecided; so far {earned}"


def is_unanswered(report, question):
    """Whether no check of a question found an answer."""
    checks = report.of(question)
    return bool(checks) and all(check.is_unanswered for check in checks)


def is_blank(report, question):
    """Whether nothing was written for a question that is graded by hand."""
    texts = [one.text.strip() for one in report.written if one.question == question]
    return texts == [""] and not report.mark(question)


def explain_failure(check):
    """What a failed check tells the student: the hint, and what happened."""
    return "\n".join(filter(None, [check.advice, outcome(check)]))


def outcome(check):
    """What happened: what was expected and what came only where the check says `show=True`."""
    return check.message if check.show else check.brief


def reason(report):
    """Why a status is not GRADED, for the student: a fault of the grader may quote the checks."""
    return report.reason if report.checks or report.status != CRASHED else ""


def gradescope(report):
    """Gradescope's results as plain data. Nothing undecided gets a number, so that the platform
    shows a failure of the grader where there is one, not a 0."""
    tests = [gradescope_test(check) for check in report.checks if not report.mark(check.question)]
    for question, points, comment in report.marks:
        entry = gradescope_entry(question, "graded by hand", report.possible(question), comment)
        tests.append(entry | {"score": points})
    for question, points, _ in report.written:
        if is_blank(report, question):
            entry = gradescope_entry(question, "nothing was written", points)
            tests.append(entry | {"score": 0})
    waiting = [one.question for one in report.written if report.is_undecided(one.question)]
    said = [f"{question} is to be graded by hand" for question in waiting]
    output = "\n".join(filter(None, [reason(report), lateness(report), *said]))
    results = {"output": output, "tests": tests, "visibility": "visible"}
    if report.score() is not None:
        results["score"] = report.score()
    return results


def gradescope_test(check):
    """One check as Gradescope's test."""
    said = "" if check.passed else explain_failure(check)
    found = gradescope_entry(check.question, check.title, check.points, said)
    found["status"] = "passed" if check.passed else "failed"
    if check.outcome not in reports.LOST:
        found["score"] = check.points if check.passed else 0
    return found


def gradescope_entry(question, title, possible, output=""):
    """What all of Gradescope's tests have."""
    name = f"{question}: {title}"
    return {"name": name, "number": question, "max_score": possible, "output": output}
