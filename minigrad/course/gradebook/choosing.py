"""Which notebook is meant among the files, folders and zips that one student handed in.

Of several the only one that contains work counts; of several with work the newest, where their
times or the numbers of a second upload tell; then the one that is named after the assignment. A
file whose name ends in .ipynb.txt or .json is a notebook, too, where there is no other.
"""

import functools
import itertools
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from minigrad.course.gradebook import archives
from minigrad.course.gradebook.platforms import Origin, parse_origin
from minigrad.course.grading import notebook
from minigrad.course.grading.names import clean_line

DEEPEST = 8  # folders in a student's folder
MOST = 10_000  # files and folders in it
MOST_READ = 12  # notebooks that are looked into for work
MOST_BYTES = 8 * 2**20  # of those, all together
UPLOAD = re.compile(r"(?:-(\d+)| \((\d+)\))(?=\.ipynb$)")  # in ps1-1.ipynb and ps1 (1).ipynb
APART = 60  # seconds between two attempts; files that were copied together are closer


class Absent(notebook.Unreadable):
    """Nothing was handed in that could be a notebook."""


class HandedIn(NamedTuple):
    """The files, or the one folder, that belong together, and what their names say."""

    origin: Origin
    things: list

    @property
    def names(self):
        """The names of the files as they can be shown."""
        return ", ".join(clean_line(thing.name) for thing in self.things)


class Candidate(NamedTuple):
    """A notebook that may be meant: its path or its name in a zip, its own name, when it was
    written, in seconds, and what reads it."""

    key: object
    own: str
    when: float
    read: Callable

    @property
    def plain(self):
        """Its own name in small letters, with the usual ending."""
        return notebook.ENDING.sub(".ipynb", self.own.lower())

    def examine(self, has_work, most):
        """(whether it can be read and contains work, the bytes that were looked through for that);
        None and 0 where it holds more than `most` bytes."""
        size = 0
        try:
            data = self.read()
            if len(data) > most:
                return None, 0
            size = len(data)
            return has_work(notebook.read_notebook(self.own, data)), size
        except notebook.Unreadable:
            return False, size


class Found(NamedTuple):
    """The notebook that is meant: its path, or that of a zip and what it is called there."""

    path: Path
    inside: str = ""
    notes: tuple = ()

    def read(self):
        """Its bytes. Raises `Unreadable`."""
        if self.inside:
            return archives.read_packed(self.path, self.inside, MOST)
        return notebook.read_plainly(self.path)


def is_notebook(thing):
    """Whether the name is a notebook's."""
    return notebook.names_notebook(thing.name)


def is_zip(thing):
    """Whether the name is a zip's."""
    return thing.name.lower().endswith(".zip") and not thing.name.startswith("._")


def choose_notebook(handed, name, has_work):
    """The notebook `Found` in what a file or a student's folder is or holds; `has_work` says of its
    JSON whether it contains work. Raises `Unreadable` when there is none."""
    if len(handed.things) > 1:
        files = {
            Path(one.path): parse_origin(clean_line(one.name), False).file
            for one in handed.things
            if is_notebook(one)
        }
        packed = [Path(one.path) for one in handed.things if is_zip(one)]
        absent = f"no notebook is among {handed.names}; hand in the notebook"
        return choose_among(files, packed, (name, has_work), "the submission", absent)
    (thing,) = handed.things
    if thing.is_dir(follow_symlinks=False):
        return choose_below(thing.path, (name, has_work))
    if is_notebook(thing):
        return Found(Path(thing.path))
    if is_zip(thing):
        return choose_packed(Path(thing.path), (name, has_work))
    shown = clean_line(thing.name)
    if thing.name.lower().endswith(archives.ENDINGS):
        message = f"{shown} is an archive, but only zip archives are read"
        raise Absent(message, hint="hand in the notebook")
    message = f"{shown} is neither a notebook nor a folder"
    raise notebook.Unreadable(message, hint="hand in the notebook")


def choose_below(folder, wanted):
    """The same for a student's folder; `wanted` is (the assignment's name, `has_work`)."""
    notebooks, packed, notes = notebooks_below(folder)
    files = {path: path.name for path in notebooks}
    absent = "; ".join(["the folder holds no notebook", *notes])
    return choose_among(files, packed, wanted, "the folder", absent, notes)


def choose_among(files, packed, wanted, where, absent, notes=()):
    """The same for several files: {path: its own name}, or else the one zip of `packed`. Raises
    what is `absent` when there is neither."""
    if files:
        found = [Candidate(path, own, *time_and_read(path)) for path, own in files.items()]
        path, more = pick_notebook(found, *wanted, where, notes)
        return Found(path, "", (*notes, *more))
    if len(packed) != 1:
        raise Absent(absent)
    found = choose_packed(packed[0], wanted)
    return found._replace(notes=(*notes, *found.notes))


def time_and_read(path):
    """(when a file was written, what reads it)."""
    try:
        when = os.lstat(path).st_mtime
    except OSError:  # reading it says why
        when = 0
    return when, functools.partial(notebook.read_plainly, path)


