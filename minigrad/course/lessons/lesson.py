"""A lesson as a file: one canonical text for one notebook, read with clear errors."""

import hashlib
import json
from pathlib import Path

from minigrad.core.errors import MinigradError
from minigrad.course.grading import notebook as data

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "name": "python", "pygments_lexer": "ipython3"},
}
CELL_METADATA = {"tags", "jupyter"}
NOT_A_NOTEBOOK = "open it in JupyterLab, or take it back from git"


def read_lesson(path):
    """The notebook at `path` (nbformat 4, with cell ids). Raises a MinigradError otherwise."""
    import nbformat

    path = Path(path)
    raw = data.read_notebook(path, hint=NOT_A_NOTEBOOK)
    name_cells(raw["cells"])
    raw["nbformat_minor"] = max(raw.get("nbformat_minor", 0), 5)
    notebook = nbformat.reads(json.dumps(raw), as_version=4)
    try:
        nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        message = f"{path.name} is not a valid notebook: {str(error).splitlines()[0]}"
        raise MinigradError(message, hint=NOT_A_NOTEBOOK) from error
    return notebook


def name_cells(cells):
    """Give each cell that has no id, or the id of an earlier one, an id made from its text."""
    taken = set()
    for cell in cells:
        source = "".join(cell["source"])
        turn = 0
        while not cell.get("id") or cell["id"] in taken:
            cell["id"] = hashlib.sha256(f"{turn}{source}".encode()).hexdigest()[:8]
            turn += 1
        taken.add(cell["id"])


def normalise_lesson(notebook):
    """The notebook without what differs between machines or runs: times, widths, versions."""
    notebook.metadata = METADATA
    for cell in notebook.cells:
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in CELL_METADATA and v}
        for output in cell.get("outputs", ()):
            if "metadata" in output:
                output["metadata"] = {}
    return notebook


def without_outputs(notebook):
    """The notebook as a student opens it: nothing has run yet."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return normalise_lesson(notebook)


def lesson_text(notebook):
    """The notebook's one canonical text."""
    import nbformat

    return nbformat.writes(nbformat.from_dict(notebook)) + "\n"


def count_text(things, noun):
    """`3 lessons`, `1 lesson`."""
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"
