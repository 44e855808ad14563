"""`minigrad lite`: a first hour of the course for who installs nothing, as files for a server."""

import shutil
import tempfile
from pathlib import Path

from minigrad.course import project
from minigrad.errors import MinigradError

HELP = "build lite/: a first hour of the course that runs in a browser, nothing installed"


def arguments(parser):
    """This command takes none."""


def run(args):
    """Build it and say how to look at it; with an error, the old one stays as it was."""
    course = project.root()
    renew_lite(course, course / "lite")
    print("built lite/; to look at it: python -m http.server --directory lite")
    return 0


def renew_lite(course, target):
    """Puts the first hour at `target`. Raises MinigradError where something else lies there."""
    from minigrad.course.publishing.lite import build_lite

    if target.exists() and not (target / "jupyter-lite.json").exists():
        cure = "move it away, and run the command again"
        raise MinigradError(f"{target} is nothing that this command built", mend=cure)
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch).resolve() / "made"
        build_lite(course, made)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(made, target)
