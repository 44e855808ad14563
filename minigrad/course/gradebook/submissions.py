"""Which students handed in what: a row for everything that lies in the folder, whatever it is."""

import hashlib
import itertools
import os
import re
from pathlib import Path
from typing import NamedTuple

from minigrad.course.gradebook.platforms import Origin, parse_origin
from minigrad.course.gradebook.roster import Person, find_person
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
    person: Person | None = None


class HandedIn(NamedTuple):
    """The files, or the one folder, that belong together, and what their names say."""

    origin: Origin
    things: list

    @property
    def names(self):
        """The names of the files as they can be shown."""
        return ", ".join(clean_line(thing.name) for thing in self.things)


def find_entries(folder, name, people=(), out=None):
    """An `Entry` for each student in `folder` or among `people`, in the order of names. Passed over
    is what begins with a dot and is no notebook, and the folder `out` of the grades."""
    things = [thing for thing in list_folder(folder) if Path(thing.path).absolute() != out]
    twins, found = by_student(group_things(sorted(things, key=rank)), people), {}
    for student, same in twins.items():
        many = ", ".join(one.names for one, _, _ in same)
        notes = (f"handed in {len(same)} times, graded each by itself: {many}",)
        for turn, (one, person, said) in enumerate(same):
            own = add_number(student, {*twins, *found}) if turn else student
            entry = look(one, own, name, (*said, *(notes if len(same) > 1 else ())))
            found[own] = entry._replace(person=person)
    for person in people:
        # points given by hand for nothing do not count once something is handed in
        nothing = Entry(person.name, digest=digest_of(b""), person=person)
        found.setdefault(person.name, nothing)
    if not found:
        cure = "put STUDENT.ipynb files or a folder per student there"
        raise ArgumentError(f"{folder} holds no notebook", mend=cure)
    return [found[student] for student in sorted(found)]


def group_things(things):
    """The `HandedIn` of each: the files that Canvas or Moodle name after one submission are one."""
    found = {}
    for thing in things:
        origin = parse_origin(clean_line(thing.name), thing.is_dir(follow_symlinks=False))
        key = (origin.platform, origin.owner, origin.number) if origin else thing.name
        origin = origin or Origin(owner(thing), file=thing.name)
        found.setdefault(key, HandedIn(origin, [])).things.append(thing)
    return list(found.values())


def by_student(handed_in, people):
    """{student: [(what was handed in, who it is or None, notes)]}."""
    found = {}
    for one in handed_in:
        person, notes = find_person(people, one.origin, one.things[0].name)
        if one.origin.late:
            notes = (*notes, "Canvas marks it as late")
        student = person.name if person else clean_line(one.origin.label) or "(no name)"
        found.setdefault(student, []).append((one, person, notes))
    return found


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


def look(handed, student, name, notes):
    """The `Entry` of one `HandedIn`; whatever goes wrong with it is the reason in its row."""
    path, status, reason, data = None, MISSING, "", b""
    try:
        path, more = choose_notebook(handed, name)
        notes, data = (*notes, *more), notebook.read_plainly(path)
        refuse_other_names(path)
    except notebook.Unreadable as error:
        path, reason = None, "; ".join(filter(None, [error.fact, error.mend]))
        status = MISSING if isinstance(error, Absent) else UNREADABLE
    except Exception as error:
        path, status, reason = None, CRASHED, fault(error)
    return Entry(student, path, status, reason, digest_of(reason.encode() or data), notes)


def digest_of(data):
    """The SHA-256 of what was handed in."""
    return hashlib.sha256(data).hexdigest()


def read_entry(entry):
    """(file name, the very bytes that `entry` has the digest of): who changes a file while others
    are graded is not graded for something else."""
    data = notebook.read_plainly(entry.path)
    if digest_of(data) != entry.digest:
        raise notebook.Unreadable("the notebook has changed while the batch was graded")
    return file_name(clean_line(entry.path.name)), data


def fault(error):
    """The reason in the row of an entry over which the grader itself stumbled."""
    return clean_line(f"the grader failed: {type(error).__name__}: {error}")


def choose_notebook(handed, name):
    """(path of the notebook that a file or a student's folder is or holds, notes). Raises
    `Unreadable` when there is none."""
    notebooks = [thing for thing in handed.things if is_notebook(thing)]
    if len(handed.things) > 1:
        files = {
            Path(one.path): parse_origin(clean_line(one.name), False).file for one in notebooks
        }
        if not files:
            raise Absent(f"no notebook is among {handed.names}", mend="hand in the notebook")
        return pick_notebook(files, name, "the submission"), ()
    (thing,) = handed.things
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
    if not notebooks:
        raise Absent("; ".join(["the folder holds no notebook", *notes]))
    return pick_notebook({path: path.name for path in notebooks}, name, "the folder", notes), notes


def pick_notebook(notebooks, name, where, notes=()):
    """The one of {path: its own name} that is meant: named after the assignment, also with the
    number that a second upload or download adds, or the only one."""
    usual = (f"{name}-submission.ipynb", f"{name}.ipynb")
    for form in (str, drop_number):
        for wanted in usual:
            matches = [path for path, own in notebooks.items() if form(own.lower()) == wanted]
            if len(matches) == 1:
                return matches[0]
    if len(notebooks) == 1:
        return next(iter(notebooks))
    fact = f"{where} holds {len(notebooks)} notebooks, and not just one is named {name}.ipynb"
    raise Absent("; ".join([fact, *notes]))


def drop_number(name):
    """A file's name without the number in ps1-1.ipynb and ps1 (1).ipynb."""
    return re.sub(r"(-\d+| \(\d+\))(?=\.ipynb$)", "", name)


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
