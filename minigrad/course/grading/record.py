"""Reports on disk, each under a key of all that it depends on: grading goes on where it stopped.

A key is made of the student, the bytes handed in, the checks, the key notebook, the settings and
the grader's own code. What has changed has another key, so nothing old appears under a new name.
"""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from minigrad.course.grading import assignment, report
from minigrad.course.lessons import lesson

HERE = Path(__file__).parent


def conditions(chosen, master, setting, seed):
    """A name for all that every report of a batch depends on."""
    data = [asdict(master), setting, seed]
    made = hashlib.sha256(json.dumps(data, default=sorted).encode())
    for path in (chosen.hidden, *sorted(HERE.rglob("*.py"))):
        made.update(path.read_bytes())
    return made.hexdigest()


def keys(handed_in, chosen, setting, seed):
    """{student: the name of the student's report}."""
    common = conditions(chosen, assignment.key_master(chosen), setting, seed)
    return {entry.student: key(entry, common) for entry in handed_in}


def key(entry, common):
    """The name of one student's report."""
    name = entry.path.name if entry.path else ""
    data = [entry.student, name, entry.digest, common]
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()


class Record:
    """The reports in `folder`, and those of finished grades in the folders `older`."""

    def __init__(self, folder, older=()):
        self.folder, self.older = folder, older

    def get(self, key):
        """The `Report` of a key, or None; a file that was cut short counts as none."""
        for folder in (self.folder, *self.older):
            try:
                return report.from_data(json.loads((folder / f"{key}.json").read_bytes()))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return None

    def put(self, key, found):
        """Keep a report, unless grading itself failed: then the next run tries again."""
        if found.checks or found.status != report.CRASHED:
            self.folder.mkdir(parents=True, exist_ok=True)
            lesson.write(self.folder / f"{key}.json", as_text(found))


def as_text(found):
    """The one text of a report."""
    return json.dumps(found.as_data(), indent=1, sort_keys=True) + "\n"
