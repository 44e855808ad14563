"""`minigrad publish`: the course as two clones with a history of one commit: a public one without
the instructor's folder, and a whole one for teachers."""

import io
import os
import shutil
import tarfile
import tempfile
from pathlib import Path

from minigrad.core.errors import ArgumentError, MinigradError
from minigrad.course import files, project
from minigrad.course.commands import kit
from minigrad.course.grading import assignment
from minigrad.course.publishing import leaks
from minigrad.course.publishing.building import build_packages

HELP = "write a public clone of the course, and a private one for teachers"
IDENTITY = {
    "user.name": "minigrad contributors",
    "user.email": "contributors@minigrad.invalid",
    "commit.gpgsign": "false",
    "core.hooksPath": os.devnull,
}
TOPS = {  # what stands at the top of the course
    ".binder", ".ci", ".devcontainer", ".gitattributes", ".github", ".gitignore",
    ".pre-commit-config.yaml", "CHANGELOG.md", "CITATION.cff", "LICENSE", "LICENSE-CC-BY-4.0",
    "Makefile", "README.md", "assignments", "figures", "minigrad", "notebooks", "pyproject.toml",
    "tests",
}  # fmt: skip
PUBLIC = (".", f":(exclude){leaks.KEPT}")  # what git archive takes


def arguments(parser):
    """Define the command's arguments."""
    said = "write the public clone to this folder, which is empty or does not exist yet"
    parser.add_argument("out", nargs="?", metavar="OUT", help=said)
    said = "write the private clone, with assignments/instructor/, to this folder"
    parser.add_argument("--instructor", metavar="OUT2", help=said)
    said = "write nothing; search a public clone and its git history for lines of the instructor"
    parser.add_argument("--check", metavar="FOLDER", help=said)
    said = f"write {leaks.LISTED}: all lines that public files share with the instructor today"
    parser.add_argument("--accept", action="store_true", help=said)


def run(args):
    """Do the one thing that is asked for."""
    asked = [args.out is not None, args.check is not None, args.accept]
    if sum(asked) != 1 or (args.instructor and not args.out):
        raise ArgumentError(
            "publish takes OUT, --check FOLDER or --accept, and only one of them",
            "minigrad publish OUT --instructor OUT2",
        )
    course = instructors_clone(project.clone())
    if args.accept:
        accept_lines(course)
    elif args.check:
        check_clone(course, Path(args.check))
    else:
        publish_clones(course, args.out, args.instructor)
    return 0


def instructors_clone(course):
    """Return the course folder. Raises where it is no git clone, or has no instructor's folder."""
    top = leaks.git(course, "rev-parse", "--show-toplevel", hint=project.IN_CLONE)
    if Path(top.decode().strip()).resolve() != course:
        raise MinigradError(f"{course.name}/ is not a git clone of the course", project.IN_CLONE)
    if not (course / leaks.KEPT).is_dir():
        hint = "run it in the teachers' clone, which has this folder"
        raise MinigradError(f"{leaks.KEPT}/ is not here", hint)
    return course


def accept_lines(course):
    """Write the list of public lines, and say how it changed."""
    before, now = set(leaks.read_listed(course)), leaks.shared_lines(course)
    files.write_atomically(course / leaks.LISTED, "".join(f"{line}\n" for line in now))
    new, gone = set(now) - before, before - set(now)
    print(f"{leaks.LISTED}: {len(now)} lines, {len(new)} new, {len(gone)} gone")
    print("Read them with git diff before you commit: nothing keeps them secret any more.")


def check_clone(course, folder):
    """Search a public clone, with its history, for lines of the instructor."""
    if not folder.is_dir():
        raise ArgumentError(f"{folder} is not a folder", "name the folder of a public clone")
    secrets = leaks.read_secrets(course)
    leaks.refuse_leaks(leaks.find_leaks(folder, secrets))
    print(f"{folder}: no line of {leaks.KEPT}/ is in its files or its git history")


