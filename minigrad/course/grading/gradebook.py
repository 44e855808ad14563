"""The folder of a graded batch: grades.csv, a page and a Gradescope file per student."""

import csv
import io
import json
import os
import re
import shutil
import tempfile
from pathlib import Path

from minigrad.course.grading import feedback
from minigrad.course.grading.report import number
from minigrad.errors import ArgumentError


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
        raise ArgumentError(fact, mend="--replace, or another --out")
    return out


def write(out, assignment, questions, results):
    """Write `results`, pairs of student and report, as a whole or not at all."""
    out.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}-"))
    try:
        fill(made, assignment, questions, results)
        os.chmod(made, 0o755)
        swap(made, out)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def fill(folder, assignment, questions, results):
    """Write every file of a batch into `folder`."""
    (folder / "feedback").mkdir()
    for (student, report), name in zip(results, file_names(results), strict=True):
        page = feedback.page(student, assignment, report)
        write_text(folder / "feedback" / f"{name}.html", page)
        scope = folder / "gradescope" / name
        scope.mkdir(parents=True)
        data = json.dumps(feedback.gradescope(report), indent=1, ensure_ascii=False)
        write_text(scope / "results.json", data + "\n")
    write_text(folder / "grades.csv", table(questions, results))


def write_text(path, content):
    """Write UTF-8 with the same line ends on every system; a name may hold what is no text."""
    path.write_text(content, encoding="utf-8", errors="replace", newline="\n")


def swap(made, out):
    """Put the folder `made` in the place of `out`, whose content is deleted."""
    if out.exists():
        old = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}-old-")) / "grades"
        os.replace(out, old)
        os.replace(made, out)
        shutil.rmtree(old.parent)
    else:
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
    """grades.csv: what is not known stays empty and is never 0."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["student", "status", "score", "possible", *questions, "reason", "notes"])
    for student, report in results:
        score = [number(report.earned()), number(report.possible())] if report.checks else ["", ""]
        points = [points_cell(report, question) for question in questions]
        said = [report.reason, "; ".join(report.notes)]
        cells = [student, report.status, *score, *points, *said]
        writer.writerow([harmless(cell) for cell in cells])
    return text.getvalue()


def points_cell(report, question):
    """The points of one question; empty when they are not known."""
    known = report.of(question) and not report.undecided(question)
    return number(report.earned(question)) if known else ""


def harmless(cell):
    """A cell that a spreadsheet program will not take for a formula."""
    cell = " ".join(cell.split())
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@")) else cell
