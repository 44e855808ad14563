"""What a student predicted in a lesson, as the saved notebook says: read, and never run.

The prediction that counts is the one beside the answer that `observe` has printed, because a
student may write another after that; before the answer is there, the one that `predict` has
printed; else what the cell assigns.
"""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from minigrad.course import project
from minigrad.course.grading import notebook
from minigrad.course.grading.markup import parse_quietly
from minigrad.course.lessons import progress
from minigrad.course.lessons.answer import fits_choice, is_left_open, unquote

FOLDER = Path(__file__).parent
LESSON = re.compile(r"\bminigrad\.course\.lessons\.l(\d\d[a-z]?)[ \t]+import\b")
LONGEST = 300  # characters of a prediction that are read
ASKED = re.compile(
    rf"\bpredict\(\s*[\"'](\w+)[\"']\s*,(.{{0,{LONGEST}}}?)\)[ \t]{{0,9}}(?:#.*)?$", re.MULTILINE
)
MOST_CELLS, MOST_TEXT = 1_000, 100_000  # code cells, and characters of each that are read


class LessonQuestion(NamedTuple):
    """A question of a lesson: its choices, the answer and why, sentences for wrong predictions."""

    lesson: str
    name: str
    ask: str
    choices: list
    answer: object
    because: str
    sentences: dict

    def choice_of(self, prediction):
        """The choice that a prediction means, as a text; None where it means none. Of two choices
        that are closer than rounding, as 1e-11 and 1e-15, it means the one that it equals."""
        fitting = [choice for choice in self.choices if fits_choice(prediction, choice)]
        equal = [choice for choice in fitting if unquote(prediction, choice) == choice]
        return next(map(str, equal or fitting), None)


@cache
def questions_of(path):
    """The `LessonQuestion`s that the published lesson at `path` asks, in its order."""
    number = project.lesson_number(path)
    words = tomllib.loads((FOLDER / f"{number}.toml").read_text(encoding="utf-8"))["predict"]
    sources = code_of(published_notebook(path))
    names = [name for source in sources for name, _ in ASKED.findall(source)]
    return tuple(question_of(number, name, words[name]) for name in dict.fromkeys(names))


def question_of(number, name, words):
    """The `LessonQuestion` that a table of NN.toml describes."""
    parts = words["ask"], words["choices"], words["answer"], words["because"]
    return LessonQuestion(number, name, *parts, words.get("if", {}))


def lesson_paths():
    """{number: path} of the published lessons, in order."""
    return {project.lesson_number(path): path for path in project.lessons()}


@cache
def published_notebook(path):
    """The JSON of a published lesson."""
    return notebook.read_notebook(path)


def code_of(raw):
    """The texts of a notebook's code cells."""
    return [cell.source for cell in notebook.cells(raw) if cell.kind == "code"]


def find_lesson(raw, lessons):
    """The number of the lesson that a notebook is a copy of, by what it imports, among those of
    {number: path}; else None."""
    found = (LESSON.search(source) for source in code_of(raw))
    number = next((match[1] for match in found if match), None)
    return number if number in lessons else None


def is_published(raw, path):
    """Whether a notebook is the published lesson with its answers, where nobody has predicted."""
    return {*code_of(published_notebook(path))} <= {*code_of(raw)}


def read_predictions(cells, questions):
    """{question's name: the prediction as a text, None where it is blank} of `bounded_cells`."""
    return {question.name: find_prediction(cells, question) for question in questions}


def read_confirmed(cells, questions):
    """The names of the questions of which `observe` has printed ✓ in `bounded_cells`: what is right
    may depend on a function of the student's own."""
    return {
        question.name
        for question in questions
        if re.search(f"✓ {words_pattern(question.ask)}:", printed_by(cells, "observe", question))
    }


def bounded_cells(raw):
    """[(the source of a code cell, what it has printed)], no more than a lesson can have."""
    cells = progress.code_and_outputs(raw)[:MOST_CELLS]
    return [(source[:MOST_TEXT], text[:MOST_TEXT]) for source, text in cells]


def find_prediction(cells, question):
    """The prediction for one question among [(the source of a cell, what it has printed)]."""
    answered = printed_by(cells, "observe", question)
    asked = printed_by(cells, "predict", question)
    return (
        printed_prediction(answered, question.ask, r":\s.{1,300}?\.\s+You\s+predicted")
        or printed_prediction(asked, question.ask, r":\s+you\s+predict")
        or written_prediction(cells, question.name)
    )


def printed_by(cells, function, question):
    """What the cells that call a function for a question have printed."""
    call = re.compile(rf"\b{function}\(\s*[\"']{question.name}[\"']")
    return "\n".join(text for source, text in cells if call.search(source))


def printed_prediction(text, ask, words):
    """The prediction after some words about a question, however the lines are broken; else None."""
    pattern = rf"{words_pattern(ask)}{words}\s+(.{{1,{LONGEST}}}?)\.\s*?(?:\n|\Z)"
    found = re.search(pattern, text, re.DOTALL)
    return " ".join(found[1].split()) if found else None


def words_pattern(words):
    """A pattern for words, however the lines are broken."""
    return r"\s+".join(map(re.escape, words.split()))


def written_prediction(cells, name):
    """The prediction that a cell assigns or hands to `predict`; None where it is left blank."""
    for source, _ in cells:
        for asked, given in ASKED.findall(source):
            text = assigned_text(source, given.strip())
            if asked == name and (prediction := plain_prediction(text)):
                return prediction
    return None


def assigned_text(source, given):
    """What a cell last assigns to a name; of what is no name, itself."""
    start = rf"^[ \t]{{0,99}}{re.escape(given)}[ \t]{{0,9}}="
    lines = re.findall(rf"{start}(.{{0,{LONGEST}}})", source, re.MULTILINE)
    return lines[-1] if lines else given


def plain_prediction(text):
    """The prediction in the text of a literal, as a text; of other code that; None for `...`."""
    text = text.strip()
    try:
        value = parse_quietly(lambda: ast.literal_eval(text))
    except TypeError:  # a table whose key can be none
        value = None
    if value is None:
        code = re.sub(r"\s#.*", "", text).strip()
        return None if code in ("", "None") or code.startswith("#") else code
    return None if is_left_open(value) else str(value).strip() or None
