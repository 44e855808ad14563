"""What a student does with an assignment: `minigrad start ps1`, `check`, `reset` and `submit`.

They work in my/ps1. What lies there is never written over; `reset` keeps it beside the new copy.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.course import files, project
from minigrad.course.grading import answers, assignment, markup, notebook, report, sandbox
from minigrad.course.grading.run import Job, run_job
from minigrad.course.grading.worker import Setting

DONE, PARTLY, LACKS = "✓", "·", "✗"  # the state of an answer


def start(args):
    """Copy what is not there yet, and say what to do next."""
    chosen, folder = assignment.find(args.name), desk(args)
    new = copy_lacking(chosen, folder)
    mine = folder / chosen.notebook.name
    if mine not in new:
        print(f"kept: {files.path_text(mine)} is there already (a fresh copy: minigrad reset)")
    print(f"open it in JupyterLab; then: minigrad check {args.name}")
    return 0


def reset(args):
    """Rename the notebook so that nothing is lost, then copy a fresh one."""
    chosen, folder = assignment.find(args.name), desk(args)
    mine, turn = folder / chosen.notebook.name, 1
    while (aside := folder / f"{args.name}-before-reset-{turn}.ipynb").exists():
        turn += 1
    if mine.exists():
        shutil.move(mine, aside)
        print(f"kept: {files.path_text(aside)}")
    copy_lacking(chosen, folder)
    return 0


def check_notebook(args):
    """Print the report; the exit status is 0 when every check passed."""
    chosen, path = assignment.find(args.name), find_notebook(args)
    master = assignment.released_master(chosen)
    for question in args.question:
        if question not in master.points:
            listing = ", ".join(master.points)
            raise ArgumentError(
                f"'{question}' is not a question of this assignment", hint=f"one of: {listing}"
            )
    raw = read_own(args.name, path)
    written = answers.extract(master, raw).written  # raises what would be reported
    kind = sandbox.choose_for_file(args.sandbox, path, project.workspace())
    setting = Setting(kind, master.libraries)
    job = Job(chosen.checks, master, setting, path, questions=tuple(args.question))
    found = run_job(job)
    if not found.checks:
        raise ArgumentError(f"{files.path_text(path)} cannot be checked: {found.reason}")
    print(f"{args.name} · {files.path_text(path)} · as it was saved")
    print(report.terminal_text(found))
    earned, possible = (
        report.points_number(found.earned_points()),
        report.points_number(found.possible()),
    )
    print(f"{earned} of {possible} points by the visible checks; ", end="")
    print("the grade comes from others, with other numbers")
    for question, points, text in written:
        blank = "" if text.strip() else "; nothing is written yet"
        print(f"{question} is graded by hand: {report.points_number(points)} points{blank}")
    return 0 if found.earned_points() == found.possible() else 1


def submit(args):
    """Write the notebook without its outputs; the exit status is 1 when an answer is missing."""
    chosen, path = assignment.find(args.name), find_notebook(args)
    raw, master = read_own(args.name, path), assignment.released_master(chosen)
    found = answers.extract(master, raw)
    target = path.with_name(f"{args.name}-submission.ipynb")
    files.write_atomically(target, notebook.notebook_text(notebook.strip_outputs(raw)))
    states = [*answer_states(found, master)]
    for mark, name, words in states:
        print(f"{mark} {name}   {words}")
    for note in found.notes:
        print(f"note: {note}")
    print(f"hand in: {files.path_text(target)}")
    return 1 if any(mark == LACKS for mark, *_ in states) else 0


def answer_states(found, master):
    """Yield (DONE, PARTLY or LACKS, name, words) about each answer that is asked for."""
    for part in found.parts:
        if not part.given:
            mark, words = state(part)
            yield mark, part.name, words + other_questions(part, master)
    for name in found.missing:
        yield LACKS, name, "its answer cell is missing"
    for name, _, text in found.written:
        yield (DONE, name, "written") if text.strip() else (LACKS, name, "nothing is written")


def state(part):
    """(DONE, PARTLY or LACKS, words) about an answer."""
    if not answers.parses(part.source):
        return LACKS, "is not Python; it will get no points"
    if markup.STUB[0] in part.source and markup.STUB[1] in part.source:
        return LACKS, f"still says {markup.STUB[0][2:]}"
    if missing := sorted(part.defines - markup.defined_names(part.source)):
        return PARTLY, f"answered; it does not define {', '.join(missing)}"
    return DONE, "answered"


def other_questions(part, master):
    """Which other questions are asked about the same cell, in words; nothing when none is."""
    found = [q for q, names in master.own.items() if part.name in names and q != part.question]
    return f"   (for {' and '.join(found)}, too)" if found else ""


# the student's folder ----------------------------------------------------------------------------


def desk(args):
    """The folder in which the student works: --to, else in my/ of the course."""
    return Path(args.to).resolve() if args.to else project.workspace() / args.name


def find_notebook(args):
    """The student's notebook. Raises an ArgumentError when it is not there."""
    default = project.workspace() / args.name / f"{args.name}.ipynb"
    path = Path(args.file) if args.file else default
    if not path.is_file():
        hint = f"minigrad start {args.name}, or name your notebook with --file"
        raise ArgumentError(f"there is no {files.path_text(path)}", hint=hint)
    return path


def read_own(name, path):
    """The JSON of the student's notebook. Raises where it is none, with how to get a fresh one."""
    hint = f"{notebook.HINT}, or begin again with: minigrad reset {name}"
    return notebook.read_notebook(path, hint=hint)


def copy_lacking(chosen, folder):
    """Copy what the student lacks and say so; returns the new paths."""
    if not chosen.notebook.is_file():
        message = f"{chosen.name} has no notebook for students yet"
        raise ArgumentError(message, hint=f"minigrad release {chosen.name}")
    folder.mkdir(parents=True, exist_ok=True)
    pairs = [(path, folder / path.name) for path in (chosen.notebook, chosen.checks)]
    new = [(path, copy) for path, copy in pairs if not copy.exists()]
    for path, copy in new:
        files.write_atomically(copy, path.read_text(encoding="utf-8"))
        print(f"new: {files.path_text(copy)}")
    return [copy for _, copy in new]


# the table of commands ---------------------------------------------------------------------------


class Command(NamedTuple):
    """What the command line asks a command for."""

    HELP: str
    arguments: Callable
    run: Callable
    NEEDS: tuple = ()


def with_to(parser):
    """Define the arguments of what lays out a folder."""
    parser.add_argument("name", help="assignment name, for example ps1")
    parser.add_argument("--to", metavar="FOLDER", help="folder for the copy (default: my/NAME)")


def with_file(parser):
    """Define the arguments of what reads a notebook."""
    parser.add_argument("name", help="assignment name, for example ps1")
    parser.add_argument(
        "--file", metavar="NOTEBOOK", help="your notebook (default: my/NAME/NAME.ipynb)"
    )


def with_checks(parser):
    """The same, the questions to check, and the sandbox."""
    with_file(parser)
    parser.add_argument(
        "question", nargs="*", default=[], help="check only these questions, for example q1"
    )
    sandbox.add_option(parser)


COMMANDS = {
    "start": Command(
        "copy an assignment to my/; your own files are never overwritten", with_to, start
    ),
    "check": Command(
        "run an assignment's visible checks on your notebook",
        with_checks,
        check_notebook,
        ("pytest",),
    ),
    "reset": Command(
        "replace your notebook with a fresh copy; the old one is kept beside it", with_to, reset
    ),
    "submit": Command(
        "write the notebook to hand in, and list the questions that it answers", with_file, submit
    ),
}
