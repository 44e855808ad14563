"""What the cells of a lesson call beside its own module: tables, quotes, frameworks' answers."""

import inspect
import re
import textwrap
from html import escape
from numbers import Number
from pathlib import Path

from minigrad.core.errors import PACKAGE, MinigradError
from minigrad.course.lessons import elsewhere
from minigrad.course.lessons.answer import LessonError
from minigrad.course.lessons.names import explain_names
from minigrad.course.lessons.plots import put_plots_into_words

__all__ = ["answer_of", "call_or_error", "others", "program_of", "show", "table"]

LONG = 20  # letters of a word that a table need not keep in one line


def call_or_error(function, *arguments):
    """What a call gives; "error" where the package refuses it, after its message is printed."""
    try:
        return function(*arguments)
    except MinigradError as error:
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
