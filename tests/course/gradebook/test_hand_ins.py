"""Hand-ins that aim at what reads them: split and text cells, several notebooks, names, zips.

All lie in one batch, read and not run: each has a row of its own, and the honest keep their points.
"""

import json
import os
import zipfile

import pytest

from minigrad.course.gradebook import choosing

from ..grading.conftest import RIGHT, lay_out, marked, notebook
from . import odd

COPIES = 400


def write(path, raw):
    """A notebook, or bytes in its place."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(raw if type(raw) is bytes else json.dumps(raw).encode())


def copies(source):
    """The honest notebook with many more cells of the name q1."""
    raw = notebook(RIGHT)
    raw["cells"] += [marked("q1", source.format(n), solution=True) for n in range(COPIES)]
    return raw


def beside(source, count):
    """The honest notebook without q1, and text cells in its place."""
    raw = notebook({name: text for name, text in RIGHT.items() if name != "q1"})
    raw["cells"] += [{"cell_type": "markdown", "metadata": {}, "source": source}] * count
    return raw


def changed(**fields):
    """The honest notebook with other fields of the cell q1."""
    raw = notebook(RIGHT)
    raw["cells"][1] |= fields
    return raw


def at_times(folder, first, second):
    """Two notebooks of these times."""
    for name, when in (("one", first), ("two", second)):
        write(folder / f"{name}.ipynb", notebook(RIGHT))
        os.utime(folder / f"{name}.ipynb", (when, when))


def without_dates(path):
    """A zip of two notebooks of a month that is none."""
    with zipfile.ZipFile(path, "w") as packed:
        for name in ("one.ipynb", "two.ipynb"):
            packed.writestr(zipfile.ZipInfo(name), json.dumps(notebook(RIGHT)))
    data = path.read_bytes()
    path.write_bytes(data.replace(b"\x00\x00\x21\x00", bytes(4)))


CLAIM = {"minigrad": {"assignment": "\x1b[2J;=1+1\u202e"}}
MARK = {"grade_id": "q1", "solution": True, "grade": True, "points": 1000}
MANY_NAMES = f"import {', '.join(f'm{n}' for n in range(5_000))}\n{RIGHT['q1']}"
EMPTY = {"cell_type": "code", "metadata": {}, "source": "", "outputs": []}
MANY_CELLS = [*notebook(RIGHT)["cells"], *[EMPTY] * 100_000]
NOTEBOOKS = {  # what is handed in, and the score by an answer that returns something
    "halves": (copies("x{0} = 1"), "3"),
    "halves that open": (copies("("), "3"),
    "an answer as raw text": (changed(cell_type="raw"), "3"),
    "fences that do not end": (beside("double\n" + "```\n" * 2_400, 50), "2"),
    "fences that do": (beside("double\n```\nx\n```\n" * 600, 50), "2"),
    "its own points": (changed(metadata={"nbgrader": MARK}), "3"),
    "a name that is a list": (changed(metadata={"nbgrader": {"grade_id": [1]}}), "3"),
    "another's": (notebook(RIGHT) | {"metadata": CLAIM}, ""),
    "names that will not be there": (notebook(RIGHT | {"q1": MANY_NAMES}), "3"),
    "half a character": (notebook(RIGHT | {"q1": "def double(x): return '\ud800'"}), "3"),
    "minus signs": (notebook(RIGHT | {"q1": f"x = {'-' * 20_000}1"}), "2"),
    "no number": (json.dumps(notebook(RIGHT) | {"x": float("nan")}).encode(), "3"),
    "its cells twice": (b'{"cells": [], ' + json.dumps(notebook(RIGHT)).encode()[1:], "3"),
    "four bytes a letter": (json.dumps(notebook(RIGHT)).encode("utf-32"), "3"),
    "a number of many digits": (b'{"x": ' + b"9" * 6_000 + b"}", ""),
    "a name in wide letters": (changed(metadata={"nbgrader": {"grade_id": "\uff51\uff11"}}), "3"),
    "a letter a line": (changed(source=[*RIGHT["q1"]]), "3"),
    "a hundred thousand cells": (notebook(RIGHT) | {"cells": MANY_CELLS}, "3"),
    "all": (notebook(RIGHT), "3"),
    "student": (notebook(RIGHT), "3"),
    "Points Possible": (notebook(RIGHT), "3"),
}
FOLDERS = {
    "times before and after all": (lambda folder: at_times(folder, -(2**31), 2**33), "3"),
    "times that are close": (lambda folder: at_times(folder, 10, 69), ""),
    "numbers of other scripts": (
        lambda folder: [
            write(folder / f"tiny-{number}.ipynb", notebook(RIGHT))
            for number in ("\u0663", "9" * 90)
        ],
        "3",
    ),
    "one among broken ones": (
        lambda folder: [
            write(folder / f"{n}.ipynb", b"[" * 100_000 if n else notebook(RIGHT))
            for n in range(12)
        ],
        "3",
    ),
    "settings beside it": (
        lambda folder: [
            write(folder / "settings.json", b"{}"),
            write(folder / "tiny.json", notebook(RIGHT)),
        ],
        "3",
    ),
}


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    """(rows of grades.csv by student, what was printed)."""
    course = tmp_path_factory.mktemp("course")
    lay_out(course)
    folder = course / "subs"
    for name in odd.HONEST:
        write(folder / f"{name}.ipynb", notebook(RIGHT))
    for name, (raw, _) in NOTEBOOKS.items():
        write(folder / f"{name}.ipynb", raw)
    for name, (make, _) in FOLDERS.items():
        (folder / name).mkdir()
        make(folder / name)
    without_dates(folder / "no dates.zip")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        _, rows, said = odd.graded(folder, course / "grades")
    return {row["student"]: row for row in rows}, said


@pytest.mark.parametrize("name", [*NOTEBOOKS, *FOLDERS])
def test_each_has_a_row_with_what_it_earns(batch, name):
    row = batch[0][name]
    assert row["score"] == (NOTEBOOKS | FOLDERS)[name][1]
    assert row["score"] or len(row["reason"]) > 10


def test_the_honest_keep_their_points_and_nothing_odd_is_printed(batch):
    rows, said = batch
    assert [rows[name]["score"] for name in odd.HONEST] == ["3", "3"]
    assert len(rows) == len(NOTEBOOKS) + len(FOLDERS) + len(odd.HONEST) + 1
    assert all(letter.isprintable() or letter == "\n" for letter in said)


def fat(folder, name, size):
    """A notebook of so many bytes."""
    write(folder / name, notebook(RIGHT) | {"metadata": {"x": "y" * size}})


def test_several_large_notebooks_are_not_all_looked_into(tmp_path, monkeypatch):
    monkeypatch.setattr(choosing, "MOST_BYTES", 20_000)
    looked, folder = [], tmp_path / "ann"

    def has_work(raw):
        looked.append(raw)
        return True

    for name in ("a.ipynb", "b.ipynb", "tiny.ipynb"):
        fat(folder, name, 15_000)
    found = choosing.choose_below(folder, ("tiny", has_work))
    assert len(looked) == 1 and found.path.name == "tiny.ipynb"
    said = "holds 3 notebooks, of which 2 of many bytes were not looked into: tiny.ipynb is graded"
    assert said in found.notes[0]


def test_a_large_notebook_beside_small_ones_without_work_is_meant(tmp_path, monkeypatch):
    monkeypatch.setattr(choosing, "MOST_BYTES", 20_000)
    folder = tmp_path / "ann"
    fat(folder, "large.ipynb", 30_000)
    fat(folder, "small.ipynb", 10)
    found = choosing.choose_below(folder, ("tiny", lambda raw: False))
    assert found.path.name == "large.ipynb" and "1 of many bytes" in found.notes[0]
