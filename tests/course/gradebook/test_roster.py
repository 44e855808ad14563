"""Who handed in what, by the names that Canvas and Moodle give, in folders and zips."""

import csv
import json
import zipfile
from pathlib import Path

import pytest

from minigrad.core.errors import ArgumentError
from minigrad.course import cli
from minigrad.course.gradebook import roster
from minigrad.course.gradebook.platforms import open_submissions, parse_origin
from minigrad.course.gradebook.submissions import find_entries
from minigrad.course.grading.report import MISSING, UNREADABLE

from ..grading.conftest import RIGHT, SANDBOX, notebook

HONEST = json.dumps(notebook(RIGHT))
CLASS = """name,id,email,pattern
Ada Lovelace,12345,ada@example.org,
"Hopper, Grace",222,grace@example.org,
Zoë Müller-Lüdenscheidt,333,zoe@example.org,
Juan Pablo García López,444,jp@example.org,
Alan Turing,555,alan@example.org,*enigma*
Emmy Noether,666,emmy@example.org,
"""


@pytest.fixture
def people(tmp_path):
    """The people of a roster with this text."""

    def read(text=CLASS):
        path = tmp_path / "class.csv"
        path.write_text(text, encoding="utf-8")
        return roster.read_roster(path)

    return read


@pytest.mark.parametrize(
    ("name", "owner", "number", "file", "late"),
    [
        ("lovelaceada_12345_67890_ps1.ipynb", "lovelaceada", "12345", "ps1.ipynb", False),
        ("lovelaceada_LATE_12345_67890_ps1-2.ipynb", "lovelaceada", "12345", "ps1-2.ipynb", True),
        ("o-neil_1_2_my_ps1_new.ipynb", "o-neil", "1", "my_ps1_new.ipynb", False),
        ("Ada Lovelace_9_assignsubmission_file_", "Ada Lovelace", "9", "", False),
        ("Ada Lovelace_9_assignsubmission_file", "Ada Lovelace", "9", "", False),
        ("Ada Lovelace_9_assignsubmission_file_ps1.ipynb", "Ada Lovelace", "9", "ps1.ipynb", False),
    ],
)
def test_names_say_whose_they_are(name, owner, number, file, late):
    found = parse_origin(name, not name.endswith(".ipynb"))
    assert (found.owner, found.number, found.file, found.late) == (owner, number, file, late)


@pytest.mark.parametrize("name", ["ann.ipynb", "ann_ps1.ipynb", "ann_2026.ipynb", "ann_1_2"])
def test_a_plain_name_is_nobodys_but_its_owners(name):
    assert parse_origin(name, False) is None


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("lovelaceada_12345_67890_ps1.ipynb", "Ada Lovelace"),
        ("xy_LATE_12345_67890_ps1.ipynb", "Ada Lovelace"),  # by the id
        ("lovelaceada_99_67890_ps1.ipynb", "Ada Lovelace"),  # by the name, squeezed
        ("hoppergrace_9_8_ps1.ipynb", "Hopper, Grace"),
        ("Grace Hopper_31_assignsubmission_file_", "Hopper, Grace"),
        ("mullerludenscheidtzoe_9_8_ps1.ipynb", "Zoë Müller-Lüdenscheidt"),
        ("garcialopezjuanpablo_9_8_ps1.ipynb", "Juan Pablo García López"),
        ("the enigma.ipynb", "Alan Turing"),
        ("ada lovelace.ipynb", "Ada Lovelace"),
        ("emmy.ipynb", "Emmy Noether"),
        ("emmy@example.org.ipynb", "Emmy Noether"),
        ("666.ipynb", "Emmy Noether"),
        ("Karl Gauss_666_assignsubmission_file_", None),  # Moodle's number says nothing
        ("eve.ipynb", None),
    ],
)
def test_a_name_is_found_on_the_roster(people, tmp_path, name, who):
    thing = tmp_path / "subs" / name
    if name.endswith(".ipynb"):
        thing.parent.mkdir()
        thing.write_text(HONEST)
    else:
        thing.mkdir(parents=True)
        (thing / "ps1.ipynb").write_text(HONEST)
    entries = find_entries(tmp_path / "subs", "ps1", people())
    (one,) = [entry for entry in entries if entry.path]
    assert (one.person and one.person.name) == who
    assert ("not on the roster" in one.notes) == (who is None)
    missing = [entry for entry in entries if entry.status == MISSING and not entry.path]
    assert len(missing) == 6 - (who is not None)


