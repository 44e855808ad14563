"""Grading by hand: the list of what waits for it, the texts to read, the points that come back.

What waits are written answers, and questions whose process ended by itself. Where nothing could be
graded, or nothing was handed in, one line stands for all questions; it may stay empty. A line of
the list is for one submission: a student who hands in anew is asked for again.
"""

import re

from minigrad.course.gradebook import feedback, tables
from minigrad.course.grading.report import Mark, points_number

COLUMNS = ["student", "question", "points", "of", "comment", "submission"]
ALL = "all"  # stands for every question


def read_marks(path, master, submissions, gone=None):
    """({student: its `Mark`s}, what to tell) of a filled list; `submissions` has the digest of
    what each student handed in. A line without points still waits.
    `gone` is that of `of_students`."""
    found, said = {}, []
    for student, row in tables.of_students(path, COLUMNS[1:3], submissions, gone):
        question = tables.read_known(row, "question", {*master.possible, ALL})
        if row.number("points") is None:
            continue
        marks = found.setdefault(student, {})
        given = read_points(row, question, master.possible)
        if twice := [name for name in given if name in marks]:
            raise row.fault(f"a second line for '{student}' and {twice[0]}")
        if row.get("submission") in (None, "", submissions[student]):
            comment = row.get("comment", "")
            marks |= {name: Mark(name, points, comment) for name, points in given.items()}
        else:
            said.append(f"{student} has handed in again since {question} was graded by hand")
    return {student: list(marks.values()) for student, marks in found.items()}, said


def read_points(row, question, possible):
    """{question: points} of a line; one for all gives each all its points, or none."""
    points, most = row.number("points"), possible.get(question, sum(possible.values()))
    said = (
        f"{points_number(points)} points are not between 0 and {points_number(most)} for {question}"
    )
    if points > most:
        raise row.fault(said)
    if question != ALL:
        return {question: points}
    if 0 < points < most:
        raise row.fault(
            said, hint="write a line for each question: only 0 or all can be shared out"
        )
    return {name: own if points else 0 for name, own in possible.items()}


def marks_table(results, submissions, most):
    """The list: a line for each mark that was given and for each question that still waits. At the
    end, each student without graded work has a line, with the `most` points possible."""
    yield COLUMNS
    for student, report in results:
        for question in report.questions():
            mark, possible = report.mark(question), points_number(report.possible(question))
            last = submissions.get(student, "")
            if mark:
                yield [student, question, points_number(mark.points), possible, mark.comment, last]
            elif report.is_undecided(question):
                yield [student, question, "", possible, "", last]
    for student in [student for student, report in results if not report.checks]:
        yield [student, ALL, "", points_number(most), "", submissions.get(student, "")]


def answers_page(assignment, rubric, results, lines, asked=None):
    """One page with the rubric, the text of each question in `asked`, what every student wrote, and
    a field for each of the `lines` of the list, which it writes as a file; None when nobody wrote
    anything and nothing waits."""
    rows = [dict(zip(COLUMNS, line, strict=True)) for line in lines]
    texts = {(student, one.question): one for student, report in results for one in report.written}
    codes = {(student, one.question): one for student, report in results for one in report.codes}
    names = dict.fromkeys([*(question for _, question in texts), *(r["question"] for r in rows)])
    if not names:
        return None
    questions = []
    for name in names:
        keys = [(row, (row["student"], name)) for row in rows if row["question"] == name]
        own = [(row, texts.get(key), codes.get(key)) for row, key in keys]
        blank = [who for (who, asked), one in texts.items() if asked == name and is_empty(one)]
        text = as_html((asked or {}).get(name, ""))
        questions.append((name, text, guide(rubric, name), own, blank))
    title = f"{assignment} · to be graded by hand"
    values = {"title": title, "questions": questions, "columns": COLUMNS}
    return feedback.render_template("by_hand.html", **values, all=ALL)


def is_empty(written):
    """Whether a text holds nothing."""
    return not written.text.strip()


def guide(rubric, question):
    """(the part of the rubric under a heading that names the question, else all of it, as HTML;
    whether there is such a part)."""
    parts = re.split(r"^(?=#)", rubric, flags=re.MULTILINE)
    own = [part for part in parts if re.search(rf"\b{re.escape(question)}\b", part.split("\n")[0])]
    return as_html("".join(own) or rubric), bool(own)


def as_html(text):
    """A text in Markdown as HTML."""
    import mistune
    from markupsafe import Markup

    return Markup(mistune.create_markdown(escape=True, plugins=["table"])(text))
