"""`minigrad release ps1`: the students' notebook, made from the instructor's."""

from minigrad.course.grading import assignment, desk
from minigrad.course.lessons import lesson

HELP = "instructor: make an assignment's notebook from its solution"


def arguments(parser):
    """Define the command's arguments."""
    from minigrad.course.grading.sandbox import CHOICES

    parser.add_argument("name", help="the assignment, as ps1")
    parser.add_argument("--sandbox", choices=CHOICES, default="auto", help="default: auto")


def run(args):
    """Check the key and the blank notebook, then write; nothing is written otherwise."""
    from minigrad.course.grading import notebook, releasing, sandbox
    from minigrad.course.grading.worker import Setting

    chosen = assignment.for_instructor(args.name)
    made = releasing.released(chosen)
    setting = Setting(sandbox.choose(args.sandbox), assignment.key_master(chosen).libraries)
    for checks in (chosen.checks, chosen.hidden):
        releasing.refuse(releasing.objections(chosen, checks, made, setting), chosen)
    lesson.write(chosen.notebook, notebook.as_text(made))
    print(f"released: {desk.shown(chosen.notebook)} (the key has full points, the blank file none)")
    return 0