def choose_packed(path, wanted):
    """The same for a student's zip."""
    shown, found = clean_line(path.name), packed_notebooks(path)
    if not found:
        raise Absent(f"{shown} holds no notebook", hint="hand in the notebook")
    member, more = pick_notebook(found, *wanted, shown)
    note = f"{clean_line(archives.last_name(member))} was read from {shown}"
    return Found(path, member, (note, *more))


def packed_notebooks(path):
    """The `Candidate`s in a student's zip; it may hold folders, and zips in it are not opened."""
    found = []
    for member, when in archives.list_packed(path, MOST):
        *folders, own = archives.split_name(member)
        passed = {"__MACOSX", ".ipynb_checkpoints"} & {*folders}
        if notebook.names_notebook(own) and not passed and len(folders) <= DEEPEST:
            read = functools.partial(archives.read_packed, path, member, MOST)
            found.append(Candidate(member, own, when, read))
    return found


def pick_notebook(candidates, name, has_work, where, notes=()):
    """(the key of the `Candidate` that is meant, a note on how it was told)."""
    plain = [one for one in candidates if one.own.lower().endswith(".ipynb")] or candidates
    if len(plain) == 1:
        return plain[0].key, ()
    told = f"{where} holds {len(plain)} notebooks"
    working, passed = find_working(plain, has_work) if len(plain) <= MOST_READ else ([], 0)
    told += f", of which {passed} of many bytes were not looked into" if passed else ""
    alone = "the only one that may hold an answer" if passed else "the only one with an answer"
    why = alone if len(working) == 1 else ""
    for reason, choose in (("the newest", newest), ("by its name", by_name)):
        if len(working) != 1 and (found := choose(working or plain, name)):
            working, why = [found], reason
    if len(working) != 1:
        message = f"{told}, and none of them is clearly the answer: name one {name}.ipynb"
        raise Absent("; ".join([message, *notes]))
    return working[0].key, (f"{told}: {clean_line(working[0].own)} is graded, {why}",)


def find_working(candidates, has_work):
    """(the candidates that contain work, or may, as they were not looked into; the number of the
    latter). A student's notebooks are looked through up to MOST_BYTES, so that none holds up a
    batch."""
    left, working, passed = MOST_BYTES, [], 0
    for one in candidates:
        works, size = one.examine(has_work, left)
        left -= size
        passed += works is None
        working += [one] if works or works is None else []
    return working, passed


def newest(candidates, name):
    """The candidate that was written clearly after all others, or has the highest number of an
    upload; None where nothing tells."""
    numbers = sorted(map(upload_number, candidates))
    if numbers[-1] > numbers[-2]:
        stems = {drop_number(one.plain) for one in candidates}
        return max(candidates, key=upload_number) if len(stems) == 1 else None
    *_, before, last = sorted(candidates, key=lambda one: one.when)
    return last if last.when - before.when >= APART else None


def upload_number(candidate):
    """The number of an upload in a candidate's name, 0 without one."""
    found = UPLOAD.search(candidate.plain)
    return int((found[1] or found[2])[:9]) if found else 0


def by_name(candidates, name):
    """The candidate that is named after the assignment, also with the number that a second upload
    or download adds; None for none or several."""
    for form in (str, drop_number):
        for wanted in (f"{name}-submission.ipynb", f"{name}.ipynb"):
            found = [one for one in candidates if form(one.plain) == wanted]
            if len(found) == 1:
                return found[0]
    return None


def drop_number(name):
    """A file's name without the number of an upload."""
    return UPLOAD.sub("", name)


def notebooks_below(folder):
    """(paths of the notebooks in a folder and those in it, those of zips, what was not looked
    at)."""
    found, packed, notes, count, waiting = [], [], set(), 0, [(folder, 0)]
    while waiting:
        place, depth = waiting.pop()
        try:
            with os.scandir(place) as inside:
                things = list(itertools.islice(inside, MOST + 1))
        except OSError as error:
            notes.add(f"a folder cannot be read: {error.strerror}")
            continue
        if (count := count + len(things)) > MOST:
            message = f"the folder holds more than {MOST:,} files"
            raise notebook.Unreadable(message, hint="hand in the notebook alone")
        folders = [thing for thing in things if thing.is_dir(follow_symlinks=False)]
        plain = [one for one in things if one not in folders]
        found += [Path(one.path) for one in plain if is_notebook(one)]
        packed += [Path(one.path) for one in plain if is_zip(one)]
        if folders and depth == DEEPEST:
            notes.add(f"only {DEEPEST} levels of folders are searched")
        elif depth < DEEPEST:
            names = [one.path for one in folders if one.name != ".ipynb_checkpoints"]
            waiting += [(path, depth + 1) for path in names]
    return sorted(found), packed, tuple(sorted(notes))


def other_names(path):
    """Notes on a file that has other names as well. Raises `Unreadable` if it belongs to another
    user than its folder does: then the folder's owner has linked to somebody's file, which still
    counts in the folder of that person."""
    status, shown = os.lstat(path), clean_line(path.name)
    if status.st_nlink == 1:
        return ()
    said = f"{shown} has {status.st_nlink} names (hard links)"
    if os.stat(path.parent).st_uid != status.st_uid:
        hint = "hand in a copy that has no other name"
        raise notebook.Unreadable(f"{said}, and its owner is not its folder's", hint=hint)
    return (f"{said}: the same file may stand in another row",)
