"""What the cells of a lesson call: predict, observe, check, show."""

import html
import inspect
import textwrap

import numpy as np

from minigrad.errors import MinigradError


class LessonError(MinigradError):
    """Something a learner has yet to do, or to put right; a notebook shows its words alone."""

    def __str__(self):
        return f"{self.fact}\n  try  {self.mend}" if self.mend else self.fact


guesses = {}  # question → guess, for the time of the notebook


# predict, observe --------------------------------------------------------------------------------


def predict(question, guess):
    """Keeps a guess until `observe` shows it beside the result. Refuses `...`."""
    if guess is ...:
        raise LessonError(f"{question}: no guess yet",
                          "replace the ... by what you expect; wrong guesses teach most")
    guesses[question] = guess
    print(f"{question}: you predict {shown(guess)}")


def observe(question, result):
    """Shows the guess for a question beside its result. Refuses when there is no guess."""
    if question not in guesses:
        raise LessonError(f"{question}: predict before you look", "run the prediction cell above")
    same = "as you predicted" if agree(guesses[question], result) else "a surprise?"
    print(f"{question}: predicted {shown(guesses[question])}, found {shown(result)}: {same}")


# check -------------------------------------------------------------------------------------------


def check(question, found, expected, hints=()):
    """Says that an answer is right, or raises LessonError with what is wrong and a hint.

    `hints` are pairs (a wrong answer, the misconception behind it). For arrays the message
    draws which entries are wrong.
    """
    if found is ... or found is None:
        raise LessonError(f"{question}: nothing to check yet",
                          "replace the ... and run the cell again")
    if agree(found, expected):
        print(f"✓ {question}")
        return
    hint = next((text for wrong, text in hints if agree(found, wrong)), None)
    raise LessonError(f"✗ {question}: {difference(numbers(found), numbers(expected))}", hint)


def difference(found, expected):
    """What is wrong with an answer, in words; entry by entry for arrays."""
    if found.dtype.kind not in "biuf":
        return f"{found} is no number"
    if found.shape != expected.shape:
        return f"the shape is {found.shape}, expected {expected.shape}"
    if not expected.shape:
        return f"found {shown(found)}, expected {shown(expected)}"
    right = np.isclose(found, expected, rtol=1e-6, atol=1e-9, equal_nan=True)
    rows = np.where(np.atleast_1d(right), "·", "✗")
    rows = rows.reshape(-1, rows.shape[-1])[:12, :40]
    place = tuple(int(i) for i in np.argwhere(~right)[0])
    return (f"{np.sum(~right)} of {right.size} entries are wrong; the first, at {list(place)}, is "
            f"{shown(found[place])}, expected {shown(expected[place])}\n"
            + textwrap.indent("\n".join(" ".join(row) for row in rows), "     "))


def agree(found, expected):
    """True when two answers are the same numbers, within rounding."""
    try:
        a, b = numbers(found), numbers(expected)
        return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-6, atol=1e-9,
                                                       equal_nan=True))
    except (TypeError, ValueError):
        return found == expected


def numbers(x):
    """An answer as an array: a Tensor, an array, a number or a list."""
    return np.asarray(x.numpy() if hasattr(x, "numpy") else x)


def shown(x):
    """An answer as a short text: floats with four digits."""
    array = numbers(x)
    if array.shape == () and array.dtype.kind == "f":
        return f"{float(array):.4g}"
    return str(array)


# show --------------------------------------------------------------------------------------------


class Source:
    """The source text of a symbol of the package, as it is now."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return f"<pre>{html.escape(self.text)}</pre>"


def show(symbol):
    """Quotes the source of a class or function of the package, live."""
    try:
        return Source(textwrap.dedent(inspect.getsource(symbol)).rstrip())
    except (OSError, TypeError):
        raise LessonError(f"{symbol!r} has no Python source",
                          "show a class or a function") from None
