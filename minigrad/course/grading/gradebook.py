"""The folder of a graded batch: grades.csv, a page and a Gradescope file per student."""

import csv
import io
import json
import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from minigrad.course.grading import by_hand, feedback, late, record
from minigrad.course.grading.report import number
from minigrad.errors import ArgumentError

SAID = ["reason", "notes"]


class Batch(NamedTuple):
    """A graded batch: pairs of student and report, and what was known beside them. `reports` has
    the reports as they were made, under their keys."""

    assignment: str
    questions: list
    results: list
    reports: dict = {}
    submissions: dict = {}
    late: dict = {}
    rubric: str = ""


def prepared(out, replace):
    """The path of the folder to write. Raises when other things are there."""
    out = Path(out).resolve()
    if out.exists() and not out.is_dir():
        raise ArgumentError(f"{out.name} is a file, not a folder", mend="name another --out")
    filled = out.is_dir() and any(out.iterdir())
    if filled and not (out / "grades.csv").is_file():
        fact = f"{out.name}/ holds other things than grades"
        raise ArgumentError(fact, mend="name an empty folder with --out")
    if filled and not replace:
        fact = f"{out.name}/ already holds grades"
        raise ArgumentError(fact, mend="--keep, --only STUDENT, --replace, or another --out")
    return out


def unfinished(out):
    """The folder beside `out` that holds what an interrupted run has done; grades that such a
    run had moved aside are put back."""
    folder = out.parent / f".{out.name}-unfinished"
    if (folder / "old").is_dir() and not out.exists():
        os.replace(folder / "old", out)
    return folder


def write(out, batch):
    """Write a `Batch` as a whole or not at all, then forget what was unfinished."""
    folder = unfinished(out)
    made = folder / "made"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    try:
        fill(made, batch)
        swap(made, out, folder / "old")
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    shutil.rmtree(folder)


def fill(folder, batch):
    """Write every file of a batch into `folder`."""
    results = batch.results
    (folder / "feedback").mkdir()
    (folder / "reports").mkdir()
    for (student, report), name in zip(results, file_names(results), strict=True):
        page = feedback.page(student, batch.assignment, report)
        write_text(folder / "feedback" / f"{name}.html", page)
        scope = folder / "gradescope" / name
        scope.mkdir(parents=True)
        data = json.dumps(feedback.gradescope(report), indent=1, ensure_ascii=False)
        write_text(scope / "results.json", data + "\n")
    for key, report in batch.reports.items():
        write_text(folder / "reports" / f"{key}.json", record.as_text(report))
    write_text(folder / "grades.csv", csv_text(table(batch.questions, results)))
    waiting = list(by_hand.table(results, batch.submissions))
    for name, lines in (("by-hand", waiting), ("late", list(late.table(batch.late)))):
        if len(lines) > 1:
            write_text(folder / f"{name}.csv", csv_text(lines))
    if page := by_hand.page(batch.assignment, batch.rubric, results):
        write_text(folder / "by-hand.html", page)


def write_text(path, content):
    """Write UTF-8 with the same line ends on every system; a name may hold what is no text."""
    path.write_text(content, encoding="utf-8", errors="replace", newline="\n")


def swap(made, out, old):
    """Put the folder `made` in the place of `out`, which becomes `old`."""
    if out.exists():
        shutil.rmtree(old, ignore_errors=True)
        os.replace(out, old)
    os.replace(made, out)


def file_names(results):
    """A file name for each student: their name without what a path could be made of."""
    names = []
    for student, _ in results:
        name = re.sub(r"[^\w@ ().-]", "_", student).lstrip(".") or "_"
        taken = {other.lower() for other in names}
        while name.lower() in taken:
            name += "_"
        names.append(name)
    return names


def table(questions, results):
    """The lines of grades.csv: what is not known stays empty and is never 0. The points of the
    questions are those before anything is lost by being late, the score is what is left."""
    yield ["student", "status", "score", "possible", "days late", "keeps %", *questions, *SAID]
    for student, report in results:
        score = "" if report.score() is None else number(report.score())
        possible = number(report.possible()) if report.checks else ""
        late = [number(part) for part in report.late] if report.late.days else ["", ""]
        points = [points_cell(report, question) for question in questions]
        said = [report.reason, "; ".join(report.notes)]
        yield [student, report.status, score, possible, *late, *points, *said]


def csv_text(lines):
    """CSV of lines of cells."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([harmless(cell) for cell in line] for line in lines)
    return text.getvalue()


def points_cell(report, question):
    """The points of one question; empty when they are not known."""
    known = question in report.questions() and not report.undecided(question)
    return number(report.earned(question)) if known else ""


def harmless(cell):
    """A cell that a spreadsheet program will not take for a formula."""
    cell = " ".join(cell.split())
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@")) else cell
