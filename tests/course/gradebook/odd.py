"""Folders of everything that a student could hand in, around two honest notebooks.

`python tests/course/gradebook/odd.py 500 --seed 7` grades 500 random ones, reading each notebook
and running none, and ends with an error at the first whose honest students are not as alone.
"""

import argparse
import contextlib
import csv
import importlib
import io
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from unittest import mock

from minigrad.course import cli
from minigrad.course.gradebook import tables
from minigrad.course.grading import answers, notebook
from minigrad.course.grading.report import BY_HAND, GRADED, UNREADABLE, Check, Report, Written

HONEST = ("aaa honest", "zzz honest")
NAMES = [
    "ann", "Ann", "ANN", "ann.", "ann..", "ann ", " ann", "a  b", "a\u00a0b", "a b", "a\nb", "a\tb",
    "a\r\nb", "a\u2028b", "ann\u200f", "\u202egnp", "\u200b", "\x1b]0;title\x07", "\x1b[31mred",
    "a\x01b", "=1+1", "'=1+1", "''=x", "-1", "+1", "@x", "eve;=1+1;",
    "eve; @x", "\u2028=1", "x?", "x_", "x*", "<script>alert(1)", "&lt;", "{{ 7 * 7 }}",
    "con", "NUL", "com1.txt", "..a", "...", "._ann", ".hidden", "q" * 249, "\u00e9" * 124,
    "e\u0301", "\u00e9", "\u1e9e", "\u00df", "SS", "\U0001f600", "\udcff\udcfe", "a\udc80",
    "aaa honest", "AAA HONEST", "zzz  honest", "zzz honest (2)", "ann (2)", "grades.csv", "tiny",
    "name_LATE_123_456_tiny-submission-1", '"quoted", name', "a,b", "%s%n", "--only", "~", "$HOME",
]  # fmt: skip
ENDINGS = [".ipynb", ".IPYNB", ".ipynb ", ".zip", ".tar.gz", ".txt", "", ""]
JUNK = [
    b"", b"\0", b"[" * 5_000, b'{"a":' * 3_000, b"\xff\xfe\x00", b"1" * 9_000, b"NaN", b'"\\ud800"',
    b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["\\ud800"], "metadata": 1}]}',
    b'{"nbformat": 4, "cells": [], "metadata": {"minigrad": {"assignment": ["\\ud800"]}}}',
    b'{"nbformat": 4, "metadata": [], "cells": [{"cell_type": "code", "source": "x = (", '
    b'"metadata": {"nbgrader": {"grade_id": "q1", "solution": true}}}]}',
]  # fmt: skip


def plant(folder, rng, right, count=12):
    """Put the honest notebooks `right` into `folder`, and `count` odd things beside them."""
    for name in HONEST:
        (folder / f"{name}.ipynb").write_bytes(right)
    for _ in range(count):
        name = rng.choice(NAMES) + rng.choice(ENDINGS)
        name = os.fsdecode(os.fsencode(name)[:255])
        with contextlib.suppress(FileExistsError):
            rng.choice(KINDS)(folder / name, rng, right)
    return folder


def junk(path, rng, right):
    """A file of bytes."""
    with open(path, "xb") as file:
        file.write(rng.choice([*JUNK, right, right[: rng.randrange(len(right))]]))


def closed(path, rng, right):
    """A file of an odd mode, as one that nobody may read."""
    junk(path, rng, right)
    path.chmod(rng.choice([0, 0, 0o111, 0o222, 0o7777]))


def shut(path, rng, right):
    """A folder that nobody may enter, or look into."""
    path.mkdir()
    (path / "tiny.ipynb").write_bytes(right)
    path.chmod(rng.choice([0, 0o111, 0o444]))


def packed(path, rng, right):
    """An archive with a notebook in it, and one that would lie beside the archive."""
    with zipfile.ZipFile(path, "x") as file:
        for name in ("tiny.ipynb", f"../{HONEST[0]}.ipynb"):
            file.writestr(name, right.replace(b"return", b"raise"))


def huge(path, rng, right):
    """A file of a terabyte, most of it holes."""
    with open(path, "xb") as file:
        file.truncate(rng.choice([2**24 + 2**23, 2**40]))


def link(path, rng, right):
    """A link to what is honest, to itself, to nothing, to a folder, to a device."""
    ends = [f"{HONEST[0]}.ipynb", path.name, "nothing", "..", "/dev/zero", "/etc/passwd"]
    path.symlink_to(rng.choice(ends))


def other_name(path, rng, right):
    """The same file under a second name, with no notebook of the honest ones harmed."""
    source = path.parent.parent / f"linked {rng.random()}"
    source.write_bytes(right)
    os.link(source, path)


def pipe(path, rng, right):
    """A pipe that nobody writes."""
    os.mkfifo(path)


def device(path, rng, right):
    """A device that never ends, or a pipe where one cannot be made."""
    try:
        os.mknod(path, 0o20666, os.makedev(1, 5))
    except PermissionError:
        pipe(path, rng, right)


def plug(path, rng, right):
    """A socket."""
    here = os.open(".", os.O_RDONLY)
    os.chdir(path.parent)  # a socket's path has at most 107 bytes
    try:
        with socket.socket(socket.AF_UNIX) as made, contextlib.suppress(OSError):
            made.bind(os.fsencode(path.name)[:100])
    finally:
        os.fchdir(here)
        os.close(here)


def tree(path, rng, right):
    """A folder with a few things in it."""
    path.mkdir()
    for _ in range(rng.randrange(4)):
        name = rng.choice(["tiny", "TINY", "tiny-submission", *NAMES]) + rng.choice(ENDINGS)
        with contextlib.suppress(FileExistsError):
            one = rng.choice(KINDS if len(path.parts) < 12 else [junk, pipe])
            one(path / os.fsdecode(os.fsencode(name)[:255]), rng, right)


