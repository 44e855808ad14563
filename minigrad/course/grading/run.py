"""Running checks on a submission: `Job` in, `Report` out, whatever happens in between."""

import contextlib
import itertools
import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from minigrad.course.grading import groups, report, scratch
from minigrad.course.grading.assignment import Master
from minigrad.course.grading.meter import PATIENCE
from minigrad.course.grading.process import ONE_THREAD
from minigrad.course.grading.report import CRASHED, Report
from minigrad.course.grading.worker import Setting

PACKAGE_PARENT = str(Path(__file__).resolve().parents[3])
COMMAND = [sys.executable, "-P", str(Path(__file__).with_name("apart.py"))]
STATUS = re.compile(rb"-?\d+\n")
SPARE_SECONDS = 60
END_SECONDS = 20


@dataclass(frozen=True)
class Job:
    """The notebook at `path` (or `data`, its bytes under that name, or `raw`, its JSON), the checks
    to run on it, and how.
    No `questions` are all of them; `brief` stops at the first check that fails; `by_hand` asks for
    the questions without checks too; `load_only` runs no check."""

    checks: Path
    master: Master
    setting: Setting
    path: Path | None = None
    data: bytes | None = None
    raw: dict | None = None
    questions: tuple = ()
    seed: str = "minigrad"
    brief: bool = False
    by_hand: bool = False
    load_only: bool = False

    @property
    def asked(self):
        """The questions to check."""
        return self.questions or tuple(self.master.points)

    def seconds(self):
        """How long the job may take by the clock."""
        limits, names = self.setting.limits, self.asked
        calls = sum(len(self.master.runs[name]) for name in names) * limits.call_seconds
        loading = min(calls, limits.loading_seconds)
        return PATIENCE * (loading + len(names) * limits.question_seconds) + SPARE_SECONDS


class Graders:
    """Processes that grade, each by one file of checks, which it loads once; lent to one job at a
    time, and ended with this context. What they leave on the disk lies in `folder`."""

    def __init__(self):
        self.idle, self.stack = {}, contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.folder = stack.enter_context(scratch.run_folder())
            stack.enter_context(groups.groups_wanted(self.folder.token))
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *error):
        for grader in itertools.chain(*self.idle.values()):
            grader.close()
        self.stack.close()

    def run(self, job):
        """The `Report` of `job`. Its status is CRASHED when none is delivered."""
        idle = self.idle.setdefault(job.checks, [])
        try:
            grader = idle.pop()
        except IndexError:
            grader = Grader(job.checks, self.folder)
        found = grader.run(job)
        if grader.lasts:
            idle.append(grader)
        else:
            grader.close()
        return found


class Grader:
    """One of these processes. `lasts` says whether it can be given another job."""

    def __init__(self, checks, folder):
        self.complaints, self.lasts = tempfile.TemporaryFile(), False  # noqa: SIM115
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.complaints}
        self.process = subprocess.Popen(COMMAND, env=environment(folder), **pipes)
        pickle.dump((checks, folder, os.getpid()), self.process.stdin)

    def run(self, job):
        """The `Report` of a job, CRASHED when none comes in the job's time."""
        begun, seconds = time.monotonic(), job.seconds()
        timer = threading.Timer(seconds, self.close)
        timer.daemon = True
        timer.start()
        said = status = b""
        try:
            with contextlib.suppress(BrokenPipeError):
                pickle.dump(job, self.process.stdin)
                self.process.stdin.flush()
            while not status and (line := self.process.stdout.readline()):
                said, status = (said, line) if STATUS.fullmatch(line) else (said + line, b"")
        finally:
            timer.cancel()
        # what has run without a sandbox may have changed even this process
        self.lasts = bool(status) and job.setting.sandbox != "none"
        try:
            return report.from_data(json.loads(said))
        except (ValueError, KeyError, TypeError):
            code = status.decode().strip() or self.process.wait()
        self.complaints.seek(0)
        words = self.complaints.read()[-500:].decode(errors="replace")
        reason = f"the grading process failed (status {code}) {words}"
        if time.monotonic() - begun > seconds:
            reason = f"grading took longer than {seconds:g} seconds"
        return Report(CRASHED, reason=reason.strip(), doubtful=True)

    def close(self):
        """End the process with all that it has started, whether it waits for a job or does one."""
        with contextlib.suppress(OSError, ValueError):  # it is gone, or was told before
            pickle.dump(None, self.process.stdin)
            self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(END_SECONDS)
        self.process.kill()


def run_job(job):
    """The `Report` of one job alone."""
    with Graders() as graders:
        return graders.run(job)


def environment(folder):
    """The environment of a grading process: this one's, with this package importable, no import
    from whatever folder the command was given in, and its temporary files in the run's `folder`."""
    found = dict(os.environ)
    paths = [PACKAGE_PARENT, *found.get("PYTHONPATH", "").split(os.pathsep)]
    found |= {"PYTHONPATH": os.pathsep.join(filter(os.path.isabs, paths)), "PYTHONUTF8": "1"}
    found |= {"PYTHONDONTWRITEBYTECODE": "1"}  # no __pycache__ beside the checks
    found |= {"TMPDIR": folder.path}
    return found | ONE_THREAD  # one for each of many cores would need more memory


def leave_folder():
    """Import nothing more from the folder in which the command was given."""
    here = os.path.realpath(os.curdir)
    sys.path[:] = [path for path in sys.path if path and os.path.realpath(path) != here]
