"""`minigrad kit`: what students get, as one zip, with nothing of the instructor's in it."""

from pathlib import Path

from minigrad.core.errors import ArgumentError
from minigrad.course import files, project
from minigrad.course.commands import release
from minigrad.course.grading import assignment, notebook

HELP = "package the course for students as a zip"
OWN = Path(__file__).parents[1] / "templates" / "kit"
FOLDERS = ("minigrad", "figures", ".ci")
TOPS = ("LICENSE", "LICENSE-CC-BY-4.0", "Makefile", "pyproject.toml", ".gitattributes")
WORKSPACE = "/my/"  # the course's .gitignore names it; a student's repository is to hold it
LEFT_OUT = {"__pycache__", "node_modules"}
LEFT_OUT |= {"questions.toml", "teaching"}  # the keys of the quiz, and the pages for teachers


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument(
        "out", nargs="?", metavar="OUT.zip", help="output file (default: minigrad-kit.zip)"
    )
    some = "include only these lessons, for example 00 01 07 (default: all)"
    parser.add_argument("--lessons", nargs="+", metavar="NN", default=[], help=some)
    some = "include only these assignments, for example ps1 (default: all)"
    parser.add_argument("--assignments", nargs="+", metavar="PS", default=[], help=some)
    parser.add_argument("--replace", action="store_true", help="overwrite an existing kit")


def run(args):
    """Gather everything, then write; nothing is written when something speaks against it."""
    out = files.archive_path(args.out, "minigrad-kit.zip", args.replace)
    refuse_incomplete(project.clone())
    lessons = project.lessons(args.lessons)
    handed_out = [fit_assignment(name) for name in args.assignments or assignment.find_all()]
    contents = gather_kit(project.root(), lessons, handed_out)
    files.write_archive(out, {f"{out.stem}/{name}": data for name, data in contents.items()})
    size = out.stat().st_size / 2**20
    names = ", ".join(one.name for one in handed_out) or "no assignment"
    print(f"{files.path_text(out)}: {len(lessons)} lessons, {names}; {size:.1f} MB")
    print("Nothing of assignments/instructor/ is in it.")
    return 0


def refuse_incomplete(course):
    """Raises where the course's folder is not a whole clone, as beside an installed package."""
    if not (course / ".gitignore").is_file():
        message = f"a kit is made from a clone of the course, and {course.name}/ is not one"
        raise ArgumentError(message, hint="change to the folder into which the course was cloned")


def fit_assignment(name):
    """The assignment, once its notebook for students is what its solution makes today. Where the
    instructor's files are not here, what is there is taken."""
    chosen = assignment.find(name)
    hint = f"minigrad release {name}, or leave it out with --assignments"
    if not chosen.notebook.is_file():
        raise ArgumentError(f"{name} has not been released", hint=hint)
    if chosen.solution.is_file():
        made = notebook.notebook_text(release.student_notebook(chosen))
        if chosen.notebook.read_text(encoding="utf-8") != made:
            raise ArgumentError(f"{chosen.notebook.name} is not what its solution makes", hint)
    return chosen


def gather_kit(course, lessons, handed_out):
    """{path within the kit: bytes}. Lessons are as published, since `minigrad lab` makes the blank
    copies from those, and unfolds their answers."""
    paths = [course / name for name in TOPS if (course / name).is_file()]
    paths += [path for folder in FOLDERS for path in plain_files(course / folder)]
    paths += lessons
    for one in handed_out:
        paths += [one.notebook, one.checks]
    found = {path.relative_to(course).as_posix(): path.read_bytes() for path in paths}
    found |= {path.relative_to(OWN).as_posix(): path.read_bytes() for path in plain_files(OWN)}
    ignored = (course / ".gitignore").read_text(encoding="utf-8").splitlines(keepends=True)
    found[".gitignore"] = "".join(line for line in ignored if line.strip() != WORKSPACE).encode()
    return found


def plain_files(folder):
    """The files below a folder, but for what Python and systems leave behind."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        hidden = any(part.startswith(".") and part != ".github" for part in inside)
        if path.is_file() and not hidden and not LEFT_OUT & {*inside}:
            yield path
