"""A student's zip: the notebook in it counts like one handed in, and the rest is bounded."""

import csv
import json
import os
import random
import zipfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from minigrad.course import cli
from minigrad.course.gradebook.platforms import open_submissions
from minigrad.course.gradebook.submissions import find_entries, read_entry
from minigrad.course.grading import answers, assignment, markup
from minigrad.course.grading.report import MISSING, UNREADABLE

from ..grading.conftest import RIGHT, SANDBOX, SOLUTIONS, notebook

HONEST = json.dumps(notebook(RIGHT))


def pack(path, contents, kind=zipfile.ZIP_DEFLATED):
    """Write a zip of {name: text}."""
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, text in contents.items():
            archive.writestr(name, text)


def look(folder):
    """{student: `Entry`} of a folder."""
    return {entry.student: entry for entry in find_entries(folder, "tiny")}


@pytest.mark.parametrize("name", ["tiny-submission.ipynb", "ps/mine/anything.ipynb", "a\\b.ipynb"])
def test_the_notebook_in_a_zip_is_read_and_said(tmp_path, name):
    beside = {"__MACOSX/._x.ipynb": "", "p/.ipynb_checkpoints/x-checkpoint.ipynb": "", "a.png": "z"}
    pack(tmp_path / "ann.zip", {name: HONEST} | beside)
    ann = look(tmp_path)["ann"]
    own = name.replace("\\", "/").split("/")[-1]
    assert read_entry(ann) == (own, HONEST.encode())
    assert ann.notes == (f"{own} was read from ann.zip",)
    (tmp_path / "bob.ipynb").write_text(HONEST)
    assert look(tmp_path)["bob"].digest == ann.digest
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["ann.zip", "bob.ipynb"]


def test_whoever_hands_in_zips_has_a_grade(tiny, course):
    one = {"mine/tiny.ipynb": HONEST, "mine/old.ipynb": "{}"}
    Path("subs/carl").mkdir(parents=True)
    pack("subs/ann.zip", one)
    pack("subs/carl/mine.zip", one)
    pack("doe_12_5_tiny.zip", one)
    with zipfile.ZipFile("all.zip", "w") as archive:
        archive.write("subs/ann.zip", "roeann_11_4_tiny.zip")
        archive.write("doe_12_5_tiny.zip")
        archive.writestr("doe_12_6_plot.png", "a picture")
    for given, students in {"subs": ["ann", "carl"], "all.zip": ["doe_12", "roeann_11"]}.items():
        assert cli.main(["grade", "tiny", given, "--replace", *SANDBOX]) == 0
        with open("grades/grades.csv", newline="", encoding="utf-8") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
        assert list(rows) == students and {row["score"] for row in rows.values()} == {"4"}
        for row in rows.values():
            assert "tiny.ipynb was read from" in row["notes"]
            assert "holds 2 notebooks: tiny.ipynb is graded" in row["notes"]
        assert cli.main(["grade", "tiny", given, "--keep", *SANDBOX]) == 0


def test_a_choice_among_notebooks_is_said(tmp_path):
    (tmp_path / "ann").mkdir()
    for name in ("tiny.ipynb", "mine.ipynb"):
        (tmp_path / "ann" / name).write_text(HONEST)
    said = "the folder holds 2 notebooks: tiny.ipynb is graded, by its name"
    assert look(tmp_path)["ann"].notes == (said,)
    for number in (1, 2):
        name = f"roebo_7_{number}_tiny-submission{'-1' * (number - 1)}.ipynb"
        (tmp_path / name).write_text(HONEST)
    said = "the submission holds 2 notebooks: tiny-submission-1.ipynb is graded, the newest"
    assert look(tmp_path)["roebo_7"].notes == (said,)


