"""What one student gets back: a page for a browser, and the file that Gradescope reads."""

import html

from minigrad.course.grading import report as reports
from minigrad.course.grading.report import CRASHED, GRADED, number

STYLE = """
table { border-collapse: collapse } td, th { border: 1px solid #cbd2d9; padding: .2em .4em;
  overflow-wrap: break-word }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: auto; padding: 1em;
       color: #1c2630; background: #fff; overflow-wrap: anywhere }
h2 { font-size: 1.1em; border-top: 1px solid #cbd2d9; padding-top: .8em }
ul { padding-left: 1.2em } li { margin: .4em 0; list-style: none }
pre { white-space: pre-wrap; background: #eef0f2; padding: .5em; font-size: .85em }
li p { margin: .2em 0 .2em 1.2em }
.good { color: #00634a } .bad { color: #a34100 }
@media screen and (prefers-color-scheme: dark) {
  body { color: #e6e9ec; background: #14181c } pre { background: #232a31 }
  h2 { border-color: #3a434c } .good { color: #5fd3a8 } .bad { color: #ffa366 } }
@media print { body { font-size: 11pt } h2 { break-after: avoid } li { break-inside: avoid } }
"""
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<h1>{title}</h1>
{body}
</html>
"""
ADVICE = {
    "CRASHED": "Not every question could be decided; your instructor sees the reason.",
    "TO BE GRADED BY HAND": "The other questions are decided.",
    "UNREADABLE": "Nothing could be graded.",
    "MISSING": "Nothing was handed in.",
}


def page(student, assignment, report):
    """The feedback page; everything that came from a submission is escaped."""
    body = [summary(report)]
    body += [section(report, question) for question in report.questions()]
    body += [f"<p>Note: {safe(note)}</p>" for note in report.notes]
    return document(f"{assignment} · {student}", body)


def document(title, body):
    """A whole page; `body` holds pieces of HTML."""
    return PAGE.format(title=safe(title), style=STYLE, body="\n".join(body))


def summary(report):
    """The score, or why there is none."""
    parts = []
    if report.checks:
        parts.append(f"<p><strong>{score(report)}</strong></p>")
        parts += [f"<p>{safe(text)}</p>" for text in [lateness(report)] if text]
    if report.status != GRADED:
        parts.append(f'<p class="bad">{report.status}: {ADVICE[report.status]}</p>')
        parts += [f"<pre>{safe(text)}</pre>" for text in [reason(report)] if text]
    return "\n".join(parts)


def score(report):
    """The points that count, or those so far while some are not known."""
    possible = number(report.possible())
    if report.score() is not None:
        return f"{number(report.score())} of {possible} points"
    return f"so far {number(report.earned())} of {possible} points"


def lateness(report):
    """What was lost by being late, in words; empty for nothing."""
    days, keeps = report.late
    if not days:
        return ""
    late = f"{number(days)} day{'' if days == 1 else 's'} late"
    points = "the" if report.score() is None else number(report.earned())
    return f"{late}: {number(keeps)} % of {points} points are kept"


def section(report, question):
    """One question: its points, what was said by hand, and its checks."""
    points = f"{number(report.earned(question))} of {number(report.possible(question))} points"
    mark, waits = report.mark(question), not report.of(question)
    if report.undecided(question):
        possible = f"{number(report.possible(question))} points"
        points = f"to be graded by hand, {possible}" if waits else f"undecided; so far {points}"
    parts = [f"<h2>{safe(question)}: {points}</h2>"]
    if mark:
        parts.append(f"<p>Graded by hand. {safe(mark.comment)}</p>")
    checks = report.of(question)
    if checks and all(check.message == reports.UNANSWERED for check in checks):
        parts.append(f"<p>{reports.UNANSWERED}</p>")
    elif checks:
        parts += ["<ul>", *map(item, checks), "</ul>"]
    return "\n".join(parts)


def item(check):
    """One check: what it is about, and the hint when it failed."""
    if check.passed:
        return f'<li><span class="good">✓</span> {safe(check.title)}</li>'
    lines = [f'<li><span class="bad">✗</span> {safe(check.title)}']
    if check.hint:
        lines.append(f"<p>{safe(check.hint)}</p>")
    if told := outcome(check):
        lines.append(f"<pre>{safe(told)}</pre>")
    return "".join(lines) + "</li>"


def explanation(check):
    """What a failed check tells the student: the hint, and what happened."""
    return "\n".join(filter(None, [check.hint, outcome(check)]))


def outcome(check):
    """What happened: what was expected and what came only where the check says `show=True`."""
    return check.message if check.show else check.brief


def reason(report):
    """Why a status is not GRADED, for the student: a fault of the grader may quote the checks."""
    return report.reason if report.checks or report.status != CRASHED else ""


def gradescope(report):
    """Gradescope's results as plain data. Nothing undecided gets a number, so that the platform
    shows a failure of the grader where there is one, not a 0."""
    tests = [test(check) for check in report.checks if not report.mark(check.question)]
    tests += [by_hand(mark, report.possible(mark.question)) for mark in report.marks]
    waiting = [one.question for one in report.written if report.undecided(one.question)]
    said = [f"{question} is to be graded by hand" for question in waiting]
    output = "\n".join(filter(None, [reason(report), lateness(report), *said]))
    results = {"output": output, "tests": tests, "visibility": "visible"}
    if report.score() is not None:
        results["score"] = report.score()
    return results


def by_hand(mark, possible):
    """A question that somebody graded, as Gradescope's test."""
    named = {"name": f"{mark.question}: graded by hand", "number": mark.question}
    return {**named, "max_score": possible, "score": mark.points, "output": mark.comment}


def test(check):
    """One check as Gradescope's test."""
    found = {
        "name": f"{check.question}: {check.title}",
        "number": check.question,
        "max_score": check.points,
        "status": "passed" if check.passed else "failed",
        "output": "" if check.passed else explanation(check),
    }
    if check.outcome not in reports.LOST:
        found["score"] = check.points if check.passed else 0
    return found


def safe(text):
    """`text` as HTML text."""
    return html.escape(str(text))