def shaft(path, rng, right):
    """Folders in folders, with names that make a path too long for the system."""
    path.mkdir()
    here, name, depth = os.open(".", os.O_RDONLY), "d" * 200, rng.choice([9, 25])
    try:
        os.chdir(path)
        for _ in range(depth):
            os.mkdir(name)
            os.chdir(name)
        Path("tiny.ipynb").write_bytes(right)
    finally:
        os.fchdir(here)
        os.close(here)


def mine(path, rng, right):
    """More folders in folders than Python goes down by calling itself."""
    path.mkdir()
    here = os.open(".", os.O_RDONLY)
    try:
        for _ in range(1_500):
            os.chdir(path)
            path = Path("d")
            path.mkdir()
    finally:
        os.fchdir(here)
        os.close(here)


def crowd(path, rng, right):
    """A folder with more files than anybody looks through."""
    path.mkdir()
    (path / "tiny.ipynb").write_bytes(right)
    for number in range(60):
        (path / str(number)).touch()


KINDS = [junk, junk, closed, shut, packed, huge, link, other_name, pipe, device, plug]
KINDS += [tree, tree, shaft, crowd]


def read_only(_, job):
    """The `Report` of a job whose notebook is read and never run: an answer that returns something
    is right."""
    try:
        found = answers.extract(job.master, notebook.read_notebook(job.path, job.data))
    except notebook.Unreadable as error:
        return Report(UNREADABLE, reason=f"{error.message}; {error.hint}")
    checks = []
    for part in found.parts:
        if not part.given:
            outcome = "passed" if "return" in part.source else "failed"
            checks.append(Check(part.name, part.name, part.question, 1, outcome))
    written = tuple(Written(*one) for one in found.written)
    status = BY_HAND if written else GRADED
    return Report(status, tuple(checks), "", found.notes, written=written)


def graded(folder, out, *words):
    """(exit status, rows of grades.csv, what was printed), reading alone."""
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")  # as strict as a terminal
    with (
        mock.patch("minigrad.course.grading.run.Graders.run", read_only),
        mock.patch("minigrad.course.gradebook.choosing.MOST", 50),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        command = ["grade", "tiny", folder, "--out", out, "--sandbox", "none", "--as-root"]
        command += ["--jobs", "1"]
        status = cli.main([str(word) for word in [*command, *words]])
    said.flush()
    with open(out / "grades.csv", newline="", encoding="utf-8") as file:
        return status, list(csv.DictReader(file)), said.buffer.getvalue().decode()


def verify(folder, out):
    """Assert that every entry of `folder` has its row, and the honest ones their points."""
    visible = [
        name
        for name in os.listdir(folder)
        if not name.startswith(".") or (name.lower().endswith(".ipynb") and name[:2] != "._")
    ]
    status, rows, said = graded(folder, out)
    assert status in (0, 1)
    assert all(letter.isprintable() or letter == "\n" for letter in said)
    # the files that Canvas names after one submission are one student's
    one = {re.sub(r"^(name_LATE_123_456)_.*", r"\1", name) for name in visible}
    assert len(rows) == len(one)
    students = [row["student"] for row in rows]
    assert len(set(students)) == len(students)
    by_name = {row["student"]: row for row in rows}
    assert [by_name[name]["score"] for name in HONEST] == ["3", "3"]
    assert all(row["status"] == GRADED or len(row["reason"]) > 10 for row in rows)
    pages = {row["page"].lower() for row in rows}
    assert len(pages) == len(rows) and all((out / row["page"]).is_file() for row in rows)
    assert all(len(os.path.basename(row["page"]).encode()) < 130 for row in rows)
    cells = [cell for row in rows for cell in row.values()]
    assert not any(start in "=+-@" for cell in cells for start in cell[:1])
    table = out.parent / "late.csv"
    lines = [[name, "0"] for name in students_of(out)]
    table.write_text(tables.csv_text([["student", "days"], *lines]), encoding="utf-8")
    assert len(tables.read_late(table, students_of(out))) == len(rows)
    again = graded(folder, out, "--keep", "--late", table)
    assert again == (status, rows, again[2])


def students_of(out):
    """The names in grades.csv as they are, without quotes for a spreadsheet."""
    return [row["student"] for row in tables.read_rows(out / "grades.csv", ["student"])]


@contextlib.contextmanager
def place(folder):
    """An empty folder in `folder`, which goes however deep it has become."""
    made = tempfile.mkdtemp(dir=folder)
    try:
        yield Path(made)
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", made], check=False, capture_output=True)
        subprocess.run(["rm", "-rf", made], check=True)


def many(course, right, count, seed):
    """Verify `count` random folders in the course `course`."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        with place(course) as folder:
            (folder / "subs").mkdir()
            plant(folder / "subs", rng, right)
            try:
                verify(folder / "subs", folder / "grades")
            except BaseException as error:
                error.add_note(f"folder {number} of seed {seed}: {os.listdir(folder / 'subs')}")
                raise


def main():
    """Verify as many as are asked for, in a course of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", default="odd")
    args = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[3]))
    conftest = importlib.import_module("tests.course.grading.conftest")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        conftest.lay_out(Path(folder))
        right = json.dumps(conftest.notebook(conftest.RIGHT)).encode()
        many(Path(folder), right, args.count, args.seed)
    print(f"{args.count} folders: every entry has its row, the honest their points")


if __name__ == "__main__":
    main()
