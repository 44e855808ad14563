"""`minigrad mutants ps1`: whether the hidden checks tell wrong answers from right ones."""

import os

from minigrad.course.grading import assignment, sandbox
from minigrad.course.grading.worker import Setting

HELP = "grade the bank of known wrong and right answers, to test the checks"
NEEDS = ("pytest", "tqdm")
WORTH = "so its checks are untested"


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("name", help="assignment name, for example ps1")
    sandbox.add_option(parser)
    faults = "also try automatic mutations of the key"
    parser.add_argument("--automatic", action="store_true", help=faults)
    parser.add_argument(
        "--question", metavar="q1", help="try only the wrong answers to this question"
    )
    told = "print the feedback that each wrong answer receives"
    parser.add_argument("--says", action="store_true", help=told)
    parser.add_argument("--sample", type=int, metavar="N", help="try only N automatic mutations")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="number of parallel jobs (default: all cores)",
    )


def run(args):
    """Print what the checks say; the exit status is 1 when they miss something."""
    chosen = assignment.for_instructor(args.name)
    libraries = assignment.key_master(chosen).libraries
    setting = Setting(sandbox.choose(args.sandbox), libraries)
    if args.automatic:
        return check_faults(chosen, setting, args.sample, args.jobs)
    return check_bank(chosen, setting, args.jobs, args.question, args.says)


def check_bank(chosen, setting, jobs, question=None, says=False):
    """A line per member of the bank and per question without a wrong one; 1 when there is such a
    question, or a member does not do as it says. Of one `question` alone, its wrong answers; `says`
    adds what their students read."""
    from minigrad.course.proving import bank

    members, wrong = bank.members(chosen), 0
    members = [one for one in members if question in (None, one.loses)]
    if not members:
        print(f"✗ the bank of {chosen.name} is empty, {WORTH}")
        return 1
    verdicts = bank.verdicts(members, chosen, setting, jobs)
    for member, (holds, lost, report) in zip(members, verdicts, strict=True):
        wrong += not holds
        print(member_line(member, holds, lost, report), flush=True)
        print("".join(what_is_read(report)) if says else "", end="", flush=True)
    promised = {member.loses for member in members}
    promised |= {*assignment.key_master(chosen).points} if question else set()
    untested = [name for name in assignment.key_master(chosen).points if name not in promised]
    for name in untested:
        print(f"✗ {name}: no answer in bank/{name}.py loses it, {WORTH}")
    return 1 if wrong or untested else 0


def member_line(member, holds, lost, report):
    """What is printed about one member of the bank."""
    outcome = ", ".join(f"loses {question}" for question in lost) or "full points"
    outcome += "" if report.checks else f" ({report.status}: {report.reason})"
    name = f"{member.place} {member.name}"
    return f"{'✓' if holds else '✗'} {name}: {outcome}   {member.about}"


def what_is_read(report):
    """The lines about each failed check on the page of a student; → marks what to fix first."""
    from minigrad.course.gradebook import feedback

    first = feedback.first_to_fix(report)
    for check in report.checks:
        if not check.passed:
            text = "; ".join(filter(None, (*check.brief.splitlines(), check.advice)))
            yield f"    {'→' if check is first else ' '} {check.title}: {text}\n"


def check_faults(chosen, setting, sample, jobs):
    """The faults that no check notices and nobody has explained, and explanations of none."""
    from tqdm import tqdm

    from minigrad.course.proving import bank

    tried = bank.trials(chosen, sample)
    reasons, found = bank.read_explanations(chosen), bank.outcomes(chosen, setting, tried, jobs)
    bar = tqdm(found, total=len(tried), desc=chosen.name, unit="fault", disable=None)
    seen = {trial.name: notice for trial, notice in bar}
    survived = [name for name, notice in seen.items() if notice is None]
    unexplained = [name for name in survived if name not in reasons]
    needless = [name for name in reasons if seen.get(name) is not None]
    if sample is None:
        needless += [name for name in reasons if name not in seen]
    explained = len(survived) - len(unexplained)
    print(f"{len(seen)} faults, {len(seen) - len(survived)} noticed, ", end="")
    print(f"{explained} explained in equivalent.txt")
    for name in unexplained:
        print(f"✗ not noticed: {name}")
    for name in needless:
        print(f"✗ explained, but {seen.get(name) or 'it is not a fault of the key'}: {name}")
    return 1 if unexplained or needless else 0
