"""What a check says where a learner's function raises, is blank, or never ends."""

import importlib
import re
import sys

from minigrad.core.errors import PACKAGE, MinigradError
from minigrad.course.lessons.answer import LessonError

LINES = 1_000_000  # that a learner's function may execute: about a second
IMPORT = importlib._bootstrap._find_and_load.__code__  # runs while a module is first imported
ELLIPSIS = "ellipsis"  # what Python calls a ... among numbers; its errors carry no code
PATHLESS = (
    "Is the result computed from what you differentiate with respect to, and was that made with "
    "requires_grad=True?"
)
NUMERIC = (
    "Pass Tensors, because a plain number records nothing: make a tensor of it with mg.tensor, and "
    "compute the result from that."
)
ADVICE = {"unconnected": PATHLESS, "number": NUMERIC}  # by the code of the package's error
ENDLESS = (
    "Does it end? Look for a loop that does not come nearer to its end, or for work that is done "
    "again and again."
)
DEEP = "Does it end? Each call waits for another one inside it: keep what is left to do in a list."
READ = "Read the message, and call the function yourself with these numbers."
LEFT_OPEN = re.compile(r"^\s*(\S.*[:=] |return )?\.\.\.\s*(#.*)?$", re.MULTILINE)
UNFILLED = "A line uses this name before the line that gives it a value."


def line_left_blank(question):
    """The LessonError that tells of a ... among what a learner's function computes with."""
    message = f"{question}: nothing to check yet, a line is still ..."
    return LessonError(message, "Replace the ... and run the cells again.")


def error_in_words(question, error, at):
    """The LessonError that tells what a learner's function raised, and what to do about it."""
    code = error.code if isinstance(error, MinigradError) else ""
    if code == "blank" or ELLIPSIS in str(error):
        return line_left_blank(question)
    if isinstance(error, UnboundLocalError):
        return LessonError(f"✗ {question}: {at}{error}", UNFILLED)
    if isinstance(error, TimeoutError):
        return LessonError(f"✗ {question}: {at}{error}", ENDLESS)
    if isinstance(error, RecursionError):
        return LessonError(f"✗ {question}: {at}Python stops, because the calls go too deep", DEEP)
    if isinstance(error, NameError):
        hint = "Which line gives it a value? Replace every ... above it, and run the cells."
        return LessonError(f"✗ {question}: {error}", hint)
    hint = ADVICE.get(code) or getattr(error, "hint", None) or READ
    said = f"it raised {type(error).__name__}: {getattr(error, 'message', error)}"
    return LessonError(f"✗ {question}: {at}{said}", hint)


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
