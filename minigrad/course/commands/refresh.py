"""`minigrad refresh`: run the lessons and write their outputs, the same bytes every time."""

import base64
import copy
import io
import os
import tempfile
from pathlib import Path

from minigrad.core.errors import MinigradError
from minigrad.course import files, project
from minigrad.course.lessons import lesson

HELP = "run the lessons and store their outputs"
NEEDS = ("nbclient", "nbformat", "tqdm")
SECONDS_PER_CELL = 60
UNCOMPARED = "nbval-ignore-output"
COLOURS = 64  # of a PNG: a plot looks the same and takes a quarter of the bytes


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument(
        "names", nargs="*", help="lesson numbers or paths, for example 01 (default: all)"
    )


def run(args):
    """Refresh each lesson; one that fails stops the command and stays as it was."""
    from tqdm import tqdm

    project.clone()
    paths = project.lessons(args.names)
    cells = [cell.cell_type for path in paths for cell in lesson.read_lesson(path).cells]
    with tqdm(total=cells.count("code"), unit="cell", disable=None) as bar:
        changed = [path for path in paths if refresh(path, bar)]
    for path in changed:
        print(f"changed: {path.name}")
    print(f"{lesson.count_text(paths, 'lesson')} run, {len(changed)} changed")
    return 0


def refresh(path, bar=None):
    """Run the lesson at `path` and write it; say whether its text changed.

    What a cell tagged nbval-ignore-output measured is kept until something else changes, or its
    outputs are of other kinds: without any, it is measured again.
    """
    if bar is not None:
        bar.set_description(path.stem)
    new, old = execute_lesson(path, bar), lesson.read_lesson(path)
    ours = path.read_text(encoding="utf-8") == lesson.lesson_text(lesson.normalise_lesson(old))
    if ours and compared_parts(new) == compared_parts(old):
        return False
    files.write_atomically(path, lesson.lesson_text(new))
    return True


def compared_parts(notebook):
    """(the text with those outputs alone that nbval compares, of which kinds the others are)."""
    notebook, kinds = copy.deepcopy(notebook), []
    for cell in notebook.cells:
        if UNCOMPARED in cell.metadata.get("tags", ()):
            kinds.append([sorted(each.get("data", [each.output_type])) for each in cell.outputs])
            cell.outputs = []
    return lesson.lesson_text(notebook), kinds


def execute_lesson(path, bar=None):
    """The notebook at `path` with the outputs of a fresh kernel."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    reached, here = Reached(bar), {"metadata": {"path": str(path.parent)}}
    options = {"kernel_name": "python3", "extra_arguments": ["--log-level=ERROR"]}
    options |= {"timeout": SECONDS_PER_CELL, "record_timing": False, "coalesce_streams": True}
    options |= {"on_cell_start": reached.start, "on_cell_complete": reached.complete}
    blank = lesson.without_outputs(lesson.read_lesson(path))
    client = NotebookClient(blank, resources=here, **options)
    try:
        with tempfile.TemporaryDirectory() as folder:
            done = client.execute(env=steady_environment(folder))
            return lesson.normalise_lesson(shrink_pictures(done))
    except CellExecutionError as error:
        message = f"it raised {error.ename}: {error.evalue}"
    except CellTimeoutError:
        message = f"it ran longer than {SECONDS_PER_CELL} seconds"
    except DeadKernelError:
        message = "the kernel died"
    message = f"{path.name} is unchanged: cell {reached.number} did not end well: {message}"
    hint = "fix the cell, or tag it 'raises-exception' if the error is the lesson"
    raise MinigradError(message, hint, f"{path.name}, cell {reached.number}: {reached.first_line}")


def shrink_pictures(notebook):
    """The notebook with its PNG pictures in few colours, so that a lesson can show several."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if "image/png" in output.get("data", {}):
                output["data"]["image/png"] = few_colours(output["data"]["image/png"])
    return notebook


def few_colours(text):
    """A PNG in base64 with at most COLOURS colours, on white."""
    from PIL import Image

    picture = Image.open(io.BytesIO(base64.b64decode(text))).convert("RGBA")
    white, found = Image.new("RGBA", picture.size, "white"), io.BytesIO()
    opaque = Image.alpha_composite(white, picture).convert("RGB")
    opaque.quantize(COLOURS).save(found, "PNG", optimize=True)
    return base64.b64encode(found.getvalue()).decode()


class Reached:
    """Which cell a running notebook has reached, for the progress bar and for errors."""

    def __init__(self, bar):
        self.bar, self.number, self.first_line = bar, 0, ""

    def start(self, cell, cell_index):
        """Remember the cell (counted from 1, text cells too)."""
        self.number = cell_index + 1
        self.first_line = cell.source.partition("\n")[0]

    def complete(self, cell, cell_index):
        """Move the bar."""
        if self.bar is not None:
            self.bar.update()


def steady_environment(folder):
    """The kernel's environment: no hash, style or date that differs between two runs."""
    style = Path(folder) / "matplotlibrc"
    style.write_text("svg.hashsalt: minigrad\n", encoding="utf-8")
    steady = {"PYTHONHASHSEED": "0", "MATPLOTLIBRC": str(style), "SOURCE_DATE_EPOCH": "0"}
    return {**os.environ, **steady}
