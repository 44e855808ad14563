"""`minigrad check ps1`: the visible checks on the saved notebook."""

from minigrad.course.grading import assignment, desk
from minigrad.errors import ArgumentError

HELP = "run the visible checks of an assignment on your notebook"


def arguments(parser):
    """Define the command's arguments."""
    from minigrad.course.grading.sandbox import CHOICES

    parser.add_argument("name", help="the assignment, as ps1")
    parser.add_argument("question", nargs="*", help="only these questions, as q1")
    parser.add_argument("--file", metavar="NOTEBOOK", help="default: my/NAME/NAME.ipynb")
    parser.add_argument("--sandbox", choices=CHOICES, default="auto", help="default: auto")


def run(args):
    """Print the report; the exit status is 0 when every check passed."""
    from minigrad.course.grading import answers, notebook, report, run, sandbox
    from minigrad.course.grading.worker import Setting

    chosen = assignment.find(args.name)
    path = desk.started(args.name, args.file)
    master = assignment.released_master(chosen)
    questions = tuple(known(args.question, master))
    found = answers.extract(master, notebook.read(path))  # raises what a process could only report
    written = {name: bool(text.strip()) for name, _, text in found.written}
    setting = Setting(sandbox.choose(args.sandbox), master.libraries)
    job = run.Job(chosen.checks, master, setting, path, questions=questions)
    found = run.run(job)
    if not found.checks:
        raise ArgumentError(f"{desk.shown(path)} cannot be checked: {found.reason}")
    print(f"{args.name} · {desk.shown(path)} · as it was saved")
    print(report.as_text(found))
    earned, possible = report.number(found.earned()), report.number(found.possible())
    print(
        f"{earned} of {possible} points by the visible checks; the grade comes from others, "
        "with other numbers"
    )
    for question, points in master.written.items():
        blank = "" if written[question] else "; nothing is written yet"
        print(f"{question} is graded by hand: {report.number(points)} points{blank}")
    return 0 if found.earned() == found.possible() else 1


def known(questions, master):
    """The questions asked for. Raises an ArgumentError for one that the assignment lacks."""
    for question in questions:
        if question not in master.points:
            listing = ", ".join(master.questions)
            raise ArgumentError(f"there is no question '{question}'", mend=f"one of: {listing}")
    return questions
