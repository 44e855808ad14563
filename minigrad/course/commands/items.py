"""`minigrad items FOLDER`: what the answers to the quiz say about the questions and the class."""

from pathlib import Path

from minigrad.core.errors import ArgumentError
from minigrad.course import files
from minigrad.course.inventory import analysis, answers, questions, report

HELP = "analyse the answers to the quiz: difficulty, discrimination, wrong ideas, gain"
NEEDS = ("jinja2", "mistune")


def arguments(parser):
    """Define the command's arguments."""
    said = (
        "folder with answer files, or with CSV tables that have the columns code, week, q1, q2, …"
    )
    parser.add_argument("folder", metavar="FOLDER", help=said)
    said = "also write the report to this page, which holds no name and no code"
    parser.add_argument("--out", metavar="FILE.html", help=said)


def run(args):
    """Read and analyse; write the page, then print."""
    out = fit_page(args.out)
    sheets, left_out = answers.read_folder(args.folder)
    _, asked = questions.read_inventory()
    found = analysis.analyse(sheets, asked)
    if out:
        files.write_atomically(out, report.report_page(found, asked, left_out))
    for line in report.terminal_lines(found, asked, left_out):
        print(line)
    if out:
        print(f"\n{out}: the same as a page")
    return 0


def fit_page(name):
    """Return the path of the page, None without a name. Raises where it cannot be written, or
    another file than an earlier report would be lost."""
    if name is None:
        return None
    path = Path(name)
    if path.suffix.lower() != ".html":
        raise ArgumentError(f"{path.name} is not the name of a page", f"{path.stem}.html")
    if not path.parent.is_dir():
        raise ArgumentError(f"there is no folder {path.parent}", "make it, or name another")
    if path.exists() and not is_report(path):
        message = f"{path} is there already, and is not a report of this command"
        raise ArgumentError(message, "name another file")
    return path


def is_report(path):
    """Say whether a file was written by this command."""
    return path.is_file() and report.MADE_BY.encode() in path.read_bytes()[:2000]
