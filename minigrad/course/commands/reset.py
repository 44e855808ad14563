"""`minigrad reset ps1`: a fresh copy of an assignment, the old one kept under another name."""

from minigrad.course.grading import assignment, desk

HELP = "begin an assignment again; your old notebook is kept beside it"


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("name", help="the assignment, as ps1")
    parser.add_argument("--to", metavar="FOLDER", help="where it is (default: my/NAME)")


def run(args):
    """Rename the notebook, then copy a fresh one."""
    chosen = assignment.find(args.name)
    place = desk.desk(args.name, args.to)
    if place.notebook.exists():
        print(f"kept: {desk.shown(desk.put_aside(place))}")
    for path in desk.lay_out(chosen, place):
        print(f"new: {desk.shown(path)}")
    return 0
