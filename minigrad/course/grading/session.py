"""One submission in a process of its own: a `Job` comes in, a report goes back as JSON.

Whatever the submission does to the process that reads it, the batch goes on without it.
"""

import contextlib
import dataclasses
import json
import os
import pickle
import signal
import sys

from minigrad.course.grading import answers, notebook, orphans, plugin
from minigrad.course.grading.bench import Bench
from minigrad.course.grading.inside import limits
from minigrad.course.grading.report import BY_HAND, CRASHED, GRADED, LOST, UNREADABLE, Report
from minigrad.course.grading.worker import Lost

MEMORY, SECONDS = 2 * 2**30, 60  # address space, processor time


def main():
    """Read the job, run it, write the report where nothing else may write."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    orphans.adopt()
    bound()
    found = report_of_job(pickle.load(sys.stdin.buffer))  # from the process that holds the checks
    with channel:
        json.dump(found.as_data(), channel)


def bound():
    """Limit this process too, so that what a submission makes it read ends with the submission."""
    limits.cap("RLIMIT_AS", MEMORY)
    if limits.resource is not None:
        signal.signal(signal.SIGXCPU, overrun)
        limits.cap("RLIMIT_CPU", 2 * SECONDS)
        warn_after(SECONDS)


def warn_after(seconds):
    """Have the system call `overrun` after so much processor time."""
    hard = limits.resource.getrlimit(limits.resource.RLIMIT_CPU)[1]
    limits.resource.setrlimit(limits.resource.RLIMIT_CPU, (min(seconds, hard), hard))


def overrun(*_):
    """Give up the check that is running; the system ends the process if there is another one."""
    warn_after(2 * SECONDS)
    raise Lost("forged", "an answer came that takes too long to work with")


def report_of_job(job):
    """The `Report` of a `Job`."""
    try:
        raw = notebook.read_notebook(job.path) if job.raw is None else job.raw
        submission = answers.extract(job.master, raw)
    except notebook.Unreadable as error:
        return Report(UNREADABLE, reason=f"{error.fact}; {error.mend}")
    bench = Bench(submission.parts, job.master.runs, job.master.own, job.setting)
    checks = plugin.Plugin(bench, job.asked, job.seed)
    options = ["--exitfirst"] * job.brief + ["--collect-only"] * job.load_only
    with contextlib.redirect_stdout(sys.stderr):
        fault = plugin.run_checks(job.checks, checks, options)
    written = submission.written if job.by_hand else ()
    found = report_of_run(checks, fault, bench.lacking, submission.notes, written)
    return dataclasses.replace(found, doubtful=bench.doubtful)


def report_of_run(checks, fault, lacking=(), notes=(), written=()):
    """The `Report` of a plugin that has run: CRASHED when a score is not known."""
    beside = (tuple(notes), tuple(sorted(lacking)))
    if fault:
        return Report(CRASHED, (), fault, *beside)
    lost = [f"{c.question}: {c.message}" for c in checks.checks if c.outcome in LOST]
    status = CRASHED if lost else BY_HAND if written else GRADED
    reason = "; ".join(dict.fromkeys(lost))
    return Report(status, tuple(checks.checks), reason, *beside, tuple(written))
