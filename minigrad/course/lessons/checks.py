"""Checks of what a learner answers or writes: each says what came, what was due, and why."""

import inspect
import re
import sys
from functools import partial

import numpy as np

from minigrad.core.errors import PACKAGE, MinigradError
from minigrad.course.lessons import answer
from minigrad.course.lessons.answer import (
    TOLERANCE,
    LessonError,
    agree,
    answer_text,
    difference,
    is_nearly,
    numeric,
    other_kind,
    unquote,
)
from minigrad.course.lessons.faults import course_fault
from minigrad.static.graph import Node

TRIALS = 10  # random inputs of a function
LINES = 1_000_000  # that a learner's function may execute: about a second
UNANSWERED = "replace the ... and end with return"
RETURNLESS = "end with return: a function gives back what stands after return, and nothing else"
NO_GRAD = "what it returns is None: so is .grad before backward() came by"
NOTHING = "it came to its end without a return, or what stands behind return is None"
NONE = "what it gives is None, as of a call that only does something, like a step"
SWEPT = "end with return: what backward() finds stands in .grad, it gives nothing back itself"
ELLIPSIS = "ellipsis"  # what Python calls a ... among numbers; its errors carry no code
NO_SLOPE = "one is None: so is .grad where nobody said requires_grad=True"
PATHLESS = (
    "is the result computed from what you differentiate by, and was that made with "
    "requires_grad=True?"
)
NUMERIC = (
    "pass Tensors: a plain number remembers nothing; make a tensor of it first, with mg.tensor, "
    "and compute the result from that"
)
CURES = {"unconnected": PATHLESS, "number": NUMERIC}  # by the code of the package's error
ENDLESS = (
    "does it ever end: does each turn leave less to do than the one before? or does it do the "
    "same work again and again?"
)
DEEP = "does it ever end? each call waits for one inside it: keep what is left to do in a list"
LEFT_OPEN = re.compile(r"^\s*(\S.*[:=] |return )?\.\.\.\s*(#.*)?$", re.MULTILINE)
RETURNS = re.compile(r"\breturn\b")
UNFILLED = "a line uses this name before the line that fills it"
CLOSE = "near, but not equal: is a number rounded, or is it a difference quotient?"


def check(question, found, expected, hints=(), tolerance=TOLERANCE, tell=True):
    """Says that an answer is right, or raises LessonError with what is wrong and a hint.

    `hints` are pairs (a wrong answer, the misconception behind it). For arrays the message
    draws which entries are wrong. Without `tell` it keeps the right answer back, for a question
    that is tried again.
    """
    refuse_blank(question, found)
    if isinstance(found, str) and numeric(expected) is not None:
        found = unquote(found, expected)
    if not agree(found, expected, tolerance):
        hint = next((text for wrong, text in hints if agree(found, wrong, tolerance)), None)
        hint = hint or other_kind(found, expected) or close_by(found, expected)
        raise LessonError(f"✗ {question}: {difference(found, expected, tolerance, tell)}", hint)
    print(f"✓ {question}")


def check_function(question, theirs, ours, inputs, hints=(), tolerance=TOLERANCE):
    """Compares a learner's function with `ours`; names the first input on which they differ.

    `inputs` is a list of argument tuples, or a function from a random generator to one such
    tuple, which is then drawn ten times. `hints` are pairs (a function that is wrong in a known
    way, the misconception): named where theirs does the same on every input up to the first
    that is wrong.
    """
    refuse_blank(question, theirs)
    cases, tried = case_makers(inputs), []
    with np.errstate(all="ignore"):  # the learner chose neither these numbers nor the hints
        for case in cases:
            at = arguments_text(theirs, case())
            found = try_function(question, theirs, case(), at)
            expected = ours(*case())
            tried.append((case, found))
            if not agree(found, expected, tolerance, exact=True):
                hint = misconception(tried, hints, tolerance) or waiting(found)
                hint = hint or close_by(found, expected)
                wrong = difference(found, expected, tolerance)
                raise LessonError(f"✗ {question}: {at}{wrong}", hint)
    print(f"✓ {question}: {len(cases)} input{'s' * (len(cases) > 1)} tried")


def close_by(found, expected):
    """What to say to whose answer is wrong by a step or a rounding alone; else None."""
    return CLOSE if is_nearly(found, expected) else None


def waiting(found):
    """What to say to who returns a node of a graph, or None, in place of numbers; else None."""
    parts = found if isinstance(found, (tuple, list)) else [found]
    if any(isinstance(part, Node) for part in parts):
        return "this node waits: only a Session's run gives it numbers"
    return NO_SLOPE if any(part is None for part in parts) else None


# one call of a learner's function ----------------------------------------------------------------


