"""`minigrad mutants ps1`: whether the hidden checks tell wrong answers from right ones."""

from minigrad.course.grading import assignment

HELP = "instructor: grade the bank of known wrong and right answers"


def arguments(parser):
    """Define the command's arguments."""
    from minigrad.course.grading.sandbox import CHOICES

    parser.add_argument("name", help="the assignment, as ps1")
    parser.add_argument("--sandbox", choices=CHOICES, default="auto", help="default: auto")


def run(args):
    """Print a line per member of the bank; the exit status is 1 when one does not as it says."""
    from minigrad.course.grading import bank, sandbox
    from minigrad.course.grading.worker import Setting

    chosen = assignment.for_instructor(args.name)
    master = assignment.key_master(chosen)
    setting = Setting(sandbox.choose(args.sandbox), master.libraries)
    wrong = 0
    for member in bank.members(chosen):
        holds, lost, report = bank.verdict(member, chosen, master, setting)
        wrong += not holds
        outcome = ", ".join(f"loses {question}" for question in lost) or "full points"
        reason = "" if report.checks else f" ({report.status}: {report.reason})"
        print(
            f"{'✓' if holds else '✗'} {member.path.parent.name}/{member.path.name}: "
            f"{outcome}{reason}   {member.about.splitlines()[0]}",
            flush=True,
        )
    return 1 if wrong else 0
