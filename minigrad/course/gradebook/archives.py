"""A student's own zip: its notebook is read where it lies, and nothing is unpacked to a disk.

Of the zip no more bytes are read than a notebook may have, and no more of the notebook in it. Other
ways to pack (7z, rar, bzip2 in a zip) are not read: how much memory they take the packer decides.
"""

import io
import re
import struct
import zipfile
import zlib
from datetime import UTC, datetime
from pathlib import Path

from minigrad.course.grading import notebook
from minigrad.course.grading.names import clean_line

ENDINGS = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
KINDS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENTRY = b"PK\x01\x02"  # begins each entry of a zip's table
LONGEST = 200
FAULTS = (zipfile.BadZipFile, zlib.error, struct.error, RuntimeError, OSError, ValueError, EOFError)
HINT = "hand in the notebook itself"


def list_packed(path, most):
    """(name, when it was written, in seconds) of what is in the zip at `path`, `most` at the most.
    Raises `Unreadable`."""
    with open_archive(path, most) as archive:
        return [(entry.filename, seconds(entry)) for entry in archive.infolist()]


def seconds(entry):
    """When an entry of a zip was written, in seconds; 0 for a time that is none."""
    try:
        return datetime(*entry.date_time, tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def read_packed(path, member, most):
    """The bytes of the file `member` in a zip, no more than a notebook may have. Raises
    `Unreadable`."""
    with open_archive(path, most) as archive:
        entry, shown = archive.getinfo(member), clean_line(last_name(member))
        if entry.compress_type not in KINDS:
            raise notebook.Unreadable(
                f"{shown} uses a compression that is not supported", hint=HINT
            )
        try:
            with archive.open(entry) as file:
                data = file.read(notebook.LARGEST_BYTES + 1)
        except FAULTS as error:
            raise unreadable(shown, error) from error
    if len(data) > notebook.LARGEST_BYTES:
        message = f"{shown} holds more than {notebook.LARGEST_BYTES:,} bytes"
        raise notebook.Unreadable(message, hint="clear its outputs, then save it")
    return data


def open_archive(path, most):
    """The zip at `path`, once it is known that its table is not too long to be read."""
    shown, data = clean_line(Path(path).name), notebook.read_plainly(path, HINT)
    if data.count(ENTRY) > most:
        raise notebook.Unreadable(f"{shown} holds more than {most:,} files", hint=HINT)
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except FAULTS as error:
        raise unreadable(shown, error) from error


def unreadable(shown, error):
    """The `Unreadable` of what is damaged, or has a password."""
    return notebook.Unreadable(
        f"{shown} cannot be read: {clean_line(str(error))[:LONGEST]}", hint=HINT
    )


def last_name(member):
    """The file's own name in that of a zip's entry, whichever slash the packer wrote."""
    return split_name(member)[-1]


def split_name(member):
    """The folders and the file in the name of a zip's entry."""
    return re.split(r"[/\\]", member)