def refuse_blank(question, found):
    """Raises LessonError where the learner has not answered yet."""
    if answer.is_left_open(found):
        hint = "replace the ... and run the cell again"
        raise LessonError(f"{question}: nothing to check yet", hint)


def case_makers(inputs):
    """A list of functions that each give the same arguments, fresh on every call."""
    if callable(inputs):
        return [partial(random_case, inputs, seed) for seed in range(TRIALS)]
    return [partial(copied_case, case) for case in inputs]


def random_case(inputs, seed):
    """The arguments that a function makes of the random generator with this seed."""
    return tuple(inputs(np.random.default_rng(seed)))


def copied_case(case):
    """The arguments, of which arrays are copied: a function may write into them."""
    return tuple(np.copy(x) if isinstance(x, np.ndarray) else x for x in case)


def arguments_text(function, arguments):
    """The arguments in words: "at x = 2, y = 3: "."""
    try:
        given = inspect.signature(function).bind(*arguments).arguments.items()
        words = ", ".join(f"{name} = {answer.brief(value)}" for name, value in given)
    except (TypeError, ValueError):
        words = ", ".join(map(answer.brief, arguments))
    return f"at {words}: " if words else ""


def try_function(question, function, arguments, at):
    """What the function returns. Raises LessonError where it raises, ends never, or is blank."""
    if not callable(function):
        hint = "pass the function itself, without calling it"
        raise LessonError(f"✗ {question}: {answer_text(function)} is no function", hint)
    entered, ran = set(), set()
    try:
        found = stopped_after(LINES, function, arguments, entered, ran)
    except LessonError:
        raise
    except Exception as error:
        raise course_fault(error) or error_in_words(question, error, at) from None
    if found is None:
        raise nothing_returned(question, "backward" in entered, ran)
    if answer.is_left_open(found):
        raise line_left_blank(question)
    return found


def nothing_returned(question, swept, ran):
    """The LessonError that tells of a learner's function that returned None: it is blank, or lacks
    its return, or returns what is None. `ran` holds the code that ran."""
    sources = [source_of(code) for code in ran]
    if not swept and (not sources or any(map(LEFT_OPEN.search, sources))):
        message = f"{question}: nothing to check yet, the function returns nothing"
        return LessonError(message, UNANSWERED)
    lacks_return = any("def " in each and not RETURNS.search(each) for each in sources)
    ended = NOTHING if any("def " in each for each in sources) else NONE
    none = NO_GRAD if any(".grad" in each for each in sources) else ended
    hint = SWEPT if swept else RETURNLESS if lacks_return else none
    return LessonError(f"✗ {question}: the function returns nothing", hint)


def source_of(code):
    """The lines that a code object was made of; where nobody kept them, those of a blank."""
    try:
        return inspect.getsource(code)
    except (OSError, TypeError):
        return "..."


def line_left_blank(question):
    """The LessonError that tells of a ... among what a learner's function computes with."""
    message = f"{question}: nothing to check yet, a line is still ..."
    return LessonError(message, "replace the ... and run the cells again")


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
        return LessonError(f"✗ {question}: {at}Python gives up, the calls go too deep", DEEP)
    if isinstance(error, NameError):
        hint = "which line gives it a value? replace every ... above it, and run the cells"
        return LessonError(f"✗ {question}: {error}", hint)
    hint = getattr(error, "hint", None) or "read the message; call it yourself with these numbers"
    hint = CURES.get(code, hint)
    said = f"it raised {type(error).__name__}: {getattr(error, 'message', error)}"
    return LessonError(f"✗ {question}: {at}{said}", hint)


def stopped_after(limit, function, arguments, entered, ran):
    """function(*arguments), which adds names of the package's functions to `entered`, and to `ran`
    the code of those that stand in one notebook with it.

    Raises TimeoutError after `limit` lines outside the package.
    """
    left, before = limit, sys.gettrace()
    home = getattr(function, "__globals__", {}).get("__name__")

    def count(frame, event, argument):
        nonlocal left
        if frame.f_code.co_filename.startswith(PACKAGE):
            entered.add(frame.f_code.co_name)
            return None
        if frame.f_globals.get("__name__") == home:
            ran.add(frame.f_code)
        left -= 1
        if left < 0:
            raise TimeoutError(f"it still runs after {limit:,} lines")
        return count

    sys.settrace(count)
    try:
        return function(*arguments)
    finally:
        sys.settrace(before)


def misconception(tried, hints, tolerance):
    """The hint whose wrong function gives what theirs gave in every case tried, or None."""
    for wrong, text in hints:
        if all(agree(found, wrong(*case()), tolerance, exact=True) for case, found in tried):
            return text
    return None
