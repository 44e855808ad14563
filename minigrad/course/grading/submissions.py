"""Which students handed in what: a folder of notebooks, or a folder per student."""

from pathlib import Path
from typing import NamedTuple

from minigrad.errors import ArgumentError

ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")


class Entry(NamedTuple):
    """One student: the notebook handed in, or the reason why there is none."""

    student: str
    path: Path | None
    reason: str = ""


def entries(folder, name, roster=()):
    """An `Entry` for each student in `folder` or `roster`, in the order of names."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ArgumentError(f"there is no folder {folder}", mend="name the submissions' folder")
    found = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir() and not path.is_symlink():
            found[unused(path.name, found)] = chosen(path, name)
        elif path.suffix == ".ipynb":
            found[unused(path.stem, found)] = path, ""
        elif path.suffix in ARCHIVES:
            reason = f"{path.name} is an archive, and none is unpacked; hand in the notebook"
            found[unused(path.stem, found)] = None, reason
    for student in roster:
        found.setdefault(student, (None, "nothing was handed in"))
    if not found:
        raise ArgumentError(
            f"{folder} holds no notebook",
            mend="put STUDENT.ipynb files or a folder per student there",
        )
    return [Entry(student, *found[student]) for student in sorted(found)]


def unused(student, found):
    """`student`, or the same with a number when that name is taken."""
    name, turn = student, 2
    while name in found:
        name, turn = f"{student} ({turn})", turn + 1
    return name


def chosen(folder, name):
    """(the notebook in a student's folder or None, reason)."""
    notebooks = sorted(folder.rglob("*.ipynb"))
    notebooks = [path for path in notebooks if ".ipynb_checkpoints" not in path.parts]
    for wanted in (f"{name}-submission.ipynb", f"{name}.ipynb"):
        matches = [path for path in notebooks if path.name == wanted]
        if len(matches) == 1:
            return matches[0], ""
    if len(notebooks) == 1:
        return notebooks[0], ""
    if not notebooks:
        return None, "the folder holds no notebook"
    return None, f"the folder holds {len(notebooks)} notebooks, none of them named {name}.ipynb"
