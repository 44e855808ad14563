"""Submissions whose answers are alike: a reason to read both, and a proof of nothing.

Code becomes its tokens without names, numbers, texts and comments, so that renaming changes
nothing; a written text becomes its words. Those become overlapping runs. A run that many have is
how one solves it; what counts are those that few have (the idea of Moss: Schleimer, Wilkerson,
Aiken 2003).
"""

import io
import keyword
import re
import tokenize
from collections import Counter
from itertools import combinations
from typing import NamedTuple

from minigrad.course.gradebook.submissions import read_entry
from minigrad.course.grading import answers, notebook

FEW = 3, 12  # submissions that share a run which still counts: at least, at most
LEAST_SHARE = 0.6
LONGEST = 100_000  # letters of one submission
MOST_PAIRS = 30
CODE = "code"
SPACE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.ENDMARKER}
PLAIN = {tokenize.NUMBER: "0", tokenize.STRING: "s"}


class Measure(NamedTuple):
    """How long a run is, and how many two must share to be alike."""

    run: int
    least: int


OF_CODE, OF_TEXT = Measure(12, 30), Measure(5, 15)  # tokens, words


class Likeness(NamedTuple):
    """Two students, the part of the rarer runs of one that the other has as well, and in what:
    their code, or the text of a question."""

    first: str
    second: str
    share: float
    what: str = CODE


class Compared(NamedTuple):
    """The `Likeness`es, and {what was compared: how many submissions had any of it}."""

    found: list = []
    counts: dict = {}


def find_similar(handed_in, master):
    """What is `Compared` among entries, the closest pairs first."""
    code, texts = {}, {question: {} for question in master.written}
    for entry in [entry for entry in handed_in if entry.path]:
        cells = read_cells(entry)
        code[entry.student] = runs(code_tokens(cells, master), OF_CODE)
        for one in answers.written_answers(master, cells):
            texts[one.question][entry.student] = runs([text_words(one.text)], OF_TEXT)
    found = [*alike(code, OF_CODE, CODE)]
    for question, own in texts.items():
        found += alike(own, OF_TEXT, question)
    every = {CODE: code, **texts}
    counts = {what: sum(map(bool, own.values())) for what, own in every.items()}
    return Compared(sorted(found, key=lambda one: (-one.share, one))[:MOST_PAIRS], counts)


def alike(own, measure, what):
    """The `Likeness`es of {student: runs}."""
    count = Counter(run for found in own.values() for run in found)
    few = min(max(FEW[0], len(own) // 4), FEW[1])
    rare = {student: {run for run in found if count[run] <= few} for student, found in own.items()}
    common = Counter(
        pair for same in students_by_run(rare).values() for pair in combinations(same, 2)
    )
    for (first, second), shared in common.items():
        share = shared / min(len(rare[first]), len(rare[second]))
        if shared >= measure.least and share >= LEAST_SHARE:
            yield Likeness(first, second, share, what)


def students_by_run(rare):
    """{run: the students who have it, in order}."""
    found = {}
    for student in sorted(rare):
        for run in rare[student]:
            found.setdefault(run, []).append(student)
    return found


def read_cells(entry):
    """The cells of one submission; none where they cannot be read."""
    try:
        return notebook.cells(notebook.read_notebook(*read_entry(entry)))
    except Exception:  # the entry's own row says why
        return []


def code_tokens(cells, master):
    """The tokens of each answer cell."""
    asked, left = master.asked, LONGEST
    for cell in [cell for cell in cells if cell.name in asked]:
        yield plain_tokens(cell.source[:left])
        left = max(0, left - len(cell.source))


def text_words(text):
    """The words of a text, in small letters."""
    return re.findall(r"\w+", text[:LONGEST].casefold())


def runs(lists, measure):
    """The overlapping runs of lists of tokens."""
    return {
        tuple(tokens[at : at + measure.run])
        for tokens in lists
        for at in range(len(tokens) - measure.run + 1)
    }


def plain_tokens(source):
    """The tokens of some Python, as far as it is any, without what can be chosen freely."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
                found.append("n")
            elif token.type not in SPACE:
                found.append(PLAIN.get(token.type) or token.string.strip() or token.type)
    except (tokenize.TokenError, SyntaxError, ValueError):  # half a character is no text, either
        pass
    return found
