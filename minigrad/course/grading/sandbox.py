"""How a worker is started: bare, inside bubblewrap or Docker, and what each does not protect."""

import functools
import importlib.util
import os
import secrets
import site
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from minigrad.course.grading import docker, orphans, syscalls
from minigrad.course.grading.orphans import FOLDER
from minigrad.errors import ArgumentError

INSIDE = Path(__file__).parent / "inside"
MODULES = ("wire", "limits", "objects", "loop")
START = """import sys
package = sys.modules["inside"] = type(sys)("inside")
package.__path__ = []
for name, source in {}:
    module = sys.modules["inside." + name] = type(sys)("inside." + name)
    module.__package__ = "inside"
    setattr(package, name, module)
    exec(compile(source, "<" + name + ">", "exec"), module.__dict__)
for name in [name for name in sys.modules if name.startswith("inside")]:
    del sys.modules[name]
module.main()
"""
BWRAP = "--unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try"
BWRAP += " --die-with-parent --as-pid-1 --cap-drop ALL"  # bubblewrap's own process 1 has no limits
NAMES = {"bwrap": "bubblewrap", "docker": "Docker"}
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **ONE_THREAD}
FOLDER_BYTES = 64 * 2**20
CHOICES = ("auto", "bwrap", "docker", "user", "none")
UNCOUNTED = 4_096  # processes of others, where nobody counts them
RISK = (
    "a submission can give itself every point, read the hidden checks and other submissions, "
    "change files and other grades, fill the disk, and use the network"
)
CURE = (
    "apt install bubblewrap (Linux), or install Docker and make its image (assignments/README.md); "
    f"with --sandbox none {RISK}"
)


class Launch(NamedTuple):
    """A command line and, beside it: the folders of libraries that the worker is told, the user
    it runs as, descriptors to pass on, processes that count against its limit and are not its
    own, the environment, whether it needs a folder of this machine, and the command line that
    ends it where the end of its process would not."""

    command: list
    libraries: list = []
    user: int | None = None
    descriptors: tuple = ()
    others: int = 0
    environment: dict = {}
    bare: bool = False
    end: list = []


def interpreter():
    """The real interpreter: not the venv's link to it."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def launch(kind, libraries):
    """The `Launch` of a worker in a sandbox of `kind` that may use the libraries of these names."""
    words = ["-I", "-B", "-X", "utf8", "-c", worker_code()]
    if kind == "docker":  # the image has the libraries, the container counts its processes
        name = f"{docker.IMAGE}-{secrets.token_hex(8)}"
        command = docker.start(name, FOLDER, FOLDER_BYTES, words)
        return Launch(command, others=UNCOUNTED, environment=dict(os.environ), end=docker.end(name))
    # -I: no environment, no user folder; -S: no site-packages, unless it is among the libraries
    python = [interpreter(), "-S", *words]
    folders = list(dict.fromkeys(str(path.parent) for path in packages(libraries)))
    if kind == "bwrap":
        command, descriptors = bubblewrap(libraries)
        inside = int(running_as_root())  # bubblewrap itself entered the namespace
        return Launch([*command, "--", *python], folders, spare_user(), descriptors, inside)
    needed = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # Windows
    start = Launch(python, folders, environment=ENVIRONMENT | needed, bare=True)
    if kind == "user":
        return start._replace(user=spare_user())
    return start._replace(others=orphans.count_tasks())


@functools.cache
def worker_code():
    """The worker's code as one text, so that no folder of the course is shown to a submission."""
    sources = [(name, (INSIDE / f"{name}.py").read_text(encoding="utf-8")) for name in MODULES]
    return START.format(sources)


def bubblewrap(libraries):
    """bwrap's command line and the descriptors it names: no network, its own processes and users,
    nothing to read but the interpreter and its libraries, nothing to write but an empty folder
    in memory."""
    prefix = os.path.realpath(sys.base_prefix)
    python = [prefix] if prefix != "/usr" else [interpreter(), "/usr/lib"]
    shared = [path for path in ("/usr/lib", "/lib", "/lib64", "/usr/lib64") if Path(path).exists()]
    covered, descriptors = installed(), [text_descriptor(syscalls.program())]
    words = [*BWRAP.split(), "--seccomp", str(descriptors[0])]
    for name, value in {**ENVIRONMENT, "HOME": FOLDER}.items():
        words += ["--setenv", name, value]
    if running_as_root():
        descriptors.append(users(spare_user()))
        words += ["--userns", str(descriptors[-1])]
    else:
        words += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    for path in dict.fromkeys([*shared, *python]):
        words += ["--ro-bind", path, path]
    for path in covered:  # nothing but what the assignment asks for: not another engine
        words += ["--size", "4096", "--tmpfs", path]
    for path in library_paths(libraries):
        words += ["--ro-bind", path, path]
    words += ["--dev-bind", "/dev/null", "/dev/null", "--dev-bind", "/dev/urandom", "/dev/urandom"]
    words += ["--proc", "/proc", "--size", str(FOLDER_BYTES), "--tmpfs", FOLDER, "--chdir", FOLDER]
    for path in [*covered, "/"]:
        words += ["--remount-ro", path]
    # read from a descriptor: what stands on the command line could be read inside
    descriptors.append(text_descriptor("\0".join(words).encode()))
    return [docker.program("bwrap"), "--args", str(descriptors[-1])], tuple(descriptors)