def test_what_could_be_that_of_two_is_nobodys(people, tmp_path):
    text = "name,id,pattern\nAnn Lee,1,\nAnn Lee,2,*second*\nLee Ann,3,\n"
    assert [person.name for person in people(text)] == ["Ann Lee (1)", "Ann Lee (2)", "Lee Ann"]
    (tmp_path / "subs").mkdir()
    for name in ("Ann Lee.ipynb", "leeann_2_9_ps1.ipynb", "annlee.ipynb"):
        (tmp_path / "subs" / name).write_text(HONEST)
    found = {entry.student: entry for entry in find_entries(tmp_path / "subs", "ps1", people(text))}
    assert found["Ann Lee (2)"].path and not found["Ann Lee (1)"].path
    assert "it may belong to Ann Lee (1) or Ann Lee (2)" in found["annlee"].notes[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("student id\n1\n", "class.csv, line 2: it has no name"),
        ("name|id\nAnn|1\n", "class.csv, line 2: it has no name"),
        ("name,id\nAnn,1\nBob,1\n", "line 3: the id '1' is also that of Ann"),
        ("name,pattern\nAnn,a*\nBob,a*\n", "line 3: the pattern 'a*' is also that of Ann"),
        ("name,id\nAnn,\nAnn,\n", "line 2: two students are named 'Ann'"),
        ("name,id\n", "class.csv names nobody"),
        ("", "class.csv names nobody"),
    ],
)
def test_a_roster_that_is_wrong_names_its_line(people, text, message):
    with pytest.raises(ArgumentError) as error:
        people(text)
    assert message in error.value.message and error.value.hint


def test_the_tables_of_canvas_and_moodle_are_rosters(people):
    canvas = (
        "Student,ID,SIS User ID,SIS Login ID,Section,ps0 (77)\n"
        "    Points Possible,,,,,10\n"
        '"Lovelace, Ada",12345,S1,ada@x,One,9\n"Student, Test",1,,,One,\n'
    )
    (ada,) = people(canvas)
    assert ada == roster.Person("Lovelace, Ada", "12345", "ada@x", "", "ada@x", "S1", "One")
    moodle = "First name,Last name,ID number,Email address\nAda,Lovelace,S1,ada@x\n"
    (ada,) = people("\ufeff" + moodle)
    assert (ada.name, ada.email, ada.sis, ada.id) == ("Ada Lovelace", "ada@x", "S1", "")
    written = "".join(
        ",".join(f'"{cell}"' for cell in line) + "\n" for line in roster.roster_table([ada])
    )
    assert people(written) == [ada]


# zips --------------------------------------------------------------------------------------------


