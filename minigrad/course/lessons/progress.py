"""What a learner has done, as the copies in my/ say: read from their saved outputs, never run."""

import re
from typing import NamedTuple

from minigrad.core.errors import MinigradError
from minigrad.course.grading import notebook
from minigrad.course.lessons import handout

RIGHT = re.compile(r"^✓ ", re.MULTILINE)
POINTS = re.compile(r"^[✓✗] (\w+)   ([\d.]+) of ([\d.]+) points", re.MULTILINE)
PREDICTIONS = re.compile(r"\bpredict\(|^observe\(", re.MULTILINE)


class Done(NamedTuple):
    """How much of something is done: checks passed, or points; both 0 where it was not begun."""

    earned: float = 0
    possible: float = 0

    @property
    def whole(self):
        """Whether nothing is left."""
        return self.possible > 0 and self.earned >= self.possible


def lesson_done(path):
    """The Done of a lesson's copy: its cells that check, and those that found the answer right."""
    checks = right = 0
    for source, text in shown_by_cells(path):
        if handout.CHECKS.search(source):
            checks += 1
            right += bool(RIGHT.search(text)) and "✗" not in text
    return Done(right, checks)


def assignment_done(path, possible):
    """The Done of an assignment's copy: points by the visible checks that its cells show.

    `possible` are the points of each question; what was not checked has none.
    """
    found = {}
    for _, text in shown_by_cells(path):
        for question, earned, _ in POINTS.findall(text):
            if question in possible:
                found[question] = float(earned)
    return Done(sum(found.values()), sum(possible.values()))


def shown_by_cells(path):
    """[(the source of a code cell, the text of its outputs)]; nothing of what cannot be read."""
    try:
        return code_and_outputs(notebook.read_notebook(path))
    except MinigradError:
        return []


def code_and_outputs(raw):
    """The same of the JSON of a notebook."""
    return [
        (notebook.source_text(cell), text_of_outputs(cell.get("outputs")))
        for cell in raw["cells"]
        if cell["cell_type"] == "code"
    ]


def text_of_outputs(outputs):
    """What a cell has printed, and the errors that it shows, without their colours."""
    parts = []
    for output in outputs if type(outputs) is list else ():
        if type(output) is dict:
            for name in ("text", "traceback"):
                value = output.get(name, "")
                parts += [value] if type(value) is str else [*filter(is_text, value)]
    return re.sub(r"\x1b\[[\d;]*m", "", "\n".join(parts))


def is_text(thing):
    """Whether it is a text: anybody may have written a notebook."""
    return type(thing) is str