OLD, NEW = (2026, 11, 1, 9, 0, 0), (2026, 11, 1, 9, 2, 0)
BLANK = json.dumps(notebook(dict.fromkeys(RIGHT, "")))
ATTEMPTS = {  # {what was handed in: ({name: (text, when)}, which is graded, why)}
    "work under another name": (
        {"tiny.ipynb": (BLANK, NEW), "Untitled.ipynb": (HONEST, OLD)},
        *("Untitled.ipynb", "the only one with an answer"),
    ),
    "two attempts": (
        {"tiny.ipynb": (HONEST, OLD), "new.ipynb": (HONEST, NEW), "x.ipynb": (BLANK, NEW)},
        *("new.ipynb", "the newest"),
    ),
    "two attempts at one time": (
        {"a.ipynb": (HONEST, NEW), "tiny (1).ipynb": (HONEST, NEW)},
        *("tiny (1).ipynb", "by its name"),
    ),
    "uploads with numbers": (
        {"tiny-2.ipynb": (HONEST, OLD), "tiny.ipynb": (HONEST, NEW), "tiny-1.ipynb": (HONEST, NEW)},
        *("tiny-2.ipynb", "the newest"),
    ),
    "nothing done": (
        {"tiny.ipynb": (BLANK, OLD), "notes.ipynb": (BLANK, OLD)},
        *("tiny.ipynb", "by its name"),
    ),
    "one that cannot be read": (
        {"tiny.ipynb": ("{", NEW), "mine.ipynb": (HONEST, OLD)},
        *("mine.ipynb", "the only one with an answer"),
    ),
}


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize(("files", "graded", "why"), ATTEMPTS.values(), ids=ATTEMPTS)
def test_of_two_notebooks_the_one_with_work_or_the_newer_counts(
    tmp_path, files, graded, why, packed
):
    work = partial(answers.has_work, assignment.master(notebook(SOLUTIONS), markup.key_text))
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, (text, when) in files.items():
            archive.writestr(zipfile.ZipInfo(name, when), text)
    (tmp_path / "subs").mkdir()
    if packed:
        (tmp_path / "all.zip").rename(tmp_path / "subs/ann.zip")
    else:
        for name, (text, when) in files.items():
            path = tmp_path / "subs/ann" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            os.utime(path, (0, datetime(*when, tzinfo=UTC).timestamp()))
    entry = find_entries(tmp_path / "subs", "tiny", has_work=work)[0]
    assert entry.file == graded
    assert entry.notes[-1].endswith(f"{len(files)} notebooks: {graded} is graded, {why}")


@pytest.mark.parametrize("name", ["ann.ipynb.txt", "ann.json", "ann.ipynb.json", "ann.IPYNB.TXT"])
def test_a_notebook_that_was_saved_as_a_text_is_one(tmp_path, name):
    pack(tmp_path / "all.zip", {name: HONEST})
    with open_submissions(tmp_path / "all.zip") as (folder, _):
        assert read_entry(look(folder)["ann"])[1] == HONEST.encode()
    (tmp_path / "subs").mkdir()
    (tmp_path / "subs" / name.replace("ann", "bob")).write_text(HONEST)
    (tmp_path / "subs/eve").mkdir()
    (tmp_path / "subs/eve/package.json").write_text("[]")
    (tmp_path / "subs/eve/mine.ipynb").write_text(HONEST)
    found = look(tmp_path / "subs")
    assert read_entry(found["bob"])[1] == read_entry(found["eve"])[1] == HONEST.encode()


@pytest.mark.parametrize(
    ("contents", "status", "reason"),
    [
        ({"a.txt": ""}, MISSING, "odd.zip holds no notebook"),
        ({"in.zip": "PK"}, MISSING, "odd.zip holds no notebook"),
        ({"a.ipynb": "", "b.ipynb": ""}, MISSING, "odd.zip holds 2 notebooks, and none"),
        ({"x/" * 9 + "tiny.ipynb": HONEST}, MISSING, "odd.zip holds no notebook"),
        ({"tiny.ipynb": "0" * (20 * 2**20 + 1)}, UNREADABLE, "tiny.ipynb holds more than"),
        ({str(at): "" for at in range(10_001)}, UNREADABLE, "holds more than 10,000 files"),
    ],
)
def test_a_zip_without_a_notebook_says_why(tmp_path, contents, status, reason):
    pack(tmp_path / "odd.zip", contents)
    odd = look(tmp_path)["odd"]
    assert (odd.path, odd.status) == (None, status) and reason in odd.reason


