"""Where the parts of a deck stand in a lesson, by marks that every lesson has.

The first cell has the title and the list *After this lesson you can*. The bold question, the first
box **Derivation** and **What to remember.** are found by their words, and so is each **Predict.**
with its cells `predict("name")` and `observe("name")`. The trap is a section headed *Trap*, else
that of a cell tagged `fault-…`. The main build is the longest exercise that is answered by code.
Step by step, a deck shows the first player, else the first film, else the first graph, else a plot
that answers no prediction. Where a lesson means another cell, the table [deck] of its NN.toml names
it: `trap`, `steps` or `build`, an id, or "none"; its `lead` is the sentence above the steps, and
its `idea` the text above the main build, instead of that of the section.
"""

import re
import tomllib
from functools import cached_property
from typing import NamedTuple

from minigrad.core.errors import MinigradError
from minigrad.course import project
from minigrad.course.lessons import form, lesson
from minigrad.course.lessons.handout import BEGIN
from minigrad.course.slides.pictures import find_pictures
from minigrad.course.slides.steps import GROWS, find_spec
from minigrad.course.slides.words import cell_prose, last_paragraph

CONTEXT = 330  # letters that lead to a question
DECK_KEYS = {"build", "idea", "lead", "steps", "trap"}  # the keys of [deck] in NN.toml
TITLE = re.compile(r"^# (\S+) · ([^:\n]+): (.+)", re.MULTILINE)
GOALS = re.compile(r"^\*\*After this lesson you can\*\*\n+((?:[-*] .+\n?|  .+\n?)+)", re.MULTILINE)
QUESTION = re.compile({name: pattern for name, pattern, _ in form.TEXTS}["question"])
BOX = re.compile(r"^> \*\*Derivation(?:: ([^*]+))?\*\*\n((?:>.*\n?)+)", re.MULTILINE)
PREDICT = re.compile(r"^\*\*Predict\.\*\* (.+(?:\n.+)*)", re.MULTILINE)
SUMMARY = re.compile(
    r"^(?:\*\*What to remember\.\*\* |## What to remember\n+)(.+(?:\n.+)*)", re.MULTILINE
)
EXERCISE = re.compile(
    r"^### Exercise \d+: (?P<title>.+) \((?P<minutes>\d+) minutes\)\n+(?P<text>.+(?:\n.+)*)",
    re.MULTILINE,
)
HEADING = re.compile(r"^## (.+)\n*")
CALL = r"""\b{}\(\s*["']{}["']"""
PREDICTIONS = re.compile(
    r"^(?:\w+ = .*# (?:your prediction|fill in)|predict\(.*|require\(.*|display\(mg\.draw.*)$",
    re.MULTILINE,
)


class Prediction(NamedTuple):
    """A question of a lesson, and what its cells say."""

    name: str
    section: str  # the title of its section
    context: str  # what is said directly before the question
    question: str
    asking: object  # the cell that asks
    answering: object  # the cell that answers
    words: dict  # of NN.toml


