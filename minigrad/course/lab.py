"""Lessons whose predictions and checks are data: each is one line of a notebook.

Lesson NN has two files in lessons/: NN.toml holds every sentence that a cell prints, and lNN.py the
cases, references, typical wrong answers and pictures. A hint is chosen by what the whole function
computes, and Python's own message is always shown.
In my/, a function whose check is ✓ is stored for later lessons, which call `own` for it.
"""

import copy
import dis
import importlib
import inspect
import textwrap
import tomllib
import traceback
from pathlib import Path

import numpy as np

from minigrad.core.errors import MinigradError, MissingError
from minigrad.course.lessons import own as engine
from minigrad.course.lessons.answer import (
    TOLERANCE,
    LessonError,
    agree,
    answer_text,
    brief,
    difference,
    fits_choice,
    is_left_open,
    unquote,
)
from minigrad.course.lessons.checks import LEFT_OPEN, LINES, endless_in_words, stopped_after
from minigrad.course.lessons.faults import course_fault
from minigrad.course.lessons.names import explain_names
from minigrad.course.lessons.plots import put_plots_into_words

FOLDER = Path(__file__).parent / "lessons"
WIDTH = 92  # letters of a printed line
EXACT = 1e-9  # how near a function must be to a wrong answer that a hint is about
ENDINGS = (TimeoutError, RecursionError)  # of which the course says more than Python
EMPTY = "Replace ... with your prediction, and run this cell again."
EARLIER = "Write your prediction in the cell that asks for it, and run that cell first."
UNDONE = "Do that exercise and run its check, or write {name} = skip({name!r}) to go on without."
CALLS = "It calls your {name}. Do that exercise first, and run its check until it is ✓."
RETURN = "Does it end with return? A function gives back what stands after return."
COPY = "Work on a copy of that argument. Of an array x, x.copy() is one."
NO_CHECK = "This lesson has checks for: {names}. Write the name after def as the exercise does."
LENT = "this is the course's own, which skip has given you."
UNKNOWN = "Name a function that an exercise of a lesson asks for."


