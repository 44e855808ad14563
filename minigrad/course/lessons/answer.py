"""A learner's answer: when it agrees with another, how it reads, what is wrong with it."""

import ast
import re
import textwrap

import numpy as np

from minigrad.core.errors import GraphError, MinigradError

TOLERANCE = 1e-6
LONG = 6  # numbers that a line can hold
ANSWERS = {"yes": True, "true": True, "no": False, "false": False}
ROWS, COLUMNS = 12, 40  # of a drawing of wrong entries
FIRST = 4  # rows that are drawn of more than these: the hint below stays in sight


class LessonError(MinigradError):
    """Something a learner has yet to do, or to put right; a notebook shows its words alone. Below
    the message are lines of `details`; `title` is the message without them, in one line."""

    def __init__(self, message, hint=None, details=""):
        super().__init__(f"{message}:\n{details}" if details else message, hint)
        self.title = " ".join(message.split())

    def __str__(self):
        return f"{self.message}\n  try  {self.hint}" if self.hint else self.message


def agree(found, expected, tolerance=TOLERANCE):
    """True when two answers are the same: numbers within rounding, texts, nests of them.

    Case, outer spaces and the article of a text do not count.
    """
    if isinstance(found, str) and isinstance(expected, str):
        return bare_words(found) == bare_words(expected)
    if isinstance(expected, dict):
        same = isinstance(found, dict) and found.keys() == expected.keys()
        return same and all(agree(found[key], expected[key], tolerance) for key in expected)
    if isinstance(expected, (tuple, list)) and isinstance(found, (tuple, list)):
        same = len(found) == len(expected)
        return same and all(agree(a, b, tolerance) for a, b in zip(found, expected))
    try:
        a, b = numbers(found), numbers(expected)
        return a.shape == b.shape and bool(np.all(close(a, b, tolerance)))
    except (TypeError, ValueError):
        return type(found) is type(expected) and bool(np.all(found == expected))


def bare_words(text):
    """A text as it is compared: small letters, without the article before it."""
    return re.sub(r"^(an?|the)\s+", "", text.strip().casefold().replace("−", "-"))


def unquote(text, expected):
    """The number in a text like "2", as one writes it after words, or what "yes" says where True or
    False is expected, or the pair in "(3, 10)" where one is expected; else the text."""
    if isinstance(expected, (bool, np.bool_)):
        return ANSWERS.get(bare_words(text), text)
    if isinstance(expected, (tuple, list)):
        return literal_in(text)
    try:
        number = text.replace("−", "-")  # the long minus of printed formulas
        return int(number) if number.strip("-+ ").isdigit() else float(number)
    except ValueError:
        return text


def literal_in(text):
    """What a text like "(3, 10)" holds as Python reads it; else the text."""
    try:
        return ast.literal_eval(text.strip().replace("−", "-"))
    except (SyntaxError, TypeError, ValueError):
        return text


def fits_choice(prediction, choice):
    """Whether a prediction is a choice, as a number (5.0 or "5" for 5) or as it is written."""
    number = unquote(prediction, choice) if isinstance(prediction, str) else prediction
    return agree(number, choice) or agree(str(prediction), str(choice))


def is_left_open(found):
    """Whether an answer is a `...` that nobody has replaced, or holds one; or is nothing at all."""
    parts = found.values() if isinstance(found, dict) else found
    if isinstance(found, (dict, tuple, list)):
        return any(part is not None and is_left_open(part) for part in parts)
    return found is ... or found is None


def close(found, expected, tolerance):
    """Which entries of an array are right within rounding; integers exactly, however large."""
    near = np.isclose(found, expected, rtol=tolerance, atol=tolerance / 1000, equal_nan=True)
    if expected.dtype.kind in "iu" and tolerance <= TOLERANCE:
        near &= np.round(found) == expected
    return near


