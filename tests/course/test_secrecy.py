"""What an instructor keeps is in no file that a student gets."""

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "assignments" / "instructor"
GIVEN = ("README.md", "assignments", "figures", "minigrad", "notebooks", "tests")
TEXT = {".py", ".md", ".ipynb", ".txt", ".json", ".svg", ".html"}
DISTINCT = 30  # characters; a shorter line can stand anywhere by chance
HEADER = re.compile(r"\s*(def|class) ")


def solution_lines(path):
    """The lines that stand only between a notebook's solution marks, where no other line is like
    them: not headers, which the task itself names, and not what the task shows elsewhere."""
    inside, outside = set(), set()
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        into = outside
        for line in "".join(cell["source"]).splitlines():
            if "### BEGIN SOLUTION" in line or "### END SOLUTION" in line:
                into = inside if "BEGIN" in line else outside
            elif len(line.strip()) >= DISTINCT and not HEADER.match(line):
                into.add(line.strip())
    return inside - outside


def given_files():
    """Every text that is in the repository and not the instructor's."""
    for name in GIVEN:
        top = ROOT / name
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.suffix in TEXT and KEPT not in path.parents:
                yield path


def escaped(line):
    """The line as it stands inside a notebook's JSON."""
    return json.dumps(line, ensure_ascii=False)[1:-1]


@pytest.mark.parametrize("key", sorted(KEPT.glob("*/solution.ipynb")), ids=lambda p: p.parent.name)
def test_no_line_of_a_solution_is_given_away(key):
    lines = solution_lines(key)
    assert lines, "the key has no solution marks"
    leaks = []
    for path in given_files():
        text = path.read_text(encoding="utf-8")
        leaks += [
            f"{path.relative_to(ROOT)}: {line}"
            for line in lines
            if line in text or escaped(line) in text
        ]
    assert leaks == []


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
