"""A name that stands for nothing: what a notebook says of it in place of Python's words alone."""

import sys
from traceback import extract_tb

from minigrad.course.lessons.answer import LessonError
from minigrad.errors import PACKAGE

CURE = (
    "a word of your own needs quotes; a name of the lesson is made by a cell above: give its "
    "guesses and answers, and run it to its end"
)


def explain_names():
    """Lets IPython, where it runs, say what to do about a NameError of a cell."""
    if "IPython" not in sys.modules:
        return
    from IPython import get_ipython

    if shell := get_ipython():
        shell.set_custom_exc((NameError,), show_name_error)


def show_name_error(shell, kind, error, trace, tb_offset=None):
    """Shows a NameError of the notebook as a LessonError; another as Python does."""
    last = extract_tb(trace)[-1]
    if not isinstance(error, UnboundLocalError) and not last.filename.startswith(PACKAGE):
        fact = f"✗ {error}, in line {last.lineno}: {last.line}"
        kind, error = LessonError, LessonError(fact, CURE)
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
