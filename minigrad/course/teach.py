"""What the cells of a lesson call: guesses here, and beside them checks, lines, tables, quotes."""

import html
import inspect
import textwrap
from pathlib import Path

from minigrad.course.lessons.answer import LessonError, agree, shown
from minigrad.course.lessons.checks import check, check_function, check_gradient
from minigrad.course.lessons.lines import assembled
from minigrad.course.lessons.table import table
from minigrad.errors import PACKAGE

__all__ = [
    "LessonError",
    "assembled",
    "check",
    "check_function",
    "check_gradient",
    "observe",
    "predict",
    "show",
    "table",
]

guesses = {}  # question → guess, for the time of the notebook


# predict, observe --------------------------------------------------------------------------------


def predict(question, guess):
    """Keeps a guess until `observe` shows it beside the result. Refuses `...`."""
    if guess is ...:
        raise LessonError(
            f"{question}: no guess yet",
            "replace the ... by what you expect; wrong guesses teach most",
        )
    guesses[question] = guess
    print(f"{question}: you predict {shown(guess)}")


def observe(question, result, within=1e-6):
    """Shows the guess for a question beside its result. Refuses when there is no guess.

    A guess that is off by the share `within` of the result counts as right.
    """
    if question not in guesses:
        raise LessonError(f"{question}: predict before you look", "run the prediction cell above")
    right = agree(guesses[question], result, within)
    same = "as you predicted" if right else "a surprise?"
    print(f"{question}: predicted {shown(guesses[question])}, found {shown(result)}: {same}")


# show --------------------------------------------------------------------------------------------


class Source:
    """The source text of a symbol as it is now, and the file it stands in."""

    def __init__(self, text, file):
        self.text, self.file = text, file

    def __repr__(self):
        return f"# {self.file}\n{self.text}"

    def _repr_html_(self):
        return f"<pre><code>{html.escape(repr(self))}</code></pre>"


def show(symbol):
    """Quotes the source of a class or function, live."""
    try:
        text = textwrap.dedent(inspect.getsource(symbol)).rstrip()
        path = Path(inspect.getsourcefile(symbol))
    except (OSError, TypeError):
        raise LessonError(
            f"{symbol!r} has no Python source", "show a class or a function"
        ) from None
    inside = path.is_relative_to(PACKAGE)
    place = path.relative_to(Path(PACKAGE).parent).as_posix() if inside else "this notebook"
    return Source(text, place)
