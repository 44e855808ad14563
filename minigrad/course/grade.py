"""`minigrad grade ps1 submissions/`: a whole batch, each submission apart from all others."""

import os
from pathlib import Path

from minigrad.course.grading import assignment, desk
from minigrad.errors import ArgumentError

HELP = "instructor: grade a folder of submissions"


def arguments(parser):
    """Define the command's arguments."""
    from minigrad.course.grading.sandbox import CHOICES

    parser.add_argument("name", help="the assignment, as ps1")
    parser.add_argument("submissions", help="STUDENT.ipynb files, or a folder for each student")
    parser.add_argument("--out", default="grades", help="the folder to write (default: grades/)")
    parser.add_argument("--replace", action="store_true", help="replace the grades that are there")
    parser.add_argument("--roster", help="a text file with a student's name per line")
    parser.add_argument("--sandbox", choices=CHOICES, default="auto", help="default: auto")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="default: all cores")
    parser.add_argument("--seed", default="minigrad", help="of the random inputs of the checks")


def run(args):
    """Grade, then write all files at once; the exit status is 1 when a score is not known."""
    from minigrad.course.grading import gradebook, sandbox, submissions
    from minigrad.course.grading.worker import Setting

    chosen = assignment.for_instructor(args.name)
    master = assignment.key_master(chosen)
    out = gradebook.prepared(args.out, args.replace)
    handed_in = submissions.entries(args.submissions, args.name, roster(args.roster))
    kind = sandbox.choose(args.sandbox)
    print(sandbox.warning(kind) or "Sandbox: bubblewrap.", flush=True)
    setting = Setting(kind, master.libraries)
    results = graded(handed_in, chosen, setting, args.jobs, args.seed)
    gradebook.write(out, args.name, master.questions, results)
    return summary(results, out)


def graded(handed_in, chosen, setting, jobs, seed):
    """(student, report) of each entry, in their order, with a progress bar."""
    from concurrent.futures import ThreadPoolExecutor

    from tqdm import tqdm

    master = assignment.key_master(chosen)
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        tasks = [pool.submit(mark, entry, chosen, master, setting, seed) for entry in handed_in]
        try:
            reports = [task.result() for task in tqdm(tasks, desc=chosen.name, unit="student")]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [(entry.student, report) for entry, report in zip(handed_in, reports, strict=True)]


def mark(entry, chosen, master, setting, seed):
    """The `Report` of one student's entry by the hidden checks; no entry stops another."""
    from minigrad.course.grading.report import CRASHED, MISSING, Report
    from minigrad.course.grading.run import Job
    from minigrad.course.grading.run import run as run_job

    if entry.path is None:
        return Report(MISSING, reason=entry.reason)
    try:
        return run_job(Job(chosen.hidden, master, setting, entry.path, seed=seed))
    except Exception as error:
        return Report(CRASHED, reason=f"the grader failed: {type(error).__name__}: {error}")


def summary(results, out):
    """Print how many have which status, and who needs a look."""
    from minigrad.course.grading.report import GRADED

    statuses = [report.status for _, report in results]
    counts = [f"{statuses.count(status)} {status}" for status in sorted(set(statuses))]
    print(f"{desk.shown(out)}/grades.csv: {', '.join(counts)}")
    for student, report in results:
        if report.status != GRADED:
            print(f"  {student}: {report.status}: {report.reason.splitlines()[0]}")
    lacking = sorted({name for _, report in results for name in report.lacking})
    if lacking:
        print(f"This system could not limit: {', '.join(lacking)}.")
    return 0 if set(statuses) == {GRADED} else 1


def roster(path):
    """The names in a roster file; none without one."""
    if path is None:
        return []
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        fact = f"the roster {path} cannot be read: {error.strerror}"
        raise ArgumentError(fact, mend="name a text file with one student per line") from error
    return [line.strip() for line in lines if line.strip()]
