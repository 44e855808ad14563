"""A process to be started: its program, its user, its libraries, and what else goes with it."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MINIGRAD_THREADS": "1"}
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **ONE_THREAD}


class Launch(NamedTuple):
    """A command line and, beside it: the folders of libraries that the worker is told, the user
    it runs as, descriptors to pass on, processes that count against its limit and are not its
    own, the environment, whether it needs a folder of this machine, the command line that ends
    it where the end of its process would not, and what is to be done once it has been started."""

    command: list
    libraries: list = []
    user: int | None = None
    descriptors: tuple = ()
    others: int = 0
    environment: dict = {}
    bare: bool = False
    end: list = []
    ready: Callable = bool


def spawn(start, **options):
    """The running process of a `Launch`, in a session of its own."""
    command, user, setpriv = start.command, start.user, program("setpriv")
    if user is not None and setpriv:  # Popen itself would copy all of this process before
        command = [setpriv, f"--reuid={user}", f"--regid={user}", "--clear-groups", *command]
    elif user is not None:
        options |= {"user": user, "group": user, "extra_groups": []}
    options |= {"pass_fds": start.descriptors, "start_new_session": True}
    try:
        started = subprocess.Popen(command, **options)
    finally:
        for number in start.descriptors:
            os.close(number)
    try:
        start.ready()
    except (OSError, ValueError) as error:
        started.kill()
        raise OSError(f"it does not start: {error}") from error
    return started


def program(name):
    """Where a program lies, or None; none from the folder in which the command was given."""
    folders = filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep))
    found = shutil.which(name, path=os.pathsep.join(folders))
    return found if found and os.path.isabs(found) else None  # Windows looks there in any case


def real_interpreter():
    """The real interpreter: not the venv's link to it."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def running_as_root():
    """Whether this process has root's rights."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def spare_user():
    """For root: a user number that no account and no service manager uses, for this process."""
    return 60_600 + os.getpid() % 500 if running_as_root() else None


def packages(names):
    """The package folder of each library."""
    folders = []
    for name in names:
        found = importlib.util.find_spec(name)
        if found is None or not found.origin:
            raise ArgumentError(f"this assignment needs {name}", hint=f"pip install {name}")
        folders.append(Path(found.origin).resolve().parent)
    return folders
