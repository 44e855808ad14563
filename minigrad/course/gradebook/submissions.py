"""Which students handed in what: a row for everything that lies in the folder, whatever it is."""

import hashlib
import itertools
import os
from pathlib import Path
from typing import NamedTuple

from minigrad.course.grading import notebook
from minigrad.course.grading.names import add_number, clean_line, file_name
from minigrad.course.grading.report import CRASHED, MISSING, UNREADABLE
from minigrad.errors import ArgumentError

ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
DEEPEST = 8  # folders in a student's folder
MOST = 10_000  # files and folders in it


class Absent(notebook.Unreadable):
    """Nothing was handed in that could be a notebook."""


class Entry(NamedTuple):
    """One student: the notebook handed in, or the status and the reason of none; the SHA-256 of
    what was handed in, and what the instructor should know of it."""

    student: str
    path: Path | None = None
    status: str = MISSING
    reason: str = "nothing was handed in"
    digest: str = ""
    notes: tuple = ()


def find_entries(folder, name, roster=(), out=None):
    """An `Entry` for each student in `folder` or `roster`, in the order of names. Passed over is
    what begins with a dot and is no notebook, and the folder `out` of the grades."""
    things = [thing for thing in list_folder(folder) if Path(thing.path).absolute() != out]
    things = sorted(things, key=rank)
    twins, found = {}, {}
    for thing in things:
        twins.setdefault(clean_line(owner(thing)) or "(no name)", []).append(thing)
    for student, same in twins.items():
        many = ", ".join(clean_line(thing.name) for thing in same)
        notes = (f"handed in {len(same)} times, graded each by itself: {many}",)
        for thing in same:
            own = student if thing is same[0] else add_number(student, {*twins, *found})
            found[own] = look(thing, own, name, notes if len(same) > 1 else ())
    for student in filter(None, map(clean_line, roster)):
        found.setdefault(student, Entry(student))
    if not found:
        cure = "put STUDENT.ipynb files or a folder per student there"
        raise ArgumentError(f"{folder} holds no notebook", mend=cure)
    return [found[student] for student in sorted(found)]


def rank(thing):
    """The order of those who share a name, of whom the first keeps it: STUDENT.ipynb, then a folder
    STUDENT, then all others, and what is named so before what had to be cleaned."""
    folder = thing.is_dir(follow_symlinks=False)
    usual = (thing.name.endswith(".ipynb") and not folder, folder and not is_notebook(thing))
    return clean_line(thing.name) != thing.name, not usual[0], not usual[1], thing.name


def list_folder(folder):
    """What lies in `folder`, but for the files of systems and programs."""
    try:
        with os.scandir(folder) as inside:
            return [thing for thing in inside if thing.name[0] != "." or is_notebook(thing)]
    except OSError as error:
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError))
        fact = f"the folder {folder} cannot be read: {error.strerror}"
        fact = f"there is no folder {folder}" if missing else fact
        raise ArgumentError(fact, mend="name the submissions' folder") from error


def is_notebook(thing):
    """Whether the name is a notebook's, not that of a file which macOS puts beside each."""
    return thing.name.lower().endswith(".ipynb") and not thing.name.startswith("._")


def owner(thing):
    """The student's name in that of a file or folder."""
    known = is_notebook(thing) or thing.name.lower().endswith(ARCHIVES)
    return thing.name.rpartition(".")[0] if known else thing.name


def look(thing, student, name, notes):
    """The `Entry` of one file or folder; whatever goes wrong with it is the reason in its row."""
    path, status, reason, data = None, MISSING, "", b""
    try:
        path, more = choose_notebook(thing, name)
        notes, data = (*notes, *more), notebook.read_plainly(path)
        refuse_other_names(path)
    except notebook.Unreadable as error:
        path, reason = None, "; ".join(filter(None, [error.fact, error.mend]))
        status = MISSING if isinstance(error, Absent) else UNREADABLE
    except Exception as error:
        path, status, reason = None, CRASHED, fault(error)
    digest = hashlib.sha256(reason.encode() if reason else data).hexdigest()
    return Entry(student, path, status, reason, digest, notes)


def read_entry(entry):
    """(file name, the very bytes that `entry` has the digest of): who changes a file while others
    are graded is not graded for something else."""
    data = notebook.read_plainly(entry.path)
    if hashlib.sha256(data).hexdigest() != entry.digest:
        raise notebook.Unreadable("the notebook has changed while the batch was graded")
    return file_name(clean_line(entry.path.name)), data


def fault(error):
    """The reason in the row of an entry over which the grader itself stumbled."""
    return clean_line(f"the grader failed: {type(error).__name__}: {error}")


def choose_notebook(thing, name):
    """(path of the notebook that a file or a student's folder is or holds, notes). Raises
    `Unreadable` when there is none."""
    if thing.is_dir(follow_symlinks=False):
        return choose_below(thing.path, name)
    if is_notebook(thing):
        return Path(thing.path), ()
    shown = clean_line(thing.name)
    if thing.name.lower().endswith(ARCHIVES):
        raise Absent(f"{shown} is an archive, and none is unpacked", mend="hand in the notebook")
    fact = f"{shown} is neither a notebook nor a folder"
    raise notebook.Unreadable(fact, mend="hand in the notebook")


def choose_below(folder, name):
    """The same for a student's folder."""
    notebooks, notes = notebooks_below(folder)
    for wanted in (f"{name}-submission.ipynb", f"{name}.ipynb"):
        matches = [path for path in notebooks if path.name.lower() == wanted]
        if len(matches) == 1:
            return matches[0], notes
    if len(notebooks) == 1:
        return notebooks[0], notes
    fact = f"the folder holds {len(notebooks)} notebooks, and not just one is named {name}.ipynb"
    raise Absent("; ".join([fact if notebooks else "the folder holds no notebook", *notes]))


def notebooks_below(folder):
    """(paths of the notebooks in a folder and those in it, what was not looked at)."""
    found, notes, count, waiting = [], set(), 0, [(folder, 0)]
    while waiting:
        place, depth = waiting.pop()
        try:
            with os.scandir(place) as inside:
                things = list(itertools.islice(inside, MOST + 1))
        except OSError as error:
            notes.add(f"a folder cannot be read: {error.strerror}")
            continue
        if (count := count + len(things)) > MOST:
            fact = f"the folder holds more than {MOST:,} files"
            raise notebook.Unreadable(fact, mend="hand in the notebook alone")
        folders = [thing for thing in things if thing.is_dir(follow_symlinks=False)]
        found += [Path(one.path) for one in things if is_notebook(one) and one not in folders]
        if folders and depth == DEEPEST:
            notes.add(f"more than {DEEPEST} folders deep nothing is looked for")
        elif depth < DEEPEST:
            names = [one.path for one in folders if one.name != ".ipynb_checkpoints"]
            waiting += [(path, depth + 1) for path in names]
    return sorted(found), tuple(sorted(notes))


def refuse_other_names(path):
    """Raises `Unreadable` for a file that has other names as well: nobody knows whose it is."""
    if (count := os.lstat(path).st_nlink) > 1:
        fact = f"{clean_line(path.name)} has {count} names (hard links); whose it is cannot be told"
        raise notebook.Unreadable(fact, mend="hand in a copy that has no other name")
