"""A failed assertion of the course itself: the reader is told that it is the course's fault."""

import linecache
import re
import sysconfig
import traceback

from minigrad.core.errors import PACKAGE
from minigrad.course.lessons.answer import LessonError

CHECKS = re.compile(r"\b(observe|check)\(")  # of a cell of the course
FOLDERS = ("stdlib", "platstdlib", "purelib", "platlib")
LIBRARIES = tuple(map(sysconfig.get_path, FOLDERS))
HINT = (
    "please report this line, with what `minigrad doctor` prints; only an assert that you wrote "
    "yourself is yours to put right"
)


class CourseFault(LessonError):
    """An assertion of the package or of a lesson's check that does not hold."""


def course_fault(error):
    """The CourseFault that tells of an assertion of the course's; None for any other error.

    It stands in the package, or in a cell that calls a check; what a library raises belongs to
    the line that called it.
    """
    if not isinstance(error, AssertionError):
        return None
    places = traceback.extract_tb(error.__traceback__)
    place = next((p for p in reversed(places) if not is_of_library(p.filename)), None)
    if place is None or not is_of_course(place.filename):
        return None
    said = f"{type(error).__name__}: {error}".split("\n")[0].removesuffix(": ")
    message = (
        f"This is a fault of the course, not yours: {said}, in line {place.lineno}: {place.line}"
    )
    return CourseFault(message, HINT)


def is_of_library(filename):
    """Whether a file belongs to Python or to another package."""
    return filename.startswith(LIBRARIES) and not filename.startswith(PACKAGE)


def is_of_course(filename):
    """Whether a file belongs to this package, or is a cell with a check of the course."""
    return filename.startswith(PACKAGE) or any(map(CHECKS.search, linecache.getlines(filename)))
