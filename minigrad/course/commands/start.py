"""`minigrad start ps1`: a copy of an assignment to work on."""

from minigrad.course.grading import assignment, desk

HELP = "copy an assignment to my/, never over your work"


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("name", help="the assignment, as ps1")
    parser.add_argument("--to", metavar="FOLDER", help="where to put it (default: my/NAME)")


def run(args):
    """Copy what is not there yet, and say what to do next."""
    chosen = assignment.find(args.name)
    place = desk.desk(args.name, args.to)
    new = desk.lay_out(chosen, place)
    for path in new:
        print(f"new: {desk.shown(path)}")
    if place.notebook not in new:
        print(f"kept: {desk.shown(place.notebook)} is there already (a fresh copy: minigrad reset)")
    print(f"open it in JupyterLab; then: minigrad check {args.name}")
    return 0
