"""What the cells of a lesson call: guesses here, and beside them checks, lines, tables, quotes."""

import inspect
import re
import textwrap
from html import escape
from numbers import Number
from pathlib import Path

from minigrad.core.errors import PACKAGE, MinigradError
from minigrad.course.lessons import elsewhere
from minigrad.course.lessons.answer import (
    TOLERANCE,
    LessonError,
    agree,
    answer_text,
    other_kind,
    unquote,
)
from minigrad.course.lessons.checks import check, check_function
from minigrad.course.lessons.faults import course_fault
from minigrad.course.lessons.films import film
from minigrad.course.lessons.lines import assembled
from minigrad.course.lessons.names import explain_names
from minigrad.course.lessons.plots import put_plots_into_words

__all__ = ["LessonError", "answer_of", "assembled", "call_or_error"]
__all__ += ["check", "check_function", "film"]
__all__ += ["observe", "others", "predict", "program_of", "show", "table"]

WIDTH = 90  # of a sentence below a result
LONG = 20  # letters of a word that a table need not keep in one line

guesses = {}  # question → guess, for the time of the notebook


# predict, observe --------------------------------------------------------------------------------


def predict(question, guess, choices=()):
    """Keeps a guess, or a dict of them, until `observe` shows the results.

    Refuses `...`, and what is none of the `choices`, or of those for its name in a dict; a guess
    that was kept before is forgotten then.
    """
    guesses.pop(question, None)
    for name, each in split_guess(guess):
        asked = ": ".join(filter(None, [question, name]))
        if each is ...:
            hint = "replace the ... by what you expect; wrong guesses teach most"
            raise LessonError(f"{asked}: no guess yet", hint)
        allowed = choices.get(name) if isinstance(choices, dict) else choices
        if allowed and not any(fits_choice(each, choice) for choice in allowed):
            hint = f"write one of: {', '.join(map(repr, allowed))}"
            raise LessonError(f"{asked}: {each!r} is not among the answers", hint)
    guesses[question] = guess
    print(f"{question}: you predict {guesses_text(guess)}")


def fits_choice(guess, choice):
    """Whether a guess is a choice, as a number (5.0 or "5" for 5) or as it is written."""
    number = unquote(guess, choice) if isinstance(guess, str) else guess
    return agree(number, choice) or agree(str(guess), str(choice))


def split_guess(guess):
    """(name, guess) for each guess of a dict; one pair without a name for any other guess."""
    return list(guess.items()) if isinstance(guess, dict) else [("", guess)]


def guesses_text(guess):
    """A guess, or several by name, as a short text."""
    return ", ".join(f"{name} {answer_text(each)}".strip() for name, each in split_guess(guess))


def observe(question, result, hints=(), why=None, within=TOLERANCE):
    """Shows the guess for a question beside its result, and answers it.

    `hints` are pairs (a wrong guess, or a function that knows one; the sentence that answers it);
    `why` answers every other guess. A guess that is off by at most the share `within` of the
    result is near, and answered by `why`; of a word the case is ignored. Refuses when there is no
    guess; a function instead of the result is called only where there is one, and where it fails
    the answers above are asked for.

    For a dict of results each guess is answered by itself; then `hints` are pairs (a name in it,
    the sentence for who guessed wrong there).
    """
    if question not in guesses:
        raise LessonError(f"{question}: predict before you look", "run the prediction cell above")
    guess = guesses[question]
    result = call_above(question, result) if inspect.isfunction(result) else result
    if isinstance(result, dict):
        answer_each(question, guess, result, hints, why, within)
    else:
        answer_one(question, guess, result, hints, why, within)


def call_above(question, make):
    """What `make` gives. Raises LessonError where it fails, as on a cell above that is blank; of an
    assertion of the course's it says that the course is wrong."""
    try:
        return make()
    except MinigradError:
        raise
    except Exception as error:
        if fault := course_fault(error):
            raise fault from None
        message = f"✗ {question}: nothing to show yet, it raised {type(error).__name__}: {error}"
        hint = "this needs your answers above: which check is not ✓ yet?"
        raise LessonError(message, hint) from None


def answer_each(question, guess, result, hints, why, within):
    """Answers the guesses of a dict one after another, and ends with `why`."""
    told = dict(hints)
    for name, value in result.items():
        mine = guess.get(name) if isinstance(guess, dict) else None
        answer_one(name, mine, value, [(lambda guess: True, told.get(name))], None, within)
    if why:
        print(textwrap.fill(why, WIDTH))


def answer_one(question, guess, result, hints, why, within):
    """Answers one guess: a line, and below it the sentence for this guess.

    Right is what reads the same, near what is wrong by less than `within` allows.
    """
    if isinstance(guess, str) and not isinstance(result, str):
        guess = unquote(guess, result)
    near = agree(guess, result, within)
    right = near and (agree(guess, result) or answer_text(guess) == answer_text(result))
    mine = "as you predicted" if right else f"you predicted {answer_text(guess)}"
    sign, end = ("✓", "") if right else ("≈", ": near") if near else ("○", "")
    print(f"{sign} {question}: {answer_text(result)}, {mine}{end}")
    hint = None
    if not near:
        hint = next((text for wrong, text in hints if is_guess(guess, wrong)), None)
        hint = hint or "; ".join(filter(None, [other_kind(guess, result), why]))
    if hint or why:
        print(textwrap.fill(hint or why, WIDTH, initial_indent="  ", subsequent_indent="  "))


