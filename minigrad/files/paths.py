"""Paths as a user gives them: `~` is the home folder, and what the system refuses is one error."""

import errno
import os
from os import PathLike
from pathlib import Path

from minigrad.core.errors import FileError, ForbiddenFileError, MissingFileError, UsageError

GivenPath = str | PathLike[str]
FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
KINDS = {FileNotFoundError: MissingFileError, PermissionError: ForbiddenFileError}


def user_path(given: GivenPath) -> Path:
    """Make the Path that a string or path object names, with `~` expanded.

    Raises UsageError for anything else, and FileError for a text that can name no file.

    >>> mg.files.user_path("net.json").name
    'net.json'
    """
    if not isinstance(text := os.fspath(given) if hasattr(given, "__fspath__") else given, str):
        message = f"a path is a string or a pathlib.Path, not {type(given).__name__}"
        raise UsageError(message, 'write the path in quotes: "net.json"')
    if not text or "\0" in text or not is_encodable(text):
        raise FileError(f"{text!r} can name no file", 'write a name, for example "net.json"')
    try:
        return Path(text).expanduser()
    except RuntimeError:
        message = f"{shown_path(text)}: there is no home folder {Path(text).parts[0]}"
        raise FileError(message, f"write ~/{Path(text).name}, or the whole path") from None


def is_encodable(text):
    """True for a text that the file system has bytes for."""
    try:
        return bool(os.fsencode(text))
    except UnicodeError:
        return False


def shown_path(given):
    """A path as the user gave it, on one line."""
    text = os.fspath(given)
    return text if text.isprintable() else repr(text)


def path_error(error: OSError, given: GivenPath, path: Path, done: str) -> FileError:
    """The FileError that says why `given`, which leads to `path`, cannot be `done`.

    `done` is "written" or "read". The error is also a FileNotFoundError or PermissionError where
    the system's own `error` is.
    """
    kind = next((KINDS[builtin] for builtin in KINDS if isinstance(error, builtin)), FileError)
    reason, hint = explain_refusal(error, path, done)
    found = kind(f"{shown_path(given)} cannot be {done}: {reason}", hint)
    found.errno, found.filename = error.errno, str(path)
    return found


def explain_refusal(error, path, done):
    """(why the system refuses a path, what to do)."""
    if os.path.isdir(path):
        inside = str(path / f"net{path.suffix}")
        hint = f"name a file in it: {inside!r}" if done == "written" else suggest_listing(path)
        return "it is a folder", hint
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return explain_ban(error, path, done)
    if isinstance(error, (FileNotFoundError, NotADirectoryError, FileExistsError)):
        return explain_absence(error, path, done)
    if error.errno in FULL:
        return "the disk is full", "free some space, or save to another disk"
    if error.errno == errno.ENAMETOOLONG:
        return "its name is longer than the system allows", "choose a shorter name"
    return error.strerror or str(error), "choose another path"


def explain_ban(error, path, done):
    """The same where a permission is missing."""
    said = error.strerror or str(error)
    if done == "read":
        return f"you may not read it ({said})", f"permit it: os.chmod({str(path)!r}, 0o600)"
    where = f"you may not write to the folder {shown_path(path.parent)} ({said})"
    return where, f"save to a folder of your own: {'~/' + path.name!r}"


def explain_absence(error, path, done):
    """The same where a file, or a folder on the way to it, is not there."""
    folder, writing = path.parent, done == "written"
    there = next(one for one in path.parents if os.path.lexists(one))
    if not os.path.isdir(there):
        hint = f"name another place: {str(there.parent / path.name)!r}"
        return f"{shown_path(there)} is not a folder", hint if writing else suggest_listing(
            there.parent
        )
    if there != folder:
        hint = f"make it first: os.makedirs({str(folder)!r}, exist_ok=True)"
        return f"there is no folder {shown_path(folder)}", hint if writing else suggest_listing(
            there
        )
    if not writing:
        return "there is no such file", suggest_listing(folder)
    said = error.strerror or str(error)
    return (
        f"the folder {shown_path(folder)} does not accept files ({said})",
        "choose another folder",
    )


def suggest_listing(folder):
    """The hint for someone who looks for a file."""
    return f"list the folder: os.listdir({str(folder)!r})"
