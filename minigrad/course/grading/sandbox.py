"""How a worker is started: bare, inside bubblewrap or Docker, and what each does not protect."""

import functools
import importlib.util
import os
import secrets
import shutil
import site
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from minigrad.course.grading import docker
from minigrad.errors import ArgumentError

HERE = Path(__file__).parent
INSIDE = HERE / "inside"
START = "import sys; sys.path.insert(0, {0!r}); from inside import loop; loop.main()"
BWRAP = "--die-with-parent --new-session --clearenv --unshare-ipc --unshare-pid --unshare-net"
NAMES = {"bwrap": "bubblewrap", "docker": "Docker"}
FOLDER_BYTES = 64 * 2**20
CHOICES = ("auto", "bwrap", "docker", "none")


class Launch(NamedTuple):
    """A command line, what the worker is told about its surroundings, and the command line that
    ends it where the end of its process would not."""

    command: list
    hide: list
    user: int | None
    libraries: list
    end: list = []


def interpreter():
    """The real interpreter: not the venv's link to it."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def launch(kind, libraries, user):
    """The `Launch` of a worker in a sandbox of `kind` that may use the libraries of these names."""
    shown = str(HERE) if kind == "none" else "/grader"
    words = ["-I", "-B", "-X", "utf8", "-c", START.format(shown)]
    if kind == "docker":  # the image has the libraries
        name = f"minigrad-{secrets.token_hex(8)}"
        command = docker.start(name, INSIDE, FOLDER_BYTES, words)
        return Launch(command, [shown], None, [], docker.end(name))
    folders = library_folders(libraries)
    # -I: no environment, no user folder; -S: no site-packages, unless it is among `folders`
    python = [interpreter(), "-S", *words]
    if kind == "none":
        return Launch(python, [shown], user if readable_by_all() else None, folders)
    return Launch(bubblewrap(libraries) + python, [shown], user, folders)


def bubblewrap(libraries):
    """bwrap's part of the command line: no network, its own processes, nothing to read but the
    interpreter, its libraries and the worker, nothing to write but an empty folder in memory."""
    prefix = os.path.realpath(sys.base_prefix)
    python = [prefix] if prefix != "/usr" else [interpreter(), "/usr/lib"]
    shared = [path for path in ("/usr/lib", "/lib", "/lib64", "/usr/lib64") if Path(path).exists()]
    words = [shutil.which("bwrap") or "bwrap", *BWRAP.split(), "--cap-drop", "ALL"]
    if running_as_root():
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user"]
    for path in dict.fromkeys([*shared, *python]):
        words += [*parents(path), "--ro-bind", path, path]
    for path in installed():  # nothing but what the assignment asks for: not another engine
        words += ["--perms", "0755", "--tmpfs", path]
    for path in library_paths(libraries):
        words += [*parents(path), "--ro-bind", path, path]
    words += ["--perms", "0755", "--dir", "/grader", "--ro-bind", str(INSIDE), "/grader/inside"]
    words += ["--perms", "0755", "--dir", "/dev", "--dev-bind", "/dev/null", "/dev/null"]
    words += ["--dev-bind", "/dev/urandom", "/dev/urandom", "--proc", "/proc"]
    words += ["--perms", "1777", "--size", str(FOLDER_BYTES), "--tmpfs", "/box"]
    return [*words, "--chdir", "/box", "--remount-ro", "/", "--"]


def parents(path):
    """Make the folders above `path` readable: bwrap alone gives them to root only."""
    words = []
    for folder in reversed(Path(path).parents[:-1]):
        words += ["--perms", "0755", "--dir", str(folder)]
    return words


def readable_by_all():
    """Whether any user may run the interpreter and read the worker: all folders above are open."""
    above = {*Path(interpreter()).parents, INSIDE, *INSIDE.parents}
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in above)


def running_as_root():
    """Whether this process has root's rights."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def spare_user():
    """A user number that no account and no service manager uses, for this grading process."""
    return 60_600 + os.getpid() % 500


def library_folders(names):
    """The folders to look in for the libraries `names` which an assignment asks for."""
    return list(dict.fromkeys(str(path.parent) for path in packages(names)))


def library_paths(names):
    """The folders of the libraries `names` alone, with the binary parts that lie beside them."""
    beside = [path.with_name(f"{path.name}.libs") for path in packages(names)]
    return [str(path) for path in [*packages(names), *filter(Path.is_dir, beside)]]


def installed():
    """The folders in which other packages may be, below what a sandbox shows of the machine."""
    python = os.path.realpath(sys.base_prefix)
    folders = site.getsitepackages([python]) + ["/usr/lib/python3/dist-packages"]
    folders += [path.removeprefix("/usr") for path in folders if path.startswith("/usr/lib")]
    shown = (f"{python}/lib", "/usr/lib", "/lib")
    return [path for path in dict.fromkeys(folders) if path.startswith(shown) and is_there(path)]


def is_there(path):
    """Whether `path` is a folder and no link."""
    return Path(path).is_dir() and not Path(path).is_symlink()


def packages(names):
    """The package folder of each library."""
    folders = []
    for name in names:
        found = importlib.util.find_spec(name)
        if found is None or not found.origin:
            raise ArgumentError(f"this assignment needs {name}", mend=f"pip install {name}")
        folders.append(Path(found.origin).resolve().parent)
    return folders


@functools.cache
def bubblewrap_works():
    """None when a worker starts inside bubblewrap here, else the reason why not."""
    if not sys.platform.startswith("linux"):
        return "bubblewrap exists on Linux only"
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed (its command is bwrap)"
    command = bubblewrap([]) + [interpreter(), "-I", "-S", "-c", "import resource, os"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    return None if done.returncode == 0 else f"bubblewrap fails: {done.stderr.strip()[:200]}"


def choose(asked):
    """The kind of sandbox to use: bwrap, docker or none; `auto` is bwrap or none. Raises when
    the one that is asked for does not work."""
    if asked == "none":
        return "none"
    problem = docker.works() if asked == "docker" else bubblewrap_works()
    if asked != "auto" and problem:
        raise ArgumentError(problem, mend="--sandbox none, after reading what it leaves open")
    return asked if asked != "auto" else "none" if problem else "bwrap"


def notice(kind):
    """What `grade` says about the sandbox at its start."""
    return warning(kind) or f"Sandbox: {NAMES[kind]}."


def warning(kind):
    """What `kind` leaves open, as a sentence for the instructor; empty when nothing known is."""
    if kind != "none":
        return ""
    reason = bubblewrap_works() or "--sandbox none was chosen"
    if running_as_root() and readable_by_all():
        return (
            f"No sandbox ({reason}). A submission runs as a user without rights, but it can read "
            "files that every user can read, write to /tmp until the disk is full, import every "
            "installed package, and use the network."
        )
    return (
        f"No sandbox ({reason}). A submission can read every file that you can read (hidden "
        "checks, other submissions), write where you can write until the disk is full, signal "
        "your processes, import every installed package (another engine) and use the network; "
        "run it only on a machine where that does no harm."
    )
