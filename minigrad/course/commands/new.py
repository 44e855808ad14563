"""`minigrad new ps10`: an assignment with one question, which works as it is, to be changed; with
`--question q2`, one more question in an assignment that is there."""

import json
import re
from pathlib import Path

from minigrad.core.errors import ArgumentError
from minigrad.course import files, project
from minigrad.course.grading import assignment, notebook

HELP = "begin an assignment of your own, with one question that works"
TEMPLATES = Path(__file__).parents[1] / "templates"
TEMPLATE, QUESTION = TEMPLATES / "assignment", TEMPLATES / "question"
SUFFIX = ".txt"  # so that no template is taken for a module or a lesson
NAME, QUESTION_NAME = re.compile(r"ps[0-9a-z_]+"), re.compile(r"q[0-9a-z]+")
NEXT = """change:  the cells of {folder}/solution.ipynb, the checks in hidden.py and in
         assignments/{name}/checks.py; each says what to change
then:    minigrad release {name}    makes the students' notebook
         minigrad mutants {name}    grades the wrong and right answers of bank/
         minigrad kit            takes it along"""
NEXT_QUESTION = """change:  its cells in {folder}/solution.ipynb, its checks at the ends of
         hidden.py and assignments/{name}/checks.py, its wrong answers in bank/{question}.py
then:    minigrad release {name}
         minigrad mutants {name}"""


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("name", help="the new assignment, for example ps10")
    one_more = "add this question, for example q2, to an assignment that is there"
    parser.add_argument("--question", metavar="NAME", help=one_more)


def run(args):
    """Write the files of the template, or the parts of one more question; none where something
    of that name is there."""
    if args.question:
        return add_question(assignment.for_instructor(args.name), args.question)
    name, assignments = args.name, project.clone() / "assignments"
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


def add_question(chosen, question):
    """Add a question that works to the solution, both files of checks, and the bank."""
    master, bank = assignment.key_master(chosen), chosen.instructor / "bank" / f"{question}.py"
    if not QUESTION_NAME.fullmatch(question):
        message = f"'{question}' is not a name of a question"
        raise ArgumentError(message, hint="write q and small letters or digits, for example q2")
    if question in master.possible or bank.exists():
        raise ArgumentError(f"{chosen.name} has {question} already", hint="choose another name")
    written = {
        chosen.solution: notebook.notebook_text(with_question(chosen, question)),
        chosen.hidden: chosen.hidden.read_text(encoding="utf-8")
        + template_text("hidden.py", question),
        chosen.checks: chosen.checks.read_text(encoding="utf-8")
        + template_text("checks.py", question),
        bank: template_text("bank.py", question).replace("psN", chosen.name),
    }
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_atomically(path, text)
        print(f"written: {files.path_text(path)}")
    names = {"name": chosen.name, "folder": files.path_text(chosen.instructor)}
    print(NEXT_QUESTION.format(**names, question=question))
    return 0


def with_question(chosen, question):
    """The solution's notebook with the cells of one more question below the last one."""
    raw = notebook.read_notebook(chosen.solution)
    roles = [cell.role for cell in notebook.cells(raw)]
    last = max((at for at, role in enumerate(roles) if role in ("check", "written")), default=-1)
    at = len(roles) if last < 0 else last + 1
    raw["cells"][at:at] = json.loads(template_text("cells.json", question))
    return raw


def template_text(name, question):
    """A file of the question's template, for a question of this name."""
    return (QUESTION / f"{name}{SUFFIX}").read_text(encoding="utf-8").replace("qN", question)
