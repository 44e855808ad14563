"""Processes that a submission leaves behind: adopted on Linux, and ended with its worker."""

import contextlib
import ctypes
import os
import signal
import sys

PR_SET_CHILD_SUBREAPER = 36
adopting = False


def adopt():
    """Become the parent of every descendant whose own parent ends, so that none can hide.
    For a process whose only children are workers; elsewhere than on Linux nothing happens."""
    global adopting
    if sys.platform.startswith("linux"):
        adopting = ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def end_children():
    """Kill all children, again and again while new ones turn up; only after `adopt`."""
    for _ in range(100 if adopting else 0):
        children = [pid for pid, parent, _ in table() if parent == os.getpid()]
        for pid in children:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        if not children:
            return


def count_tasks():
    """How many processes and threads this user has: the limit on processes counts them all."""
    count = 0
    for pid, _, user in table():
        with contextlib.suppress(OSError):
            count += user == os.getuid() and len(os.listdir(f"/proc/{pid}/task"))
    return count if sys.platform.startswith("linux") else 4_096


def table():
    """(process, parent, user) of every living process, where the system has /proc."""
    names = os.listdir("/proc") if os.path.isdir("/proc/self") else ()
    for name in filter(str.isdigit, names):
        with (
            contextlib.suppress(OSError, ValueError, KeyError),
            open(f"/proc/{name}/status") as file,
        ):
            fields = dict(line.split(":", 1) for line in file)
            if fields["State"].split()[0] not in "ZX":
                yield int(name), int(fields["PPid"]), int(fields["Uid"].split()[1])
