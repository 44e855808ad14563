"""The folder of a graded batch: grades.csv, a page and a Gradescope file per student, and reports,
each under a key of all that it depends on, so that grading goes on where it stopped.

A key is made of the student, the bytes handed in, the checks, the key notebook, the settings and
the grader's own code. What has changed has another key, so nothing old appears under a new name.
"""

import hashlib
import json
import os
import secrets
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.course import files, grading
from minigrad.course.gradebook import (
    by_hand,
    comparison,
    exports,
    feedback,
    overview,
    submissions,
    tables,
)
from minigrad.course.gradebook.roster import Person, roster_table
from minigrad.course.gradebook.similar import Compared
from minigrad.course.grading import names
from minigrad.course.grading.report import CRASHED, Report, from_data, points_number

SEED = "seed.txt"
UNFINISHED = (SEED, "reports", "made", "old")  # what an interrupted run leaves
TABLES = ("grades", "by-hand", "late", "table", "roster", *exports.KINDS)
PAGES = ("index.html", "by-hand.html", "feedback", "gradescope", "reports", SEED)
WRITTEN = {*PAGES, *(f"{name}.csv" for name in TABLES)}  # all that a batch writes into its folder
COLUMNS = ("student", "status", "score", "possible", "days late", "keeps %")


class GradedBatch(NamedTuple):
    """A graded batch: the points of its questions, pairs of student and report, and what was known
    beside them. `reports` has the reports as they were made, under their keys."""

    assignment: str
    questions: dict
    results: list
    reports: dict = {}
    submissions: dict = {}
    late: dict = {}
    rubric: str = ""
    seed: str = ""
    people: dict = {}
    roster: list = []
    exports: dict = {}
    similar: Compared = Compared()
    guide: feedback.Guide = feedback.Guide()


def prepare_folder(out, replace):
    """The path of the folder to write. Raises when other things are there."""
    out = Path(out).resolve()
    if out.exists() and not out.is_dir():
        raise ArgumentError(f"{out.name} is a file, not a folder", hint="name another --out")
    filled = out.is_dir() and any(out.iterdir())
    if filled and not (out / "grades.csv").is_file():
        message = f"{out.name}/ holds other things than grades"
        raise ArgumentError(message, hint="name an empty folder with --out")
    if filled and not replace:
        message = f"{out.name}/ already holds grades"
        raise ArgumentError(
            message, hint="add --keep, --only STUDENT or --replace, or name another --out"
        )
    return out


def unfinished_folder(out):
    """The folder beside `out` that holds what an interrupted run has done; grades that such a
    run had moved aside are put back."""
    folder = out.parent / f".{out.name}-unfinished"
    if (folder / "old").is_dir() and not out.exists():
        os.replace(folder / "old", out)
    return folder


def batch_seed(out, keep):
    """The secret that the random inputs of a batch are made from: that of the grades to `keep`,
    that of the run that was interrupted, or a new one."""
    for folder in [out] * keep + [unfinished_folder(out)]:
        if (folder / SEED).is_file() and (known := (folder / SEED).read_text().strip()):
            return known
    return secrets.token_hex(16)


def begin(out, seed):
    """Make the folder of what is unfinished, so that a run that is interrupted can go on. Raises
    where a folder of that name holds other things."""
    folder = unfinished_folder(out)
    if folder.exists() and {path.name for path in folder.iterdir()} - {*UNFINISHED}:
        message = f"{folder.name}/ holds other things than an unfinished batch"
        raise ArgumentError(message, hint="move it away, or name another --out")
    folder.mkdir(parents=True, exist_ok=True)
    files.write_atomically(folder / SEED, seed)


def write_batch(out, batch):
    """Write a `Batch` as a whole or not at all, then forget what was unfinished; returns the
    pairs of student and report that were written. What others have put into `out` stays there."""
    folder = unfinished_folder(out)
    made = folder / "made"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    try:
        results = fill(made, batch)
        if out.exists():
            copy_others(out, made)
            shutil.rmtree(folder / "old", ignore_errors=True)
            os.replace(out, folder / "old")
        os.replace(made, out)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    for name in UNFINISHED[1:]:
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / SEED).unlink(missing_ok=True)
    folder.rmdir()
    return results


def copy_others(out, made):
    """Copy into `made` what lies in the folder of older grades and no batch has written."""
    for path in out.iterdir():
        if path.name in WRITTEN:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.copytree(path, made / path.name, symlinks=True)
        else:
            shutil.copy2(path, made / path.name, follow_symlinks=False)


