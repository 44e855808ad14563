"""The processes of a submission on Linux: adopted, counted, and ended."""

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path

from minigrad.course.grading import meter
from minigrad.course.grading.groups import memory_words

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
SIZE = 20  # in /proc/N/stat after the name: bytes of address space
FOLDER, FOLDER_BYTES = "/box", 64 * 2**20
LINUX = sys.platform.startswith("linux")
adopting = False


def adopt():
    """Become the parent of every descendant whose own parent ends, so that none can hide.
    For a process whose only children are workers; elsewhere than on Linux nothing happens."""
    global adopting
    if LINUX:
        adopting = ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def end_with_parent():
    """End this process when its parent ends, in whatever way, with all that it has started."""

    def end(*_):
        end_children()
        os._exit(1)

    if LINUX:
        signal.signal(signal.SIGTERM, end)
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def end_children():
    """Kill all children, again and again while new ones turn up; only after `adopt`."""
    for _ in range(100 if adopting else 0):
        try:  # most often there is none: that costs no look at all processes
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for pid in set(meter.descendants(os.getpid())) - {os.getpid()}:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def count_tasks():
    """How many processes and threads this user has: the limit on processes counts them all."""
    count = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            count += folder.stat().st_uid == os.getuid() and len(os.listdir(folder / "task"))
    return count if LINUX else 4_096


def excess(pid, limits, group=None):
    """What the process `pid` and all that descends from it use too much of together; empty when
    nothing. What is mapped counts, in memory or not, where no `group` counts what is in it: no
    other number misses nothing."""
    found = meter.descendants(os.getpid() if adopting else pid)
    if max(map(files, found), default=0) > limits.files:
        return f"it made more than {limits.files:,} files"
    if group is not None:
        return ""
    sizes = [int(words[SIZE]) for words in found.values() if len(words) > SIZE]
    if adopting:  # this process is one of them
        sizes.remove(int(found[os.getpid()][SIZE]))
    if sum(sizes) > limits.together:
        return memory_words(limits)
    if len(sizes) > limits.processes + 1:  # bubblewrap's own
        return f"it started more than {limits.processes} processes"
    return ""


def files(pid):
    """How many files are in the folder in memory of a process that has a file system of its own."""
    with contextlib.suppress(OSError):
        root = f"/proc/{pid}/root"
        if not os.path.samefile(root, "/"):
            seen = os.statvfs(root + FOLDER)
            return seen.f_files - seen.f_ffree
    return 0