class Lesson:
    """The predictions and checks of one lesson; `logic` is its module lNN."""

    def __init__(self, number, logic):
        self.words = tomllib.loads((FOLDER / f"{number}.toml").read_text("utf-8"))
        self.number, self.logic, self.predictions, self.passes = number, logic, {}, {}
        put_plots_into_words()
        explain_names()

    # predictions

    def predict(self, name, prediction):
        """Keeps a prediction until `observe` answers it; says what to write where there is none."""
        question = self.words["predict"][name]
        self.predictions.pop(name, None)
        choices = question.get("choices", ())
        if is_left_open(prediction):
            say(f"◦ {question['ask']}: no prediction yet. {EMPTY}")
        elif choices and not any(fits_choice(prediction, choice) for choice in choices):
            known = ", ".join(map(repr, choices))
            say(f"◦ {question['ask']}: {prediction!r} is not one of the choices {known}. {EMPTY}")
        else:
            self.predictions[name] = prediction
            say(f"{question['ask']}: you predict {prediction}.")

    def observe(self, name, result=None):
        """Shows the result beside the prediction, and says why. Raises LessonError without one."""
        question = self.words["predict"][name]
        if name not in self.predictions:
            raise LessonError(f"{question['ask']}: no prediction yet", EARLIER)
        prediction, due = self.predictions[name], question["answer"] if result is None else result
        right = fits_choice(prediction, due) or fits_choice(prediction, question["answer"])
        say(f"{'✓' if right else '→'} {question['ask']}: {due}. You predicted {prediction}.")
        if not right:
            say(question.get("if", {}).get(str(prediction).strip()), indent=2)
        say(question["because"], indent=2)

    # checks

    def check(self, what, value=...):
        """check(function), or check("name", value): ✓ and what it shows, or LessonError."""
        name = getattr(what, "__name__", brief(what)) if callable(what) else what
        if (words := self.find_words(name)) is None:
            message = f"✗ No exercise of this lesson is called {brief(name)}"
            raise LessonError(message, NO_CHECK.format(names=", ".join(self.words["check"])))
        if callable(what):
            self.check_calls(name, what, words)
        else:
            self.check_value(name, value, words)
        self.passes[name] = what if callable(what) else value
        lent = self.is_lent(name, what)
        print(f"◦ {words['title']}: {LENT}" if lent else f"✓ {words['title']}")
        say(words.get("right"), indent=2)
        say(self.store(name, what), indent=2)
        after = getattr(self.logic, f"after_{name}", None)
        return after(self.passes[name]) if after else None

    def require(self, *functions):
        """Raises LessonError, in a sentence, for the first exercise that is not done yet."""
        for function in functions:
            name = function.__name__
            if self.passes.get(name) is not function:
                message = f"This cell uses your {name}, and its check is not ✓ yet"
                raise LessonError(message, UNDONE.format(name=name))

    def skip(self, name):
        """The course's own function or class, for students who skip an exercise."""
        self.passes[name] = lent = self.lend(name)
        return lent

    def lend(self, name):
        """The course's function of an exercise, or class, under the name of the exercise."""
        reference = self.reference(name)
        if isinstance(reference, type):
            return reference

        def lent(*given, **named):
            return reference(*given, **named)

        lent.__name__ = name
        lent.lent_from = reference.__module__, reference.__name__
        return lent

    def is_lent(self, name, what):
        """Whether an answer is what `lend` gives."""
        is_reference = what is getattr(self.logic, f"reference_{name}", self)
        return is_reference or hasattr(what, "lent_from")

    # the learner's own engine

    def store(self, name, function):
        """Writes a function that passed into the learner's folder, where there is one; returns
        what to say about it."""
        folder = engine.engine_folder()
        if folder is None or not callable(function) or self.is_lent(name, function):
            return None
        path = folder / self.file_name(name)
        return engine.store_function(
            path, function, self.number, lambda f: self.pass_again(name, f)
        )

    def file_name(self, name):
        """The file of a function: of two lessons that ask for one of this name the first has it."""
        first = lessons_with(name)[0] == self.number
        return f"{name}.py" if first else f"{name}_{self.number}.py"

    def take(self, name):
        """(the learner's function of an exercise, or the course's, and which one it is)"""
        folder = engine.engine_folder()
        try:
            if folder is None:
                raise engine.CannotStandAlone("none of yours is stored here")
            path = folder / self.file_name(name)
            function = engine.load_function(path, name)
            self.pass_again(name, function)
        except engine.CannotStandAlone as error:
            return self.lend(name), f"{name}: the course's, because {error}."
        return function, f"{name}: yours, of lesson {self.number}, from my/engine/{path.name}."

    def pass_again(self, name, function):
        """Raises CannotStandAlone where a stored function does not pass its check."""
        try:
            self.check_calls(name, function, self.words["check"][name])
        except BaseException as error:  # an exit, too: it may hold anything
            told = error.title if isinstance(error, LessonError) else engine.error_text(error)
            told = textwrap.shorten(told, engine.ROOM, placeholder=" …")
            message = f"its check in lesson {self.number} says of that file: {told}"
            raise engine.CannotStandAlone(message) from None

    def check_calls(self, name, function, words):
        """Compares a function with the reference on every case. Raises LessonError, about what is
        wrong, or about an exercise that the function calls and that is not done."""
        if has_blank_line(function):
            raise LessonError(f"✗ {words['title']}: nothing to check yet", words["start"])
        try:
            self.compare_calls(name, function, words)
        except LessonError as error:
            if not (missing := self.first_undone(name, function)):
                raise
            raise LessonError(error.title, CALLS.format(name=missing)) from None

    def first_undone(self, checked, function):
        """The first other exercise that the answer to the exercise `checked` calls and whose check
        is not ✓ as it stands."""
        parts = functions_of(function)
        codes = [code for part in parts for code in nested_codes(part.__code__)]
        steps = [step for code in codes for step in dis.get_instructions(code)]
        used = {step.argval for step in steps if step.opname == "LOAD_GLOBAL"}  # no attribute
        around = parts[0].__globals__ if parts else {}
        others = [name for name in self.words["check"] if name in used and name in around]
        undone = (name for name in others if self.passes.get(name) is not around[name])
        return next((name for name in undone if name != checked), None)

    def compare_calls(self, name, function, words):
        """Compares a function with the reference on every case. Raises LessonError."""
        cases, reference = getattr(self.logic, f"cases_{name}")(), self.reference(name)
        run = getattr(self.logic, f"run_{name}", call)
        found = [call_copied(function, words, case, run) for case in cases]
        for case, mine in zip(cases, found):
            due = run(reference, *case)
            if not agree(mine, due, words.get("tolerance", TOLERANCE)):
                shown = self.case_text(name, case)
                told = tell_difference(mine, due, words.get("returns", ()))
                hint = self.hint_for(words, cases, found, run)
                details = textwrap.indent(told, "      ")
                raise LessonError(f"✗ {words['title']}, for {shown}", hint, details)

    def find_words(self, name):
        """The sentences of the check of this name; None where there is none."""
        return self.words["check"].get(name) if isinstance(name, str) else None

    def reference(self, name):
        """The right function of an exercise."""
        return getattr(self.logic, f"reference_{name}")

    def case_text(self, name, case):
        """The arguments of a case in words."""
        show = getattr(self.logic, f"show_{name}", None)
        return show(*case) if show else ", ".join(map(brief, case))

    def hint_for(self, words, cases, found, run):
        """What to say about these results: the hint of a known wrong answer, else what to
        compare."""
        hints = words.get("hint", ())
        fitting = (h for h in hints if self.is_answer_of(h["when"], cases, found, run))
        return next(fitting, {"say": words["otherwise"]})["say"]

    def is_answer_of(self, wrong, cases, found, run):
        """Whether a known wrong answer, by its name, computes the same in every case."""
        try:
            made = [run(getattr(self.logic, wrong), *copy.deepcopy(case)) for case in cases]
        except Exception:  # it fails where the learner's does not, so it is another one
            return False
        return all(agree(mine, other, EXACT) for mine, other in zip(found, made))

    def check_value(self, name, value, words):
        """Compares a value, or lets the lesson judge it. Raises LessonError."""
        title = words["title"]
        if is_left_open(value):
            raise LessonError(f"✗ {title}: no answer yet", words["start"])
        judge = getattr(self.logic, f"judge_{name}", known_answer)
        if hint := judge(value, words):
            told = words.get("not_yet", f"{answer_text(value)} is not right")
            raise LessonError(f"✗ {title}: {told}", hint)


