"""Files of the course: written whole or not at all, and named as they are seen from its folder."""

import os
import tempfile
from pathlib import Path

from minigrad.course import project
from minigrad.errors import MinigradError


def write_atomically(path, content):
    """Put `content` at `path` whole, or not at all."""
    path = Path(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise MinigradError(f"{path.name} is a device, no file", "give the path of a file")
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
        os.chmod(made, 0o644)
        os.replace(made, path)
    except BaseException:
        os.unlink(made)
        raise


def renew(path, content):
    """Write `content` where the file holds another; whether it did."""
    if path.exists() and path.read_bytes() == content.encode():
        return False
    write_atomically(path, content)
    return True


def path_text(path):
    """A path as seen from the course's folder, or whole when it lies elsewhere."""
    try:
        return Path(path).resolve().relative_to(project.root()).as_posix()
    except ValueError:
        return str(path)
