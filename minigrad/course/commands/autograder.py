"""What the zip of `minigrad package ps1 --gradescope` runs: one submission in, results.json out.

The folder of the autograder holds `source/` (the zip), `submission/`, and `results/`. This process
is root's, and the submission's is not: containers forbid the namespaces that bubblewrap needs.
"""

import json
import os
import sys
from functools import partial
from pathlib import Path

from minigrad.course.commands import grade
from minigrad.course.files import write_atomically
from minigrad.course.gradebook import feedback, submissions
from minigrad.course.gradebook.platforms import Origin
from minigrad.course.grading import answers, assignment, sandbox
from minigrad.course.grading.report import CRASHED, MISSING, UNREADABLE, Report
from minigrad.course.grading.run import leave_folder
from minigrad.course.grading.worker import Setting

FAILED = "The autograder failed. Your instructor sees the reason; your submission is kept."


def main(words):
    """Grade what lies in the folder that is named; always writes results."""
    home = Path(words[0]).resolve()
    leave_folder()
    results = home / "results"
    results.mkdir(exist_ok=True)
    os.chmod(results, 0o700)  # before anything of the submission runs
    try:
        report = grade_submission(home)
    except Exception as error:
        report = Report(CRASHED, reason=submissions.fault(error))
    if report.reason:
        print(f"{report.status}: {report.reason}")  # for the instructor alone
    write_atomically(results / "results.json", json.dumps(as_results(report), indent=1) + "\n")
    return 0


def grade_submission(home):
    """The `Report` of the submission; what a busy machine may have spoilt is graded once more."""
    if problem := sandbox.user_works():
        return Report(CRASHED, reason=problem)
    chosen, source = packed_assignment(home), home / "source"
    master = assignment.key_master(chosen)
    setting = Setting("user", master.libraries)
    seed = (source / "seed.txt").read_text(encoding="utf-8").strip()
    with os.scandir(home) as inside:
        (folder,) = (thing for thing in inside if thing.name == "submission")
    has_work = partial(answers.has_work, master)
    handed_in = submissions.HandedIn(Origin("submission"), [folder])
    entry = submissions.look(handed_in, "submission", submissions.Wanted(chosen.name, has_work), ())
    how = entry, chosen, master, setting, seed, grade.grade_bytes
    report = grade.grade_entry(*how)
    if report.again:
        report = grade.once_more(report, partial(grade.grade_entry, *how))
    return report.complete((), None, entry.notes)


def packed_assignment(home):
    """The assignment that lies in `source/`."""
    folder = home / "source" / "assignments"
    (checks,) = folder.glob("*/checks.py")
    name = checks.parent.name
    return assignment.Assignment(name, checks.parent, folder / "instructor" / name)


def as_results(report):
    """Gradescope's results. Where nothing could be graded, 0 points and the reason, since the
    student reads it at once and hands in anew; where the grader failed, no points, which
    Gradescope shows as a failure."""
    found = feedback.gradescope(report)
    found["output"] = "\n".join(filter(None, [found["output"], *report.notes]))
    if report.status in (MISSING, UNREADABLE):
        found["score"] = 0
    elif not report.checks:
        found |= {"output": FAILED}
    return found | {"stdout_visibility": "hidden"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
