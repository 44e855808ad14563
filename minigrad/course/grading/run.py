"""Running checks on a submission: `Job` in, `Report` out, whatever happens in between."""

import json
import os
import pickle
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from minigrad.course.grading import orphans, report
from minigrad.course.grading.assignment import Master
from minigrad.course.grading.meter import PATIENCE
from minigrad.course.grading.process import ONE_THREAD
from minigrad.course.grading.report import CRASHED, Report
from minigrad.course.grading.worker import Setting

PACKAGE_PARENT = str(Path(__file__).resolve().parents[3])
COMMAND = [sys.executable, "-P", str(Path(__file__).with_name("apart.py"))]
SPARE_SECONDS = 60


@dataclass(frozen=True)
class Job:
    """The notebook at `path` (or `raw`, its JSON), the checks to run on it, and how.
    No `questions` are all of them; `brief` stops at the first check that fails; `by_hand` asks for
    the questions without checks too; `load_only` runs no check."""

    checks: Path
    master: Master
    setting: Setting
    path: Path | None = None
    raw: dict | None = None
    questions: tuple = ()
    seed: str = "minigrad"
    brief: bool = False
    by_hand: bool = False
    load_only: bool = False

    @property
    def asked(self):
        """The questions to check."""
        return self.questions or self.master.questions

    def seconds(self):
        """How long the job may take by the clock."""
        limits, names = self.setting.limits, self.asked
        calls = sum(len(self.master.runs[name]) for name in names) * limits.call_seconds
        return PATIENCE * (calls + len(names) * limits.question_seconds) + SPARE_SECONDS


def run_job(job):
    """The `Report` of `job`, run in a process of its own. Its status is CRASHED when that
    process does not deliver a report."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(COMMAND, env=environment(), **pipes) as process:
        try:
            said, complaint = process.communicate(pickle.dumps(job), job.seconds())
            return report.from_data(json.loads(said))
        except subprocess.TimeoutExpired:
            reason = f"grading took longer than {job.seconds():g} seconds"
        except (ValueError, KeyError, TypeError):
            words = complaint.decode(errors="replace").strip()[-500:]
            reason = f"the grading process failed (status {process.returncode}) {words}"
        finally:
            orphans.end_family(process)
    orphans.sweep()
    return Report(CRASHED, reason=reason.strip(), doubtful=True)


def map_in_order(pool, function, tasks):
    """function(*task) for each of `tasks`, in order, by a pool; after an error no other begins."""
    futures = [pool.submit(function, *task) for task in tasks]
    try:
        for future in futures:
            yield future.result()
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise


def environment():
    """The environment of a grading process: this one's, with this package importable, and no
    import from whatever folder the command was given in."""
    found = dict(os.environ)
    paths = [PACKAGE_PARENT, *found.get("PYTHONPATH", "").split(os.pathsep)]
    found |= {"PYTHONPATH": os.pathsep.join(filter(os.path.isabs, paths)), "PYTHONUTF8": "1"}
    found |= {"PYTHONDONTWRITEBYTECODE": "1"}  # no __pycache__ beside the checks
    return found | ONE_THREAD  # one for each of many cores would need more memory


def leave_folder():
    """Import nothing more from the folder in which the command was given."""
    here = os.path.realpath(os.curdir)
    sys.path[:] = [path for path in sys.path if path and os.path.realpath(path) != here]
