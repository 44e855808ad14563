"""The gate in front of the lessons bites: nbval fails when one stored number is changed."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

from minigrad.course import project
from minigrad.course.lessons import lesson

SANITIZE = Path(__file__).parents[1] / "nbval_sanitize.cfg"
LESSONS = project.lessons(start=__file__)


def nbval(path):
    """pytest's exit status with the flags of `make test`, and the test cases of its report."""
    folder = path.parent
    flags = ["--nbval", "--nbval-current-env", f"--nbval-sanitize-with={SANITIZE}"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *flags]
    report = folder / "report.xml"
    done = subprocess.run(
        [*command, "--nbval-cell-timeout=60", "--rootdir", str(folder), f"--junitxml={report}",
         str(path)],
        capture_output=True, text=True, check=False, cwd=folder,
        env={**os.environ, "PYTHONHASHSEED": "random"},
    )  # fmt: skip
    return done.returncode, xml.parse(report).iter("testcase")


def test_nbval_fails_each_lesson_at_the_cell_whose_number_was_changed(add_lesson):
    """To save time one kernel runs all: of each lesson the code up to the changed cell. The cells
    before it must pass."""
    path = add_lesson("# All lessons", name="01_all")
    notebook, expected = lesson.read_lesson(path), {}
    for each in LESSONS:
        notebook.cells += [cell for cell in cut_and_changed(each) if cell.cell_type == "code"]
        expected[each.stem] = len(notebook.cells) - 2  # counted from 0, without the text cell
    lesson.name_cells(notebook.cells)
    path.write_text(lesson.lesson_text(notebook))
    status, cells = nbval(path)
    failed = [int(cell.get("name").split()[1]) for cell in cells if cell.findtext("failure")]
    assert status == 1 and expected
    assert failed == list(expected.values()), expected


def cut_and_changed(path):
    """A lesson's cells up to the first that stores a number, with that number changed."""
    cells = lesson.read_lesson(path).cells
    for at, cell in enumerate(cells, 1):
        for output in cell.get("outputs", ()) if compared(cell) else ():
            holder, key = stored(output)
            if holder and (number := re.search(r"\d", holder[key])):
                other = str((int(number[0]) + 1) % 10)
                holder[key] = holder[key].replace(number[0], other, 1)
                return cells[:at]
    raise AssertionError(f"{path.name}: no output holds a number that nbval compares")


def compared(cell):
    """Whether nbval looks at a cell's outputs."""
    return not {"nbval-ignore-output", "nbval-skip"} & set(cell.metadata.get("tags", ()))


def stored(output):
    """Where an output keeps its text: (a dict, a key); (None, None) where it has none."""
    if output.output_type == "stream":
        return output, "text"
    data = output.get("data", {})
    return (data, "text/plain") if "text/plain" in data else (None, None)
