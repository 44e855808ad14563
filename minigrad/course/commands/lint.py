"""`minigrad lint`: what nbval does not see in a lesson."""

from minigrad.course import project
from minigrad.course.lessons import form, lesson
from minigrad.course.lessons.findings import findings

HELP = "check the lessons' files: order, stability, length, and that no part is missing"


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("names", nargs="*", help="lessons, as 01 or as a path (default: all)")


def run(args):
    """Print one line per finding; the exit status is 1 when there is one."""
    paths = project.lessons(args.names)
    found = [each for path in paths for each in (*findings(path), *form.missing(path))]
    for each in found:
        print(each)
    print(f"{lesson.counted(paths, 'lesson')}, {lesson.counted(found, 'finding')}")
    return 1 if found else 0
