"""What a notebook says, in place of Python's words alone, of a name that stands for nothing, and of
an assertion of the course that does not hold."""

import sys
from traceback import extract_tb

from minigrad.core.errors import PACKAGE
from minigrad.course.lessons.answer import LessonError
from minigrad.course.lessons.faults import course_fault

HINT = (
    "a word of your own needs quotes; a name of the lesson is made by a cell above: give its "
    "predictions and answers, and run it to its end"
)


def explain_names():
    """Lets IPython, where it runs, show a NameError and a failed assertion of a cell in words."""
    if "IPython" not in sys.modules:
        return
    from IPython import get_ipython

    if shell := get_ipython():
        shell.set_custom_exc((NameError, AssertionError), show_error)


def show_error(shell, kind, error, trace, tb_offset=None):
    """Shows the error in the course's words, where it has some; else as Python does."""
    told = course_fault(error) or missing_name(error, trace)
    kind, error = (kind, error) if told is None else (type(told), told)
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def missing_name(error, trace):
    """The LessonError that tells of a NameError of the notebook; None of any other error."""
    last = extract_tb(trace)[-1]
    slip = isinstance(error, UnboundLocalError) or last.filename.startswith(PACKAGE)
    if slip or not isinstance(error, NameError):
        return None
    return LessonError(f"✗ {error}, in line {last.lineno}: {last.line}", HINT)