def pack(path, **contents):
    """Write a zip of {name with / for __: text}."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in contents.items():
            archive.writestr(name, text)
    return path


def test_the_zip_of_canvas_is_graded_as_it_is(tiny, course, capsys):
    contents = {
        "lovelaceada_LATE_12345_1_tiny.ipynb": HONEST,
        "hoppergrace_222_2_plot.png": "a picture",
        "hoppergrace_222_3_tiny-1.ipynb": HONEST,
        "hoppergrace_222_4_scratch.ipynb": "{}",
        "noetheremmy_666_5_text.html": "a text",
        "noetheremmy_666_6_tiny.pdf": "a page",
        "mallory_999_7_tiny.ipynb": HONEST,
        "__MACOSX/._x.ipynb": "",
    }
    pack("subs.zip", **contents)
    Path("class.csv").write_text(CLASS, encoding="utf-8")
    words = ["grade", "tiny", "subs.zip", "--roster", "class.csv", *SANDBOX]
    assert cli.main(words) == 1
    with open("grades/grades.csv", newline="", encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert [name for name, row in rows.items() if row["status"] == "GRADED"] == [
        "Ada Lovelace", "Hopper, Grace", "mallory_999",
    ]  # fmt: skip
    assert {row["score"] for row in rows.values()} == {"4", ""} and len(rows) == 7
    assert (rows["Ada Lovelace"]["id"], rows["Ada Lovelace"]["email"]) == (
        "12345",
        "ada@example.org",
    )
    assert rows["Ada Lovelace"]["notes"] == "Canvas marks it as late"
    assert "no notebook is among" in rows["Emmy Noether"]["reason"]
    assert rows["Alan Turing"]["reason"] == "nothing was handed in"
    assert rows["mallory_999"]["notes"] == "not on the roster"
    said = capsys.readouterr().out
    assert "Not on the roster, graded all the same: mallory_999" in said
    assert cli.main([*words[:3], "--keep", *SANDBOX]) == 1  # the roster stays with the grades
    assert "grades/roster.csv is used again" in capsys.readouterr().out
    with open("grades/grades.csv", newline="", encoding="utf-8") as file:
        assert {row["student"]: row for row in csv.DictReader(file)} == rows


def test_the_zip_of_moodle_is_read_as_it_is(people, tmp_path):
    path = pack(
        tmp_path / "subs.zip",
        **{
            "Ada Lovelace_9_assignsubmission_file_/ps1.ipynb": HONEST,
            "Ada Lovelace_9_assignsubmission_file_/deep/notes.txt": "",
            "Grace Hopper_10_assignsubmission_file_ps1.ipynb": HONEST,
            "Emmy Noether_11_assignsubmission_onlinetext_onlinetext.html": "",
        },
    )
    with open_submissions(path) as (folder, _):
        found = {entry.student: entry for entry in find_entries(folder, "ps1", people())}
        assert found["Ada Lovelace"].path.read_text() == HONEST
    assert found["Hopper, Grace"].path and not found["Emmy Noether"].path
    assert len(found) == 6 and not folder.exists()


def test_a_zip_of_one_folder_is_that_folder(tmp_path):
    path = pack(tmp_path / "subs.zip", **{"subs/ann.ipynb": HONEST, "subs/bob/ps1.ipynb": HONEST})
    with open_submissions(path) as (folder, _):
        assert [entry.student for entry in find_entries(folder, "ps1")] == ["ann", "bob"]


def test_nothing_leaves_the_folder_into_which_a_zip_is_unpacked(tmp_path):
    long = "ann" + "x" * 240
    path = pack(
        tmp_path / "subs.zip",
        **{
            "../../eve.ipynb": HONEST,
            "/etc/ann.ipynb": HONEST,
            f"{long}.ipynb": HONEST,
            "a.bin": "z" * 9,
        },
    )
    with open_submissions(path) as (folder, _):
        names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
        assert names[0] == "a.bin" and names[2:] == ["etc/ann.ipynb", "eve.ipynb"]
        assert names[1].startswith("annxx") and names[1].endswith(".ipynb")
        assert (folder / "a.bin").read_bytes() == b""  # only notebooks are read
        assert list(tmp_path.rglob("eve*")) == []


def test_each_entry_of_a_zip_is_its_own_row_whatever_its_name(tmp_path):
    long = "Ada_9_assignsubmission_file_/" + "x" * 120
    names = [f"{long}{part}{'y' * 120}.ipynb" for part in "ab"]
    with zipfile.ZipFile(path := tmp_path / "all.zip", "w") as archive:
        for name in (
            *names,
            "Bob_10_assignsubmission_file_",
            "Bob_10_assignsubmission_file_/p.ipynb",
        ):
            archive.writestr(name, HONEST)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("Bob_10_assignsubmission_file_/p.ipynb", HONEST)
    with open_submissions(path) as (folder, damaged):
        assert len([one for one in folder.rglob("*") if one.is_file()]) == 5 and damaged == {}


def test_a_damaged_entry_is_the_trouble_of_its_own_row(tmp_path):
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("ann", "bob"):
            archive.writestr(f"{name}.ipynb", HONEST)
    data = bytearray(path.read_bytes())
    data[data.index(b"bob.ipynb") + 20] ^= 1  # a letter of the notebook
    path.write_bytes(data)
    with open_submissions(path) as (folder, damaged):
        ann, bob = find_entries(folder, "ps1", damage=damaged)
    assert ann.path and bob.status == UNREADABLE
    assert bob.reason.startswith("it is damaged in all.zip: Bad CRC-32")


def test_the_name_that_a_student_gives_a_file_makes_it_nobodys(tmp_path, people):
    text = "name,id,pattern\nhonest,111,*honest*\nmallory,222,\n"
    (tmp_path / "subs").mkdir()
    for name in ("hon_111_1_ps1.ipynb", "mal_222_2_honest.ipynb", "zoe_9_3_honest.ipynb"):
        (tmp_path / "subs" / name).write_text(HONEST)
    found = find_entries(tmp_path / "subs", "ps1", people(text))
    entries = {entry.student: entry for entry in found}
    assert [entries[name].file for name in ("honest", "mallory", "zoe_9")] == [
        "hon_111_1_ps1.ipynb",
        "mal_222_2_honest.ipynb",
        "zoe_9_3_honest.ipynb",
    ]


def test_a_damaged_zip_is_refused_before_anything_is_graded(tiny, course, capsys):
    Path("subs.zip").write_text("no zip")
    assert cli.main(["grade", "tiny", "subs.zip", *SANDBOX]) == 2
    said = capsys.readouterr().err
    assert "the zip subs.zip cannot be read" in said and "download it again" in said
    assert not Path("grades").exists()


def test_a_roster_that_is_not_there_is_said(tiny, course, capsys):
    assert cli.main(["grade", "tiny", "subs", "--roster", "class.csv", *SANDBOX]) == 2
    assert "there is no roster class.csv\n  try  name a CSV file" in capsys.readouterr().err
