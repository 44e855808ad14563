"""Copies of lessons as students hand them in: blank, with predictions, or with outputs."""

import contextlib
import functools
import importlib
import io
import json
import re

from minigrad.course.lessons import handout, lesson, questions

LESSONS = questions.lesson_paths()


@functools.cache
def blank_text(number):
    """A lesson as `minigrad lab` copies it."""
    return lesson.lesson_text(handout.hand_out(lesson.read_lesson(LESSONS[number])))


def write_predictions(number, written):
    """The JSON of a lesson's copy in which {question: code} stands after names of predictions."""
    raw = json.loads(blank_text(number))
    for name, code in written.items():
        cell = find_cell(raw, "predict", name)
        source = "".join(cell["source"])
        cell["source"] = re.sub(r"= \.\.\.(?=\s+# your prediction)", lambda _: f"= {code}", source)
        assert cell["source"] != source
    return raw


def find_cell(raw, function, name):
    """The one cell that calls `predict` or `observe` for a question."""
    (found,) = (c for c in raw["cells"] if f'{function}("{name}"' in "".join(c["source"]))
    return found


def text_of(number, **written):
    """The text of such a copy."""
    return json.dumps(write_predictions(number, written))


def show(raw, function, name, text):
    """Put what a cell has printed into a copy."""
    output = {"output_type": "stream", "name": "stdout", "text": text.splitlines(keepends=True)}
    find_cell(raw, function, name)["outputs"] = [output]


def printed(number, name, prediction, function="predict"):
    """What the lesson's own `predict`, or `observe` after it, prints for a prediction."""
    own = importlib.import_module(f"minigrad.course.lessons.l{number}").lesson
    said = {}
    for step, given in (("predict", [prediction]), ("observe", [])):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            getattr(own, step)(name, *given)
        said[step] = out.getvalue()
    return said[function]