# functions of earlier lessons --------------------------------------------------------------------


def own(name, lesson=None):
    """Your function from my/engine/, where a check found it right, else the course's; says which.

    Where two lessons ask for one of this name, it is that of the first, or of `lesson` ("05b").
    """
    numbers = lessons_with(name)
    if not numbers or lesson not in (None, *numbers):
        where = "No lesson has an" if lesson is None else f"Lesson {lesson} has no"
        raise LessonError(f"{where} exercise {brief(name)}", UNKNOWN)
    number = lesson or numbers[0]
    module = importlib.import_module(f"minigrad.course.lessons.l{number}")
    function, told = module.lesson.take(name)
    say(told)
    return function


def lessons_with(name):
    """The numbers of the lessons that have an exercise of this name, in order."""
    paths = sorted(FOLDER.glob("[0-9]*.toml"))
    checks = {path.stem: tomllib.loads(path.read_text("utf-8")).get("check", {}) for path in paths}
    return [number for number, names in checks.items() if name in names]


# answers -----------------------------------------------------------------------------------------


def say(sentence, indent=0):
    """Prints a sentence in lines that fit; nothing where there is none."""
    if sentence:
        room = {"initial_indent": " " * indent, "subsequent_indent": "  "}
        print(textwrap.fill(" ".join(sentence.split()), WIDTH, **room))


def known_answer(value, words):
    """The hint for a wrong value; None where it is right."""
    due = words["answer"]
    value = unquote(value, due) if isinstance(value, str) else value
    if agree(value, due):
        return None
    known = (hint["say"] for hint in words.get("hint", ()) if agree(value, hint["when"]))
    return next(known, words["otherwise"])


def has_blank_line(function):
    """Whether a line of a function is still `...`, or it has no lines but its first; of a class,
    whether that holds for a method, or there is none."""
    parts = methods_of(function) if isinstance(function, type) else [function]
    return not parts or any(map(has_open_line, parts))


