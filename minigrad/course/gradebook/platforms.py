"""How Canvas and Moodle name what was handed in, and the zip in which they hand it out.

Canvas: `lovelaceada_LATE_12345_67890_ps1.ipynb` is the name squeezed, the student's id, the file's
own id, and the file. Moodle: `Ada Lovelace_12345_assignsubmission_file_/ps1.ipynb`, or all in one
name; the number is that of the submission and says nothing of the student.
"""

import contextlib
import os
import re
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.course.gradebook import archives
from minigrad.course.grading import notebook

CANVAS = re.compile(r"(?P<owner>.+?)(?P<late>_LATE)?_(?P<number>\d+)_\d+_(?P<file>.+)", re.DOTALL)
MOODLE = re.compile(
    r"(?P<owner>.+)_(?P<number>\d+)_assignsubmission_(file|onlinetext)(_(?P<file>.*))?", re.DOTALL
)
MOST_FILES, LONGEST_NAME = 100_000, 200
DEEPEST = 10  # folders around a file: below that nobody looks for a notebook
AGAIN = "download it again, or unpack it and name the folder"


class Origin(NamedTuple):
    """What the name of a file or folder says: whose it is, the number beside the name, the file's
    own name, whether it came late; `platform` is "" for a name that nobody but its owner chose."""

    owner: str
    number: str = ""
    file: str = ""
    late: bool = False
    platform: str = ""

    @property
    def label(self):
        """The student's name where no roster says it."""
        return f"{self.owner}_{self.number}" if self.platform == "Canvas" else self.owner


def parse_origin(name, is_folder):
    """The `Origin` in a name as Canvas or Moodle make it, or None."""
    if found := MOODLE.fullmatch(name):
        return Origin(found["owner"], found["number"], found["file"] or "", platform="Moodle")
    if not is_folder and (found := CANVAS.fullmatch(name)):
        known = found["owner"], found["number"], found["file"], found["late"] is not None
        return Origin(*known, platform="Canvas")
    return None


@contextlib.contextmanager
def open_submissions(path):
    """(the folder of submissions: `path` itself, or, inside this context, what a zip holds; {path:
    why} of the entries of that zip that are damaged)."""
    path = Path(path)
    if path.suffix.lower() != ".zip" or not path.is_file():
        yield path, {}
        return
    with tempfile.TemporaryDirectory(prefix="minigrad-") as folder:
        yield unpack_submissions(path, Path(folder).resolve() / path.stem[:LONGEST_NAME])


def unpack_submissions(path, folder):
    """Unpack a zip of submissions into `folder`. Returns (that, or the one folder in it that has
    the zip's name; {path: why} of the damaged entries). Raises an ArgumentError for what is not a
    zip."""
    folder.mkdir()
    damaged = {}
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if is_handed_in(entry)]
            if len(entries) > MOST_FILES:
                message = f"{path.name} holds {len(entries):,} files"
                raise ArgumentError(message, hint="name the zip of one assignment")
            for entry in entries:
                target, problem = unpack_one(archive, entry, folder)
                damaged |= {str(target): problem} if problem else {}
    except (*archives.FAULTS, NotImplementedError) as error:
        raise ArgumentError(f"the zip {path.name} cannot be read: {error}", hint=AGAIN) from error
    inner = folder / folder.name
    alone = [*folder.iterdir()] == [inner] and inner.is_dir()
    return inner if alone else folder, damaged


def is_handed_in(entry):
    """Whether an entry of a zip is a file of a student, not one that macOS puts beside each."""
    return not entry.is_dir() and not entry.filename.startswith("__MACOSX/")


def unpack_one(archive, entry, folder):
    """Write one entry: the bytes of a notebook or of a zip, no more than are read, and of others
    the name. Returns (where, why it cannot be read or "")."""
    parts = [part for part in re.split(r"[/\\]", entry.filename) if part not in ("", ".", "..")]
    *folders, name = map(cut_name, parts or ["(no name)"])
    for part in folders[:DEEPEST]:
        folder = free_path(folder / part, Path.is_dir)
    target, data, problem = free_path(folder / name), b"", ""
    if target.suffix.lower() == ".zip" or notebook.names_notebook(target.name):
        try:
            with archive.open(entry) as file:
                data = file.read(notebook.LARGEST_BYTES + 1)
        except (*archives.FAULTS, NotImplementedError) as error:
            problem = f"it is damaged in {Path(archive.filename).name}: {error}"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    os.utime(target, (0, archives.seconds(entry)))
    return target, problem


def free_path(path, fits=lambda path: False):
    """`path`, or the same with a number, which nothing has yet, or which `fits`: two entries may
    have one name, and a file that of a folder."""
    taken, number = path, 2
    while path.exists() and not fits(path):
        path, number = taken.with_stem(f"{taken.stem} ({number})"), number + 1
    return path


def cut_name(name):
    """A file name that every system takes, with its end kept."""
    if len(name.encode()) <= LONGEST_NAME:
        return name
    end = name[-40:]
    return name.encode()[: LONGEST_NAME - len(end.encode())].decode(errors="ignore") + end
