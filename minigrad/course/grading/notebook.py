"""A notebook as data: read with suspicion, because anybody may have written it."""

import json
import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import MinigradError
from minigrad.course.grading.names import clean_line

LARGEST_BYTES = 20 * 2**20
ENDING = re.compile(r"\.ipynb(\.txt|\.json)?$|\.json$", re.IGNORECASE)  # as saved by mail
HINT = "open it in JupyterLab and save it"


class Unreadable(MinigradError):
    """A file that is no notebook."""


class Cell(NamedTuple):
    """One cell: its kind (code, markdown, raw), its text, and nbgrader's metadata."""

    kind: str
    source: str
    mark: dict

    @property
    def name(self):
        """What the assignment calls this cell, or None."""
        name = self.mark.get("grade_id")
        return name if type(name) is str else None

    @property
    def role(self):
        """answer, written, check, given, or free: who writes the cell and who runs it; a
        written answer is one that is graded by hand."""
        if self.mark.get("solution") is True:
            return "written" if self.mark.get("grade") is True else "answer"
        if self.mark.get("grade") is True:
            return "check"
        return "given" if self.mark.get("locked") is True else "free"

    @property
    def question(self):
        """The question that the cell belongs to: its name up to the first dash."""
        return (self.name or "").split("-")[0]


def names_notebook(name):
    """Whether a file's name is a notebook's, not that of one which macOS puts beside each, nor of a
    program's settings."""
    hidden = name.startswith("._" if name.lower().endswith(".ipynb") else ".")
    return ENDING.search(name) is not None and not hidden


def read_plainly(path, hint=HINT):
    """The bytes of the plain file at `path`, no more than a notebook may hold. Raises
    `Unreadable`."""
    path = Path(path)
    name = clean_line(path.name)
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise Unreadable(f"{name} is not a plain file", hint=hint)
        with open(path, "rb", opener=open_plainly) as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise Unreadable(f"{name} cannot be read: {error.strerror}", hint=hint) from error
    if len(data) > LARGEST_BYTES:
        message = f"{name} holds {size:,} bytes; at most {LARGEST_BYTES:,} are read"
        raise Unreadable(message, hint="clear its outputs, then save it")
    return data


def open_plainly(path, flags):
    """Open a file that may have become a link or a pipe meanwhile: neither followed nor awaited."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def read_notebook(path, data=None, hint=HINT):
    """The JSON of the notebook at `path`, or of its bytes `data` where they have been read. Raises
    `Unreadable` with the message and the hint."""
    name = clean_line(Path(path).name)
    try:
        raw = json.loads(read_plainly(path, hint) if data is None else data)
    except (ValueError, RecursionError) as error:
        where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise Unreadable(f"{name} is not a notebook: no JSON{where}", hint=hint) from error
    if problem := find_malformation(raw):
        raise Unreadable(f"{name} is not a notebook: {problem}", hint=hint)
    return raw


def find_malformation(raw):
    """What keeps `raw` from being a notebook of nbformat 4, or None."""
    if type(raw) is not dict or raw.get("nbformat") != 4:
        return "it is not in nbformat 4"
    if type(raw.get("cells")) is not list:
        return "it has no list of cells"
    for number, cell in enumerate(raw["cells"], 1):
        if type(cell) is not dict or cell.get("cell_type") not in ("code", "markdown", "raw"):
            return f"cell {number} is of no known type"
        if source_text(cell) is None:
            return f"cell {number} has no text"
    return None


def source_text(cell):
    """A cell's source as one string, or None."""
    source = cell.get("source")
    if type(source) is list and all(type(line) is str for line in source):
        return "".join(source)
    return source if type(source) is str else None


def cells(raw):
    """The `Cell`s of a notebook that `read_notebook` returned."""
    return [
        Cell(cell["cell_type"], source_text(cell), metadata_table(cell, "nbgrader"))
        for cell in raw["cells"]
    ]


def metadata_table(thing, name):
    """The dict in the metadata of a cell or notebook under `name`, {} when there is none."""
    found = keep_metadata(thing, name).get(name)
    return found if type(found) is dict else {}


def strip_outputs(raw):
    """The notebook with no output, no execution count and no metadata of a machine."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    metadata |= keep_metadata(raw, "minigrad")
    cells = [strip_cell(number, cell) for number, cell in enumerate(raw["cells"])]
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def strip_cell(number, cell):
    """The same for one cell."""
    name = cell.get("id")
    clean = {"id": name if type(name) is str and name else f"cell-{number}"}
    clean |= {"cell_type": cell["cell_type"], "source": source_text(cell).splitlines(keepends=True)}
    never_ran = {"execution_count": None, "outputs": []} if cell["cell_type"] == "code" else {}
    return {**clean, **never_ran, "metadata": keep_metadata(cell, "nbgrader", "tags")}


def keep_metadata(thing, *names):
    """The metadata of a cell or notebook that stands under `names`."""
    metadata = thing.get("metadata")
    metadata = metadata if type(metadata) is dict else {}
    return {name: metadata[name] for name in names if name in metadata}


def read_statement(raw, name):
    """What the course has written into a notebook under `name`, in one line; "" for nothing."""
    found = metadata_table(raw, "minigrad").get(name)
    return clean_line(found[:40]) if type(found) is str else ""


def notebook_text(raw):
    """The one canonical text of a notebook; what is no Unicode becomes a question mark."""
    made = json.dumps(raw, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    return made.encode("utf-8", errors="replace").decode("utf-8")
