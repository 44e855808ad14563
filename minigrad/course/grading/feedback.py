"""What one student gets back: a page for a browser, and the file that Gradescope reads."""

import html

from minigrad.course.grading import report as reports
from minigrad.course.grading.report import CRASHED, GRADED, number

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: auto; padding: 1em;
       color: #1c2630; background: #fff }
h2 { font-size: 1.1em; border-top: 1px solid #cbd2d9; padding-top: .8em }
ul { padding-left: 1.2em } li { margin: .4em 0; list-style: none }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #eef0f2; padding: .5em }
.good { color: #00634a } .bad { color: #a34100 }
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
    "UNREADABLE": "Nothing could be graded.",
    "MISSING": "Nothing was handed in.",
}


def page(student, assignment, report):
    """The feedback page; everything that came from a submission is escaped."""
    body = [summary(report)]
    body += [section(report, question) for question in report.questions()]
    body += [f"<p>Note: {safe(note)}</p>" for note in report.notes]
    title = safe(f"{assignment} · {student}")
    return PAGE.format(title=title, style=STYLE, body="\n".join(body))


def summary(report):
    """The score, or why there is none."""
    parts = []
    if report.checks:
        score = f"{number(report.earned())} of {number(report.possible())} points"
        parts.append(f"<p><strong>{score}</strong></p>")
    if report.status != GRADED:
        parts.append(f'<p class="bad">{report.status}: {ADVICE[report.status]}</p>')
        parts.append(f"<pre>{safe(reason(report))}</pre>")
    return "\n".join(parts)


def section(report, question):
    """One question: its points and its checks."""
    points = f"{number(report.earned(question))} of {number(report.possible(question))}"
    if report.undecided(question):
        points = f"undecided; {points}"
    items = "\n".join(item(check) for check in report.of(question))
    return f"<h2>{safe(question)}: {points} points</h2>\n<ul>\n{items}\n</ul>"


def item(check):
    """One check: what it is about, and the hint when it failed."""
    if check.passed:
        return f'<li><span class="good">✓</span> {safe(check.title)}</li>'
    lines = [f'<li><span class="bad">✗</span> {safe(check.title)}']
    if told := explanation(check):
        lines.append(f"<pre>{safe(told)}</pre>")
    return "".join(lines) + "</li>"


def explanation(check):
    """What a failed check tells the student: the hint, and what was expected and what came only
    where the check says `show=True`."""
    return "\n".join(filter(None, [check.hint, check.message if check.show else check.brief]))


def reason(report):
    """Why a status is not GRADED, for the student: a fault of the grader may quote the checks."""
    return report.reason if report.checks or report.status != CRASHED else ""


def gradescope(report):
    """Gradescope's results as plain data. Nothing undecided gets a number, so that the platform
    shows a failure of the grader where there is one, not a 0."""
    tests = [test(report, check) for check in report.checks]
    results = {"output": reason(report), "tests": tests, "visibility": "visible"}
    if report.checks:
        results["score"] = report.earned()
    return results


def test(report, check):
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
