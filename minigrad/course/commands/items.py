"""`minigrad items FOLDER`: what the answers to the quiz say about the questions and the class."""

from minigrad.course import files
from minigrad.course.inventory import analysis, answers, questions, report

HELP = "analyse the answers to the quiz: difficulty, discrimination, wrong ideas, gain"
NEEDS = ("jinja2", "mistune")


def arguments(parser):
    """Define the command's arguments."""
    said = (
        "folder with answer files, or with CSV tables that have the columns code, week, q1, q2, …, "
        "or a zip from Canvas or Moodle"
    )
    parser.add_argument("folder", metavar="FOLDER", help=said)
    said = "also write the report to this page, which holds no name and no code"
    parser.add_argument("--out", metavar="FILE.html", help=said)


def run(args):
    """Read and analyse; write the page, then print."""
    out = files.page_path(args.out, report.GENERATOR) if args.out else None
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