def publish_clones(course, out, private):
    """Make both clones, search the public one, then put them where they are wanted."""
    project.require("hatchling")
    refuse_uncommitted(course)
    refuse_foreign(course)
    targets = fit_targets(course, [Path(one) for one in (out, private) if one])
    secrets = leaks.read_secrets(course)
    with tempfile.TemporaryDirectory(dir=targets[0].parent, prefix=".publish-") as scratch:
        made = [export_clone(course, Path(scratch) / "public", *PUBLIC)]
        leaks.refuse_leaks(leaks.find_leaks(made[0], secrets))
        leaks.refuse_leaks(leaks_of_products(made[0], Path(scratch), secrets))
        if private:
            made.append(export_clone(course, Path(scratch) / "private"))
        for clone, target in zip(made, targets, strict=True):
            shutil.copytree(clone, target, symlinks=True, dirs_exist_ok=True)
    print(f"{targets[0]}: the public clone; no line of {leaks.KEPT}/ is in it, in its git objects,")
    print("the wheel, the source archive or the kit")
    for target in targets[1:]:
        print(f"{target}: the whole course, for teachers; keep this clone private")


def refuse_uncommitted(course):
    """Raise where a file is not committed: what is published is the last commit."""
    said = leaks.git(course, "status", "--porcelain").decode(errors="replace").splitlines()
    if said:
        names = ", ".join(line[3:] for line in said[:5]) + " …" * (len(said) > 5)
        message = f"publish takes the last commit, and these files differ from it: {names}"
        raise MinigradError(
            message, "commit what belongs to the course, or publish from a fresh clone"
        )


def refuse_foreign(course):
    """Raise where files are committed that are no part of the course, such as a class's grades."""
    said = leaks.git(course, "ls-tree", "--name-only", "HEAD").decode(errors="replace")
    foreign = sorted({*said.splitlines()} - TOPS)
    if foreign:
        message = f"these files at the top do not belong to the course: {', '.join(foreign[:5])}"
        raise MinigradError(message, "keep the files of a class outside the course's folder")


def fit_targets(course, targets):
    """Return the folders to write, whole paths. Raises where one holds files, has no parent, lies
    in the clone, or in the other."""
    targets = [target.resolve() for target in targets]
    for target in targets:
        for outer in (course, *targets):
            if outer in target.parents or target == course:
                message = f"{target} lies in {outer}"
                raise ArgumentError(message, "name a folder beside the clone")
    if len({*targets}) < len(targets):
        raise ArgumentError("OUT and OUT2 are the same folder", "name two folders")
    for target in targets:
        refuse_target(target)
    return targets


def refuse_target(target):
    """Raise where a clone cannot be written to `target` without touching what is there."""
    if not target.parent.is_dir():
        message = f"{target.parent} is not a folder"
        raise ArgumentError(message, "make it, or name another folder")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ArgumentError(f"{target} is not empty", "move it away, or name another folder")


def export_clone(course, folder, *paths):
    """Make a clone at `folder` that holds these paths of the last commit, in one new commit."""
    data = leaks.git(course, "archive", "--format=tar", "HEAD", "--", *paths)
    folder.mkdir()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(folder, filter="data")
    leaks.git(folder, "init", "--quiet", "--template=", "--initial-branch=main")
    leaks.git(folder, "add", "--all", "--force")
    settings = [word for item in IDENTITY.items() for word in ("-c", "=".join(item))]
    said = f"Publish {project.version_text()}"
    leaks.git(folder, *settings, "commit", "--quiet", "--no-verify", "--message", said)
    return folder


def leaks_of_products(folder, scratch, secrets):
    """Return the leaks in what is made of a public clone: wheel, source archive and kit."""
    copy = shutil.copytree(folder, scratch / "built")  # a build may write beside its sources
    built = public_packages(copy, scratch / "dist")
    found = [leak for path in built for leak in leaks.leaks_of_file(path, path.name, secrets)]
    for name, data in gather_public_kit(folder).items():
        found += leaks.leaks_of_bytes(data, f"the kit: {name}", secrets)
    return found


def public_packages(folder, dist):
    """Return the wheel and the source archive of a clone; nothing where it has no package."""
    if not (folder / "pyproject.toml").is_file():
        return []
    return build_packages(folder, dist, "wheel", "sdist", PYTHONDONTWRITEBYTECODE="1")


def gather_public_kit(folder):
    """Return {path: bytes} of the students' kit that is made in a public clone."""
    assignments = folder / "assignments"
    names = sorted(path.parent.name for path in assignments.glob("*/checks.py"))
    kept = folder / leaks.KEPT
    found = [assignment.Assignment(name, assignments / name, kept / name) for name in names]
    return kit.gather_kit(folder, sorted((folder / "notebooks").glob("*.ipynb")), found)
