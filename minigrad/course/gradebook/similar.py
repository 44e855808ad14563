"""Submissions whose answers are alike: a reason to read both, and a proof of nothing.

An answer becomes its tokens without names, numbers, texts and comments, so that renaming changes
nothing, and those become overlapping runs. A run that many have is how one solves it; what counts
are those that few have (the idea of Moss: Schleimer, Wilkerson, Aiken 2003).
"""

import io
import json
import keyword
import tokenize
from collections import Counter
from itertools import combinations
from typing import NamedTuple

from minigrad.course.gradebook.submissions import read_entry
from minigrad.course.grading import notebook

RUN = 12  # tokens
FEW = 3, 12  # submissions that share a run which still counts: at least, at most
LEAST_RUNS, LEAST_SHARE = 30, 0.6
LONGEST = 100_000  # letters of one submission
MOST_PAIRS = 30
SPACE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.ENDMARKER}
PLAIN = {tokenize.NUMBER: "0", tokenize.STRING: "s"}


class Likeness(NamedTuple):
    """Two students, and the part of the rarer runs of one that the other has as well."""

    first: str
    second: str
    share: float


def find_similar(handed_in, master):
    """The `Likeness`es among entries, the closest first."""
    runs = {entry.student: runs_of(entry, master) for entry in handed_in if entry.path}
    count = Counter(run for own in runs.values() for run in own)
    few = min(max(FEW[0], len(runs) // 4), FEW[1])
    rare = {student: {run for run in own if count[run] <= few} for student, own in runs.items()}
    common = Counter(
        pair for same in students_by_run(rare).values() for pair in combinations(same, 2)
    )
    found = []
    for (first, second), shared in common.items():
        share = shared / min(len(rare[first]), len(rare[second]))
        if shared >= LEAST_RUNS and share >= LEAST_SHARE:
            found.append(Likeness(first, second, share))
    return sorted(found, key=lambda one: (-one.share, one))[:MOST_PAIRS]


def students_by_run(rare):
    """{run: the students who have it, in order}."""
    found = {}
    for student in sorted(rare):
        for run in rare[student]:
            found.setdefault(run, []).append(student)
    return found


def runs_of(entry, master):
    """The runs of tokens in one submission's answer cells; none where they cannot be read."""
    names = {part.name for part in master.parts if not part.given}
    try:
        raw = json.loads(read_entry(entry)[1])
        cells = [] if notebook.find_malformation(raw) else notebook.cells(raw)
    except Exception:  # the entry's own row says why
        return set()
    found, left = set(), LONGEST
    for cell in [cell for cell in cells if cell.name in names]:
        tokens = plain_tokens(cell.source[:left])
        found |= {tuple(tokens[at : at + RUN]) for at in range(len(tokens) - RUN + 1)}
        left = max(0, left - len(cell.source))
    return found


def plain_tokens(source):
    """The tokens of some Python, as far as it is any, without what can be chosen freely."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
                found.append("n")
            elif token.type not in SPACE:
                found.append(PLAIN.get(token.type) or token.string.strip() or token.type)
    except (tokenize.TokenError, SyntaxError):
        pass
    return found
