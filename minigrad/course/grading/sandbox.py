"""How a worker is started: bare, inside bubblewrap or Docker, and what each does not protect."""

import binascii
import functools
import marshal
import os
from pathlib import Path

from minigrad.core.errors import ArgumentError
from minigrad.course.grading import bubblewrap, docker, orphans, process
from minigrad.course.grading.process import ENVIRONMENT, Launch

INSIDE = Path(__file__).parent / "inside"
MODULES = ("wire", "limits", "objects", "loop")
START = """import binascii, marshal, sys
package = sys.modules["inside"] = type(sys)("inside")
package.__path__ = []
for name, code in {}:
    module = sys.modules["inside." + name] = type(sys)("inside." + name)
    module.__package__ = "inside"
    setattr(package, name, module)
    exec(code, module.__dict__)
for name in [name for name in sys.modules if name.startswith("inside")]:
    del sys.modules[name]
module.main()
"""
NAMES = {"bwrap": "bubblewrap", "docker": "Docker"}
CHOICES = ("auto", "bwrap", "docker", "user", "none")
RISK = "a submission can give itself every point, read the hidden checks and other submissions, "
RISK += "change files and other grades, fill the disk, and use the network"
HINT = "apt install bubblewrap (Linux), or install Docker and make its image "
HINT += f"(assignments/README.md); with --sandbox none {RISK}"
BARE_USER = "a submission can read files that every user can read, write to /tmp until the disk is "
BARE_USER += "full, import every installed package, and use the network"


def launch_worker(kind, libraries):
    """The `Launch` of a worker in a sandbox of `kind` that may use the libraries of these names."""
    words = ["-I", "-B", "-X", "utf8", "-c", worker_code(compiled=kind != "docker")]
    if kind == "docker":
        return docker.launch(words)
    # -I: no environment, no user folder; -S: no site-packages, unless it is among the libraries
    python = [process.real_interpreter(), "-S", *words]
    folders = list(dict.fromkeys(str(path.parent) for path in process.packages(libraries)))
    if kind == "bwrap":
        return bubblewrap.launch(python, libraries)._replace(libraries=folders)
    needed = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # Windows
    start = Launch(python, folders, environment=ENVIRONMENT | needed, bare=True)
    if kind == "user":
        return start._replace(user=process.spare_user())
    return start._replace(others=orphans.count_tasks())


@functools.cache
def worker_code(compiled):
    """The worker's code as one text, so that no folder of the course is shown to a submission;
    `compiled` for a Python of this version."""
    parts = [(name, (INSIDE / f"{name}.py").read_text(encoding="utf-8")) for name in MODULES]
    if not compiled:
        return START.format(parts)
    parts = [(name, compile(text, f"<{name}>", "exec", optimize=2)) for name, text in parts]
    data = binascii.b2a_base64(marshal.dumps(parts), newline=False)
    return START.format(f"marshal.loads(binascii.a2b_base64({data}))")


def add_option(parser):
    """Define the option that chooses a sandbox."""
    parser.add_argument(
        "--sandbox", choices=CHOICES, default="auto", help="sandbox for submissions (default: auto)"
    )


def choose(asked):
    """The kind of sandbox for code that is one's own: `auto` is bubblewrap, or none. Raises when
    the one that is asked for does not work."""
    if asked == "auto":
        return "none" if bubblewrap.works() else "bwrap"
    problem = {"bwrap": bubblewrap.works, "docker": docker.works, "user": user_works}.get(asked)
    if problem and problem():
        raise ArgumentError(problem(), hint=HINT)
    return asked


def choose_for_file(asked, path, workspace):
    """The kind of sandbox for a notebook that may be somebody else's: inside the student's own
    `workspace` as for one's own code. Elsewhere, where no sandbox works, `none` must be asked for
    by name."""
    if asked == "auto" and not path.resolve().is_relative_to(workspace.resolve()):
        try:
            return choose_for_others(asked)
        except ArgumentError as error:
            message = (
                f"{path.name} lies outside {workspace.name}/ and may not be yours; {error.message}"
            )
            hint = "install bubblewrap; or, if you trust the notebook, add --sandbox none, "
            hint += "which runs it with all your rights"
            raise ArgumentError(message, hint) from None
    return choose(asked)


def choose_for_others(asked, as_root=False):
    """The kind of sandbox for the code of others: `auto` is bubblewrap, or Docker. Raises where
    neither works, and where a submission would get root's rights, unless `as_root`."""
    if asked == "auto":
        problems = {"bwrap": bubblewrap.works(), "docker": docker.works()}
        working = [kind for kind, problem in problems.items() if problem is None]
        if not working:
            raise ArgumentError("no sandbox: " + "; ".join(problems.values()), hint=HINT)
        return working[0]
    if asked == "none" and process.running_as_root() and not as_root:
        message = "with --sandbox none, started by root, a submission has root's rights"
        raise ArgumentError(message, hint="--sandbox user; or --as-root, on a disposable machine")
    return choose(asked)


def notice(kind):
    """What `grade` says about the sandbox at its start."""
    if kind == "user":
        return f"No sandbox but a user without rights: {BARE_USER}."
    return f"Sandbox: {NAMES[kind]}." if kind in NAMES else f"No sandbox: {RISK}."


def user_works():
    """None when root can run a worker as another user here, else the reason why not."""
    if not process.running_as_root():
        return "only root can change to a user without rights"
    if not readable_by_all():
        return f"no other user can read Python, which is {process.real_interpreter()}"
    return None


def readable_by_all():
    """Whether any user may run the interpreter: all folders above are open."""
    return all(
        path.stat().st_mode & 0o005 == 0o005 for path in Path(process.real_interpreter()).parents
    )
