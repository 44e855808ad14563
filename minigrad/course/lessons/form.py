"""The parts that every lesson has, in words or in calls, and what to do about a missing one."""

import re

from minigrad.course.lessons import lesson
from minigrad.course.lessons.findings import Finding
from minigrad.errors import MinigradError

MINUTES = 45

TEXTS = (  # (what a lesson's text has, the pattern that finds it, how to write it)
    ("goal", r"^\*\*Goal\.\*\* \S", "**Goal.** and what the reader will be able to do"),
    ("recall question", r"^\*\*Recall\.\*\* \S", "**Recall.** and a question on an earlier lesson"),
    ("planted bug", r"^## .*\bin its picture\b", "## A bug, seen in its picture"),
    ("contrast", r"^## .*\bother engine\b", "## The same in the other engine"),
    ("exit question", r"^\*\*Exit question\.\*\* \S", "**Exit question.**"),
    ("sources", r"^\*\*Sources\.\*\* \S", "**Sources.** with authors and titles"),
)
CODES = (  # the same for its code
    ("faded exercise", r"# fill in$", "end one line in: # fill in"),
    ("open exercise", r"# begin answer$", "put # begin answer and # end answer around a body"),
    ("check", r"\bcheck(_\w+)?\(", "check what the reader writes"),
    ("picture", r"\bmg\.(draw|player|plot)\b", "draw the graph"),
)


def missing(path):
    """A Finding for each part that the lesson at `path` lacks; none for what is no notebook."""
    try:
        cells = lesson.read(path).cells
    except MinigradError:
        return
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    codes = [cell.source for cell in cells if cell.cell_type == "code"]
    for fact, cure in [
        *opening(path, text),
        *absent(TEXTS, text),
        *absent(CODES, "\n".join(codes)),
        *guesses(codes),
    ]:
        yield Finding(path.name, fact, cure)


def opening(path, text):
    """A title that is a claim under the lesson's number, and a time that fits a sitting."""
    number = path.name.partition("_")[0]
    if not re.match(rf"# {re.escape(number)} · \S", text):
        yield "no title", f"begin with: # {number} · and what the lesson claims"
    minutes = re.search(r"^About (\d+) minutes\.", text, re.MULTILINE)
    if not minutes:
        yield "no time", "write in the first cell: About 30 minutes."
    elif int(minutes[1]) > MINUTES:
        yield f"{minutes[1]} minutes, above {MINUTES}", "make two lessons"


def absent(parts, text):
    """The parts whose pattern is nowhere in the text."""
    for name, pattern, cure in parts:
        if not re.search(pattern, text, re.MULTILINE):
            yield f"no {name}", cure


def guesses(codes):
    """Each question is predicted before it is observed, and at least one is."""
    predicted, observed = [], []
    for call, question in (found for code in codes for found in questions(code)):
        if call == "predict":
            predicted.append(question)
        elif question not in predicted:
            yield f"'{question}' is observed before it is predicted", "ask for a guess first"
        observed += [question] * (call == "observe")
    for question in predicted:
        if question not in observed:
            yield f"'{question}' is predicted and never observed", "show guess beside result"
    if not predicted:
        yield "no prediction", "ask with predict, answer with observe"


def questions(code):
    """(predict or observe, the question) for each call, in order."""
    return re.findall(r"\b(predict|observe)\(\s*[\"'](.*?)[\"']", code)
