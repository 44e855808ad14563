"""The instructor's bank: known wrong and right answers, each a few cells that replace the key's.

A file opens with `Loses q3: why` or `Full points: why`; `# %% q3` begins the cell that takes the
place of the key's cell q3, `# %% q3 after the key` what is added to it; all other cells are the
key's.
"""

import ast
import re
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from minigrad.course.grading import assignment, markup, notebook, pool, run
from minigrad.errors import ArgumentError

CELL = re.compile(r"^# %% (\S+)( after the key)?[ \t]*$", re.MULTILINE)
PROMISE = re.compile(r"(?:Loses (q\w+)|(Full points)): ")


@dataclass(frozen=True)
class Member:
    """One answer of the bank: the question that it must lose (None: none), its cells, and which
    of them are added to the key's."""

    path: Path
    loses: str | None
    about: str
    cells: dict
    added: frozenset


def members(chosen):
    """All members of an assignment's bank, wrong ones first."""
    paths = [*sorted((chosen.instructor / "mutants").glob("*.py"))]
    paths += sorted((chosen.instructor / "alternatives").glob("*.py"))
    return [read(path) for path in paths]


def read(path):
    """The `Member` in a file. Raises an ArgumentError when it does not say what it is."""
    text = path.read_text(encoding="utf-8")
    about = ast.get_docstring(ast.parse(text)) or ""
    promise = PROMISE.match(about)
    pieces = CELL.split(text)[1:]
    if promise is None or not pieces:
        raise ArgumentError(
            f"{path.name} does not say what it is",
            mend="begin with 'Loses qN: …' or 'Full points: …', and each cell with '# %% qN'",
        )
    names, after, texts = pieces[::3], pieces[1::3], pieces[2::3]
    added = frozenset(name for name, word in zip(names, after, strict=True) if word)
    return Member(path, promise[1], about, dict(zip(names, texts, strict=True)), added)


def submission(member, chosen):
    """The notebook that a student with this answer would hand in."""
    raw = notebook.read(chosen.solution)
    left = dict(member.cells)
    for cell, parsed in zip(raw["cells"], notebook.cells(raw), strict=True):
        if parsed.name in left and parsed.role == "answer":
            before = f"{markup.key(parsed)}\n\n\n" if parsed.name in member.added else ""
            cell["source"] = before + left.pop(parsed.name).strip("\n")
    if left:
        raise ArgumentError(f"{member.path.name}: the key has no answer cell '{min(left)}'")
    return raw


def verdicts(members, chosen, setting, jobs, brief=False):
    """The `verdict` of each member, in their order."""
    master = assignment.key_master(chosen)
    return pool.results(verdict, [(one, chosen, master, setting, brief) for one in members], jobs)


def verdict(member, chosen, master, setting, brief=False):
    """(whether the member does as it promises, what it lost, its `Report` by the hidden checks).
    What fails a visible check must fail a hidden one of that question, too."""
    asked = {chosen.hidden: concerned(member, master), chosen.checks: concerned(member, master)}
    if brief and member.loses:
        asked = {chosen.hidden: nearest(member, asked[chosen.hidden])}
    raw = submission(member, chosen)
    reports = {
        checks: pool.run(run.Job(checks, master, setting, raw=raw, questions=questions))
        for checks, questions in asked.items()
    }
    lost, *seen = map(lost_questions, reports.values())
    lost += [f"{question} by a visible check alone" for question in {*chain(*seen)} - {*lost}]
    wanted = [member.loses] if member.loses else []
    holds = lost == wanted and all(report.checks for report in reports.values())
    return holds, lost, reports[chosen.hidden]


def concerned(member, master):
    """The questions that run one of a member's cells: the others get the key's answers."""
    return tuple(name for name, parts in master.runs.items() if {*member.cells} & {*parts})


def nearest(member, questions):
    """Of `questions`, the one that a member must lose and the one after it, for a brief look."""
    if member.loses not in questions:
        return questions
    place = questions.index(member.loses)
    return tuple(dict.fromkeys([member.loses, questions[(place + 1) % len(questions)]]))


def lost_questions(report):
    """The questions in which points are missing."""
    return [q for q in report.questions() if report.earned(q) < report.possible(q)]
