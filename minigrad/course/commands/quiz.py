"""`minigrad quiz OUT`: the concept inventory as files for students and for an instructor."""

from pathlib import Path

from minigrad.core.errors import ArgumentError
from minigrad.course import files
from minigrad.course.commands.publish import refuse_target
from minigrad.course.inventory import forms, questions

HELP = "write a concept inventory for the first and the last week of a course"
NEEDS = ("jinja2", "mistune")


def arguments(parser):
    """Define the command's arguments."""
    said = "write the files to this folder, which is empty or does not exist yet"
    parser.add_argument("out", metavar="OUT", help=said)
    said = "number of the form: another number gives another order of the options (default: 1)"
    parser.add_argument("--form", type=int, default=1, metavar="N", help=said)


def run(args):
    """Compute every key, then write the files; nothing is written when a key is wrong."""
    out = Path(args.out)
    refuse_target(out.absolute())
    if args.form < 1:
        raise ArgumentError(f"--form is {args.form}", "write a number from 1 on")
    form = questions.make_form(args.form)
    questions.refuse_wrong_keys(form.questions)
    contents = forms.quiz_files(form)
    out.mkdir(exist_ok=True)
    for name, content in contents.items():
        write = files.write_archive if isinstance(content, dict) else files.write_atomically
        write(out / name, content)
    print(f"{out}: {len(form.questions)} questions, whose keys minigrad has computed")
    print("  for students     quiz.html, or quiz.ipynb; without the key")
    print("  for a platform   quiz-moodle.xml, quiz-qti.zip (Canvas); with the key")
    print("  for instructors  key.md")
    print(f"{forms.UNTESTED} When your students have answered: minigrad items FOLDER")
    return 0
