"""The temporary folder of one run: what the run leaves on the disk lies in it, and goes with it.

A folder is never removed because of its name. A run removes the folder that it has made itself, and
only while that is still the same one.
"""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple


class RunFolder(NamedTuple):
    """A temporary folder made by this run: its path, and what tells it from any other folder."""

    path: str
    device: int
    inode: int

    @property
    def token(self):
        """The part of the name that no other run has."""
        return os.path.basename(self.path)

    def is_mine(self):
        """Whether the folder at the path is still the one that the run made."""
        with contextlib.suppress(OSError):
            found = os.lstat(self.path)
            return (found.st_dev, found.st_ino) == (self.device, self.inode)
        return False

    def remove(self):
        """Remove the folder with all that is in it."""
        if self.is_mine():
            shutil.rmtree(self.path, ignore_errors=True)


def make_run_folder():
    """A new, empty `RunFolder`. Others can pass through it to what is theirs, and list nothing."""
    path = os.path.realpath(tempfile.mkdtemp(prefix="minigrad-"))
    os.chmod(path, 0o711)
    found = os.lstat(path)
    return RunFolder(path, found.st_dev, found.st_ino)


@contextlib.contextmanager
def run_folder():
    """A `RunFolder` inside this context; afterwards it is gone."""
    folder = make_run_folder()
    try:
        yield folder
    finally:
        folder.remove()


def new_folder(user=None):
    """An empty folder for a worker, which runs as `user`; in a grading process it lies in the
    run's folder."""
    folder = tempfile.mkdtemp(prefix="worker-")
    if user is not None:
        os.chown(folder, user, user)
    return folder


def private_folder(parent, name):
    """A new folder `name` in a `RunFolder`, closed to all other users."""
    folder = Path(parent.path, name)
    folder.mkdir(mode=0o700)
    return folder
