"""`minigrad release ps1`: the students' notebook made from the instructor's, unless something
speaks against it."""

import re

from minigrad.core.errors import ArgumentError
from minigrad.course import files
from minigrad.course.grading import assignment, markup, notebook, sandbox
from minigrad.course.grading.run import Job, run_job
from minigrad.course.grading.worker import Setting

HELP = "build the students' notebook of an assignment from its solution"
NEEDS = ("pytest",)


class NotReleased(ArgumentError):
    """The assignment is not fit to be handed out; the fact lists everything found."""


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("name", help="assignment name, for example ps1")
    sandbox.add_option(parser)


def run(args):
    """Check the key and the blank notebook, then write; nothing is written otherwise."""
    chosen = assignment.for_instructor(args.name)
    made = student_notebook(chosen)
    setting = Setting(sandbox.choose(args.sandbox), assignment.key_master(chosen).libraries)
    for checks in (chosen.checks, chosen.hidden):
        refuse_release(objections(chosen, checks, made, setting), chosen)
    files.write_atomically(chosen.notebook, notebook.notebook_text(made))
    shown = files.path_text(chosen.notebook)
    print(f"released: {shown} (the key has full points, the blank file none)")
    return 0


def student_notebook(chosen):
    """The students' notebook, as JSON, made from the instructor's."""
    raw = notebook.read_notebook(chosen.solution)
    made = notebook.strip_outputs(raw)
    try:
        texts = [markup.released_text(cell) for cell in notebook.cells(raw)]
        solutions = solution_lines(notebook.cells(raw))
    except markup.MarkupError as error:
        place = f"{chosen.solution.name}, {error.line}"
        raise NotReleased(error.message, error.hint, place) from error
    for cell, text in zip(made["cells"], texts, strict=True):
        cell["source"] = text.splitlines(keepends=True)
    made["metadata"].setdefault("minigrad", {})["assignment"] = chosen.name
    refuse_release([*leaks(chosen, made, solutions), *without_rubric(chosen)], chosen)
    return made


def leaks(chosen, made, solutions):
    """What of the solution could be read in the students' files."""
    public = {chosen.notebook.name: "\n".join(map(notebook.source_text, made["cells"]))}
    public[chosen.checks.name] = chosen.checks.read_text(encoding="utf-8")
    for name, text in public.items():
        left = solutions & {line.strip() for line in text.splitlines()}
        yield from (f"a line of the solution remains in {name}: {line}" for line in sorted(left))
        if "### BEGIN" in text or "### END" in text:
            yield f"a marker remains in {name}"


def solution_lines(cells):
    """The lines of all solutions and hidden tests that are long enough to be told apart; not
    those that a given cell shows anyway."""
    found, given = set(), set()
    for cell in cells:
        _, solution, hidden = markup.regions(cell)
        found |= {line.strip() for line in solution + hidden}
        if cell.role == "written":
            found |= {line.strip() for line in cell.source.splitlines()}
        if cell.role == "given":
            given |= {line.strip() for line in cell.source.splitlines()}
    return {line for line in found - given if len(line) >= 15 and line[0] not in "#\"'"}


def without_rubric(chosen):
    """The questions to be graded by hand that the rubric does not name."""
    rubric = assignment.rubric(chosen)
    for question in assignment.key_master(chosen).written:
        if not re.search(rf"\b{re.escape(question)}\b", rubric):
            yield f"{question} is graded by hand, and rubric.md does not say how"


def objections(chosen, checks, made, setting):
    """What running one file of checks on the key and on the blank notebook brings to light."""
    master = assignment.key_master(chosen)
    key = run_job(Job(checks, master, setting, chosen.solution))
    found = list(about_key(checks.name, key, master))
    if found:
        return found
    blank = run_job(Job(checks, master, setting, raw=made))
    if not blank.checks:
        return [f"the blank notebook cannot be checked by {checks.name}: {blank.reason}"]
    passed = [check.title for check in blank.checks if check.passed and check.points]
    return [f"the blank notebook passes a check of {checks.name}: {title}" for title in passed]


def about_key(name, report, master):
    """What is wrong with the key's report by the checks `name`, or with their points."""
    if not report.checks:
        yield f"{name} cannot be run: {report.reason}"
        return
    for check in report.checks:
        if not check.passed:
            yield f"the key fails a check of {name}: {check.title}: {check.message.strip()}"
    for question, points in master.points.items():
        if report.possible(question) != points:
            given = f"{report.possible(question):g}"
            yield f"{question} has {points:g} points in the notebook and {given} in {name}"
    for question in set(report.questions()) - set(master.points):
        yield f"{name} has checks for {question}, but the notebook does not have it"


def refuse_release(found, chosen):
    """Raise `NotReleased` when there is anything in `found`."""
    if found := list(found):
        hint = f"fix assignments/instructor/{chosen.name}/, or checks.py, and release again"
        raise NotReleased("\n  - ".join(["not released:", *found]), hint=hint)
