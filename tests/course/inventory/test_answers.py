"""What students hand in is read, or left out with a reason, and nothing of it is repeated."""

import json
import os
import zipfile

import pytest

from minigrad.core.errors import ArgumentError
from minigrad.course.inventory import answers, questions

FORM = questions.make_form()
SECRET = "Xanthippe"


def record(**changes):
    """A record as the page writes it, with changes."""
    own = {
        **answers.empty_record(FORM),
        "code": "Pepper 38",
        "week": "first",
        "saved": "2026-10-01T10:00:00Z",
        "answers": {"q1": "A", "q2": "B"},
    }
    return own | changes


def put(folder, name, content, time=None):
    """Write a file, of JSON or as it is."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    if time is not None:
        os.utime(path, (time, time))


BROKEN = {  # what is in the file: why it is left out
    "not JSON": (b"{" + SECRET.encode(), "it is not a JSON file"),
    "no text": (b"\xff\xfe\x00" + SECRET.encode(), "it is not a JSON file"),
    "deep": (b"[" * 100_000, "it is not a JSON file"),
    "large": (b" " * (2 << 20), "it is larger than 1 MB"),
    "a list": ([SECRET], "it is not an answer file of this quiz"),
    "another quiz": (record(quiz=SECRET), "it is not an answer file of this quiz"),
    "a page": (b"<script>alert('Xanthippe')</script>", "it is not a JSON file"),
    "edition": (record(edition=99), "it belongs to another edition of the questions than 1"),
    "form": (record(form=SECRET), "its form is not a number that a quiz has"),
    "form 0": (record(form=0), "its form is not a number that a quiz has"),
    "form true": (record(form=True), "its form is not a number that a quiz has"),
    "form huge": (record(form=10**30), "its form is not a number that a quiz has"),
    "code": (record(code="a - b"), "its code has fewer than 4 letters and digits"),
    "no code": (record(code=[SECRET]), "its code has fewer than 4 letters and digits"),
    "week": (record(week=SECRET), "its week is neither first nor last"),
    "week list": (record(week=["first"]), "its week is neither first nor last"),
    "answers": (record(answers=SECRET), "it has no answers"),
    "open": (record(answers={"q1": " ", "other": "A"}), "it has no answer to any question"),
    "letter": (record(answers={"q7": SECRET}), "its answer to q7 is no letter from A to D"),
    "letters": (record(answers={"q7": "AB"}), "its answer to q7 is no letter from A to D"),
    "number": (record(answers={"q7": 3}), "its answer to q7 is no letter from A to D"),
    "table.csv": (b"code;week\nXanthippe1;first\n", "it is not a table with the columns"),
    "utf16.csv": ("code,week,q1".encode("utf-16"), "it is not a table with the columns"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_cannot_be_used_is_left_out_with_a_reason(kind, tmp_path):
    content, reason = BROKEN[kind]
    put(tmp_path, "a.json", record())
    put(tmp_path, f"b {SECRET} {kind.removesuffix('.csv')}.{kind[-3:]}", content)
    found, (line,) = answers.read_folder(tmp_path)
    assert len(found) == 1
    assert line.startswith(f"file 2 of 2 in the order of their names: {reason}")
    assert SECRET not in line


def test_letters_become_options_by_the_order_of_the_form(tmp_path):
    for number in (1, 2):
        form = questions.make_form(number)
        letters = {one.name: form.key_letter(at) for at, one in enumerate(form.questions)}
        name = f"{number}.json"
        put(tmp_path, name, record(form=number, code=f"code {number}", answers=letters))
    found, left_out = answers.read_folder(tmp_path)
    assert [sheet.options for sheet in found] == [(0,) * 20] * 2 and left_out == []


@pytest.mark.parametrize("names", [("a.json", "b.json"), ("b.json", "a.json")])
def test_of_two_files_of_a_code_and_week_the_newer_one_counts(tmp_path, names):
    old, new = names
    put(tmp_path, old, record(answers={"q1": "A"}))
    put(tmp_path, new, record(code="PEPPER-38", saved="2026-10-01T13:00:00+02:00"))
    put(tmp_path, "c.json", record(week="last"))
    found, (line,) = answers.read_folder(tmp_path)
    assert len(found) == 2 and found[0].options[1] is not None
    assert line.startswith(f"file {1 + (old == 'b.json')} of 3") and "is newer" in line


def test_without_a_time_in_the_file_that_of_the_file_counts(tmp_path):
    put(tmp_path, "a.json", record(saved=SECRET, answers={"q1": "A"}), time=2_000_000_000)
    put(tmp_path, "b.json", record(saved=None, answers={"q1": "B"}), time=1_000_000_000)
    (sheet,), (line,) = answers.read_folder(tmp_path)
    assert sheet.time == 2_000_000_000 and line.startswith("file 2 of 2")


def test_a_table_has_a_student_in_each_row(tmp_path):
    text = "code,week,q1,q2,name\npepper38,first,a,,Xanthippe\nsalt 99,last,D,B,Bo\nab,last,A,,\n"
    put(tmp_path, "class.csv", text.encode())
    found, (line,) = answers.read_folder(tmp_path)
    assert [(one.code, one.week) for one in found] == [("pepper38", "first"), ("salt99", "last")]
    order = FORM.orders
    assert found[0].options[:2] == (order[0][0], None)
    assert found[1].options[:2] == (order[0][3], order[1][1])
    assert line == (
        "file 1 of 1 in the order of their names, row 3: "
        "its code has fewer than 4 letters and digits"
    )


def test_folders_of_students_are_searched(tmp_path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    put(tmp_path / "deep" / "er", "a.json", record())
    assert len(answers.read_folder(tmp_path)[0]) == 1


def test_a_table_of_too_many_rows_is_left_out_as_one(tmp_path):
    put(tmp_path, "a.json", record())
    rows = b"salt 99,last,D\n" * (answers.MOST_ROWS + 1)
    put(tmp_path, "b.csv", b"code,week,q1\n" + rows)
    found, (line,) = answers.read_folder(tmp_path)
    assert len(found) == 1 and "more than 5,000 rows" in line


CANVAS, MOODLE = "lovelaceada_12345_67890_{}", "Ada Lovelace_12345_assignsubmission_file_/{}"
TABLE = b"code,week,q1\nsalt 99,last,D\n"


def pack(path, **named):
    """Write a zip of {name: content}."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in named.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("form", ["{}", CANVAS, MOODLE])
