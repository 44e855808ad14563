"""Which notebook is meant among the files, folders and zips that one student handed in."""

import itertools
import os
import re
from pathlib import Path
from typing import NamedTuple

from minigrad.course.gradebook import archives
from minigrad.course.gradebook.platforms import Origin, parse_origin
from minigrad.course.grading import notebook
from minigrad.course.grading.names import clean_line

DEEPEST = 8  # folders in a student's folder
MOST = 10_000  # files and folders in it


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
    return names_notebook(thing.name)


def names_notebook(name):
    """Whether a name is a notebook's, not that of a file which macOS puts beside each."""
    return name.lower().endswith(".ipynb") and not name.startswith("._")


def is_zip(thing):
    """Whether the name is a zip's."""
    return thing.name.lower().endswith(".zip") and not thing.name.startswith("._")


def choose_notebook(handed, name):
    """The notebook `Found` in what a file or a student's folder is or holds. Raises `Unreadable`
    when there is none."""
    if len(handed.things) > 1:
        files = {
            Path(one.path): parse_origin(clean_line(one.name), False).file
            for one in handed.things
            if is_notebook(one)
        }
        packed = [Path(one.path) for one in handed.things if is_zip(one)]
        absent = f"no notebook is among {handed.names}; hand in the notebook"
        return choose_among(files, packed, name, "the submission", absent)
    (thing,) = handed.things
    if thing.is_dir(follow_symlinks=False):
        return choose_below(thing.path, name)
    if is_notebook(thing):
        return Found(Path(thing.path))
    if is_zip(thing):
        return choose_packed(Path(thing.path), name)
    shown = clean_line(thing.name)
    if thing.name.lower().endswith(archives.ENDINGS):
        message = f"{shown} is an archive, and of archives only a zip is read"
        raise Absent(message, hint="hand in the notebook")
    message = f"{shown} is neither a notebook nor a folder"
    raise notebook.Unreadable(message, hint="hand in the notebook")


def choose_below(folder, name):
    """The same for a student's folder."""
    notebooks, packed, notes = notebooks_below(folder)
    files = {path: path.name for path in notebooks}
    absent = "; ".join(["the folder holds no notebook", *notes])
    return choose_among(files, packed, name, "the folder", absent, notes)


def choose_among(notebooks, packed, name, where, absent, notes=()):
    """The same for several files: {path: its own name}, or else the one zip of `packed`. Raises
    what is `absent` when there is neither."""
    if notebooks:
        path = pick_notebook(notebooks, name, where, notes)
        return Found(path, "", (*notes, *which_of(notebooks, path, where)))
    if len(packed) != 1:
        raise Absent(absent)
    found = choose_packed(packed[0], name)
    return found._replace(notes=(*notes, *found.notes))


def choose_packed(path, name):
    """The same for a student's zip; it may hold folders, and zips in it are not opened."""
    shown, found = clean_line(path.name), {}
    for member in archives.list_packed(path, MOST):
        *folders, own = archives.split_name(member)
        passed = {"__MACOSX", ".ipynb_checkpoints"} & {*folders}
        if names_notebook(own) and not passed and len(folders) <= DEEPEST:
            found[member] = own
    if not found:
        raise Absent(f"{shown} holds no notebook", hint="hand in the notebook")
    member = pick_notebook(found, name, shown)
    note = f"{clean_line(found[member])} was read out of {shown}"
    return Found(path, member, (note, *which_of(found, member, shown)))


def which_of(notebooks, chosen, where):
    """A note of which one was taken, where there are more."""
    if len(notebooks) == 1:
        return ()
    return (f"{where} holds {len(notebooks)} notebooks: {clean_line(notebooks[chosen])} is graded",)


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
    message = f"{where} holds {len(notebooks)} notebooks, and not just one is named {name}.ipynb"
    raise Absent("; ".join([message, *notes]))


def drop_number(name):
    """A file's name without the number in ps1-1.ipynb and ps1 (1).ipynb."""
    return re.sub(r"(-\d+| \(\d+\))(?=\.ipynb$)", "", name)


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
            notes.add(f"more than {DEEPEST} folders deep nothing is looked for")
        elif depth < DEEPEST:
            names = [one.path for one in folders if one.name != ".ipynb_checkpoints"]
            waiting += [(path, depth + 1) for path in names]
    return sorted(found), packed, tuple(sorted(notes))


def refuse_other_names(path):
    """Raises `Unreadable` for a file that has other names as well: nobody knows whose it is."""
    if (count := os.lstat(path).st_nlink) > 1:
        message = (
            f"{clean_line(path.name)} has {count} names (hard links); whose it is cannot be told"
        )
        raise notebook.Unreadable(message, hint="hand in a copy that has no other name")
