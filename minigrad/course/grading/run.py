"""Running checks on a submission: `Job` in, `Report` out, whatever happens in between."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from minigrad.course.grading import report
from minigrad.course.grading.assignment import Master
from minigrad.course.grading.report import CRASHED, Report
from minigrad.course.grading.worker import Setting

PACKAGE_PARENT = str(Path(__file__).resolve().parents[3])
SPARE_SECONDS = 60


@dataclass(frozen=True)
class Job:
    """The checks to run, on which parts, for which questions of `master`, in which setting."""

    checks: Path
    parts: tuple
    master: Master
    questions: tuple
    setting: Setting
    notes: tuple = ()
    seed: str = "minigrad"

    def as_data(self):
        """Plain data, for the process that runs the job."""
        parts = [{**asdict(part), "defines": sorted(part.defines)} for part in self.parts]
        setting = {**self.setting._asdict(), "limits": self.setting.limits._asdict()}
        return {
            "checks": str(self.checks),
            "parts": parts,
            "setting": setting,
            "runs": self.master.runs,
            "own": self.master.own,
            "questions": list(self.questions),
            "seed": self.seed,
        }


def run(job):
    """The `Report` of `job`, run in a process of its own: whatever becomes of that process,
    the caller goes on. Its status is CRASHED when the process does not deliver a report."""
    seconds = len(job.questions) * job.setting.limits.question_seconds + SPARE_SECONDS
    command = [sys.executable, "-m", "minigrad.course.grading.session"]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(job.as_data()).encode(),
            timeout=seconds,
            env=environment(),
            capture_output=True,
            check=False,
        )
        found = report.from_data(json.loads(done.stdout))
    except subprocess.TimeoutExpired:
        return Report(CRASHED, reason=f"grading took longer than {seconds:g} seconds")
    except (ValueError, KeyError, TypeError):
        said = done.stderr.decode(errors="replace").strip()[-500:]
        return Report(
            CRASHED, reason=f"the grading process failed (status {done.returncode}) {said}"
        )
    return report.Report(found.status, found.checks, found.reason, job.notes, found.lacking)


def environment():
    """The environment of a grading process: this one's, with this package importable."""
    found = dict(os.environ)
    paths = [PACKAGE_PARENT, *filter(None, [found.get("PYTHONPATH")])]
    found |= {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"}
    found |= {"PYTHONDONTWRITEBYTECODE": "1"}  # no __pycache__ beside the checks
    return found