def test_the_zip_of_a_platform_is_read(tmp_path, form):
    first, table = form.format("answers-first.json"), form.format("class.csv")
    junk = {"__MACOSX/x.json": b"", form.format("me.png"): SECRET.encode()}
    pack(tmp_path / "all.zip", **{first: json.dumps(record()), table: TABLE, **junk})
    found, left_out = answers.read_folder(tmp_path / "all.zip")
    assert {one.code for one in found} == {"pepper38"}
    assert [line.partition("names: ")[2][:14] for line in left_out] == [
        "it is a table ",  # in which a student could speak for others
        "it is not a JS",
    ]
    assert not any(word in line for line in left_out for word in (SECRET, "Lovelace"))


def test_zips_in_a_folder_are_read_where_they_lie(tmp_path):
    both = {"in/a.json": json.dumps(record(code="one 1")), "in/b.csv": TABLE, "__MACOSX/a": b""}
    pack(tmp_path / "a.zip", **both)
    inner = json.dumps(record(code="two 2"))
    pack(tmp_path / "student.zip", **{"answers-first.json": inner})
    pack(
        tmp_path / "platform.zip",
        **{CANVAS.format("x.zip"): (tmp_path / "student.zip").read_bytes()},
    )
    found, left_out = answers.read_folder(tmp_path)
    assert {one.code for one in found} == {"one1", "two2"}
    assert [line.partition("names: ")[2][:14] for line in left_out] == [
        "it is a table ",
        "it is a zip in",
    ]
    found, left_out = answers.read_folder(tmp_path / "platform.zip")
    assert [one.code for one in found] == ["two2"] and left_out == []


def damaged(tmp_path):
    """A zip whose first entry is damaged."""
    path = tmp_path / "all.zip"
    pack(path, **{"a.json": json.dumps(record(code=SECRET)), "b.json": json.dumps(record())})
    path.write_bytes(path.read_bytes().replace(b"Xanthippe", b"Xanthippa", 1))
    return path


def test_a_damaged_entry_costs_nobody_else_the_answers(tmp_path):
    path = damaged(tmp_path)
    found, (line,) = answers.read_folder(path)
    assert len(found) == 1 and line.endswith("it is damaged in the zip")
    (tmp_path / "in").mkdir()
    path.rename(tmp_path / "in" / "all.zip")
    (tmp_path / "in" / "bad.zip").write_bytes(b"PK" + SECRET.encode())
    found, left_out = answers.read_folder(tmp_path / "in")
    assert len(found) == 1
    assert [line.partition(": ")[2] for line in left_out] == [
        "it cannot be read",
        "it is a zip that cannot be read",
    ]


@pytest.mark.parametrize("content", [b"", b"PK nothing", json.dumps(record()).encode()])
def test_what_is_no_zip_is_refused(tmp_path, content):
    (tmp_path / "all.zip").write_bytes(content)
    with pytest.raises(ArgumentError, match=r"the zip all\.zip cannot be read"):
        answers.read_folder(tmp_path / "all.zip")


@pytest.mark.parametrize("content", [None, b"nothing"])
def test_a_folder_without_answers_is_refused(tmp_path, content):
    if content:
        put(tmp_path, "notes.txt", content)
    with pytest.raises(ArgumentError, match="holds no answers to the quiz"):
        answers.read_folder(tmp_path)
    with pytest.raises(ArgumentError, match="is neither a folder nor a zip"):
        answers.read_folder(tmp_path / "none")
