"""`minigrad new ps10`: an assignment with one question, which works as it is, to be changed."""

import re
from pathlib import Path

from minigrad.core.errors import ArgumentError
from minigrad.course import files, project

HELP = "begin an assignment of your own, with one question that works"
TEMPLATE = Path(__file__).parents[1] / "templates" / "assignment"
SUFFIX = ".txt"  # so that no template is taken for a module or a lesson
NAME = re.compile(r"ps[0-9a-z_]+")
NEXT = """change:  the cells of {folder}/solution.ipynb, the checks in hidden.py and in
         assignments/{name}/checks.py; each says what to change
then:    minigrad release {name}    makes the students' notebook
         minigrad mutants {name}    grades the wrong and right answers of bank/
         minigrad kit            takes it along"""


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("name", help="the new assignment, as ps10")


def run(args):
    """Write the files of the template; none when one of the folders is there."""
    name, assignments = args.name, project.assignments()
    if not NAME.fullmatch(name):
        message = f"'{name}' is no name of an assignment"
        raise ArgumentError(message, hint="ps and small letters or digits, as ps10")
    folders = assignments / name, assignments / "instructor" / name
    for folder in folders:
        if folder.exists():
            raise ArgumentError(
                f"{files.path_text(folder)} is there already", "choose another name"
            )
    for path, text in new_files(name, *folders).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_atomically(path, text)
        print(f"new: {files.path_text(path)}")
    print(NEXT.format(name=name, folder=files.path_text(folders[1])))
    return 0


def new_files(name, public, instructor):
    """{path: text} of the template, for an assignment of this name."""
    found = {}
    for source in sorted(TEMPLATE.rglob(f"*{SUFFIX}")):
        inside = source.relative_to(TEMPLATE)
        folder = instructor if inside.parts[0] == "kept" else public
        rest = inside.parts[1:] if folder is instructor else inside.parts
        target = folder.joinpath(*rest)
        text = source.read_text(encoding="utf-8").replace("psN", name)
        found[target.with_name(target.name.removesuffix(SUFFIX))] = text
    return found
