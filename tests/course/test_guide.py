"""The instructor's guide: its commands are given in its order, by somebody with a class of four."""

import csv
import json
import re
import shlex
import shutil
import zipfile
from pathlib import Path

import pytest

from minigrad.course import cli, project
from minigrad.course.grading import assignment, notebook
from minigrad.course.inventory import questions
from minigrad.course.proving import bank

from .gradebook.predicting import text_of
from .grading.conftest import KIND, SANDBOX
from .inventory.synthetic import make_class, write_answers

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "assignments" / "GUIDE.md").read_text(encoding="utf-8")
LINES = [
    line
    for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
    for line in block.splitlines()
]
ROSTER = re.search(r"```\n(name,id.*?)```", GUIDE, re.DOTALL)[1]
PARTS = ("minigrad", "notebooks", "assignments", "figures", ".ci")
FILES = (
    "LICENSE", "LICENSE-CC-BY-4.0", "Makefile", "README.md", "pyproject.toml",
    ".gitattributes", ".gitignore",
)  # fmt: skip
OWN = ["--sandbox", KIND]
LOCAL = {"grade": SANDBOX, "release": OWN, "mutants": OWN, "package": OWN}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A copy of the course, with a class that has handed in ps3 by Canvas, and lesson 03."""
    folder = tmp_path_factory.mktemp("guide") / "course"
    leave = shutil.ignore_patterns("__pycache__", "node_modules")
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, ignore=leave)
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    ps3 = assignment.Assignment(
        "ps3", folder / "assignments/ps3", folder / "assignments/instructor/ps3"
    )
    if not ps3.solution.is_file():
        pytest.skip("the instructor's files are not in this copy")
    with zipfile.ZipFile(folder / "submissions.zip", "w") as archive:
        archive.writestr("lovelaceada_101_1_ps3-submission.ipynb", submission(ps3, None))
        wrong = submission(ps3, "minus_keeps_its_speed")
        archive.writestr("ghopper_LATE_999_2_ps3.ipynb", wrong)
        archive.writestr("turingalan_103_3_ps3.ipynb", "truncated")
    (folder / "lesson-03").mkdir()
    for name, prediction in (("ada", "4"), ("alan", "2")):
        (folder / "lesson-03" / f"{name}.ipynb").write_text(text_of("03", grad=prediction))
    (folder / "class.csv").write_text(ROSTER + "Alan Turing,103,,\nEmmy Noether,104,,\n")
    for week in ("first", "last"):
        write_answers(folder / "answers", make_class(0)[0], week, questions.make_form())
    (folder / "late.csv").write_text("student,days\nGrace Hopper,1\n")
    return folder


def submission(chosen, member):
    """The notebook with the key's answers, or those of a member of the bank, and a text."""
    found = {one.name: one for one in bank.members(chosen)}
    cells = found[member].cells if member else {}
    raw, _ = bank.with_answers(chosen, cells)
    for cell, parsed in zip(raw["cells"], notebook.cells(raw)):
        if parsed.role == "written":
            cell["source"] = "The two speeds are kept apart by their marks."
    raw["metadata"].setdefault("minigrad", {})["assignment"] = chosen.name
    return json.dumps(raw)


def read(path):
    """The rows of a table by student."""
    with open(path, newline="", encoding="utf-8") as file:
        return {row.get("student") or row.get("Student"): row for row in csv.DictReader(file)}


def fill_points(path):
    """Give every text two points, as somebody at a desk does."""
    text = re.sub(r"(?m)^(.*,q6),,(.*)$", r"\1,2,\2", path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


def test_the_guide_leads_to_a_graded_class(place, monkeypatch, capsys):
    monkeypatch.chdir(place)
    statuses = []
    for line in LINES:
        program, name, *rest = shlex.split(line)
        assert program == "minigrad"
        statuses.append((line, cli.main([name, *rest, *LOCAL.get(name, [])])))
        if name == "grade" and "--keep" not in rest and "--only" not in rest:
            fill_points(place / "ps3-grades/by-hand.csv")
    assert [line for line, status in statuses if status == 2] == []
    others = [line for line, status in statuses if status == 1 and " grade " not in line]
    assert [line for line in others if "doctor" not in line] == []  # it speaks of this machine
    assert "Lesson 03" in (place / "predictions-03.html").read_text(encoding="utf-8")
    rows = read(place / "ps3-grades/grades.csv")
    assert {name: (row["status"], row["score"]) for name, row in rows.items()} == {
        "Ada Lovelace": ("GRADED", "27"), "Alan Turing": ("UNREADABLE", ""),
        "Emmy Noether": ("MISSING", ""), "Grace Hopper": ("GRADED", rows["Grace Hopper"]["score"]),
    }  # fmt: skip
    hopper = rows["Grace Hopper"]
    points = sum(float(hopper[f"q{number}"]) for number in range(1, 7))
    assert float(hopper["score"]) == pytest.approx(0.9 * points) and points < 27
    assert {path.name for path in place.glob("*.zip")} == {
        "course.zip", "first-week.zip", "ps1-gradescope.zip", "submissions.zip",
    }  # fmt: skip
    with zipfile.ZipFile(place / "course.zip") as archive:
        assert "course/assignments/ps10/ps10.ipynb" in archive.namelist()


def test_a_line_for_an_appeal_is_one_that_can_be_written():
    (line,) = re.findall(r"in `by-hand\.csv`: `([^`]+)`", GUIDE)
    student, question, points, _, *_ = next(csv.reader([line]))
    assert (student, question) == ("Ada Lovelace", "q2") and float(points) == 5


def test_the_plans_name_lessons_and_assignments_that_there_are():
    lessons = {project.lesson_number(path) for path in (ROOT / "notebooks").glob("*.ipynb")}
    table = GUIDE.split("| | 3 days |")[1].split("\n\n")[0]
    rows = [line.split("|")[2:7] for line in table.splitlines()[2:] if "hours" not in line]
    for plan, weeks in zip(zip(*rows), (3, 4, 7, 10, 14), strict=True):
        taken = [week for week in plan if week.strip()]
        numbers = re.findall(r"\b\d\d[a-z]?\b", " ".join(taken))
        assert len(taken) == weeks and len(numbers) == len({*numbers}) and {*numbers} <= lessons
        for name in re.findall(r"ps\d", " ".join(taken)):
            assert (ROOT / "assignments" / name / f"{name}.ipynb").is_file()
    assert {*numbers} == lessons  # in fourteen weeks there is time for all
