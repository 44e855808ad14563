"""Which students handed in what: a row for everything that lies in the folder, whatever it is."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.course.gradebook import archives
from minigrad.course.gradebook.choosing import (
    Absent,
    Found,
    HandedIn,
    choose_notebook,
    is_notebook,
    other_names,
)
from minigrad.course.gradebook.platforms import AGAIN, Origin, parse_origin
from minigrad.course.gradebook.roster import Person, find_person
from minigrad.course.grading import notebook
from minigrad.course.grading.names import add_number, clean_line, file_name
from minigrad.course.grading.report import CRASHED, MISSING, UNREADABLE

MOST_KEPT_BYTES = 256 * 2**20  # of a batch's notebooks; others are read again, and compared


class Entry(NamedTuple):
    """One student: the notebook handed in, or the status and the reason of none; the SHA-256 of
    what was handed in, and what the instructor should know of it. `inside` names the notebook
    where `path` is a zip; `copy` holds its bytes, unless a batch has too many."""

    student: str
    path: Path | None = None
    status: str = MISSING
    reason: str = "nothing was handed in"
    digest: str = ""
    notes: tuple = ()
    person: Person | None = None
    inside: str = ""
    copy: bytes = b""

    @property
    def file(self):
        """The notebook's own name."""
        return archives.last_name(self.inside) if self.inside else self.path.name


class Wanted(NamedTuple):
    """What is looked for: the assignment's name; whether a notebook's JSON contains work; {path:
    why} of files that could not be unpacked."""

    name: str
    has_work: Callable = bool
    damage: dict = {}


def find_entries(folder, name, people=(), out=None, **how):
    """An `Entry` for each student in `folder` or among `people`, in the order of names, looked for
    as the fields of `Wanted` say. Passed over is what begins with a dot and is no notebook, and the
    folder `out` of the grades."""
    things = [thing for thing in list_folder(folder) if Path(thing.path).absolute() != out]
    twins, found = by_student(group_things(sorted(things, key=rank)), people), {}
    room = MOST_KEPT_BYTES  # whoever changes a file later changes nothing of what is graded
    for student, same in twins.items():
        many = ", ".join(one.names for one, _, _ in same)
        notes = (f"handed in {len(same)} times, graded each by itself: {many}",)
        for turn, (one, person, said) in enumerate(same):
            own = add_number(student, {*twins, *found}) if turn else student
            said = (*said, *(notes if len(same) > 1 else ()))
            entry = look(one, own, Wanted(name, **how), said)
            room -= len(entry.copy)
            copy = entry.copy if room >= 0 else b""
            found[own] = entry._replace(person=person, copy=copy)
    for person in people:
        # points given by hand for nothing do not count once something is handed in
        nothing = Entry(person.name, digest=digest_of(b""), person=person)
        found.setdefault(person.name, nothing)
    if not found:
        hint = "put STUDENT.ipynb files or a folder per student there"
        raise ArgumentError(f"{folder} holds no notebook", hint=hint)
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
    """The order of submissions that share a name, which the first one keeps: STUDENT.ipynb, then a
    folder STUDENT, then all others, and what is named so before what had to be cleaned."""
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
        message = f"the folder {folder} cannot be read: {error.strerror}"
        message = f"there is no folder {folder}" if missing else message
        raise ArgumentError(message, hint="name the submissions' folder") from error


def owner(thing):
    """The student's name in that of a file or folder."""
    if thing.name.lower().endswith(archives.ENDINGS):
        return thing.name.rpartition(".")[0]
    return notebook.ENDING.sub("", thing.name)


def look(handed, student, wanted, notes):
    """The `Entry` of one `HandedIn`; whatever goes wrong with it is the reason in its row."""
    path, status, reason, data, inside = None, MISSING, "", b"", ""
    try:
        path, inside, more = found = choose_notebook(handed, wanted.name, wanted.has_work)
        if str(path) in wanted.damage:
            raise notebook.Unreadable(wanted.damage[str(path)], hint=AGAIN)
        data = found.read()
        notes = (*notes, *more, *other_names(path))
    except notebook.Unreadable as error:
        path, reason = None, "; ".join(filter(None, [error.message, error.hint]))
        status = MISSING if isinstance(error, Absent) else UNREADABLE
    except Exception as error:
        path, status, reason = None, CRASHED, fault(error)
    digest = digest_of(reason.encode() or data)
    copy = data if path else b""
    return Entry(student, path, status, reason, digest, notes, inside=inside, copy=copy)


def digest_of(data):
    """The SHA-256 of what was handed in."""
    return hashlib.sha256(data).hexdigest()


def read_entry(entry):
    """(file name, the very bytes that `entry` has the digest of): who changes a file while others
    are graded is not graded for something else."""
    data = entry.copy or Found(entry.path, entry.inside).read()
    if digest_of(data) != entry.digest:
        raise notebook.Unreadable("the notebook has changed while the batch was graded")
    return file_name(clean_line(entry.file)), data


def fault(error):
    """The reason in the row of an entry over which the grader itself stumbled."""
    return clean_line(f"the grader failed: {type(error).__name__}: {error}")
