"""Files of the course: written whole or not at all, and named as they are seen from its folder."""

import contextlib
import io
import shutil
import tempfile
import zipfile
from pathlib import Path

from minigrad.core.errors import ArgumentError, MinigradError
from minigrad.course import project
from minigrad.files.atomic import refuse_device, write_beside

MARK = ".made-by-minigrad"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first day that a zip knows: the same files make the same bytes


def write_atomically(path, content):
    """Put `content`, text or bytes, at `path` whole, or not at all. Everybody may read the file,
    and the user alone may write into it, also while it is made."""
    path = Path(path)
    refuse_device(path)
    write_beside(path, content.encode() if isinstance(content, str) else content, 0o644)


def archive_path(asked, usual, replace):
    """The path of a zip to write: the one that is asked for, or the usual one. Raises where it
    is no .zip, its folder is not there, or another file would be lost."""
    path = Path(asked or usual)
    if path.suffix.lower() != ".zip":
        raise MinigradError(f"{path.name} is not the name of a zip", hint=f"{path.name}.zip")
    if not path.parent.is_dir():
        raise MinigradError(f"there is no folder {path.parent}", hint="make it, or name another")
    if path.exists() and not replace:
        raise MinigradError(f"{path} is there already", hint="add --replace, or name another file")
    return path


def write_archive(path, contents):
    """Write a zip of {name: text or bytes} whole or not at all, the same bytes for the same
    contents; what begins with #! can be executed."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(contents.items()):
            data = content.encode() if isinstance(content, str) else content
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3  # which keeps the modes
            entry.external_attr = (0o100755 if data[:2] == b"#!" else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    write_atomically(path, held.getvalue())


def renew(path, content):
    """Write `content` where the file holds another; whether it did."""
    if path.exists() and path.read_bytes() == content.encode():
        return False
    write_atomically(path, content)
    return True


def renew_folder(folder, make):
    """Put what `make(scratch)` made, a folder below `scratch`, in the place of `folder`; with an
    error the old one stays. Raises MinigradError where `folder` lacks the file that says that
    this function has made it."""
    mark = f"A minigrad command rebuilds {folder.name}/ from scratch. Keep your files elsewhere.\n"
    if folder.exists() and not holds(folder / MARK, mark):
        message = f"{folder} was not made by this command, or by an older version of it"
        raise MinigradError(message, hint="move it away, and run the command again")
    with tempfile.TemporaryDirectory() as scratch:
        made = make(Path(scratch).resolve())
        (made / MARK).write_text(mark, encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(made, folder)


def holds(path, text):
    """Whether the file at `path` is there and holds this text."""
    with contextlib.suppress(OSError, ValueError):
        return path.read_text(encoding="utf-8") == text
    return False


def path_text(path):
    """A path as seen from the course's folder, or whole when it lies elsewhere."""
    path = Path(path)
    for course in (project.root(), project.workspace().parent):
        with contextlib.suppress(ValueError):
            return path.resolve().relative_to(course).as_posix()
    return str(path)


def page_path(asked, generator):
    """The path of an HTML page to write. Raises where a file would be lost that is no page of the
    `generator`, which each of its pages names in its head."""
    path, another = Path(asked), "name another file with --out"
    if path.suffix.lower() not in (".html", ".htm"):
        hint = f"--out {path.name}.html"
        raise ArgumentError(f"{path.name} is not the name of a page", hint=hint)
    if not path.parent.is_dir():
        raise ArgumentError(f"there is no folder {path.parent}", hint=f"make it, or {another}")
    if path.is_dir() or path.is_file() and not is_page_of(path, generator):
        message = f"{path_text(path)} is there already, and not a page of this command"
        raise ArgumentError(message, hint=f"move it away, or {another}")
    return path


def is_page_of(path, generator):
    """Whether the file is a page that the `generator` has written."""
    with path.open("rb") as file:
        return f'content="{generator}"'.encode() in file.read(500)
