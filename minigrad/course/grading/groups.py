"""A control group of Linux (version 2) for each worker, where this process may make one: then the
kernel itself counts memory, processes and processor time, and no look comes too late.

A group whose children have limits may hold no process: while groups are wanted, this process and
all that it starts wait in a group beside them. Where that fails, `orphans.excess` looks alone.
"""

import contextlib
import itertools
import os
import time
from pathlib import Path

MOUNT, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
CONTROLLERS = ("memory", "pids")
WAITING = "minigrad"
END_SECONDS = 20
NUMBERS = itertools.count()


def own_group():
    """The folder of the group that this process is in; None where there is no version 2."""
    with contextlib.suppress(OSError, StopIteration):
        line = next(line for line in OWN.read_text().splitlines() if line.startswith("0::"))
        return MOUNT / line.removeprefix("0::").strip("/")
    return None


@contextlib.contextmanager
def groups_wanted(token):
    """Inside, workers have groups, if the system allows it; afterwards all is as before. The
    groups of the run have its `token` in their names."""
    home = own_group()
    inside = home is not None and home.name == WAITING
    entered = home is not None and not inside and wait_beside(home, token)
    try:
        yield
    finally:
        if inside:
            remove_groups(home.parent, token)
        elif entered:
            leave(home, token)


def wait_beside(home, token):
    """Move this process into a group of its own, so that `home` may have child groups with limits.
    True if that worked."""
    try:
        if not allows_groups(home):
            return False
        (home / WAITING).mkdir(exist_ok=True)
        enter_group(home / WAITING)
        switch_counting(home, "+")
    except OSError:  # as when others are in `home`
        leave(home, token)
        return False
    return True


def leave(home, token):
    """Go back, and remove what groups the run has left, as those of a process that was killed."""
    remove_groups(home, token)
    with contextlib.suppress(OSError):
        switch_counting(home, "-")
    with contextlib.suppress(OSError):
        enter_group(home)
        (home / WAITING).rmdir()


def allows_groups(home):
    """Whether the children of a group can have limits, and nobody else sees to that."""
    known = (home / "cgroup.controllers").read_text().split()
    used = (home / "cgroup.subtree_control").read_text().split()
    return {*CONTROLLERS} <= {*known} and not {*CONTROLLERS} & {*used}


def switch_counting(home, sign):
    """Count, or count no more, for each child of a group."""
    words = " ".join(sign + name for name in CONTROLLERS)
    (home / "cgroup.subtree_control").write_text(words)


def enter_group(group):
    """Move this process, from whose group all that it starts sets out."""
    (group / "cgroup.procs").write_text(str(os.getpid()))


@contextlib.contextmanager
def new_group(limits, token):
    """A group that holds what is started inside this context; yields its folder, or None. A run
    finds its groups by its `token`, which their names contain."""
    waiting, group = own_group(), None
    try:
        if waiting is not None and waiting.name == WAITING:
            group = make_group(waiting, limits, token)
        yield group
    finally:
        if group is not None:
            enter_group(waiting)


def make_group(waiting, limits, token):
    """Join a new group with limits; its folder, or None where that fails."""
    group = waiting.with_name(f"{WAITING}-{token}-{os.getpid()}-{next(NUMBERS)}")
    try:
        group.mkdir()
        (group / "memory.max").write_text(str(limits.together))
        (group / "memory.oom.group").write_text("1")
        (group / "pids.max").write_text(str(limits.processes + 2))  # those of bubblewrap
        with contextlib.suppress(OSError):  # without swap there is no such file
            (group / "memory.swap.max").write_text("0")
        enter_group(group)
    except OSError:
        remove_group(group)
        return None
    return group


def excess_in(group, limits):
    """What the kernel has ended a group for; empty for nothing."""
    killed = read_number(group, "memory.events", "oom_kill")
    return memory_words(limits) if killed else ""


def memory_words(limits):
    """What a report says of too much memory."""
    return f"its processes used more than {limits.together >> 20:,} MB of memory together"


def seconds_used(group):
    """The processor time of all that a group has held."""
    return read_number(group, "cpu.stat", "usage_usec") / 1e6


def read_number(group, name, word):
    """The number behind a word in a file of a group; 0 when there is none."""
    with contextlib.suppress(OSError):
        words = (group / name).read_text().split()
        return int(words[words.index(word) + 1]) if word in words else 0
    return 0


def clear_run(token):
    """Remove the groups of a run that was killed; this process was made by it and waits beside."""
    waiting = own_group()
    if waiting is not None and waiting.name == WAITING:
        remove_groups(waiting.parent, token)


def remove_groups(home, token):
    """End and remove the groups of one run; no other run's."""
    for group in home.glob(f"{WAITING}-{token}-*"):
        remove_group(group)


def remove_group(group):
    """End what is left in a group, then the group."""
    with contextlib.suppress(OSError):
        (group / "cgroup.kill").write_text("1")
    until = time.monotonic() + END_SECONDS
    while read_number(group, "cgroup.events", "populated") and time.monotonic() < until:
        time.sleep(0.01)
    with contextlib.suppress(OSError):
        group.rmdir()