def has_open_line(function):
    """Whether a line of a function, below its first, is still `...`."""
    try:
        lines = inspect.getsource(function)
    except (OSError, TypeError):
        return False
    return bool(LEFT_OPEN.search(lines.partition("\n")[2]))


def methods_of(kind):
    """The functions that a class itself defines."""
    return list(filter(inspect.isfunction, vars(kind).values()))


def call(function, *case):
    """What a function returns for a case; a lesson may build its own arguments in `run_NAME`."""
    return function(*case)


def call_copied(function, words, case, run=call):
    """What a function returns for a copy of a case. Raises LessonError, with Python's own words."""
    given, title = copy.deepcopy(case), words["title"]
    try:
        found = stopped_after(LINES, run, (function, *given))
    except Exception as error:
        if isinstance(error, ENDINGS) and type(error).__name__ not in words.get("raised", ()):
            raise endless_in_words(title, error) from None
        fault = None if arose_in(function, error) else course_fault(error)
        raise fault or python_says(function, words, error) from None
    if found is None:
        raise LessonError(f"✗ {title}: the function returned None", RETURN)
    if any(isinstance(x, np.ndarray) and not holds_same(x, y) for x, y in zip(given, case)):
        raise LessonError(f"✗ {title}: an argument was changed in place", COPY)
    return found


def arose_in(function, error):
    """Whether a line of the learner's own raised an error, and not one that it calls."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return frame.f_code in codes_of(function)


def holds_same(array, before):
    """Whether an array holds what it held before, NaN included."""
    return np.array_equal(array, before, equal_nan=before.dtype.kind in "fc")


def python_says(function, words, error):
    """The LessonError that tells the learner's own line, what Python said, and where to look."""
    line, place, own_code = None, error.__traceback__, codes_of(function)
    while place:
        line = place.tb_lineno if place.tb_frame.f_code in own_code else line
        place = place.tb_next
    told = error.message if isinstance(error, MinigradError) else str(error)
    where = (
        f"your line {line}"
        if line
        else f"your {'class' if inspect.isclass(function) else 'function'}"
    )
    first = f"{type(error).__name__}: {told}".split("\n")[0]
    hint = hint_for(error, words.get("raised", {})) or words["otherwise"]
    return LessonError(f"✗ {words['title']}: {where} raised {first}", hint)


def hint_for(error, hints):
    """The hint for an error of this kind, or for one that NumPy derives from it; for a name that is
    missing, the engine's own."""
    if isinstance(error, MissingError):
        return hints.get("MissingError", error.hint)
    kinds = [type(error)] if isinstance(error, MinigradError) else type(error).__mro__
    return next((hints[kind.__name__] for kind in kinds if kind.__name__ in hints), None)


def codes_of(function):
    """The code objects of a function, or of the methods of a class."""
    return [part.__code__ for part in functions_of(function)]


def nested_codes(code):
    """A code object and those of the functions and loops in brackets that it contains."""
    yield code
    for part in code.co_consts:
        if inspect.iscode(part):
            yield from nested_codes(part)


def functions_of(function):
    """A function alone, or the methods of a class; nothing where it is not written in Python."""
    function = inspect.unwrap(function)
    parts = methods_of(function) if inspect.isclass(function) else [function]
    return list(filter(inspect.isfunction, parts))


def tell_difference(mine, due, names):
    """What differs: of several results the first that does, by its name; or that one is a list."""
    mine, due = split_results(mine), split_results(due)
    if len(mine) != len(due):
        named = f" ({', '.join(names)})" if names else ""
        return f"expected {len(due)} result{'s' * (len(due) > 1)}{named}, got {len(mine)}"
    at = next((k for k, (a, b) in enumerate(zip(mine, due)) if not agree(a, b)), None)
    if at is None:  # a list holds the result
        return "expected the result itself, got a list with one entry"
    head = f"{names[at]}: " if names else ""
    return head + difference(mine[at], due[at])


def split_results(found):
    """The results of a function as a list: of one that is no tuple or list, itself."""
    return list(found) if isinstance(found, (tuple, list)) else [found]
