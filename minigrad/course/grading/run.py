"""Running checks on a submission: `Job` in, `Report` out, whatever happens in between."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from minigrad.course.grading import report
from minigrad.course.grading.assignment import Master
from minigrad.course.grading.meter import PATIENCE
from minigrad.course.grading.report import CRASHED, Report
from minigrad.course.grading.worker import Setting

PACKAGE_PARENT = str(Path(__file__).resolve().parents[3])
SPARE_SECONDS = 60


@dataclass(frozen=True)
class Job:
    """The notebook at `path` (or `raw`, its JSON), the checks to run on it, and how.
    No `questions` are all of them; `brief` stops at the first check that fails;
    `by_hand` asks for the questions without checks too."""

    checks: Path
    master: Master
    setting: Setting
    path: Path | None = None
    raw: dict | None = None
    questions: tuple = ()
    seed: str = "minigrad"
    brief: bool = False
    by_hand: bool = False

    def as_data(self):
        """Plain data, for the process that runs the job."""
        return {
            "checks": str(self.checks),
            "master": self.master.as_data(),
            "sandbox": self.setting.sandbox,
            "libraries": self.setting.libraries,
            "limits": self.setting.limits._asdict(),
            "path": str(self.path),
            "raw": self.raw,
            "questions": self.questions or self.master.questions,
            "seed": self.seed,
            "brief": self.brief,
            "by_hand": self.by_hand,
        }

    def seconds(self):
        """How long the job may take by the clock."""
        limits, names = self.setting.limits, self.questions or self.master.questions
        calls = sum(len(self.master.runs[name]) for name in names) * limits.call_seconds
        return PATIENCE * (calls + len(names) * limits.question_seconds) + SPARE_SECONDS


def run(job):
    """The `Report` of `job`, run in a process of its own. Its status is CRASHED when that
    process does not deliver a report."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "minigrad.course.grading.session"],
            input=json.dumps(job.as_data()).encode(),
            timeout=job.seconds(),
            env=environment(),
            capture_output=True,
            check=False,
        )
        return report.from_data(json.loads(done.stdout))
    except subprocess.TimeoutExpired:
        return Report(CRASHED, reason=f"grading took longer than {job.seconds():g} seconds")
    except (ValueError, KeyError, TypeError):
        said = done.stderr.decode(errors="replace").strip()[-500:]
        reason = f"the grading process failed (status {done.returncode}) {said}"
        return Report(CRASHED, reason=reason.strip())


def environment():
    """The environment of a grading process: this one's, with this package importable."""
    found = dict(os.environ)
    paths = [PACKAGE_PARENT, *filter(None, [found.get("PYTHONPATH")])]
    found |= {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"}
    found |= {"PYTHONDONTWRITEBYTECODE": "1"}  # no __pycache__ beside the checks
    return found
