"""What an instructor keeps is in no file that a student gets."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from minigrad.course.publishing import leaks

ROOT = Path(__file__).parents[2]
KEPT = ROOT / leaks.KEPT
HERE = pytest.mark.skipif(
    not (KEPT.is_dir() and (ROOT / ".git").exists()),
    reason="the instructor's files are not in this copy, or it is no clone",
)


@HERE
def test_public_files_hold_only_those_lines_of_the_instructor_that_are_listed():
    shared, listed = leaks.shared_lines(ROOT), leaks.read_listed(ROOT)
    said = "to make the list again, run minigrad publish --accept, then read git diff"
    assert [line for line in shared if line not in listed] == [], f"leaks, or new lines; {said}"
    assert listed == shared, said


def test_the_wheel_holds_nothing_of_the_instructor(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    tops = {name.split("/")[0] for name in names}
    assert tops == {"minigrad", f"minigrad_course-{version}.dist-info"}
    assert "minigrad/course/commands/jupyter/overrides.json" in names
    assert not [name for name in names if "instructor" in name]


def test_the_source_archive_holds_nothing_of_the_instructor(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = opened.getnames()
    assert any(name.endswith("minigrad/course/cli.py") for name in names)
    assert not [name for name in names if "/instructor/" in name]
