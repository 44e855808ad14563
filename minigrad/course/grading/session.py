"""Jobs, each in a process of its own, a fork of this one: a report for each goes back as JSON.

The checks are loaded before, and no process has seen another job. Whatever a submission does to
the process that reads it, the batch goes on without it.
"""

import contextlib
import dataclasses
import gc
import json
import os
import pickle
import select
import signal
import sys
import time

from minigrad.course.grading import answers, groups, notebook, orphans, plugin
from minigrad.course.grading.bench import Bench
from minigrad.course.grading.inside import limits
from minigrad.course.grading.report import CRASHED, UNREADABLE, Code, Report, status_of_checks
from minigrad.course.grading.worker import Lost

MEMORY, SECONDS = 2 * 2**30, 60  # address space, processor time
OPTIONS = ("--capture=no",)
PARENT_SECONDS = 2  # a process that is killed closes its channels a moment before it is gone


def main():
    """Grade the jobs that come on standard input, by the checks whose path comes first, with the
    run's folder and process. A line with its report goes back for each, then one with an exit
    status."""
    orphans.adopt()
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    checks, *run = pickle.load(requests)  # from the process that holds the checks
    with contextlib.redirect_stdout(sys.stderr):
        found = Grading(lambda: next_job(requests, replies, run), run[0].token).report(checks)
    print(json.dumps(found.as_data()), file=replies, flush=True)
    os._exit(0)


def next_job(requests, replies, run):
    """The next job, in a process made for it; this process ends when no other comes."""
    while True:
        if (job := next_message(requests, run)) is None:
            os._exit(0)
        if not orphans.LINUX or is_fork(requests, replies, run):
            limit_this_process()
            return job


def next_message(requests, run):
    """The next job, or None for the end. Where no end was announced, the run may be killed."""
    try:
        return pickle.load(requests)
    except EOFError:
        return clear_after(*run)


def clear_after(folder, parent):
    """Remove the run's folder and groups if the process that would do it, `parent`, was killed."""
    until = time.monotonic() + PARENT_SECONDS
    while orphans.LINUX and folder.is_mine() and time.monotonic() < until:
        if os.getppid() != parent:
            folder.remove()
            groups.clear_run(folder.token)
        time.sleep(0.02)


def is_fork(requests, replies, run):
    """Whether this is a new process. The old one goes on once that has ended with all that it has
    started, and says by which exit status; or ends, too, when nobody waits for it any more."""
    reading, writing = os.pipe()  # closed when the new process ends
    gc.freeze()  # or the first collection there would copy all memory
    if (number := os.fork()) == 0:
        requests.close()
        orphans.adopt()
        orphans.end_with_parent()
        return True
    os.close(writing)
    if requests in select.select([requests, reading], [], [])[0]:
        orphans.end_children()
        next_message(requests, run)
        os._exit(1)
    os.close(reading)
    status = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
    orphans.end_children()
    print(f"\n{status}", file=replies, flush=True)
    return False


def limit_this_process():
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


class Grading:
    """One job, which `wait` returns once its checks are loaded, or could not be. It belongs to the
    run with this `token`."""

    def __init__(self, wait, token):
        self.wait, self.token, self.job, self.submission, self.reason = wait, token, *[None] * 3

    def prepare(self, run):
        """Lay the submission before the checks; False when there is none to run them on."""
        job = self.job = self.wait()
        try:
            raw = notebook.read_notebook(job.path, job.data) if job.raw is None else job.raw
            found = self.submission = answers.extract(job.master, raw)
        except notebook.Unreadable as error:
            self.reason = f"{error.message}; {error.hint}"
            return False
        run.bench = Bench(found.parts, job.master.runs, job.master.own, job.setting, self.token)
        run.only, run.seed, run.brief = job.asked, job.seed, job.brief
        return not job.load_only

    def report(self, checks):
        """The `Report` by a file of checks."""
        run = plugin.Plugin(prepare=self.prepare)
        fault = plugin.run_checks(checks, run, OPTIONS)
        if self.reason:
            return Report(UNREADABLE, reason=self.reason)
        if run.bench is None:
            return Report(CRASHED, reason=fault, doubtful=True)
        written = self.submission.written if self.job.by_hand else ()
        found = report_of_run(run, fault, run.bench.lacking, self.submission.notes, written)
        codes = tuple(map(self.read_code, found.lost_questions())) if self.job.by_hand else ()
        return dataclasses.replace(found, doubtful=run.bench.doubtful, codes=codes)

    def read_code(self, question):
        """The `Code` of a question: the student's cells that answer it."""
        names = self.job.master.own[question]
        own = [part.source for part in self.submission.parts if part.name in names]
        return Code(question, "\n\n".join(own))


def report_of_run(checks, fault, lacking=(), notes=(), written=()):
    """The `Report` of a plugin that has run: CRASHED when a score is not known."""
    beside = (tuple(notes), tuple(sorted(lacking)))
    if fault:
        return Report(CRASHED, (), fault, *beside)
    status, reason = status_of_checks(checks.checks, written)
    return Report(status, tuple(checks.checks), reason, *beside, tuple(written))