def test_a_zip_that_cannot_be_read_says_why(tmp_path):
    pack(tmp_path / "whole.zip", {"tiny.ipynb": HONEST})
    whole = (tmp_path / "whole.zip").read_bytes()
    middle = len(whole) // 3
    spoilt = {
        "cut": whole[:-30],
        "damaged": whole[:middle] + bytes(9) + whole[middle + 9 :],
        "locked": whole.replace(
            b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01"
        ),
        "text": b"no zip",
        "empty": b"",
    }
    for name, data in spoilt.items():
        (tmp_path / f"{name}.zip").write_bytes(data)
    pack(tmp_path / "lzma.zip", {"tiny.ipynb": HONEST}, zipfile.ZIP_LZMA)
    with open(tmp_path / "huge.zip", "wb") as file:
        file.truncate(2**40)
    (tmp_path / "link.zip").symlink_to(tmp_path / "whole.zip")
    (tmp_path / "ann.7z").write_bytes(whole)
    found = look(tmp_path)
    assert found.pop("whole").path and "only zip archives are read" in found.pop("ann").reason
    assert {name: entry.status for name, entry in found.items()} == dict.fromkeys(found, UNREADABLE)
    assert len(found) == 8 and all(len(entry.reason) < 400 for entry in found.values())
    assert "password" in found["locked"].reason and "not a zip" in found["text"].reason
    assert "a compression that is not supported" in found["lzma"].reason


def test_whatever_its_bytes_it_is_read_or_refused(tmp_path):
    pack(tmp_path / "ann.zip", {"p/tiny.ipynb": "{}" * 99, "b.ipynb": "x", "c/": ""})
    plain, rng, statuses = (tmp_path / "ann.zip").read_bytes(), random.Random(5), set()
    for _ in range(400):
        data = bytearray(plain)
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.choice([0, 1, 80, 255, rng.randrange(256)])
        (tmp_path / "ann.zip").write_bytes(data[: rng.choice([None, None, -9])])
        ann = look(tmp_path)["ann"]
        statuses.add("read" if ann.path else ann.status)
        assert len(ann.reason) < 400, ann.reason
    assert statuses == {"read", MISSING, UNREADABLE}


def test_a_zip_without_names_is_no_fault_of_the_grader(tmp_path):
    pack(tmp_path / "ann.zip", {"qqq": "x"})
    nameless = (tmp_path / "ann.zip").read_bytes().replace(b"qqq", b"\0qq")
    (tmp_path / "ann.zip").write_bytes(nameless)
    assert look(tmp_path)["ann"].reason == "ann.zip holds no notebook; hand in the notebook"


def test_a_zip_in_the_zip_of_all_is_cut_where_it_is_too_long(tmp_path):
    inner = tmp_path / "ann.zip"
    pack(inner, {"noise": "0" * (20 * 2**20 + 9), "tiny.ipynb": HONEST}, zipfile.ZIP_STORED)
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(inner, "ann.zip")
    with open_submissions(tmp_path / "all.zip") as (folder, _):
        assert "at most 20,971,520 are read" in look(folder)["ann"].reason


@pytest.mark.parametrize("inside", ["d/" * 3_000, f"{'d' * 250}/" * 30], ids=["deep", "long"])
def test_folders_too_deep_for_the_system_end_no_batch(tmp_path, inside):
    place = "Ada Lovelace_{}_assignsubmission_file_/"
    pack(
        tmp_path / "all.zip",
        {f"{place.format(1)}{inside}tiny.ipynb": HONEST, "roeann_11_4_tiny.ipynb": HONEST},
    )
    with open_submissions(tmp_path / "all.zip") as (folder, damaged):
        found = {one.student: one for one in find_entries(folder, "tiny", damage=damaged)}
    assert found["roeann_11"].path and damaged == {}
    assert found["Ada Lovelace"].status == MISSING
    assert "levels of folders are searched" in found["Ada Lovelace"].reason
