"""`minigrad lite`: a first hour of the course without installation, as files for a server."""

from minigrad.course import files, project

HELP = "build lite/, the first hour of the course, which runs in a browser"


def arguments(parser):
    """This command takes none."""


def run(args):
    """Build it and say how to look at it; with an error, the old one stays as it was."""
    course = project.clone()
    renew_lite(course, course / "lite")
    print("built lite/; to open it: python -m http.server --directory lite")
    return 0


def renew_lite(course, target):
    """Puts the first hour at `target`. Raises MinigradError where something else lies there."""
    from minigrad.course.publishing.lite import build_lite

    def make(scratch):
        build_lite(course, scratch / "made")
        return scratch / "made"

    files.renew_folder(target, make)
