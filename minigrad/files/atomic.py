"""Files that are replaced whole: one alone, or a .json file with the .npz file that it names."""

import contextlib
import errno
import hashlib
import os
import re
import secrets
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any

from minigrad.core.errors import FileError
from minigrad.files.paths import GivenPath, path_error, user_path

# Windows does not replace or open a file while another process holds it: seconds between attempts
WAITS = (0.01, 0.03, 0.1, 0.3, 1) if os.name == "nt" else ()
FORMAT, VERSION = "minigrad graph", 2
BYTES = b"minigrad net"  # how a net in one object begins
TOKEN = re.compile("[0-9a-f]{16}")
SEAL = re.compile(rb'"checksum": "[0-9a-f]{64}"')
HEAD = re.compile(
    rb'\s*{\s*"format": "minigrad graph",\s*"version": \d+,\s*'
    rb'"arrays": "([0-9a-f]{64})",\s*(?:"file": "([0-9a-f]{16})")?'
)


def replace_file(path: GivenPath, content: bytes, given: GivenPath | None = None) -> Path:
    """Replace a file as a whole: after any interruption it has the old content or the new.

    Returns its Path, with `~` expanded. The content is on the disk before the name points to it.
    A process that is killed may leave a hidden file .minigrad-….part, which can be deleted.
    Raises FileError, which names the path as it was `given`, where the system refuses it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mg.files.replace_file(folder + "/net.bin", b"new").read_bytes()
    b'new'
    """
    found = user_path(path)
    with_refusals(given or path, found, write_beside, content)
    return found


def with_refusals(given, path, write, *arguments):
    """write(path, *arguments); what the system refuses is a FileError for the path as given."""
    refuse_device(path)
    try:
        if path.is_dir():  # before anything is written beside it
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        write(path, *arguments)
    except OSError as error:
        raise path_error(error, given, path, "written") from None


def write_beside(path, content, mode=None):
    """The same for a Path; what the system refuses is raised as it is. With a `mode` the file has
    that one, whatever the umask, and nobody else can open it before it is whole."""
    part = path.parent / f".minigrad-{new_token()}.part"
    opener = None if mode is None else partial(os.open, mode=0o600)
    try:
        with open(part, "xb", opener=opener) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(part, mode)
        patiently(os.replace, part, path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def refuse_device(path: Path) -> None:
    """Raises FileError for what is there and is neither a file nor a folder."""
    if os.path.exists(path) and not (path.is_file() or path.is_dir()):
        raise FileError(f"{path.name} is a device, not a file", "give the path of a file")


def patiently(call: Callable[..., Any], *arguments: Any) -> Any:
    """call(*arguments), tried again for a while when another process holds the file."""
    for wait in WAITS:
        try:
            return call(*arguments)
        except PermissionError:
            time.sleep(wait)
    return call(*arguments)


def open_file(path: Path, given: GivenPath) -> IO[bytes]:
    """Open the file at `path` for reading. Raises FileError with the path as it was `given`.

    >>> import os, pathlib
    >>> mg.files.open_file(pathlib.Path(os.__file__), "os.py").close()
    """
    try:
        file: IO[bytes] = patiently(open, path, "rb")
    except OSError as error:
        raise path_error(error, given, path, "read") from None
    return file


def new_token() -> str:
    """Make 16 letters that no other call gets, in this process or another.

    >>> len(mg.files.new_token())
    16
    """
    return secrets.token_hex(8)


def sync_folder(folder: Path) -> None:
    """Brings the names in a folder to the disk, on systems where a folder can be opened."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# a pair of files ----------------------------------------------------------------------------------


def arrays_path(path: Path, token: str | None) -> Path:
    """The .npz file of a .json file that names this token; without one, as in version 1."""
    return path.with_name(f"{path.stem}-{token}.npz") if token else path.with_suffix(".npz")


def seal_text(text: bytes) -> bytes:
    """The .json text with the checksum of all the rest of it in its place."""
    blank = SEAL.sub(b'"checksum": "%s"' % (b"0" * 64), text, count=1)
    digest = hashlib.sha256(blank).hexdigest().encode()
    return SEAL.sub(b'"checksum": "%s"' % digest, blank, count=1)


def is_whole(text: bytes) -> bool:
    """True for a .json text that is as it was sealed."""
    return SEAL.search(text) is not None and seal_text(text) == text


def replace_both(given: GivenPath, text_for: Callable[[str], bytes], packed: bytes) -> None:
    """Puts a new pair of files in the place of the old one; text_for(token) is the .json file.

    The arrays have a name that no other save gives, so both pairs are whole until the .json file,
    which is replaced at one moment, names the new ones. Arrays that nothing names any more go
    away then; some may stay when two save at once, or one is killed. Raises FileError, which names
    the path as it was given, where the system refuses it.
    """
    with_refusals(given, user_path(given), write_both, text_for, packed)


def write_both(path, text_for, packed):
    """The same for a Path; what the system refuses is raised as it is."""
    token = new_token()
    arrays = arrays_path(path, token)
    try:
        text = text_for(token)
        write_beside(arrays, packed)
        old = named_arrays(path)
        write_beside(path, text)
    except BaseException:
        remove_unnamed(path, arrays)
        raise
    remove_unnamed(path, arrays, *old)


def remove_unnamed(path: Path, *arrays: Path) -> None:
    """Removes those of these files that the .json file does not name; none when it is unknown."""
    with contextlib.suppress(OSError):
        for file in set(arrays).difference(named_arrays(path)):
            file.unlink(missing_ok=True)


def named_arrays(path: Path) -> list[Path]:
    """The .npz file that the .json file at `path` names, in a list; empty when it names none.

    A file of version 1 names net.npz: that is the one only if it has the digest.
    """
    try:
        with open(path, "rb") as file:
            head = HEAD.match(file.read(1000))
        if head is None:
            return []
        arrays = arrays_path(path, head[2].decode() if head[2] else None)
        if not head[2]:
            with open(arrays, "rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != head[1].decode():
                    return []
        return [arrays]
    except FileNotFoundError:
        return []
