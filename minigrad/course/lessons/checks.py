"""What a check says where a learner's function never ends."""

import importlib
import re
import sys

from minigrad.core.errors import PACKAGE
from minigrad.course.lessons.answer import LessonError

LINES = 1_000_000  # that a learner's function may execute: about a second
IMPORT = importlib._bootstrap._find_and_load.__code__  # runs while a module is first imported
ENDLESS = (
    "Does it end? Look for a loop that does not come nearer to its end, or for work that is done "
    "again and again."
)
DEEP = "Does it end? Each call waits for another one inside it: keep what is left to do in a list."
LEFT_OPEN = re.compile(r"^\s*(\S.*[:=] |return )?\.\.\.\s*(#.*)?$", re.MULTILINE)


def endless_in_words(question, error):
    """The LessonError that tells of a learner's function that never ends, or calls itself without
    an end."""
    if isinstance(error, RecursionError):
        return LessonError(f"✗ {question}: Python stops, because the calls go too deep", DEEP)
    return LessonError(f"✗ {question}: {error}", ENDLESS)


def stopped_after(limit, function, arguments):
    """function(*arguments). Raises TimeoutError after `limit` lines outside packages it imports."""
    left, imports, before = limit, 0, sys.gettrace()

    def count(frame, event, argument):
        nonlocal left
        if frame.f_code is IMPORT:
            return imported(frame, event, argument)
        if imports or frame.f_code.co_filename.startswith(PACKAGE):
            return None
        left -= 1
        if left < 0:
            raise TimeoutError(f"it still runs after {limit:,} lines")
        return count

    def imported(frame, event, argument):
        nonlocal imports
        imports += {"call": 1, "return": -1}.get(event, 0)
        return imported

    sys.settrace(count)
    try:
        return function(*arguments)
    finally:
        sys.settrace(before)