def fill(folder, batch):
    """Write every file of a batch into `folder`."""
    stems = names.file_names([student for student, _ in batch.results])
    results, texts = render_students(batch, stems)
    texts |= {f"reports/{key}.json": report_text(one) for key, one in batch.reports.items()}
    texts |= {SEED: batch.seed, **batch.exports}
    kept = tables_to_keep(batch, results)
    for name, rows in kept.items():
        if len(rows) > 1:  # the header alone is no table
            texts[f"{name}.csv"] = tables.csv_text(rows)
    pages = {student: f"feedback/{file}.html" for student, file in stems.items()}
    beside = batch.similar, overview.texts_to_read(results)
    texts["index.html"] = overview.overview_page(batch.assignment, results, pages, *beside)
    waiting = results, kept["by-hand"][1:]
    texts["by-hand.html"] = by_hand.answers_page(
        batch.assignment, batch.rubric, *waiting, batch.guide.texts
    )
    for name, text in texts.items():
        if text is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            # the same line ends on every system; a name may hold what is no text
            (folder / name).write_text(text, encoding="utf-8", errors="replace", newline="\n")
    return results


def render_students(batch, stems):
    """(the pairs of student and report as they can be shown, {path: text} of what each gets and of
    the table of all)."""
    contact = ["id", "email"] if batch.people else []
    lines = [[*COLUMNS, *batch.questions, "reason", "notes", "page", *contact]]
    results, texts = [], {}
    for student, report in batch.results:
        file = stems[student]
        try:
            line, page, data = render_report(batch, student, file, report)
        except Exception as error:  # a report that cannot be shown: one that says so
            report = Report(CRASHED, reason=submissions.fault(error))
            line, page, data = render_report(batch, student, file, report)
        results.append((student, report))
        lines.append(line + [getattr(known_person(batch, student), part) for part in contact])
        texts |= {f"feedback/{file}.html": page, f"gradescope/{file}/results.json": data}
    return results, texts | {"grades.csv": tables.csv_text(lines)}


def tables_to_keep(batch, results):
    """{name: lines} of the tables beside that of the grades."""
    asked = batch.submissions, sum(batch.questions.values())
    found = {"by-hand": list(by_hand.marks_table(results, *asked))}
    found["late"] = list(tables.late_table(batch.late))
    found["table"] = [comparison.COLUMNS, *comparison.table_lines(results, batch.seed)]
    return found | {"roster": list(roster_table(batch.roster))}


def known_person(batch, student):
    """The student's Person on the roster; an empty Person for a student who is not on it."""
    return batch.people.get(student, Person(student))


def render_report(batch, student, file, report):
    """(line of grades.csv, page, file for Gradescope)."""
    data = json.dumps(feedback.gradescope(report), indent=1, ensure_ascii=False) + "\n"
    alias = comparison.alias_of(student, batch.seed)
    page = feedback.feedback_page(student, batch.assignment, report, alias, batch.guide)
    return grade_line(batch.questions, student, file, report), page, data


def grade_line(questions, student, file, report):
    """A student's line: what is not known stays empty and is never 0. The points of the
    questions are those before anything is lost by being late, the score is what is left."""
    score = "" if report.score() is None else points_number(report.score())
    possible = points_number(report.possible()) if report.checks else ""
    late = [points_number(part) for part in report.late] if report.late.days else ["", ""]
    known = set(report.questions()) - set(report.open_questions())
    points = [points_number(report.earned_points(q)) if q in known else "" for q in questions]
    said = [report.reason, "; ".join(report.notes), f"feedback/{file}.html"]
    return [student, report.status, score, possible, *late, *points, *said]


# the record of reports ----------------------------------------------------------------------------


def report_keys(handed_in, chosen, master, setting, seed):
    """{student: the name of the student's report}."""
    common = hashlib.sha256(json.dumps([asdict(master), setting, seed], default=sorted).encode())
    for path in (chosen.hidden, *sorted(Path(grading.__file__).parent.rglob("*.py"))):
        common.update(path.read_bytes())
    return {entry.student: report_key(entry, common.hexdigest()) for entry in handed_in}


def report_key(entry, common):
    """The name of one student's report, given one for all that every report depends on."""
    name = entry.file if entry.path else ""
    data = [entry.student, name, entry.digest, common]
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()


class Record:
    """The reports of students in `folder`, by their `keys`, and those of finished grades in the
    folders `older`."""

    def __init__(self, folder, keys, older=()):
        self.folder, self.keys, self.older = folder, keys, older

    def get(self, student):
        """A student's `Report`, or None; a file that was cut short counts as none."""
        for folder in (self.folder, *self.older):
            try:
                return from_data(json.loads((folder / f"{self.keys[student]}.json").read_bytes()))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return None

    def put(self, student, found):
        """Keep a report, unless grading itself failed: then the next run tries again."""
        if found.checks or found.status != CRASHED:
            self.folder.mkdir(parents=True, exist_ok=True)
            files.write_atomically(self.folder / f"{self.keys[student]}.json", report_text(found))


def report_text(found):
    """The one text of a report."""
    return json.dumps(found.as_data(), indent=1, sort_keys=True) + "\n"
