"""`minigrad package ps1 --gradescope`: an assignment as a zip that another platform grades with."""

import secrets
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from minigrad.core.errors import PACKAGE, ArgumentError
from minigrad.course import files, project
from minigrad.course.commands import kit, release
from minigrad.course.grading import assignment, sandbox
from minigrad.course.grading.answers import imported_modules
from minigrad.course.grading.worker import Setting

HELP = "package an assignment as an autograder zip for Gradescope"
NEEDS = ("pytest",)
OWN = Path(__file__).parents[1] / "templates" / "gradescope"
NEEDED = ("numpy", "pytest")
SAID = """{shown}: {size:.1f} MB, {count} questions, {points:g} points; the key has full points
Upload it in Gradescope: Programming Assignment, Configure Autograder. It holds the hidden checks
and the key: give it to nobody else. Questions graded by hand: {written}"""


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("name", help="assignment name, for example ps1")
    parser.add_argument(
        "out", nargs="?", metavar="OUT.zip", help="output file (default: NAME-gradescope.zip)"
    )
    said = "include setup.sh and run_autograder for Gradescope"
    parser.add_argument("--gradescope", action="store_true", required=True, help=said)
    parser.add_argument("--replace", action="store_true", help="overwrite an existing zip")
    sandbox.add_option(parser)


def run(args):
    """Try the checks on the key and on the blank notebook, then write."""
    chosen = assignment.for_instructor(args.name)
    out = files.archive_path(args.out, f"{args.name}-gradescope.zip", args.replace)
    master = assignment.key_master(chosen)
    setting = Setting(sandbox.choose(args.sandbox), master.libraries)
    made = release.student_notebook(chosen)
    release.refuse_release(release.objections(chosen, chosen.hidden, made, setting), chosen)
    files.write_archive(out, autograder_files(chosen, master))
    shown, written = files.path_text(out), ", ".join(master.written) or "none"
    size = out.stat().st_size / 2**20
    count, points = len(master.points), sum(master.points.values())
    print(SAID.format(shown=shown, size=size, count=count, points=points, written=written))
    return 0


def autograder_files(chosen, master):
    """{path within the zip: content}: the package, the assignment, the scripts, a secret seed."""
    package = Path(PACKAGE)
    found = {
        f"minigrad/{path.relative_to(package).as_posix()}": path
        for path in kit.plain_files(package)
    }
    for path in (chosen.checks, chosen.solution, chosen.hidden):
        folder = "instructor/" if chosen.instructor in path.parents else ""
        found[f"assignments/{folder}{chosen.name}/{path.name}"] = path
    found |= {path.name: path for path in kit.plain_files(OWN)}
    contents = {name: path.read_bytes() for name, path in found.items()}
    pins = "".join(f"{name}=={version}\n" for name, version in project.pinned_versions().items())
    wanted = "\n".join(needed_libraries(chosen, master))
    contents |= {"requirements.txt": f"-c constraints.txt\n{wanted}\n", "constraints.txt": pins}
    return contents | {"seed.txt": secrets.token_hex(16) + "\n"}


def needed_libraries(chosen, master):
    """What is to be installed beside the package. Raises an ArgumentError where the checks import
    something else."""
    needed = dict.fromkeys((*NEEDED, *master.libraries, *master.check_libraries))
    known = {"minigrad", *needed, *sys.stdlib_module_names}
    for module, makers in packages_distributions().items():
        known |= {module for maker in makers if maker.lower() in needed}
    for path in (chosen.hidden, chosen.checks):
        if unknown := sorted(imported_modules(path.read_text("utf-8")) - known):
            hint = f'write "check_libraries": ["{unknown[0]}"] under "minigrad" in the metadata of '
            message = (
                f"{path.name} imports {', '.join(unknown)}, which the autograder would not have"
            )
            raise ArgumentError(message, hint=f"{hint}{files.path_text(chosen.solution)}")
    return needed
