"""Lines of a program in a learner's order, made into the function that they define."""

import ast
import linecache
import re
import sys
from itertools import chain, pairwise

from minigrad.course.lessons.answer import LessonError
from minigrad.course.lessons.faults import course_fault

DUE = "write the letters of the lines from top to bottom"
DEFINED = re.compile(r"^\w def (\w+)", re.MULTILINE)  # the name of the function, in its line

made = {}  # lines → the function that they last made


def assembled(lines, order):
    """The function whose lines stand in the given order.

    Each of `lines` is a letter, a space and a line of code, indented as in the program; `order`
    is a text of these letters. A line may be left out: some are there to mislead. The code uses
    the names of the notebook; what an earlier order made of the same lines is gone from it.
    """
    around = sys._getframe(1).f_globals
    retire_function(made.pop(lines, None), around)
    try:
        made[lines] = ordered_function(lines, order, around)
    except LessonError:
        for name in DEFINED.findall(lines):
            around.setdefault(name, without_order)
        raise
    return made[lines]


def ordered_function(lines, order, around):
    """The function of the lines in this order; they use the names `around`."""
    if order is ...:
        hint = "replace the ... and run the cell again: " + DUE
        raise LessonError("the order of the lines: nothing to check yet", hint)
    known = {line[0]: line[2:] for line in lines.strip("\n").split("\n")}
    letters = choose_letters(order, known)
    source = "\n".join(known[letter] for letter in letters) + "\n"
    names = dict(around)
    run_lines(source, letters, names)
    refuse_unreached(source, letters)
    return last_defined(source, names, letters)


def retire_function(old, names):
    """Puts what says that an order is missing in the place of a function."""
    for name in [name for name, value in names.items() if value is old is not None]:
        names[name] = without_order


def without_order(*arguments, **options):
    """Stands for a function whose lines are in no order that runs."""
    raise LessonError("the order of the lines: no function yet", "mend the order above first")


def choose_letters(order, known):
    """The letters of an answer. Raises LessonError for one that is unknown or comes twice."""
    letters = [letter for letter in str(order).upper() if letter.isalpha()]
    for letter in letters:
        if letter not in known:
            raise LessonError(f"✗ there is no line {letter}", DUE)
        if letters.count(letter) > 1:
            raise LessonError(f"✗ line {letter} comes twice", "use each line once at most")
    return letters


def run_lines(source, letters, names):
    """Defines what the source defines. Raises LessonError, naming a line, where it is no Python."""
    filename = f"<lines {''.join(letters)}>"
    linecache.cache[filename] = len(source), None, source.splitlines(True), filename
    try:
        exec(compile(source, filename, "exec"), names)
    except SyntaxError as error:
        at = min(error.lineno or 1, len(letters))
        letter = f"line {letters[at - 1]}" if letters else "no line"
        message = f"✗ in this order it is no Python: {letter}, {error.msg}"
        raise LessonError(message, "which line opens the block that this one stands in?") from None
    except Exception as error:
        if fault := course_fault(error):
            raise fault from None
        message = f"✗ in this order it raises {type(error).__name__}: {error}"
        raise LessonError(message, "is a line of the function outside it?") from None


def refuse_unreached(source, letters):
    """Raises LessonError for a line that stands below a `return` of its own block."""
    fields = chain.from_iterable(map(ast.iter_fields, ast.walk(ast.parse(source))))
    blocks = [inside for _, inside in fields if isinstance(inside, list)]
    for line, below in chain.from_iterable(map(pairwise, blocks)):
        if isinstance(line, ast.Return):
            message = f"✗ line {letters[below.lineno - 1]} is one too many, or stands too low"
            raise LessonError(message, "return came first, and below it a line never runs")


def last_defined(source, names, letters):
    """The function that the source defines."""
    for line in reversed(source.splitlines()):
        if line.startswith("def "):
            return names[line.removeprefix("def ").partition("(")[0]]
    message = f"✗ the lines {''.join(letters)} define no function"
    raise LessonError(message, "one line begins with def")