def difference(found, expected, tolerance=TOLERANCE):
    """What is wrong with an answer, in words; entry by entry for arrays, the first of several."""
    if has_several(expected):
        return wrong_part(found, expected, tolerance)
    if isinstance(expected, dict) and isinstance(found, dict) and found.keys() == expected.keys():
        wrong = next(key for key in expected if not agree(found[key], expected[key], tolerance))
        within = difference(found[wrong], expected[wrong], tolerance)
        return f"of {answer_text(wrong)}: {within}"
    a, b = numeric(found), numeric(expected)
    if b is None:
        return f"found {found_and_due(found, expected)}"
    if a is None:
        return f"{answer_text(found)} is not a number"
    if a.shape != b.shape:
        return f"the shape is {a.shape}, expected {b.shape}"
    if not b.shape:
        return f"found {found_and_due(a, b)}"
    return wrong_entries(a, b, tolerance)


def has_several(x):
    """True for a tuple or list of arrays, which are looked at one by one."""
    return isinstance(x, (tuple, list)) and any(getattr(part, "shape", ()) for part in x)


def wrong_part(found, expected, tolerance):
    """What is wrong with the first wrong one of several arrays."""
    if not isinstance(found, (tuple, list)) or len(found) != len(expected):
        count = len(found) if isinstance(found, (tuple, list)) else 1
        return f"the number of results is {count}, expected {len(expected)}"
    at = next(i for i, (a, b) in enumerate(zip(found, expected)) if not agree(a, b, tolerance))
    wrong = difference(found[at], expected[at], tolerance)
    return f"result {at + 1} of {len(expected)}: {wrong}"


def wrong_entries(found, expected, tolerance):
    """Which entries of an array are wrong: how many, the first, and a drawing."""
    right = close(found, expected, tolerance)
    rows = np.where(np.atleast_1d(right), "·", "✗")
    rows = rows.reshape(-1, rows.shape[-1])[: ROWS + 1, :COLUMNS]
    lines = [" ".join(row) for row in rows]
    if len(lines) > ROWS:
        lines[FIRST:] = ["…"]
    place = tuple(int(i) for i in np.argwhere(~right)[0])
    message = (
        f"{np.sum(~right)} of {right.size} entries are wrong; the first, at {list(place)}, is "
    )
    message += found_and_due(found[place], expected[place])
    return f"{message}\n" + textwrap.indent("\n".join(lines), "     ")


def found_and_due(found, expected):
    """What came and what was due, with as many digits as tell one from the other."""
    digits = (4, 6, 8, 10, 12, 14, 17)
    pairs = ((answer_text(found, count), answer_text(expected, count)) for count in digits)
    pair = next(((a, b) for a, b in pairs if a != b), (answer_text(found), answer_text(expected)))
    return ", expected ".join(pair)


def numbers(x):
    """An answer as an array: a Tensor, an array, a number, or a list of these."""
    if isinstance(x, (tuple, list)):
        return np.asarray([numbers(part) for part in x])
    try:
        return np.asarray(x.numpy() if hasattr(x, "numpy") else x)
    except GraphError as error:  # a node, which has no numbers before it runs
        raise TypeError(error.message) from None


def numeric(x):
    """An answer as an array of numbers, or None."""
    try:
        array = numbers(x)
    except (TypeError, ValueError):
        return None
    return array if array.dtype.kind in "biuf" else None


def brief(x):
    """An answer as a text that fits into a line: of large arrays the shape."""
    array = numeric(x)
    return (
        answer_text(x) if array is None or array.size <= LONG else f"numbers of shape {array.shape}"
    )


def answer_text(x, digits=4):
    """An answer as a short text: floats with so many digits, functions by name."""
    if callable(x):
        return getattr(x, "__name__", type(x).__name__)
    if isinstance(x, (tuple, list)):
        inside = ", ".join(answer_text(part, digits) for part in x)
        return f"({inside})" if isinstance(x, tuple) else f"[{inside}]"
    array = numeric(x)
    if array is None:
        return str(x)
    if array.shape == ():
        return f"{float(array):.{digits}g}" if array.dtype.kind == "f" else str(array)
    return np.array2string(array, precision=digits, separator=", ")