class LessonParts:
    """A lesson as a file, and the cells in which the parts of its deck stand."""

    def __init__(self, path):
        self.path, self.number = path, project.lesson_number(path)
        self.cells = lesson.read_lesson(path).cells
        words = form.words_file(path)
        self.words = tomllib.loads(words.read_text("utf-8")) if words.is_file() else {}
        self.choice = self.words.get("deck", {})
        for key in self.choice.keys() - DECK_KEYS:
            message = f"[deck] in {words.name} has the key {key!r}"
            raise MinigradError(message, hint=f"write one of {', '.join(sorted(DECK_KEYS))}")

    def texts(self):
        """Return (place, text) of each text cell."""
        return [(at, c.source) for at, c in enumerate(self.cells) if c.cell_type == "markdown"]

    def find_text(self, pattern, what):
        """Return (place, match) of the first text with a pattern. Raises MinigradError."""
        for at, text in self.texts():
            if found := pattern.search(text):
                return at, found
        raise MinigradError(f"{self.path.name} has no {what}", hint="minigrad lint")

    def cell_named(self, name):
        """Return the place of the cell with an id that [deck] names. Raises MinigradError."""
        for at, cell in enumerate(self.cells):
            if cell.id == name:
                return at
        file = form.words_file(self.path).name
        message = f"[deck] in {file} names the cell {name!r}, which {self.path.name} has not"
        raise MinigradError(message, hint="name the id of one of its cells")

    @cached_property
    def predictions(self):
        """The predictions that the lesson asks for, in its order."""
        found = []
        for at, text in self.texts():
            if asked := PREDICT.search(text):
                name, asking = self.find_call(at, "predict", r"(\w+)")
                _, seen = self.find_call(at, "observe", f"({name})")
                title, words = plain_title(self.section_of(at)[1]), self.words["predict"][name]
                said = last_paragraph(cell_prose(text), CONTEXT), asked[1]
                found.append(Prediction(name, title, *said, asking, seen, words))
        return found

    def find_call(self, start, function, name):
        """Return (the name in a call, its cell) of the first such call below a place."""
        call = re.compile(CALL.format(function, name))
        for cell in self.cells[start:]:
            if cell.cell_type == "code" and (found := call.search(cell.source)):
                return found[1], cell
        message = f"{self.path.name}: no cell below {self.cells[start].id} calls {function}"
        raise MinigradError(message, hint="minigrad lint")

    def first_picture(self):
        """Return the first picture above the bold question that no prediction asks for, or None."""
        end, _ = self.find_text(QUESTION, "bold question")
        answers = [one.answering.id for one in self.predictions]
        shown = [cell for cell in self.cells[:end] if cell.id not in answers]
        return next((picture for cell in shown for picture in find_pictures(cell)), None)

    def trap(self):
        """Return the place of the text that tells of the trap, or None."""
        if name := self.choice.get("trap"):
            return None if name == "none" else self.cell_named(name)
        headed = [at for at, text in self.texts() if re.match("## Trap", text)]
        tagged = [
            self.section_of(at)[0]
            for at, cell in enumerate(self.cells)
            if any(tag.startswith("fault-") for tag in cell.metadata.get("tags", ()))
        ]
        return next(iter([*headed, *tagged]), None)

    @cached_property
    def build(self):
        """(place, title and text of the exercise) of the code cell that the lesson mainly builds,
        or None: of the longest exercise that is answered by code."""
        found = []
        for at, text in self.texts():
            cell = self.cells[at + 1] if at + 1 < len(self.cells) else None
            task = EXERCISE.search(text)
            if task and cell and cell.cell_type == "code" and BEGIN in cell.source:
                found.append((-int(task["minutes"]), at + 1, task["title"], task["text"]))
        if name := self.choice.get("build"):
            place = None if name == "none" else self.cell_named(name)
            found = [one for one in found if one[1] == place]
        return min(found)[1:] if found else None

    def section_texts(self, at):
        """Return the texts of the section in which a cell stands, as (place, text)."""
        start, _ = self.section_of(at)
        below = [one for one in self.texts() if one[0] > start and one[1].startswith("## ")]
        end = below[0][0] if below else len(self.cells)
        return [(place, text) for place, text in self.texts() if start <= place < end]

    def section_of(self, at):
        """Return (place, heading) of the section in which a cell stands."""
        headed = [(place, text) for place, text in self.texts()[: at + 1] if place <= at]
        found = [(place, HEADING.match(text)) for place, text in headed]
        return [(place, heading[1]) for place, heading in found if heading][-1]

    def steps_cell(self):
        """Return the cell whose picture is shown step by step, or None."""
        if name := self.choice.get("steps"):
            return None if name == "none" else self.cells[self.cell_named(name)]
        answers = [one.answering.id for one in self.predictions]
        cells = [c for c in self.cells if find_pictures(c) and c.id not in answers]
        players = [cell for cell in cells if any(map(find_spec, cell.outputs))]
        films = [cell for cell in cells if find_pictures(cell)[-1].kind == "gif"]
        graphs = [cell for cell in cells if GROWS.match(find_pictures(cell)[-1].alt)]
        first = self.first_picture()
        plots = [cell for cell in cells if first is None or cell.id != first.cell]
        return next(iter([*players, *films, *graphs, *plots]), None)


def plain_title(heading):
    """Return a heading without the word that tells of a trap."""
    return re.sub(r"^Trap(?: \d)?: ", "", heading)


def asked_code(cell):
    """Return the code that a prediction is about: a cell's, without both it and the drawing."""
    code = PREDICTIONS.sub("", form.OPENS.sub("", cell.source))
    return re.sub(r"\n{2,}", "\n\n", code).strip("\n")
