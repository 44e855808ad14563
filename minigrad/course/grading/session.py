"""One submission in a process of its own: a job comes as JSON, a report goes back as JSON."""

import contextlib
import dataclasses
import json
import os
import sys

from minigrad.course.grading import orphans, plugin, report
from minigrad.course.grading.assignment import Part
from minigrad.course.grading.bench import Bench
from minigrad.course.grading.worker import Limits, Setting


def main():
    """Read the job, run it, write the report where nothing else may write."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    orphans.adopt()
    job = json.load(sys.stdin)
    found = run(job)
    with channel:
        json.dump(found.as_data(), channel)


def run(job):
    """The `Report` of a job."""
    setting = job["setting"]
    bench = Bench(
        [Part(**part) for part in job["parts"]],
        job["runs"],
        job["own"],
        Setting(setting["sandbox"], tuple(setting["libraries"]), Limits(**setting["limits"])),
    )
    checks = plugin.Plugin(bench, job["questions"], job["seed"])
    with contextlib.redirect_stdout(sys.stderr):
        fault = plugin.run(job["checks"], checks)
    return result(checks, fault, bench.lacking)


def result(checks, fault, lacking=(), notes=()):
    """The `Report` of a plugin that has run: CRASHED when a score is not known."""
    found = report.Report(
        report.GRADED, tuple(checks.checks), fault or "", tuple(notes), tuple(sorted(lacking))
    )
    if fault:
        return dataclasses.replace(found, status=report.CRASHED, checks=())
    lost = [check for check in found.checks if check.outcome in report.LOST]
    if lost:
        reason = "; ".join(dict.fromkeys(f"{c.question}: {c.message}" for c in lost))
        return dataclasses.replace(found, status=report.CRASHED, reason=reason)
    return found


if __name__ == "__main__":
    main()