def users(user):
    """For root: a descriptor of a new user namespace that belongs to `user`. All users keep their
    numbers in it, or bwrap could not go where only root may to find the interpreter."""
    start = Launch([docker.program("unshare"), "--user", docker.program("cat")], user=user)
    with spawn(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        process.stdin.write(b".")
        process.stdout.read(1)  # it echoes once the namespace is there
        for name in ("uid_map", "gid_map"):
            ranges = [line.split() for line in Path("/proc/self", name).read_text().splitlines()]
            same = "".join(f"{first} {first} {count}\n" for first, _, count in ranges)
            Path("/proc", str(process.pid), name).write_text(same)
        found = os.open(f"/proc/{process.pid}/ns/user", os.O_RDONLY)
        process.kill()
    return found


def text_descriptor(text):
    """A descriptor from which `text` can be read."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as file:
        file.write(text)
    return reading


def readable_by_all():
    """Whether any user may run the interpreter: all folders above are open."""
    return all(path.stat().st_mode & 0o005 == 0o005 for path in Path(interpreter()).parents)


def running_as_root():
    """Whether this process has root's rights."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def spare_user():
    """For root: a user number that no account and no service manager uses, for this process."""
    return 60_600 + os.getpid() % 500 if running_as_root() else None


def library_paths(names):
    """The folders of the libraries `names` alone, with the binary parts that lie beside them."""
    beside = [path.with_name(f"{path.name}.libs") for path in packages(names)]
    return [str(path) for path in [*packages(names), *filter(Path.is_dir, beside)]]


def installed():
    """The folders in which other packages may be, below what a sandbox shows of the machine."""
    python = os.path.realpath(sys.base_prefix)
    folders = [*site.getsitepackages([python]), "/usr/lib/python3/dist-packages"]
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


def spawn(start, **options):
    """The running process of a `Launch`, in a session of its own."""
    groups = None if start.user is None else []
    options |= {"user": start.user, "group": start.user, "extra_groups": groups}
    try:
        return subprocess.Popen(
            start.command, pass_fds=start.descriptors, start_new_session=True, **options
        )
    finally:
        for number in start.descriptors:
            os.close(number)


@functools.cache
def bubblewrap_works():
    """None when a worker starts inside bubblewrap here, else the reason why not."""
    if not sys.platform.startswith("linux"):
        return "bubblewrap exists on Linux only"
    for name in ("bwrap", "unshare", "cat"):
        if not docker.program(name):
            return f"bubblewrap is not installed (there is no command {name})"
    if not syscalls.known():
        return "for this kind of processor no calls are known that bubblewrap must refuse"
    python = [interpreter(), "-I", "-S", "-c", "import resource, os"]
    try:
        command, descriptors = bubblewrap([])
        start = Launch([*command, "--", *python], user=spare_user(), descriptors=descriptors)
        process = spawn(start, cwd="/", text=True, stderr=subprocess.PIPE)
        _, said = process.communicate(timeout=10)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    return None if process.returncode == 0 else f"bubblewrap fails: {said.strip()[:200]}"


def choose(asked):
    """The kind of sandbox for code that is one's own: `auto` is bubblewrap, or none. Raises when
    the one that is asked for does not work."""
    if asked == "auto":
        return "none" if bubblewrap_works() else "bwrap"
    problem = {"bwrap": bubblewrap_works, "docker": docker.works, "user": user_works}.get(asked)
    if problem and problem():
        raise ArgumentError(problem(), mend=CURE)
    return asked


def choose_for_others(asked, as_root=False):
    """The kind of sandbox for the code of others: `auto` is bubblewrap, or Docker. Raises where
    neither works, and where a submission would get root's rights, unless `as_root`."""
    if asked == "auto":
        problems = {"bwrap": bubblewrap_works(), "docker": docker.works()}
        working = [kind for kind, problem in problems.items() if problem is None]
        if not working:
            raise ArgumentError("no sandbox: " + "; ".join(problems.values()), mend=CURE)
        return working[0]
    if asked == "none" and running_as_root() and not as_root:
        fact = "with --sandbox none, started by root, a submission has root's rights"
        raise ArgumentError(fact, mend="--sandbox user; or --as-root, in a machine to throw away")
    return choose(asked)


def user_works():
    """None when root can run a worker as another user here, else the reason why not."""
    if not running_as_root():
        return "only root can change to a user without rights"
    if not readable_by_all():
        return f"no other user can read Python, which is {interpreter()}"
    return None


def notice(kind):
    """What `grade` says about the sandbox at its start."""
    if kind == "user":
        return (
            "No sandbox but a user without rights: a submission can read files that every user can "
            "read, write to /tmp until the disk is full, import every installed package, and use "
            "the network."
        )
    return f"Sandbox: {NAMES[kind]}." if kind in NAMES else f"No sandbox: {RISK}."
