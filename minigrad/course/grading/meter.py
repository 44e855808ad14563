"""The time that a worker has had: processor time where Linux tells it, so that load costs nobody
an answer; else the time of the clock."""

import contextlib
import os
import time
from pathlib import Path

from minigrad.course.grading.groups import seconds_used

PATIENCE = 5  # seconds of the clock that count as one of processor time
IDLE_SECONDS = 0.05
BUSY_STATES = "RD"  # runs or waits for a processor; waits for a disk
WAITED = 1  # in /proc/N/schedstat: nanoseconds it wanted to run and another ran
PARENT, TIMES = 1, slice(11, 15)  # in /proc/N/stat; its own times, then of children that ended


class Meter:
    """Counts the time of the process `pid` and all its descendants, or of all that its `group` has
    held, from now on. `tells` says whether this system knows processor time, which a busy machine
    does not change. In `uncounted_seconds` of the clock nobody waited for the process; in
    `idle_seconds`, as far as the system tells them, it neither ran nor wanted to. An `is_client`
    stands for a process that is not seen, as that of a container: its own sleep says nothing."""

    def __init__(self, pid, group=None, is_client=False):
        self.pid, self.begun, self.cpu_seconds, self.wait_seconds = pid, time.monotonic(), 0.0, 0.0
        self.is_client = is_client
        self.group, self.uncounted_seconds, self.idle_seconds = group, 0.0, 0.0
        self.sleeps, self.tells = False, os.path.isdir("/proc/self/task")

    def look(self):
        """The seconds that count so far. Afterwards `sleeps` says whether nothing runs or wants to
        run, and nothing has run since the last look: then only the clock goes on."""
        clock, before = time.monotonic() - self.begun - self.uncounted_seconds, self.cpu_seconds
        if not self.tells:
            return clock
        family = descendants(self.pid)
        used = seconds_used(self.group) if self.group else 0
        self.cpu_seconds = max(before, used or sum(map(processor_seconds, family.values())))
        self.wait_seconds = max([self.wait_seconds, *map(seconds_waited, family)])
        still = self.cpu_seconds - before < IDLE_SECONDS and not any(map(busy, family))
        self.sleeps = still and not self.is_client
        self.idle_seconds = max(0, clock - self.cpu_seconds - self.wait_seconds)
        return self.cpu_seconds + self.idle_seconds / PATIENCE


def descendants(pid):
    """{process: the words of its /proc/N/stat} of `pid` and what descends from it."""
    known = {int(name): stat(f"/proc/{name}") for name in filter(str.isdigit, os.listdir("/proc"))}
    family, found = {}, {pid} & set(known)
    while found:
        family |= {number: known[number] for number in found}
        found = {number for number, words in known.items() if int(words[PARENT]) in found}
    return family


def stat(folder):
    """The words after the name in a task's `stat`; those of a task that is gone say nothing."""
    with contextlib.suppress(OSError), open(f"{folder}/stat", "rb", buffering=0) as file:
        return file.read().rpartition(b")")[2].decode().split()
    return ["X", *["0"] * TIMES.stop]


def processor_seconds(words):
    """The processor time in a process's `stat`."""
    return sum(map(int, words[TIMES])) / os.sysconf("SC_CLK_TCK")


def seconds_waited(pid):
    """How long the process wanted a processor in vain; 0 where the system does not tell."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[WAITED]) / 1e9
    return 0.0


def busy(pid):
    """Whether a thread of the process runs or wants to."""
    with contextlib.suppress(OSError):
        return any(stat(task)[0] in BUSY_STATES for task in Path(f"/proc/{pid}/task").iterdir())
    return False
