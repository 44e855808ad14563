"""The students' kit: whole, usable, and without a line of the instructor's."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from minigrad.course import cli
from minigrad.course.commands import kit
from minigrad.course.grading.notebook import notebook_text
from minigrad.course.publishing import leaks

from ..grading.conftest import SOLUTIONS, notebook, tiny

__all__ = ["tiny"]

ROOT = Path(__file__).parents[3]
KEPT = ROOT / leaks.KEPT
POSIX = pytest.mark.skipif(os.name != "posix", reason="scripts of a shell are what is tested")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The kit of this course, written and unpacked as a student does."""
    folder = tmp_path_factory.mktemp("kit")
    before, here = Path.cwd(), ROOT
    os.chdir(here)
    try:
        assert cli.main(["kit", str(folder / "course.zip")]) == 0
    finally:
        os.chdir(before)
    with zipfile.ZipFile(folder / "course.zip") as archive:
        archive.extractall(folder)
        for entry in archive.infolist():  # as unzip does, and zipfile does not
            (folder / entry.filename).chmod(entry.external_attr >> 16)
    return folder / "course"


@pytest.mark.skipif(not KEPT.is_dir(), reason="the instructor's files are not in this copy")
def test_no_line_of_the_instructor_is_in_it(unpacked):
    assert leaks.find_leaks(unpacked, leaks.read_secrets(ROOT)) == []


def test_it_holds_what_students_get_and_nothing_else(unpacked):
    names = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*")}
    assert {name.split("/")[0] for name in names} == {
        ".ci", ".gitattributes", ".github", ".gitignore", "LICENSE", "LICENSE-CC-BY-4.0",
        "Makefile", "README.md", "assignments", "figures", "minigrad", "notebooks",
        "pyproject.toml",
    }  # fmt: skip
    given = {name for name in names if name.startswith("assignments/") and name.count("/") == 2}
    released = [path.parent.name for path in ROOT.glob("assignments/ps*/checks.py")]
    expected = {f"assignments/{ps}/{ps}.ipynb" for ps in released}
    assert given == expected | {f"assignments/{ps}/checks.py" for ps in released}
    hidden = (
        "instructor",
        "__pycache__",
        "lessons/teaching",
        "GUIDE",
        "AI_POLICY",
        "questions.toml",
    )
    assert not [name for name in names if any(part in name for part in hidden)]
    kept = (unpacked / ".gitignore").read_text()
    assert "/my/" not in kept and "/.venv" in kept


@POSIX
@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_lab_lays_out_the_lessons_in_it(unpacked):
    (unpacked / ".venv/bin").mkdir(parents=True)
    python = unpacked / ".venv/bin/python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (unpacked / ".venv/lab").touch()  # what it needs has been installed
    course = "minigrad=sh -c '.venv/bin/python -m minigrad.course.cli lab --copy-only' --"
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    done = subprocess.run(
        ["make", "lab", course], cwd=unpacked, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    shutil.rmtree(unpacked / ".venv")
    assert done.returncode == 0, done.stderr
    published = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    assert sorted(path.name for path in (unpacked / "my").glob("*.ipynb")) == published
    shutil.rmtree(unpacked / "my")


def test_it_builds_the_package_that_it_holds(unpacked, tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=unpacked, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert "minigrad/course/cli.py" in archive.namelist()


@POSIX
def test_its_workflow_checks_what_is_in_the_workspace(unpacked):
    yaml = pytest.importorskip("yaml")
    flow = yaml.safe_load((unpacked / ".github/workflows/check.yml").read_text(encoding="utf-8"))
    *_, install, last = flow["jobs"]["check"]["steps"]
    assert install["run"].split()[:3] == ["python", "-m", "pip"]
    programs = unpacked / "programs"
    programs.mkdir()
    (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (programs / "python").chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PYTHONPATH": str(unpacked), "PATH": path}

    def step():
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", last["run"]],
            cwd=unpacked, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout

    assert step() == (0, "nothing in my/ yet: minigrad start ps1\n")
    words = [sys.executable, "-m", "minigrad.course.cli", "start", "ps1"]
    subprocess.run(words, cwd=unpacked, env=environment, check=True, capture_output=True)
    status, said = step()
    assert status == 1 and "0 of 40 points by the visible checks" in said
    for folder in ("my", "programs"):
        shutil.rmtree(unpacked / folder)


def test_its_page_names_commands_that_exist(unpacked):
    text = (unpacked / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"(?m)(?:^|`)minigrad ([a-z]+)", text)
    assert len(named) >= 5 and {*named} <= {*cli.COMMANDS}
    paths = re.findall(r"`(\.?[a-z]+/[\w./-]*)`", text)
    assert [p for p in paths if p[:3] not in ("my/", ".ve") and not (unpacked / p).exists()] == []


# a course of one's own ---------------------------------------------------------------------------


@pytest.fixture
def small(tiny, course):
    """A course with what a kit takes, and one assignment that has been released."""
    (course / ".gitignore").write_text("/my/\n/.venv\n")
    (course / "minigrad").mkdir()
    (course / "minigrad/__pycache__").mkdir()
    (course / "minigrad/__pycache__/a.pyc").write_text("")
    (course / "minigrad/a.py").write_text("")
    tiny.notebook.write_text(notebook_text(kit.release.student_notebook(tiny)))
    return tiny


def names(path):
    """What a zip holds."""
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def test_some_lessons_and_assignments_can_be_chosen(small, course, add_lesson, capsys):
    add_lesson("1", name="00_first")
    add_lesson("2", name="01_second")
    assert cli.main(["kit", "a.zip", "--lessons", "01", "--assignments", "tiny"]) == 0
    found = [name for name in names("a.zip") if name.endswith((".ipynb", ".py"))]
    assert found == [
        "a/assignments/tiny/checks.py", "a/assignments/tiny/tiny.ipynb", "a/minigrad/a.py",
        "a/notebooks/01_second.ipynb",
    ]  # fmt: skip
    first = Path("a.zip").read_bytes()
    assert cli.main(["kit", "a.zip", "--lessons", "01", "--replace"]) == 0
    assert Path("a.zip").read_bytes() == first


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["k.zip", "--lessons", "99"], "no lesson begins with '99'", "name one of"),
        (["k.zip", "--assignments", "ps9"], "'ps9' is not an assignment", "one of: tiny"),
        (["k.tar"], "k.tar is not the name of a zip", "k.tar.zip"),
        (["no/k.zip"], "there is no folder no", "make it"),
        (["old.zip"], "old.zip is there already", "--replace"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(small, capsys, words, message, hint):
    Path("old.zip").write_text("submissions")
    assert cli.main(["kit", *words]) == 2
    said = capsys.readouterr().err
    assert message in said and hint in said
    assert not Path("k.zip").exists() and Path("old.zip").read_text() == "submissions"


def test_an_assignment_that_is_not_what_its_solution_makes_is_refused(small, capsys):
    small.solution.write_text(
        json.dumps(notebook({**SOLUTIONS, "q1": SOLUTIONS["q1"] + "\n# new"}))
    )
    assert cli.main(["kit", "k.zip"]) == 2
    assert "minigrad release tiny" in capsys.readouterr().err
    small.notebook.unlink()
    assert cli.main(["kit", "k.zip"]) == 2
    assert "tiny has not been released" in capsys.readouterr().err
    assert not Path("k.zip").exists()