def is_guess(guess, wrong):
    """Whether a guess is the wrong one, or is what the function knows."""
    if not callable(wrong):
        return agree(guess, wrong)
    try:
        return bool(wrong(guess))
    except Exception:
        return False


def call_or_error(function, *arguments, tell=True):
    """What a call gives; "error" where the package refuses it, after its message is printed.

    Without `tell` the message is kept back.
    """
    try:
        return function(*arguments)
    except MinigradError as error:
        if tell:
            print(error)
        return "error"


# show --------------------------------------------------------------------------------------------


class Source:
    """The source text of a symbol as it is now, and the file it stands in."""

    def __init__(self, text, file):
        self.text, self.file = text, file

    def __repr__(self):
        return f"# {self.file}\n{self.text}"

    def _repr_html_(self):
        return f"<pre><code>{escape(repr(self))}</code></pre>"


def show(symbol):
    """Quotes the source of a class or function, live."""
    try:
        text = textwrap.dedent(inspect.getsource(symbol)).rstrip()
        path = Path(inspect.getsourcefile(symbol))
    except (OSError, TypeError):
        hint = "show a class or a function"
        raise LessonError(f"{symbol!r} has no Python source", hint) from None
    inside = path.is_relative_to(PACKAGE)
    place = path.relative_to(Path(PACKAGE).parent).as_posix() if inside else "this notebook"
    return Source(text, place)


# table -------------------------------------------------------------------------------------------


class Table:
    """Columns with heads; floats in one format, numbers to the right, words to the left.

    With `fold`, a page shows this title first, and the table when it is clicked.
    """

    def __init__(self, heads, rows, form, fold=None):
        self.fold = fold
        self.heads = [str(head) for head in heads]
        self.rows = [[cell(value, form) for value in row] for row in rows]
        self.right = [all(aligned_right(row[at]) for row in rows) for at in range(len(self.heads))]

    def __repr__(self):
        columns = []
        for right, *texts in zip(self.right, self.heads, *self.rows):
            width = max(map(len, texts))
            columns.append([f"{text:{'>' if right else '<'}{width}}" for text in texts])
        return "\n".join("  ".join(line).rstrip() for line in zip(*columns))

    def _repr_html_(self):
        head = "".join(self.html("th", self.heads))
        body = "".join(f"<tr>{''.join(self.html('td', row))}</tr>\n" for row in self.rows)
        whole = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"
        if self.fold is None:
            return whole
        return f"<details><summary>{escape(self.fold)}</summary>\n{whole}\n</details>"

    def html(self, tag, texts):
        """The cells of one line."""
        for text, right in zip(texts, self.right):
            side = "right" if right else "left"
            yield f'<{tag} style="text-align:{side}">{breakable(text)}</{tag}>'


def breakable(text):
    """A text as HTML, in which long names may go on in the next line after a stop or a slash."""
    words = (
        re.sub(r"([./])\b", r"\1<wbr>", word) if len(word) > LONG else word
        for word in escape(text).split(" ")
    )
    return " ".join(words)


def table(heads, rows, form=".4g", fold=None):
    """Rows under heads, with floats (also Tensors of one number) in the given format.

    A page shows a long table folded, under the title `fold`.
    """
    return Table(heads, [list(row) for row in rows], form, fold)


def cell(value, form):
    """One value as text; None, which is not there yet, as a dot."""
    if value is None:
        return "·"
    value = value.item() if hasattr(value, "item") and not getattr(value, "shape", ()) else value
    if isinstance(value, float):
        return f"{value:z{form}}"  # no "-0"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def aligned_right(value):
    """Whether a value is a number, or none yet."""
    return value is None or isinstance(value, Number) or hasattr(value, "item")


# the same elsewhere ------------------------------------------------------------------------------


def others(page, *questions, fold=None):
    """A table of what the frameworks answer to a lesson's questions (default: all of them).

    A page shows a long one folded, under the title `fold`.
    """
    asked, answers = elsewhere.read_questions(page), elsewhere.read_answers(page)
    columns = [name for name in elsewhere.FRAMEWORKS if name in answers]
    heads = ["", *(elsewhere.NAMES.get(name, name) for name in columns)]
    rows = [
        [asked[question]["asks"], *(answers[name].get(question) for name in columns)]
        for question in questions or asked
    ]
    return table(heads, rows, fold=fold)


def answer_of(page, question, framework):
    """What a framework answered to a lesson's question, as text."""
    return elsewhere.read_answers(page)[framework][question]


def program_of(page, question, framework):
    """The program with which a framework was asked a lesson's question."""
    return Source(elsewhere.read_questions(page)[question][framework].strip(), framework)


put_plots_into_words()
explain_names()
